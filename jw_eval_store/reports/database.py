"""The state of the database file, for people."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from jw_eval_store.reports.interface import Page
from jw_eval_store.reports.listing import listed, listing
from jw_eval_store.reports.wording import one_line
from jw_eval_store.store.check import Problem
from jw_eval_store.store.info import StoreInfo
from jw_eval_store.store.prune import Pruned
from jw_eval_store.text.plurals import plural


def problems_text(path: Path, problems: Sequence[Problem]) -> str:
    """What `db check` found, serious things first, each with its next step."""
    if not problems:
        return f"{path}: sound\n"
    lines = []
    for problem in sorted(problems, key=lambda p: not p.serious):
        word = "DAMAGED" if problem.serious else "note"
        lines.append(f"{word:<8}{one_line(problem.message)}\n        next: {problem.hint}\n")
    serious = sum(problem.serious for problem in problems)
    verdict = plural(serious, "serious problem") if serious else "sound"
    return "".join([*lines, f"{path}: {verdict}\n"])


def info_text(info: StoreInfo, page: Page | None = None) -> str:
    """Size, schema and tables, the largest table first."""
    known = [("file", str(info.path)), ("size", size(info.size + info.journal_size))]
    known += [("schema", info.revision or "none"), ("results", f"{info.results:,}")]
    if info.bytes_per_result is not None:
        known.append(("bytes per result", f"{info.bytes_per_result:,.0f}"))
    known.append(("SQLite", info.sqlite_version))
    width = max(len(name) for name, _ in known) + 2
    head = "".join(f"{name:<{width}}{value}\n" for name, value in known)
    tables = sorted(info.tables, key=lambda t: (-(t.size or 0), -t.rows, t.name))
    rows = [(t.name, f"{t.rows:,}", size(t.size) if t.size else None) for t in tables if t.rows]
    return f"{head}\n{listed(listing(['table', '>rows', '>size'], rows), 'table', page)}"


def pruned_text(pruned: Pruned, *, dry_run: bool) -> str:
    """What went, or would go."""
    if not pruned.runs:
        return "no run is older than what is kept: nothing to prune\n"
    verb = "would lose" if dry_run else "lost"
    first, last = pruned.runs[0], pruned.runs[-1]
    lines = [f"{plural(len(pruned.runs), 'run')} {verb} their results: {first} to {last}"]
    lines += [f"  {name:<20}{count:>12,} rows" for name, count in pruned.rows.items()]
    lines.append("nothing was removed; do it with --yes" if dry_run else "next: jw-eval db vacuum")
    return "\n".join(lines) + "\n"


def size(count: int) -> str:
    """Bytes in a unit that reads well."""
    value = float(count)
    for unit in ("B", "KiB", "MiB"):
        if value < 1024:
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1024
    return f"{value:.1f} GiB"
