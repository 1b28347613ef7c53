"""Write all results as files, a folder a month, for teams that outgrow one file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from jw_eval_store.config.database import HasDatabase
from jw_eval_store.domain.errors import EmptySelectionError, UsageError
from jw_eval_store.store.connect import reading
from jw_eval_store.store.export import COLUMNS, months, pruned_months, results_of_month

Write = Callable[[Path, str, Mapping[str, str], Iterator[tuple[Any, ...]]], int]


def export_results(
    config: HasDatabase, folder: Path, form: str, write: Write, *, since: str | None = None
) -> Iterator[tuple[Path, int]]:
    """Write `month=YYYY-MM/results.<form>` for each month; yields each file with its rows.

    `write` makes the file and its folder. A file of a month of which runs were pruned since stays,
    as it may be their only copy; then UsageError at the end. Raises UsageError for a wrong month,
    too, and EmptySelectionError for none.
    """
    if since is not None and not re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])", since):
        raise UsageError(f"--since {since!r} is no month", hint="such as 2026-05")
    with reading(config.database) as conn:
        wanted = [month for month in months(conn) if month >= (since or "")]
        if not wanted:
            raise EmptySelectionError("there is no run to export", hint="jw-eval runs list")
        pruned, kept = pruned_months(conn), list[Path]()
        for month in wanted:
            target = folder / f"month={month}" / f"results.{form}"
            if month in pruned and target.exists():
                kept.append(target)
                continue
            yield target, write(target, form, COLUMNS, results_of_month(conn, month))
    if kept:
        raise UsageError(
            f"{', '.join(map(str, kept))} {'was' if len(kept) == 1 else 'were'} not replaced: runs"
            " in it were pruned since, and it may be their only copy",
            hint="export to another folder, or move it away first",
        )
