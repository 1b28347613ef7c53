"""The history that the demonstration plays: each step changes one thing, then runs the suite."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from jw_eval_store.domain.reports import SuiteReport
from jw_eval_store.integrations.demo.judges import Judge, judge_of_march, judge_of_may
from jw_eval_store.integrations.demo.project import DemoProject, forget_agents
from jw_eval_store.integrations.library.suite import Suite
from jw_eval_store.reports.json import JsonReporter
from jw_eval_store.reports.write import write_report

_ROMANS_6 = "https://wol.jw.org/es/wol/b/r4/lp-s/nwt/45/6"
_OLD, _NEW = "la paga del pecado es muerte", "lo que gana quien peca es la muerte"


@dataclass(frozen=True)
class Step:
    """What happened, in words, and by which judge it was judged then. `name` is its report's."""

    name: str
    what: str
    change: Callable[[DemoProject], None]
    judge: Judge = judge_of_march


STEPS = (
    Step("well", "all is well", lambda project: None),
    Step(
        "regression",
        "regression: the verse explainer gives its first finding only",
        lambda project: project.show_findings(1),
    ),
    Step("repaired", "the agent is repaired", lambda project: project.show_findings(None)),
    Step(
        "drift",
        "drift: the page of Romans 6 in Spanish is worded anew",
        lambda project: project.change_page(_ROMANS_6, _OLD, _NEW),
    ),
    Step(
        "renewed",
        "the curator renews the phrase of the case",
        lambda project: project.edit_case("l2/verse_romans_6_23_es.yaml", _OLD, _NEW),
    ),
    Step("judge", "another judge: stricter than the first", lambda project: None, judge_of_may),
)


def play(
    folder: Path, told: Callable[[Step, SuiteReport], None] = lambda step, report: None
) -> list[SuiteReport]:
    """Play the whole history in a new folder; `told` hears of each step when it is judged.

    Each run's report is kept as reports/STEP.json.
    Raises UsageError where the folder holds anything.
    """
    project = DemoProject(folder)
    reports = []
    with _imports_undone():
        project.start()
        for step in STEPS:
            step.change(project)
            project.commit(step.what)
            report = Suite(project.root, judge=step.judge).run((1, 2, 3))
            write_report(
                project.root / "reports" / f"{step.name}.json", JsonReporter().report(report)
            )
            told(step, report)
            reports.append(report)
    return reports


@contextmanager
def _imports_undone() -> Iterator[None]:
    """Leave no path or module of the folder behind, lest the next one gets this one's agents.

    Nor bytecode: Python takes a file for unchanged that changed within a second and kept its size.
    """
    path, bytecode = [*sys.path], sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    try:
        yield
    finally:
        sys.path[:], sys.dont_write_bytecode = path, bytecode
        forget_agents()
