"""A run whose cases are judged one by one, in any order, and by several processes at once.

Test runners decide themselves what runs when. The first process that comes opens the run, in which
all find each other by the session that they were told; each stores its own verdicts; one of them
finishes it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, Self
from uuid import uuid4

from jw_eval_store.config import Config
from jw_eval_store.domain.cases import LAYERS
from jw_eval_store.domain.evaluations import LayerResult
from jw_eval_store.domain.reports import InvalidFile, SuiteReport
from jw_eval_store.domain.selections import Selection
from jw_eval_store.runs import git
from jw_eval_store.runs.agents import Agents, open_agents
from jw_eval_store.runs.gate import judge_run
from jw_eval_store.runs.given import Given, refuse_unasked
from jw_eval_store.runs.judging import Tools, judge_case
from jw_eval_store.runs.labels import Labels
from jw_eval_store.runs.planning import plan_run
from jw_eval_store.runs.policies import load_policy
from jw_eval_store.runs.reporting import case_reports, suite_report
from jw_eval_store.runs.request import RunRequest
from jw_eval_store.runs.selecting import select_for_run
from jw_eval_store.runs.semantic import open_semantic
from jw_eval_store.runs.workspace import withdraw_unheld
from jw_eval_store.store.cases import load_cases
from jw_eval_store.store.connect import Connection, transaction, writing
from jw_eval_store.store.evaluations import NewEvaluation
from jw_eval_store.store.evidence import cited_evidence, load_evidence
from jw_eval_store.store.moments import an_hour_ago
from jw_eval_store.store.planning import Planned, link_planned
from jw_eval_store.store.policies import put_policy
from jw_eval_store.store.recordings import load_recording
from jw_eval_store.store.results import counts_of, is_unanswered
from jw_eval_store.store.runs import (
    RunRow,
    end_run,
    pending_cases,
    run_by_key,
    run_of_session,
    start_run,
    write_rollup,
)
from jw_eval_store.store.selected import selected_values
from jw_eval_store.store.setups import SetupParts


@dataclass(frozen=True)
class RunTicket:
    """Whose run: of a session, by a name of its own, and of the process whose end interrupts it.

    The run is none that began before `since`.
    """

    session: str
    pid: int
    since: str

    @classmethod
    def drawn(cls) -> Self:
        """A new session's, begun by this process."""
        return cls(uuid4().hex, os.getpid(), an_hour_ago())


@dataclass(frozen=True)
class Steps:
    """An open run: judge its cases by id."""

    conn: Connection
    run: RunRow
    tools: Tools
    planned: dict[str, Planned]
    labels: Labels
    setups: Mapping[int, SetupParts]

    def judge(self, case_id: str) -> LayerResult:
        """Judge one case, store the verdict at once, and return it."""
        item = self.planned[case_id]
        case = load_cases(self.conn, [item.case.revision])[item.case.revision]
        refs = tuple(cited_evidence(self.conn, item.case.revision))
        recording = load_recording(self.conn, item.recording) if item.recording else None
        judged = judge_case(case, load_evidence(self.conn, refs), self.tools, recording)
        new = NewEvaluation(
            run=self.run.key,
            case=item.case.key,
            revision=item.case.revision,
            setup=item.setup,
            result=judged.result,
            evidence=refs,
            output=judged.output,
            recording=item.recording,
            log=judged.log,
        )
        with transaction(self.conn):
            self.labels.put(self.conn, [new], self.setups)
        return judged.result


@contextmanager
def open_steps(
    config: Config,
    case_ids: Sequence[str],
    ticket: RunTicket,
    given: Given | None = None,
    *,
    bundled: bool = False,
    refused: Sequence[InvalidFile] = (),
) -> Iterator[Steps]:
    """The run of these cases. Raises EmptySelectionError for one that the store has not.

    `refused` are the files whose cases are missing from it: they leave it invalid. The folders are
    synced already, as its cases were found there.
    """
    given = given or Given()
    chosen = Selection(layers=LAYERS, case_ids=tuple(case_ids))
    request = RunRequest(selection=chosen, bundled=bundled, given=given)
    policy = load_policy(config, demonstration=bundled)
    with writing(config.database) as conn, ExitStack() as stack:
        withdrawn = withdraw_unheld(conn, config, demonstration=bundled)
        select_for_run(conn, chosen, layers_asked=False, bundled=None)
        names = sorted(selected_values(conn, "agent"))
        refuse_unasked(conn, given.agents)
        agents = stack.enter_context(
            open_agents(config, names, demonstration=bundled, given=given.agents)
        )
        semantic = None
        if "l3" in selected_values(conn, "layer"):
            semantic = stack.enter_context(open_semantic(conn, config, given=given))
        with transaction(conn):
            labels = Labels(agents.by_name)
            plan = plan_run(conn, request, config, labels, policy, semantic)
            stored = put_policy(conn, policy)
            invalid = [file.model_dump() for file in refused]
            said = {"invalid_files": invalid, "notices": withdrawn.notices}
            run = _joined(conn, config, request, ticket, stored, agents, said)
        tools = Tools(agents.by_name, agents.settings, policy.origins, semantic)
        planned = {item.case.case_id: item for item in plan.stale}
        yield Steps(conn, run, tools, planned, labels, plan.parts)


def _joined(
    conn: Connection,
    config: Config,
    request: RunRequest,
    ticket: RunTicket,
    policy: int,
    agents: Agents,
    notices: Mapping[str, Any],
) -> RunRow:
    """The run of the ticket; whoever comes first opens it and lists its cases."""
    if known := run_of_session(conn, ticket.session, ticket.since):
        return known
    run = start_run(
        conn,
        {
            "selection": request.selection.model_dump(mode="json"),
            "agents": agents.origins,
            "session": ticket.session,
        },
        bundled=request.bundled,
        git=git.head(config.root),
        tool_version=version("jw-eval-store"),
        policy=policy,
        pid=ticket.pid,
        notices=notices,
    )
    link_planned(conn, run.key)
    return run


def finish_steps(config: Config, ticket: RunTicket) -> SuiteReport | None:
    """Gate the run and close it; interrupted where a case has no verdict. None: it never began."""
    with writing(config.database) as conn:
        run = run_of_session(conn, ticket.session, ticket.since)
        if run is None:
            return None
        with transaction(conn):
            write_rollup(conn, run.key)
        interrupted = bool(pending_cases(conn, run.key))
        policy = load_policy(config, demonstration=bool(run.bundled))
        gate = judge_run(
            counts_of(conn, run.key),
            policy,
            invalid_files=len(run.notices["invalid_files"]),
            interrupted=interrupted,
            unanswered=is_unanswered(conn, run.key),
        )
        with transaction(conn):
            end_run(
                conn,
                run.key,
                status="interrupted" if interrupted else "finished",
                gate=gate.verdict,
                exit_code=gate.exit_code,
                notices={
                    **run.notices,
                    "gate": gate.model_dump(mode="json"),
                    "agents": run.selection.get("agents", {}),
                },
            )
        return suite_report(conn, run_by_key(conn, run.key), gate, case_reports(conn, run))
