"""Compare two runs of the store, or a run with a baseline or a report file."""

from __future__ import annotations

from jw_eval_store.config.database import HasDatabase
from jw_eval_store.domain.comparisons import Comparison
from jw_eval_store.runs.baselines import baseline_results
from jw_eval_store.runs.comparing import compare
from jw_eval_store.runs.differing import describer
from jw_eval_store.store.connect import reading


def diff_runs(config: HasDatabase, before: str, after: str = "last") -> Comparison:
    """The differences from `before` to `after`: runs, baselines or report files by name.

    Raises UsageError for a name that is none of them.
    """
    with reading(config.database) as conn:
        old, new = baseline_results(conn, before), baseline_results(conn, after)
        return compare(old.label, old.results, new.label, new.results, describer(conn))
