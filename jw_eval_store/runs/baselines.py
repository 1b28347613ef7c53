"""What a run is compared with: an approved baseline, a run, or a JSON report in a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jw_eval_store.domain.comparisons import Compared
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.store.baselines import approved_run, baseline_names
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.runs import RunRow, find_run
from jw_eval_store.store.sides import results_to_compare
from jw_eval_store.text.plurals import plural

if TYPE_CHECKING:
    from jw_eval_store.domain.reports import SuiteReport
    from jw_eval_store.domain.selections import Selection


@dataclass(frozen=True)
class Baseline:
    """Results to compare with, how to call them, and the name that finds the very same again."""

    label: str
    results: tuple[Compared, ...]
    name: str = ""

    def within(self, selection: Selection, judged: Collection[str]) -> tuple[Compared, ...]:
        """The results that a selection covers, so that a subset's run misses nothing falsely.

        A case that was judged now is covered, wherever the baseline still has it: its language,
        topic or layer may have been edited since. Tags are not part of a result: with them, only
        cases that were judged now are compared.
        """
        return tuple(
            result
            for result in self.results
            if result.case_id in judged
            or (
                result.layer in selection.layers
                and (not selection.agents or result.agent in selection.agents)
                and (not selection.languages or result.language in selection.languages)
                and (not selection.case_ids or result.case_id in selection.case_ids)
                and (not selection.topics or result.topic in selection.topics)
                and not selection.tags
            )
        )


def baseline_results(conn: Connection, name: str) -> Baseline:
    """The baseline of that name, else the run, else the report file.

    Raises UsageError where there is none of them, and for one without results: nothing is taken for
    a baseline by accident, and nothing can get worse than nothing.
    """
    found = _found(conn, name)
    if not found.results:
        hint = "compare with a run that judged something: jw-eval runs list"
        raise UsageError(f"{found.label} holds no results to compare with", hint=hint)
    return found


def _found(conn: Connection, name: str) -> Baseline:
    run = approved_run(conn, name)
    if run is not None:
        return Baseline(f"baseline {name}", _results(conn, run), name)
    path = Path(name)
    if path.suffix == ".json" or path.is_file():
        return _from_file(path)
    try:
        found = find_run(conn, name)
    except UsageError as error:
        names = ", ".join(baseline_names(conn)) or "none approved yet"
        raise UsageError(
            f"{name!r} is no approved baseline, no run and no report file",
            hint=f"baselines: {names}; runs: jw-eval runs list",
        ) from error
    return Baseline(f"run {found.ulid}", _results(conn, found), found.ulid)


def _results(conn: Connection, run: RunRow) -> tuple[Compared, ...]:
    if pruned := run.notices.get("pruned"):
        raise UsageError(
            f"the results of run {run.ulid} were pruned on {str(pruned)[:10]}",
            hint="compare with a later run: jw-eval runs list",
        )
    return results_to_compare(conn, run.key)


def _from_file(path: Path) -> Baseline:
    from pydantic import ValidationError

    from jw_eval_store.domain.reports import SCHEMA_VERSION, SuiteReport

    try:
        report = SuiteReport.model_validate_json(path.read_bytes())
    except OSError as error:
        raise UsageError(
            f"baseline file {path} cannot be read: {error.strerror}",
            hint="write one with `jw-eval run --report json --out FILE`",
        ) from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the whole"
        raise UsageError(
            f"baseline file {path} is no report of jw-eval: {where}: {first['msg']}",
            hint="write one with `jw-eval run --report json --out FILE`",
        ) from error
    if report.schema_version != SCHEMA_VERSION:
        raise UsageError(
            f"baseline file {path} has schema version {report.schema_version}, not {SCHEMA_VERSION}"
        )
    if len({result.case_id for result in report.results}) < len(report.results):
        raise UsageError(f"baseline file {path} holds a case more than once")
    if report.results:  # that there are none at all is said of every baseline
        _refuse_cut(path, report)
    return Baseline(f"{path.name} (run {report.run})", report.results, str(path.resolve()))


def _refuse_cut(path: Path, report: SuiteReport) -> None:
    """A case that was taken out of the file could get worse unseen."""
    held = Counter[str](result.layer for result in report.results)
    for layer, counts in report.summary.items():
        wanted = counts.get("total")
        if isinstance(wanted, int) and held[layer] < wanted:
            raise UsageError(
                f"baseline file {path} is cut: it holds {held[layer]} of the"
                f" {plural(wanted, 'result')} of {layer.upper()} that its summary counts",
                hint="write it again with `jw-eval run --report json --out FILE`",
            )
