"""Approvals for people and programs."""

from __future__ import annotations

from collections.abc import Sequence

from jw_eval_store.domain.baselines import Approval
from jw_eval_store.reports.history import moment
from jw_eval_store.reports.interface import Page
from jw_eval_store.reports.listing import Cell, json_text, listed, listing
from jw_eval_store.reports.wording import one_line

_COLUMNS = ("name", "!run", "!approved", "by", "reason", ">passed", ">failed", "", "judge")
_OPTIONAL = ("judge", "failed", "passed", "by")

_NONE = "no baseline in force; see: jw-eval baseline approve --help\n"


def approvals_report(found: Sequence[Approval], form: str, page: Page | None = None) -> str:
    """The approvals as `table`, `json` or `csv`."""
    if form == "json":
        return json_text(found)
    if form == "table" and not found:
        return _NONE
    return listed(listing(_COLUMNS, map(_row, found), optional=_OPTIONAL), form, page)


def _row(found: Approval) -> tuple[Cell, ...]:
    state = "revoked" if found.revoked_at else "" if found.in_force else "replaced"
    forced = "forced" if found.forced else ""
    return (
        found.name,
        found.run,
        moment(found.approved_at),
        found.approved_by,
        found.reason,
        found.passed,
        found.failed,
        ", ".join(filter(None, (state, forced))),
        found.judge,
    )


def approval_text(found: Approval) -> str:
    """One approval, a line a fact."""
    facts: dict[str, str | None] = {
        "baseline": found.name,
        "run": found.run,
        "approved": f"{moment(found.approved_at)} by {found.approved_by}: {found.reason}",
        "results": f"{found.passed} passed, {found.failed} failed, {found.errors} undecided,"
        f" {found.skipped} skipped",
        "forced": "yes: it had errors, skips or refused files" if found.forced else None,
        "judge": found.judge,
        "case set": found.case_set_hash,
    }
    if found.revoked_at:
        facts["revoked"] = (
            f"{moment(found.revoked_at)} by {found.revoked_by}: {found.revoke_reason}"
        )
    return "".join(f"{name:<10}{one_line(value)}\n" for name, value in facts.items() if value)
