"""Plan a run: setups as they are now, and which earlier verdicts were made with just these."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jw_eval_store.config import Config
from jw_eval_store.domain.cases import SemanticCase
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.evidence import ORIGINS
from jw_eval_store.domain.judging import JudgeSpec
from jw_eval_store.domain.policies import Policy
from jw_eval_store.runs.labels import Labels
from jw_eval_store.runs.request import RunRequest
from jw_eval_store.runs.setups import setup_for
from jw_eval_store.runs.since import reusable_runs
from jw_eval_store.store.cases import load_cases
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.planning import (
    Choice,
    Planned,
    SetupKey,
    keep_decided,
    plan_selected,
    planned_counts,
    planned_stale,
    reuse_earlier,
    setup_keys,
)
from jw_eval_store.store.selected import BUNDLED, selected_revisions, set_variants
from jw_eval_store.store.setups import SetupParts, StoredFingerprint, setup_key

if TYPE_CHECKING:
    from jw_eval_store.runs.semantic import Semantic


@dataclass(frozen=True)
class Plan:
    """What a run does: the cases to ask, how many verdicts it reuses, and the setups of both."""

    stale: tuple[Planned, ...]
    reused: int
    parts: Mapping[int, SetupParts]

    @property
    def setups(self) -> frozenset[int]:
        """Keys of the setups."""
        return frozenset(self.parts)


def plan_run(
    conn: Connection,
    request: RunRequest,
    config: Config,
    labels: Labels,
    policy: Policy,
    semantic: Semantic | None,
    resumed: int | None = None,
) -> Plan:
    """Plan the selected cases, of a resumed run (its key) the rest; inside a transaction.

    Raises UsageError where verdicts of that run no longer hold: it would have judged two states.
    """
    _tell_judges_apart(conn, semantic)
    parts = {
        key: _setup(key, labels.of(conn, key.agent), policy, semantic) for key in setup_keys(conn)
    }
    choices = {
        key: Choice(setup_key(conn, found), reusable=found.fingerprint is not None)
        for key, found in parts.items()
    }
    plan_selected(conn, choices)
    if resumed is not None and (outdated := keep_decided(conn, resumed)):
        raise _outdated(outdated)
    if _reuses(request):
        reuse_earlier(conn, _allowed_runs(conn, request, config))
    by_setup = {choice.setup: parts[key] for key, choice in choices.items()}
    return Plan(tuple(planned_stale(conn)), planned_counts(conn)[1], by_setup)


def _tell_judges_apart(conn: Connection, semantic: Semantic | None) -> None:
    """L3 cases are read, since each may want to be judged in its own way."""
    if semantic is None:
        return
    cases = load_cases(conn, selected_revisions(conn, "l3"))
    set_variants(
        conn,
        {
            revision: semantic.spec_of(case).model_dump_json(exclude_defaults=True)
            for revision, case in cases.items()
            if isinstance(case, SemanticCase)
        },
    )


def _setup(
    key: SetupKey,
    fingerprint: StoredFingerprint | None,
    policy: Policy,
    semantic: Semantic | None,
) -> SetupParts:
    if key.variant == BUNDLED:
        policy = policy.model_copy(update={"origins": ORIGINS})
    identity = None
    if semantic and key.layer == "l3":
        identity = semantic.identity_for(JudgeSpec.model_validate_json(key.variant))
    return setup_for(key.agent, fingerprint, key.layer, policy, identity)


def _reuses(request: RunRequest) -> bool:
    """A case that is asked several times is asked anew each time; a resumed run asks its rest."""
    return request.since is not None and request.repeat == 1 and request.resume is None


def _outdated(cases: Sequence[str]) -> UsageError:
    named = ", ".join(cases[:5]) + (" ..." if len(cases) > 5 else "")
    return UsageError(
        f"since the run was interrupted, the inputs of {len(cases)} of its verdicts have changed"
        f" (case, agent, evidence or policy): {named}",
        hint="jw-eval run --since last, which reuses the verdicts that still hold",
    )


def _allowed_runs(conn: Connection, request: RunRequest, config: Config) -> Collection[int] | None:
    return reusable_runs(conn, request.since or "last", config.root)
