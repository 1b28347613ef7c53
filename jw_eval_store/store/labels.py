"""What people say of verdicts: labels, appended only; of a person's labels the newest counts."""

from __future__ import annotations

from dataclasses import dataclass

from ulid import ULID

from jw_eval_store.store.connect import Connection
from jw_eval_store.store.moments import moment_after
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
    (newest,) = conn.execute(
        "SELECT max(created_at) FROM human_label WHERE evaluation_id = ?", (evaluation,)
    ).fetchone()
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
            label.created_at or moment_after(newest),
        ),
    )


def labels_on(conn: Connection, evaluation: int) -> tuple[HumanLabel, ...]:
    """All labels of an evaluation, oldest first."""
    sql = (
        "SELECT verdict, author, reason, node, created_at FROM human_label"
        " WHERE evaluation_id = ? ORDER BY created_at, id"
    )
    return tuple(HumanLabel(*row) for row in tuples(conn, sql, (evaluation,)))


# A model was asked if a step names one; an embedder and a cross-encoder compare, and are no judge.
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
                           AND j.kind NOT IN ('embedding', 'nli') AND j.model <> ''),
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
        AND kind NOT IN ('gate', 'embedding', 'guard', 'literal', 'nli')
        AND json_extract(details, '$.walk') IS NOT 'soft' ORDER BY seq
    """
    return tuple(dict.fromkeys(row[0] for row in conn.execute(sql, (evaluation,))))


@dataclass(frozen=True)
class LabelledAnswer:
    """An answer with what one person says of it. `output` is JSON.

    `contradicted`: the person said so, at the node `contradiction` or as the reason.
    """

    case_id: str
    language: str
    golden_answer: str
    output: str
    human: str
    author: str
    contradicted: bool


def labelled_answers(conn: Connection) -> list[LabelledAnswer]:
    """Every answer of the semantic layer that people labelled, once a person and evaluation.

    In the order of the labels, so that of two on the same answer the later one is the newer.
    """
    sql = f"""{_NEWEST}
        SELECT g.case_id, r.language, json_extract(r.definition, '$.expected.golden_answer'),
               o.body, h.verdict, h.author,
               lower(trim(coalesce(h.reason, ''))) LIKE 'contradi%'
               OR EXISTS (SELECT 1 FROM human_label c JOIN newest ON newest.id = c.id
                          WHERE c.evaluation_id = h.evaluation_id AND c.author = h.author
                          AND c.node = 'contradiction' AND lower(c.verdict) = 'yes')
        FROM newest JOIN human_label h USING (id)
        JOIN evaluation e ON e.id = h.evaluation_id
        JOIN setup s ON s.id = e.setup_id AND s.layer = 'l3'
        JOIN case_revision r ON r.id = e.revision_id
        JOIN golden_case g ON g.id = r.golden_case_id
        JOIN output o ON o.id = e.output_id
        WHERE h.node IS NULL ORDER BY h.created_at, h.id
    """
    return [LabelledAnswer(*row) for row in tuples(conn, sql)]
