"""Wavering cases for people, and as the lines of policy.yaml that put them into quarantine."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import date, timedelta

from jw_eval_store.domain.wavering import UnstableCase
from jw_eval_store.reports.interface import Page
from jw_eval_store.reports.listing import json_text, listed, listing

QUARANTINE_DAYS = 30
_COLUMNS = (
    "!case", "agent", "layer", ">judged", ">passed", ">failed", ">undecided", ">flip rate",
    "quarantined until", "!last run",
)  # fmt: skip
_OPTIONAL = ("last run", "layer", "agent", "quarantined until")

_NONE = "no unstable case: none got different verdicts from the same inputs\n"


def unstable_report(cases: Sequence[UnstableCase], form: str, page: Page | None = None) -> str:
    """The cases as `table`, `json`, `csv` or `policy` (what is not in quarantine yet)."""
    if form == "json":
        return json_text([asdict(case) | {"flip_rate": case.flip_rate} for case in cases])
    if form == "policy":
        return _policy(cases)
    if form == "table" and not cases:
        return _NONE
    rows = [
        (c.case_id, c.agent, c.layer.upper(), c.judgements, c.passed, c.failed, c.undecided,
         f"{c.flip_rate:.0%}", c.quarantined_until, c.last_run)
        for c in cases
    ]  # fmt: skip
    return listed(listing(_COLUMNS, rows, optional=_OPTIONAL), form, page)


def _policy(cases: Sequence[UnstableCase]) -> str:
    until = date.today() + timedelta(days=QUARANTINE_DAYS)
    lines = [
        f"  - case: {case.case_id}\n    reason: {json.dumps(_reason(case))}\n    until: {until}\n"
        for case in {case.case_id: case for case in reversed(cases)}.values()
        if case.quarantined_until is None
    ]
    return "".join(["accepted:\n", *lines]) if lines else "accepted: []\n"


def _reason(case: UnstableCase) -> str:
    return (
        f"unstable: {case.passed} passed, {case.failed} failed, {case.undecided} undecided"
        f" of {case.judgements} with the same inputs"
    )
