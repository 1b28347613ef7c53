"""Files that were refused, for people: where, what, and what to do."""

from __future__ import annotations

from collections.abc import Sequence

from jw_eval_store.domain.reports import InvalidFile
from jw_eval_store.reports.wording import one_line, place
from jw_eval_store.text.plurals import plural


def faults_text(faults: Sequence[InvalidFile], sound: str) -> str:
    """One fault after the other, and the count; `sound` is said where there is none."""
    lines = []
    for fault in faults:
        lines.append(f"{place(fault.path, fault.line)}: {one_line(fault.message)}\n")
        if fault.hint:
            lines.append(f"  next: {one_line(fault.hint)}\n")
    return "".join([*lines, plural(len(faults), "fault") if faults else sound, "\n"])
