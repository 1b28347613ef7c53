"""What a drift issue says: title, text with a hidden marker, and the list of what was done."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from jw_eval_store.domain.checks import PassageChange
from jw_eval_store.domain.drift import DriftPage, IssueAction
from jw_eval_store.reports.listing import json_text
from jw_eval_store.reports.wording import clean, one_line
from jw_eval_store.reports.words import marked_diff
from jw_eval_store.text.plurals import plural

_MARKER = re.compile(r"^<!-- jw-eval-link-drift ([0-9a-f]{64}) -->\s*$", re.MULTILINE)
_MOST_CASES, _MOST_PASSAGES, _LONGEST_TEXT, _LONGEST_BODY = 50, 6, 1_500, 60_000
_WORDS = {"open": "opened", "update": "updated", "keep": "kept", "close": "closed"}


def page_mark(fetch_key: str) -> str:
    """What names a page in a marker."""
    return hashlib.sha256(fetch_key.encode()).hexdigest()


def marked_page(body: str) -> str | None:
    """What an issue's text names in its marker; none if it has none."""
    found = _MARKER.search(body.replace("\r\n", "\n"))
    return found[1] if found else None


def actions_report(actions: Sequence[IssueAction], form: str, *, dry_run: bool) -> str:
    """What was done, as `text` or `json`; in a dry run with the issues' whole text."""
    if form == "json":
        return json_text([action.model_dump(mode="json") for action in actions])
    lines: list[str] = []
    for action in actions:
        word = f"would {action.kind}" if dry_run else _WORDS[action.kind]
        lines.append(f"{word:<10} {action.title}{f' {action.url}' if action.url else ''}")
        lines += ["", action.body] if dry_run else []
    tally = plural(len(actions), "issue") if actions else "no issue to open, update or close"
    return "\n".join([*lines, tally]) + "\n"


def title_of(page: DriftPage) -> str:
    """Such as `claim changed: wol.jw.org/en/wol/b/r1/lp-e/bi22/43/3`."""
    return f"{page.status.replace('_', ' ')}: {subject_of(page)}"


def subject_of(page: DriftPage) -> str:
    """The page in a title; stays the same whatever its status."""
    return page.fetch_key.removeprefix("https://")[:200]


def body_of(page: DriftPage) -> str:
    """The issue's text: the same for the same findings, so that it is updated only if they change.

    Text of pages stands in fences, where it can neither mention anybody nor format anything.
    """
    parts = [
        f"<!-- jw-eval-link-drift {page_mark(page.fetch_key)} -->",
        f"The cited page <{page.fetch_key}> has a problem: **{page.status}**.",
        *(_fenced(one_line(reason)) for reason in page.reasons[:10]),
        *_answer(page),
        f"### Cases that cite it\n\n{_cases(page)}",
        *_changes(page.passages),
        f"### What to do\n\n{_next_step(page)}",
    ]
    return "\n\n".join(parts)[:_LONGEST_BODY] + "\n"


def _answer(page: DriftPage) -> list[str]:
    moved = page.final_url and page.final_url != page.fetch_key
    told = [f"HTTP status {page.http_status}"] if page.http_status else []
    told += [f"it answers at `{one_line(page.final_url or '').replace('`', '')}`"] if moved else []
    return [", ".join(told) + "."] if told else []


def _cases(page: DriftPage) -> str:
    listed = [f"- `{case}`" for case in page.cases[:_MOST_CASES]]
    more = len(page.cases) - _MOST_CASES
    return "\n".join([*listed, *([f"- and {more} more"] if more > 0 else [])]) or "- none"


def _changes(passages: Sequence[PassageChange]) -> list[str]:
    parts = ["### What changed"] if passages else []
    for change in passages[:_MOST_PASSAGES]:
        difference = f": {one_line(change.difference)}" if change.difference else ""
        name = change.anchor or "text without an anchor"
        parts.append(_fenced(f"{name}{difference}"))
        parts += ["Was:", _fenced(change.old or "(not there)")]
        parts += ["Now:", _fenced(change.new or "(not there)")]
        if change.old and change.new:
            parts += ["Word by word:", _fenced(marked_diff(change.old, change.new))]
    if len(passages) > _MOST_PASSAGES:
        parts.append(f"… and {len(passages) - _MOST_PASSAGES} more: `jw-eval snapshots drift`")
    return parts


def _next_step(page: DriftPage) -> str:
    commands = [
        f"jw-eval snapshots refresh {page.fetch_key}",
        f"jw-eval snapshots drift {page.fetch_key}",
        f'jw-eval snapshots accept {page.fetch_key} --reason "why"',
    ]
    told = "Look at the page, then take its new state in, or mend the cases:"
    return f"{told}\n\n{_fenced(chr(10).join(commands), _LONGEST_BODY)}"


def _fenced(text: str, limit: int = _LONGEST_TEXT) -> str:
    """Text as a block of code, with a fence longer than any in it, and without markers."""
    shown = re.sub(r"`{10,}", "`" * 9, clean(text).replace("<!--", "< !--"))
    shown = shown if len(shown) <= limit else shown[: limit - 1] + "…"
    longest = max((len(run) for run in re.findall(r"`+", shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{shown}\n{fence}"
