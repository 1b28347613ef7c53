"""Which cases count for coverage: current, lint-clean, and each substance once."""

from __future__ import annotations

import json
from collections.abc import Container

from jw_eval_store.domain.cases import parse_case
from jw_eval_store.golden.lint import lint
from jw_eval_store.golden.reading import ReadCase
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.coverage import CoveredCase, covered_cases


def counted_cases(
    conn: Connection, agents: Container[str], *, bundled: bool
) -> tuple[list[CoveredCase], list[str]]:
    """The cases of these agents that count, and a note for each that doesn't."""
    cases = covered_cases(conn, bundled=bundled)
    own = [case for case in cases if case.agent in agents] if agents else cases
    faults = _lint_errors(own)
    counted: dict[str, CoveredCase] = {}
    notes = []
    for case in own:
        if case.case_id in faults:
            notes.append(f"{case.case_id} does not count: {faults[case.case_id]}")
        elif case.substance in counted:
            twin = counted[case.substance].case_id
            notes.append(f"{case.case_id} does not count: it asks and expects what {twin} does")
        else:
            counted[case.substance] = case
    return list(counted.values()), notes


def _lint_errors(cases: list[CoveredCase]) -> dict[str, str]:
    reads = [ReadCase(parse_case(json.loads(c.definition)), c.source.encode()) for c in cases]
    found = lint(reads)
    return {f.case_id: f"{f.rule}: {f.message}" for f in found if f.severity == "error"}
