"""`run --shard 2/5`: leave of the selected cases those of one machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jw_eval_store.domain.selections import Selection
from jw_eval_store.domain.shards import Shard, Split, split
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.selected import keep_selected, selected_durations
from jw_eval_store.text.plurals import plural


def take_shard(conn: Connection, selection: Selection, shard: Shard) -> Mapping[str, Any]:
    """Narrow the selected cases to a shard's; what the run's row says of it.

    Cases are balanced by what each took in the newest whole run of the same selection: machines
    must start from the same database, or all from none. The hash of the split tells if they did.
    """
    found = split(selected_durations(conn, selection), shard)
    keep_selected(conn, found.case_ids)
    return described(found)


def described(found: Split) -> Mapping[str, Any]:
    """A split as it stands in the run's row."""
    return {
        "number": found.shard.number,
        "count": found.shard.count,
        "cases": len(found.case_ids),
        "of": found.total,
        "split": found.split_hash,
    }


_NOTICE = "shard "


def shard_notice(selection: Mapping[str, Any]) -> list[str]:
    """What a shard's report says of being one; empty for a whole run."""
    part = selection.get("shard")
    if not part:
        return []
    cases = f"{part['cases']} of {plural(part['of'], 'case')}"
    text = f"{_NOTICE}{part['number']} of {part['count']}: {cases}"
    return [f"{text}; the verdict on all of them is that of `jw-eval db merge --gate`"]


def is_shard_notice(notice: str) -> bool:
    """Whether it is one of `shard_notice`, which a joined run does not repeat."""
    return notice.startswith(_NOTICE)


def is_empty_shard(selection: Mapping[str, Any]) -> bool:
    """Whether the run is a shard for which the split left no case."""
    part = selection.get("shard") or {"cases": None}
    return bool(part["cases"] == 0)
