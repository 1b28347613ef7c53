"""Which cases can't be trusted, since the same inputs got different verdicts, and the quarantine.

The quarantine is the policy's list of accepted failures: each with a reason, until a date.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from jw_eval_store.config import Config
from jw_eval_store.domain.errors import EmptySelectionError, UsageError
from jw_eval_store.domain.wavering import UnstableCase
from jw_eval_store.runs.policies import load_policy
from jw_eval_store.store.connect import reading
from jw_eval_store.store.unstable import has_cases, unstable_cases


def unstable(
    config: Config, *, agent: str | None = None, least: float = 0.0, bundled: bool = False
) -> list[UnstableCase]:
    """Cases whose flip rate is at least that, the most wavering first.

    Raises EmptySelectionError for an agent without cases, of which none would waver, and UsageError
    for a rate that is no share.
    """
    if not 0 <= least <= 1:
        raise UsageError(f"{least} is no share of verdicts", hint="give a number from 0 to 1")
    policy = load_policy(config, demonstration=bundled)
    until = {a.case: a.until.isoformat() for a in policy.accepted if a.until >= date.today()}
    with reading(config.database) as conn:
        if agent is not None and not has_cases(conn, agent):
            raise EmptySelectionError(f"agent {agent!r} has no case", hint="jw-eval cases list")
        found = unstable_cases(conn, agent)
    known = (replace(case, quarantined_until=until.get(case.case_id)) for case in found)
    wanted = [case for case in known if case.flip_rate >= least]
    return sorted(wanted, key=lambda case: (-case.flip_rate, case.case_id))
