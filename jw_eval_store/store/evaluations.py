"""Evaluations in the store: appended in batches, with outputs, evidence and judge steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jw_eval_store.domain.evaluations import JudgeStep, LayerResult
from jw_eval_store.domain.hashing import canonical_json, content_hash
from jw_eval_store.domain.outputs import AgentOutput
from jw_eval_store.store.connect import Connection
from jw_eval_store.store.evidence import EvidenceRef, evidence_set_key


@dataclass(frozen=True)
class NewEvaluation:
    """A verdict to be stored, with keys of what went into it. `log` is the agent's own output."""

    run: int
    case: int
    revision: int
    setup: int
    result: LayerResult
    evidence: Sequence[EvidenceRef] = ()
    output: AgentOutput | None = None
    recording: int | None = None
    repeat: int = 0
    log: str = ""


def put_evaluations(conn: Connection, batch: Sequence[NewEvaluation]) -> list[int]:
    """Store verdicts, link repeat 0 of each to its run, give their keys; in a transaction.

    A statement a table and batch: row by row, it takes twice the time.
    """
    (last,) = conn.execute("SELECT coalesce(max(id), 0) FROM evaluation").fetchone()
    keyed = list(enumerate(batch, last + 1))
    _put_outputs(conn, [new.output for new in batch if new.output is not None])
    conn.executemany(_INSERT, [_row(conn, key, new) for key, new in keyed])
    _put_steps(conn, [(key, new.result.steps) for key, new in keyed if new.result.steps])
    conn.executemany(
        "UPDATE run_result SET evaluation_id = ? WHERE run_id = ? AND golden_case_id = ?",
        [(key, new.run, new.case) for key, new in keyed if new.repeat == 0],
    )
    return [key for key, _ in keyed]


_INSERT = """
    INSERT INTO evaluation (id, run_id, golden_case_id, repeat, revision_id, setup_id,
                            evidence_set_id, recording_id, output_id, verdict, reason_code, score,
                            duration_ms, detail)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, (SELECT id FROM output WHERE content_hash = ?), ?, ?, ?, ?, ?)
"""


def _row(conn: Connection, key: int, new: NewEvaluation) -> tuple[Any, ...]:
    result = new.result
    return (
        key, new.run, new.case, new.repeat, new.revision, new.setup,
        evidence_set_key(conn, new.evidence), new.recording,
        new.output.content_hash if new.output else None,
        result.verdict, result.reason_code, result.score, result.duration_ms, _detail(new),
    )  # fmt: skip


def _put_outputs(conn: Connection, outputs: Sequence[AgentOutput]) -> None:
    """Store outputs, once per content."""
    conn.executemany(
        "INSERT INTO output (content_hash, body) VALUES (?, ?)"
        " ON CONFLICT (content_hash) DO NOTHING",
        [(output.content_hash, output.content) for output in outputs],
    )


def _detail(new: NewEvaluation) -> str | None:
    detail: dict[str, Any] = {}
    if new.result.reasons:
        detail["reasons"] = list(new.result.reasons)
    if new.result.details:
        detail["details"] = new.result.details
    if new.log and new.result.verdict != "pass":
        detail["log"] = new.log
    return canonical_json(detail) if detail else None


def load_output(conn: Connection, evaluation: int) -> AgentOutput | None:
    """What the agent returned in an evaluation; none: nothing."""
    sql = "SELECT o.body FROM evaluation e JOIN output o ON o.id = e.output_id WHERE e.id = ?"
    row = conn.execute(sql, (evaluation,)).fetchone()
    return AgentOutput.model_validate_json(row[0]) if row else None


def _put_steps(conn: Connection, judged: Sequence[tuple[int, Sequence[JudgeStep]]]) -> None:
    """Store the steps of evaluations by key."""
    conn.executemany(
        "INSERT INTO judge_step (evaluation_id, seq, node, kind, question, prompt_id, reply,"
        " answer, score, probability, margin, logprobs, model, model_digest, prompt_tokens,"
        " reply_tokens, duration_ms, cached, error, details)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (evaluation, seq, s.node, s.kind, s.question, _prompt_key(conn, s.prompt), s.reply,
             s.answer, s.score, s.probability, s.margin,
             None if s.logprobs is None else canonical_json(s.logprobs), s.model, s.model_digest,
             s.prompt_tokens, s.reply_tokens, s.duration_ms, int(s.cached), s.error,
             canonical_json(s.details))
            for evaluation, steps in judged
            for seq, s in enumerate(steps)
        ],
    )  # fmt: skip


def _prompt_key(conn: Connection, prompt: str) -> int | None:
    if not prompt:
        return None
    digest = content_hash(prompt)
    row = conn.execute("SELECT id FROM prompt WHERE prompt_hash = ?", (digest,)).fetchone()
    if row:
        return int(row[0])
    sql = "INSERT INTO prompt (prompt_hash, body) VALUES (?, ?)"
    return int(conn.execute(sql, (digest, prompt)).lastrowid or 0)
