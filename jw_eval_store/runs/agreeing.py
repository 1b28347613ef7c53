"""`judge agreement`: how far each judge, and each node, agrees with the people who reviewed it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from jw_eval_store.config.database import HasDatabase
from jw_eval_store.judges.statistics import Agreement, Share, agreement
from jw_eval_store.store.connect import Connection, reading
from jw_eval_store.store.labels import (
    LabelledNode,
    LabelledVerdict,
    labelled_nodes,
    labelled_verdicts,
    nodes_asked,
)

LabelledT = TypeVar("LabelledT", LabelledVerdict, LabelledNode)

NO_MODEL = "no model (rules and embedder)"
_POSITIVE = ({"yes", "no"}, "yes"), ({"pass", "fail"}, "pass")


@dataclass(frozen=True)
class NodeAgreement:
    """One node against people.

    `answers`: its answers against those called right; none where no answer was labelled. `walks`:
    of the labelled judgements that asked it, those whose verdict people contradict. `rates` says
    whether the answers are of two kinds, so that rates of true positives and negatives mean
    something.
    """

    node: str
    answers: Agreement | None
    walks: Share
    rates: bool = False


@dataclass(frozen=True)
class JudgeAgreement:
    """One judge against people, verdict by verdict, and its nodes in the order they are asked."""

    judge: str
    verdicts: Agreement
    nodes: Sequence[NodeAgreement] = field(default=())


def judge_agreement(config: HasDatabase) -> list[JudgeAgreement]:
    """Every judge of which a person labelled a verdict or a node, by name."""
    with reading(config.database) as conn:
        verdicts = _by_judge(labelled_verdicts(conn))
        answers = _by_judge(labelled_nodes(conn))
        return [
            JudgeAgreement(
                name,
                agreement([(v.judged, v.human) for v in verdicts.get(name, ())]),
                _nodes(conn, verdicts.get(name, ()), answers.get(name, ())),
            )
            for name in sorted({*verdicts, *answers})
        ]


def _by_judge(labelled: Iterable[LabelledT]) -> dict[str, list[LabelledT]]:
    found: dict[str, list[LabelledT]] = defaultdict(list)
    for one in labelled:
        found[one.judge or NO_MODEL].append(one)
    return dict(found)


def _nodes(
    conn: Connection, verdicts: Sequence[LabelledVerdict], answers: Sequence[LabelledNode]
) -> list[NodeAgreement]:
    walked: dict[str, list[bool]] = defaultdict(list)
    for verdict in verdicts:
        for node in nodes_asked(conn, verdict.evaluation):
            walked[node].append(verdict.judged != verdict.human)
    said: dict[str, list[LabelledNode]] = defaultdict(list)
    for answer in answers:
        said[answer.node].append(answer)
    return [_node(node, said[node], walked[node]) for node in {**walked, **said}]


def _node(node: str, answers: Sequence[LabelledNode], walked: Sequence[bool]) -> NodeAgreement:
    pairs = [(_plain(a.answer), _plain(a.human) or "") for a in answers]
    kinds = {label for pair in pairs for label in pair if label}
    positive = next((label for labels, label in _POSITIVE if kinds <= labels), None)
    counted = agreement(pairs, positive or "") if pairs else None
    return NodeAgreement(
        node, counted, Share(sum(walked), len(walked)), rates=bool(pairs and positive)
    )


def _plain(answer: str | None) -> str | None:
    return None if answer is None else " ".join(answer.split()).casefold()
