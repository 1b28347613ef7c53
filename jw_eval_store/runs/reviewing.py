"""`review`: people say of verdicts, or of one node, what they should have been."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from jw_eval_store.config.database import HasDatabase
from jw_eval_store.domain.errors import EmptySelectionError, UsageError
from jw_eval_store.domain.outputs import AgentOutput
from jw_eval_store.store.connect import Connection, reading, transaction, writing
from jw_eval_store.store.explain import case_ids, case_key, run_with_case
from jw_eval_store.store.labels import HumanLabel, nodes_asked, put_label
from jw_eval_store.store.results import ResultRow, result_of
from jw_eval_store.store.reviewable import reviewable
from jw_eval_store.store.rows import stored_json
from jw_eval_store.store.runs import RunRow, find_run
from jw_eval_store.text.nearest import did_you_mean

VERDICTS = ("pass", "fail")


@dataclass(frozen=True)
class ReviewItem:
    """One verdict to look at. `labels`: how many people's labels it has; `run` made it."""

    case_id: str
    run: str
    verdict: str
    reason_code: str | None
    score: float | None
    reasons: tuple[str, ...]
    input: Mapping[str, Any]
    golden_answer: str
    answer: str
    labels: int


@dataclass(frozen=True)
class Labelled:
    """A label as stored, beside what the judge had said."""

    case_id: str
    run: str
    judged: str
    label: HumanLabel

    @property
    def agrees(self) -> bool:
        """Whether the person says what the judge said."""
        return self.judged.casefold() == self.label.verdict.casefold()


def checked_request(
    case: str | None, verdict: str | None, node: str | None, *, terminal: bool
) -> Literal["walk", "label"]:
    """Whether to ask on the terminal or to store what the options say. Raises UsageError."""
    if verdict is not None:
        if case is None:
            raise UsageError("whose verdict is it?", hint="jw-eval review CASE --verdict ...")
        return "label"
    if node is not None:
        raise UsageError(f"what should node {node!r} have answered?", hint="add --verdict ANSWER")
    if not terminal:
        raise UsageError(
            "review asks on a terminal, and there is none",
            hint="jw-eval review CASE --verdict pass|fail --reason ...",
        )
    return "walk"


def to_review(
    config: HasDatabase, run: str | None = None, case_id: str | None = None
) -> list[ReviewItem]:
    """L3 verdicts of a run (none: the newest with one) that have an answer to look at.

    First what nobody labelled yet: judges that disagree, then what is undecided, then the verdicts
    nearest to their border. Raises EmptySelectionError where there is nothing.
    """
    with reading(config.database) as conn:
        rows = reviewable(conn, find_run(conn, run).key if run else None)
    rows = [row for row in rows if case_id in (None, row.case_id)]
    if not rows:
        about = f" on case {case_id}" if case_id else ""
        raise EmptySelectionError(
            f"no verdict of the semantic layer{about} to review", hint="jw-eval run --layer 3"
        )
    return [
        ReviewItem(
            case_id=row.case_id,
            run=row.run,
            verdict=row.verdict,
            reason_code=row.reason_code,
            score=row.score,
            reasons=tuple(stored_json(row.reasons or "[]")),
            input=stored_json(row.input),
            golden_answer=row.golden_answer,
            answer=AgentOutput.model_validate_json(row.output).answer(),
            labels=row.labels,
        )
        for row in rows
    ]


def add_label(
    config: HasDatabase, case_id: str, label: HumanLabel, run: str | None = None
) -> Labelled:
    """Append a label to a case's verdict in a run (none: the newest that judged it).

    Raises UsageError for an unknown case, run or node, and a verdict that is neither pass nor fail.
    """
    if label.node is None and label.verdict not in VERDICTS:
        raise UsageError(f"{label.verdict!r} is no verdict", hint="say pass or fail")
    with writing(config.database) as conn, transaction(conn):
        row, found = _judged(conn, case_id, run)
        assert row.evaluation is not None
        judged = _answer_of(conn, row, label.node)
        put_label(conn, row.evaluation, label)
    return Labelled(case_id, found.ulid, judged, label)


def _judged(conn: Connection, case_id: str, run: str | None) -> tuple[ResultRow, RunRow]:
    case = case_key(conn, case_id)
    if case is None:
        hint = did_you_mean(case_id, case_ids(conn)) or "jw-eval cases list"
        raise UsageError(f"there is no case {case_id!r}", hint=hint)
    found = find_run(conn, run) if run else run_with_case(conn, case)
    row = result_of(conn, found.key, case) if found else None
    if found is None or row is None or row.evaluation is None:
        where = f"run {run}" if run else "any run"
        raise UsageError(
            f"case {case_id} has no verdict in {where}", hint=f"jw-eval run --case {case_id}"
        )
    return row, found


def _answer_of(conn: Connection, row: ResultRow, node: str | None) -> str:
    """What the label is about: the verdict, or a node's answer."""
    if node is None:
        return row.verdict or "error"
    assert row.evaluation is not None
    asked = nodes_asked(conn, row.evaluation)
    if node not in asked:
        known = f"its nodes: {', '.join(asked)}" if asked else "no node was asked"
        raise UsageError(
            f"node {node!r} gave no answer on case {row.case_id}; {known}",
            hint=did_you_mean(node, asked) or f"jw-eval explain {row.case_id}",
        )
    sql = (
        "SELECT answer FROM judge_step WHERE evaluation_id = ? AND node = ?"
        " ORDER BY seq DESC LIMIT 1"
    )
    return str(conn.execute(sql, (row.evaluation, node)).fetchone()[0])
