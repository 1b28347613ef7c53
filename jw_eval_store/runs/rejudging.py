"""`rejudge`: judge stored answers again, by another judge or a new one. No agent is asked.

The result is a run of its own, about the same answers of the same agents to the same revisions:
against the run it came from, only the judge differs.
"""

from __future__ import annotations

import os
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version

from jw_eval_store.agents.interface import Agent, AgentCall, AgentReply
from jw_eval_store.config import Config
from jw_eval_store.domain.cases import SemanticCase
from jw_eval_store.domain.errors import EmptySelectionError, UsageError
from jw_eval_store.domain.outputs import AgentOutput
from jw_eval_store.domain.policies import Policy
from jw_eval_store.domain.reports import SuiteReport
from jw_eval_store.runs.gate import judge_run
from jw_eval_store.runs.given import Given
from jw_eval_store.runs.interrupt import Interrupt
from jw_eval_store.runs.judging import Judged, Tools, judge_case
from jw_eval_store.runs.policies import load_policy
from jw_eval_store.runs.reporting import case_reports, suite_report
from jw_eval_store.runs.semantic import Semantic, open_semantic
from jw_eval_store.runs.setups import setup_for
from jw_eval_store.runs.suite import Hooks
from jw_eval_store.runs.syncing import SyncReport
from jw_eval_store.runs.workspace import sync_evidence
from jw_eval_store.store.cases import load_cases
from jw_eval_store.store.connect import Connection, transaction, writing
from jw_eval_store.store.evaluations import NewEvaluation, put_evaluations
from jw_eval_store.store.evidence import EvidenceRef, cited_evidence, load_evidence
from jw_eval_store.store.policies import put_policy
from jw_eval_store.store.results import counts_of, is_unanswered
from jw_eval_store.store.runs import (
    RunRow,
    end_run,
    find_run,
    plan_results,
    run_by_key,
    start_run,
    write_rollup,
)
from jw_eval_store.store.setups import setup_key
from jw_eval_store.store.stored_answers import StoredAnswer, stored_answers


@dataclass(frozen=True)
class RejudgeRequest:
    """Which run's answers (`case_ids` none: all of L3), and whether judges are asked anew."""

    run: str = "last"
    case_ids: tuple[str, ...] = ()
    fresh: bool = False
    given: Given = field(default_factory=Given)


class StoredAgent(Agent):
    """Says again what an agent said in a run, by case id."""

    origin = "stored answers"

    def __init__(self, name: str, outputs: Mapping[str, str]) -> None:
        self.name, self._outputs = name, outputs

    def fingerprint(self) -> None:
        """None of its own: its answers keep the fingerprint of the agent that gave them."""

    def call(self, call: AgentCall) -> AgentReply:
        """The stored answer."""
        return AgentReply(AgentOutput.model_validate_json(self._outputs[call.case_id]), 0)


@dataclass(frozen=True)
class _Rejudging:
    """An open run, and the answers it judges."""

    conn: Connection
    config: Config
    policy: Policy
    run: RunRow
    answers: Sequence[StoredAnswer]
    setups: Mapping[int, int]
    semantic: Semantic
    synced: SyncReport


def rejudge(request: RejudgeRequest, config: Config, hooks: Hooks | None = None) -> SuiteReport:
    """Judge a run's L3 answers again, store the verdicts as a new run, and report.

    Cases are those of then, evidence is what the snapshots folders hold now. A case whose agent
    gave no answer keeps its verdict. Raises UsageError for an unknown run, for all cases of one
    that did not end, and for a folder that is gone; EmptySelectionError where the run has none of
    these cases at L3.
    """
    hooks = hooks or Hooks()
    with writing(config.database) as conn:
        source = find_run(conn, request.run)
        _check_whole(source, request.case_ids)
        answers = _chosen(conn, source, request.case_ids)
        demonstration = bool(source.bundled)
        policy = load_policy(config, demonstration=demonstration)
        revisions = [answer.revision for answer in answers]
        synced = sync_evidence(conn, config, revisions, demonstration=demonstration)
        with open_semantic(conn, config, fresh=request.fresh, given=request.given) as semantic:
            state = _opened(conn, config, policy, source, answers, semantic, synced)
            todo = [answer for answer in answers if answer.output is not None]
            hooks.planned(len(todo), len(answers) - len(todo))
            interrupt = Interrupt(hooks.interrupted)
            try:
                with interrupt:
                    _judge_all(state, todo, interrupt, hooks)
            except BaseException:
                _close(state, interrupted=True)
                raise
            return _close(state, interrupted=interrupt.requested)


def _check_whole(source: RunRow, case_ids: Sequence[str]) -> None:
    """Of a run that did not end, only named cases: the rest would be missing and not be missed."""
    if source.status != "finished" and not case_ids:
        raise UsageError(
            f"run {source.ulid} did not end, so some of its answers are missing",
            hint=f"jw-eval run --resume {source.ulid}, or name the cases with --case",
        )


def _chosen(conn: Connection, source: RunRow, case_ids: Sequence[str]) -> list[StoredAnswer]:
    answers = stored_answers(conn, source.key, case_ids)
    missing = set(case_ids) - {answer.case_id for answer in answers}
    if missing or not answers:
        what = f"case {min(missing)} at L3" if missing else "verdict at L3"
        raise EmptySelectionError(
            f"run {source.ulid} has no {what}", hint=f"jw-eval runs show {source.ulid}"
        )
    return answers


def _opened(
    conn: Connection,
    config: Config,
    policy: Policy,
    source: RunRow,
    answers: Sequence[StoredAnswer],
    semantic: Semantic,
    synced: SyncReport,
) -> _Rejudging:
    """Start the run: it is of the revision that the answers are of."""
    cases = load_cases(conn, [answer.revision for answer in answers])
    revision = (source.git_revision, bool(source.git_dirty)) if source.git_revision else None
    with transaction(conn):
        setups: dict[int, int] = {}
        for answer in answers:
            case = cases[answer.revision]
            assert isinstance(case, SemanticCase)
            identity = semantic.identity_for(semantic.spec_of(case))
            parts = setup_for(answer.agent, answer.fingerprint, "l3", policy, identity)
            setups[answer.case] = setup_key(conn, parts)
        run = start_run(
            conn,
            {"rejudged": source.ulid, "selection": {"case_ids": [a.case_id for a in answers]}},
            bundled=bool(source.bundled),
            git=revision,
            tool_version=version("jw-eval-store"),
            policy=put_policy(conn, policy),
        )
        links = [(a.case, None if a.output is not None else a.evaluation) for a in answers]
        plan_results(conn, run.key, links)
    return _Rejudging(conn, config, policy, run, answers, setups, semantic, synced)


def _judge_all(
    state: _Rejudging, todo: Sequence[StoredAnswer], interrupt: Interrupt, hooks: Hooks
) -> None:
    """Judge on several threads; every verdict is stored as it comes."""
    tools = Tools(_agents(todo), {}, state.policy.origins, state.semantic)
    jobs = state.config.settings.jobs or os.cpu_count() or 1
    cases = load_cases(state.conn, [answer.revision for answer in todo])
    cited = {a.case: tuple(cited_evidence(state.conn, a.revision)) for a in todo}
    load = cache(lambda ref: load_evidence(state.conn, [ref]))
    evidence = {case: dict(ChainMap(*map(load, refs))) for case, refs in cited.items()}
    pool = ThreadPoolExecutor(jobs, thread_name_prefix="case")
    try:
        waiting = {
            pool.submit(judge_case, cases[a.revision], evidence[a.case], tools): a for a in todo
        }
        for done, (answer, judged) in enumerate(_results(waiting, interrupt), 1):
            with transaction(state.conn):
                new = _evaluation(state, answer, judged, cited[answer.case])
                put_evaluations(state.conn, [new])
            hooks.progress(done, len(todo))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _results(
    waiting: Mapping[Future[Judged], StoredAnswer], interrupt: Interrupt
) -> Iterator[tuple[StoredAnswer, Judged]]:
    for future in as_completed(waiting):
        if interrupt.requested:
            for other in waiting:
                other.cancel()
        if not future.cancelled():
            yield waiting[future], future.result()


def _agents(answers: Sequence[StoredAnswer]) -> dict[str, Agent]:
    outputs: dict[str, dict[str, str]] = {}
    for answer in answers:
        outputs.setdefault(answer.agent, {})[answer.case_id] = answer.output or ""
    return {name: StoredAgent(name, said) for name, said in outputs.items()}


def _evaluation(
    state: _Rejudging, answer: StoredAnswer, judged: Judged, cited: tuple[EvidenceRef, ...]
) -> NewEvaluation:
    return NewEvaluation(
        run=state.run.key,
        case=answer.case,
        revision=answer.revision,
        setup=state.setups[answer.case],
        result=judged.result,
        evidence=cited,
        output=judged.output,
        recording=answer.recording,
    )


def _close(state: _Rejudging, *, interrupted: bool) -> SuiteReport:
    """Gate and report, as for any run."""
    conn, run = state.conn, state.run
    with transaction(conn):
        write_rollup(conn, run.key)
    invalid = [file.model_dump() for file in state.synced.invalid]
    gate = judge_run(
        counts_of(conn, run.key),
        state.policy,
        invalid_files=len(invalid),
        interrupted=interrupted,
        unanswered=is_unanswered(conn, run.key),
    )
    notices = {
        "invalid_files": invalid,
        "notices": [
            f"answers of run {run.selection['rejudged']} judged again; no agent was asked",
            *state.config.notices,
            *state.synced.notices,
            *state.semantic.notices,
        ],
        "embedder": state.semantic.embedder_label,
        "judge": state.semantic.judge_label,
        "gate": gate.model_dump(mode="json"),
    }
    with transaction(conn):
        end_run(
            conn,
            run.key,
            status="interrupted" if interrupted else "finished",
            gate=gate.verdict,
            exit_code=gate.exit_code,
            notices=notices,
        )
    return suite_report(conn, run_by_key(conn, run.key), gate, case_reports(conn, run))
