"""Close a run: roll up, compare, gate and report; the run's row says the same as the report."""

from __future__ import annotations

from typing import Any

from jw_eval_store.domain.reports import CaseReport, Comparison, SuiteReport
from jw_eval_store.runs.comparing import compare
from jw_eval_store.runs.differing import describer
from jw_eval_store.runs.gate import judge_run
from jw_eval_store.runs.noticing import run_notices
from jw_eval_store.runs.opening import Session
from jw_eval_store.runs.reporting import case_reports, suite_report
from jw_eval_store.runs.resuming import selection_of
from jw_eval_store.runs.sharding import is_empty_shard, shard_notice
from jw_eval_store.store.connect import transaction
from jw_eval_store.store.results import counts_of, is_unanswered
from jw_eval_store.store.runs import end_run, run_by_key, write_rollup


def close_session(session: Session, *, interrupted: bool, all_results: bool = True) -> SuiteReport:
    """Gate the run and report it, finished or interrupted; inside no transaction."""
    conn, run = session.conn, session.run
    with transaction(conn):
        write_rollup(conn, run.key)
    results = case_reports(conn, run, but_passes=not all_results, why=session.why)
    comparison = _comparison(session, results, all_results)
    gate = judge_run(
        counts_of(conn, run.key),
        session.policy,
        invalid_files=len(session.synced.invalid),
        interrupted=interrupted,
        comparison=comparison,
        empty_shard=is_empty_shard(run.selection),
        unanswered=is_unanswered(conn, run.key),
    )
    with transaction(conn):
        end_run(
            conn,
            run.key,
            status="interrupted" if interrupted else "finished",
            gate=gate.verdict,
            exit_code=gate.exit_code,
            rolled_up=True,
            notices=_notices(session) | {"gate": gate.model_dump(mode="json")},
        )
    conn.execute("PRAGMA optimize")
    return suite_report(conn, run_by_key(conn, run.key), gate, results, comparison=comparison)


def _comparison(
    session: Session, results: tuple[CaseReport, ...], complete: bool
) -> Comparison | None:
    if session.baseline is None:
        return None
    after = results if complete else case_reports(session.conn, session.run)
    selection = selection_of(session.run)
    judged = {r.case_id for r in after}
    before = session.baseline.within(selection, judged)
    if "shard" in session.run.selection:  # what is missing is seen when shards are merged
        before = tuple(r for r in before if r.case_id in judged)
        if not before:  # a part with nothing but new cases is no fault of the whole
            return None
    name = f"run {session.run.ulid}"
    return compare(session.baseline.label, before, name, after, describer(session.conn))


def _notices(session: Session) -> dict[str, Any]:
    semantic, agents = session.semantic, session.agents
    return {
        "invalid_files": [file.model_dump() for file in session.synced.invalid],
        "notices": [
            *shard_notice(session.run.selection),
            *session.config.notices,
            *session.synced.notices,
            *(semantic.notices if semantic else ()),
            *run_notices(
                session.conn, session.run.key, session.plan, session.policy, agents.by_name
            ),
        ],
        "agents": agents.origins,
        "embedder": semantic.embedder_label if semantic else None,
        "judge": semantic.judge_label if semantic else None,
    }
