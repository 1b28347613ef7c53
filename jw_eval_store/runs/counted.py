"""Which cases count for coverage: current, lint-clean, and each substance once."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from jw_eval_store.store.connect import Connection, transaction
from jw_eval_store.store.coverage import (
    CoveredCase,
    covered_cases,
    known_faults,
    lint_key,
    put_faults,
    sources_of,
)
from jw_eval_store.store.rows import stored_json

_RULES = Path(__file__).parent.parent / "golden"


class Counted:
    """The cases that count. `clean` are those without a lint error, twins among them."""

    def __init__(self, clean: Sequence[CoveredCase], notes: Sequence[str]) -> None:
        self.clean = list(clean)
        self.notes = list(notes)
        first: dict[str, CoveredCase] = {}
        for case in clean:
            twin = first.setdefault(case.substance, case)
            if twin is not case:
                self.notes.append(
                    f"{case.case_id} does not count: it asks and expects what {twin.case_id} does"
                )
        self.distinct = list(first.values())


def counted_cases(conn: Connection, agents: Iterable[str] | None, *, bundled: bool) -> Counted:
    """The cases of these agents (none: of all) that count, and a note for each that doesn't."""
    cases = covered_cases(conn, agents, bundled=bundled)
    by_agent: dict[str, list[CoveredCase]] = {}
    for case in cases:
        by_agent.setdefault(case.agent, []).append(case)
    faults: dict[int, str] = {}
    for agent, own in by_agent.items():
        faults |= _faults(conn, agent, own, bundled=bundled)
    notes = [
        f"{case.case_id} does not count: {faults[case.revision]}"
        for case in cases
        if case.revision in faults
    ]
    return Counted([case for case in cases if case.revision not in faults], notes)


def _faults(
    conn: Connection, agent: str, cases: Sequence[CoveredCase], *, bundled: bool
) -> dict[int, str]:
    """What lint says of an agent's cases, asked again only when they or the rules changed."""
    key = lint_key(_rules(), cases)
    known = known_faults(conn, agent, key, bundled=bundled)
    if known is None:
        known = _lint(conn, cases)
        with transaction(conn):
            put_faults(conn, agent, key, known, bundled=bundled)
    return known


def _rules() -> str:
    """A checksum of the rules' code: other rules may say otherwise of the same cases."""
    checksum = 0
    for path in [
        _RULES / "lint.py",
        _RULES / "effect.py",
        *sorted((_RULES / "rules").glob("*.py")),
    ]:
        checksum = zlib.crc32(path.read_bytes(), checksum)
    return str(checksum)


def _lint(conn: Connection, cases: Sequence[CoveredCase]) -> dict[int, str]:
    from jw_eval_store.domain.cases import parse_case
    from jw_eval_store.golden.lint import lint
    from jw_eval_store.golden.reading import ReadCase

    sources = sources_of(conn, (case.revision for case in cases))
    reads = [
        ReadCase(parse_case(stored_json(case.definition)), sources[case.revision].encode())
        for case in cases
    ]
    revision = {case.case_id: case.revision for case in cases}
    errors = [found for found in lint(reads) if found.severity == "error"]
    return {revision[f.case_id]: f"{f.rule}: {f.message}" for f in reversed(errors)}
