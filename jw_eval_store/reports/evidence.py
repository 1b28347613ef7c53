"""A stored page, for people and programs."""

from __future__ import annotations

from jw_eval_store.pages.reading import StoredSnapshot
from jw_eval_store.reports.listing import json_text
from jw_eval_store.reports.wording import clean


def snapshot_report(snapshot: StoredSnapshot, form: str) -> str:
    """The snapshot as `text`, `json`, or `html` as it is stored."""
    if form == "html":
        return snapshot.html
    entry = snapshot.entry.model_dump(mode="json", exclude_defaults=True)
    passages = snapshot.evidence.passages
    if form == "json":
        return json_text(
            entry | {"hash": snapshot.evidence.content_hash, "passages": list(passages)}
        )
    width = max(len(name) for name in entry) + 2
    known = [f"{name:<{width}}{value}" for name, value in entry.items()]
    text = [f"[{passage.anchor or '-'}] {passage.text}" for passage in passages]
    return clean("\n".join([*known, "", *text])) + "\n"
