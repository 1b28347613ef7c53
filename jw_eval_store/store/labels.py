"""What people say of verdicts: labels, appended only; of a person's labels the newest counts."""

from __future__ import annotations

from dataclasses import dataclass

from ulid import ULID

from jw_eval_store.store.connect import Connection, now
from jw_eval_store.store.rows import tuples


@dataclass(frozen=True)
class HumanLabel:
    """What a person says of an evaluation, or (`node`) of one step: its right answer."""

    verdict: str
    author: str
    reason: str | None = None
    node: str | None = None
    created_at: str = ""


@dataclass(frozen=True)
class LabelledVerdict:
    """A verdict with a person's. `judge` none: no model was asked. `judged` none: not decided."""

    evaluation: int
    judge: str | None
    judged: str | None
    human: str


@dataclass(frozen=True)
class LabelledNode:
    """A node's answer with the one that a person calls right."""

    judge: str | None
    node: str
    answer: str | None
    human: str


def put_label(conn: Connection, evaluation: int, label: HumanLabel) -> None:
    """Append a label; inside a transaction."""
    conn.execute(
        "INSERT INTO human_label (ulid, evaluation_id, node, verdict, reason, author, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            str(ULID()),
            evaluation,
            label.node,
            label.verdict,
            label.reason,
            label.author,
            label.created_at or now(),
        ),
    )


def labels_on(conn: Connection, evaluation: int) -> tuple[HumanLabel, ...]:
    """All labels of an evaluation, oldest first."""
    sql = (
        "SELECT verdict, author, reason, node, created_at FROM human_label"
        " WHERE evaluation_id = ? ORDER BY created_at, id"
    )
    return tuple(HumanLabel(*row) for row in tuples(conn, sql, (evaluation,)))


# A model was asked if a step names one; an embedder's step compares, and judges nothing.
_NEWEST = """
    WITH newest AS (
        -- by time: keys of a file that was merged from several are in no order
        SELECT id FROM (
            SELECT id, row_number() OVER (PARTITION BY evaluation_id, author, node
                                          ORDER BY created_at DESC, id DESC) AS place
            FROM human_label) WHERE place = 1
    ), said AS (
        SELECT h.evaluation_id, h.node, h.verdict AS human, e.verdict,
               iif(EXISTS (SELECT 1 FROM judge_step j WHERE j.evaluation_id = e.id
                           AND j.kind <> 'embedding' AND j.model <> ''),
                   (SELECT k.label FROM judge k WHERE k.id = s.judge_id), NULL) AS judge
        FROM newest JOIN human_label h USING (id)
        JOIN evaluation e ON e.id = h.evaluation_id
        JOIN setup s ON s.id = e.setup_id AND s.layer = 'l3'
    )
"""


def labelled_verdicts(conn: Connection) -> list[LabelledVerdict]:
    """Every L3 verdict that a person labelled, once a person."""
    sql = f"""{_NEWEST}
        SELECT evaluation_id, judge, iif(verdict IN ('pass', 'fail'), verdict, NULL), human
        FROM said WHERE node IS NULL ORDER BY evaluation_id
    """
    return [LabelledVerdict(*row) for row in tuples(conn, sql)]


def labelled_nodes(conn: Connection) -> list[LabelledNode]:
    """Every answer of a node that a person labelled, once a person."""
    sql = f"""{_NEWEST}
        SELECT judge, node,
               (SELECT j.answer FROM judge_step j WHERE j.evaluation_id = said.evaluation_id
                AND j.node = said.node ORDER BY j.seq DESC LIMIT 1), human
        FROM said WHERE node IS NOT NULL ORDER BY evaluation_id, node
    """
    return [LabelledNode(*row) for row in tuples(conn, sql)]


def nodes_asked(conn: Connection, evaluation: int) -> tuple[str, ...]:
    """Nodes that decided an evaluation, in order: not those that only the soft walk asked."""
    sql = """
        SELECT node FROM judge_step WHERE evaluation_id = ? AND answer IS NOT NULL
        AND kind NOT IN ('gate', 'embedding', 'guard', 'literal')
        AND json_extract(details, '$.walk') IS NOT 'soft' ORDER BY seq
    """
    return tuple(dict.fromkeys(row[0] for row in conn.execute(sql, (evaluation,))))
