"""Judges and their nodes against people: figures on a database with known labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest

from jw_eval_store.domain.cases import SemanticCase
from jw_eval_store.domain.evaluations import JudgeStep, LayerResult
from jw_eval_store.domain.expectations import SemanticExpectation
from jw_eval_store.domain.outputs import AgentOutput, Finding
from jw_eval_store.reports.agreement import agreement_report
from jw_eval_store.runs.agreeing import NO_MODEL, JudgeAgreement, judge_agreement
from jw_eval_store.store.cases import put_case
from jw_eval_store.store.connect import Connection, open_for_writing, transaction
from jw_eval_store.store.evaluations import NewEvaluation, put_evaluations
from jw_eval_store.store.labels import HumanLabel, put_label
from jw_eval_store.store.runs import start_run
from jw_eval_store.store.setups import Identity, SetupParts, setup_key

Verdict = Literal["pass", "fail", "error"]


@dataclass
class Labels:
    """A database in which each verdict is made and labelled in one go."""

    conn: Connection
    database: Path
    count: int = 0

    def add(
        self,
        judged: Verdict,
        human: str,
        *,
        node: tuple[str, str] | None = None,
        model: str = "m",
    ) -> None:
        """One verdict with a person's; `node`: what the node `asks` said, and what is right."""
        self.count += 1
        case = SemanticCase(
            id=f"c{self.count}",
            agent="a",
            input={"question": str(self.count)},
            expected=SemanticExpectation(golden_answer="El alma muere."),
        )
        answer = node[0] if node else "yes"
        steps = (
            JudgeStep(node="topic", kind="embedding", model="embedder", answer="0.9"),
            JudgeStep(node="asks", kind="binary", model=model, answer=answer),
            JudgeStep(node="other", kind="binary", model=model, answer="no",
                      details={"walk": "soft"}),
        )  # fmt: skip
        result = LayerResult(case_id=case.id, layer="l3", verdict=judged, steps=steps)
        with transaction(self.conn):
            row = put_case(self.conn, case, "", "add")
            parts = SetupParts("a", "l3", "1", None, judge=Identity("the judge", {}))
            run = start_run(self.conn, {}, bundled=False, git=None, tool_version="1", policy=None)
            setup = setup_key(self.conn, parts)
            output = AgentOutput(findings=(Finding(text="x"),))
            new = NewEvaluation(run.key, row.key, row.revision, setup, result, output=output)
            (evaluation,) = put_evaluations(self.conn, [new])
            put_label(self.conn, evaluation, HumanLabel(human, "Ana"))
            if node:
                put_label(self.conn, evaluation, HumanLabel(node[1], "Ana", node="asks"))

    def found(self) -> list[JudgeAgreement]:
        """The agreement of all judges."""
        return judge_agreement(self)


@pytest.fixture
def labels(tmp_path: Path) -> Iterator[Labels]:
    path = tmp_path / "labels.db"
    conn = open_for_writing(path)
    yield Labels(conn, path)
    conn.close()


def test_figures_are_those_of_the_table(labels: Labels) -> None:
    """8 right passes, 1 wrong one, 3 right fails, 2 wrong ones; one was not scored."""
    for judged, human, count in (
        ("pass", "pass", 8), ("pass", "fail", 1), ("fail", "fail", 3), ("fail", "pass", 2),
    ):  # fmt: skip
        for _ in range(count):
            labels.add(judged, human)  # type: ignore[arg-type]  # a tuple of literals widens
    labels.add("error", "pass")
    (judge,) = labels.found()
    figures = judge.verdicts
    assert (judge.judge, figures.agreement.hits, figures.agreement.total) == ("the judge", 11, 14)
    assert (figures.true_positive.hits, figures.true_positive.total) == (8, 10)
    assert (figures.true_negative.hits, figures.true_negative.total) == (3, 4)
    assert (figures.not_scored.hits, figures.not_scored.total) == (1, 15)
    by_chance = (9 * 10 + 5 * 4) / 14**2
    assert figures.kappa == pytest.approx((11 / 14 - by_chance) / (1 - by_chance))
    low, high = figures.agreement.interval
    assert (round(low, 4), round(high, 4)) == (0.5241, 0.9243)


def test_a_node_shows_both_its_answers_and_the_verdicts_it_led_to(labels: Labels) -> None:
    labels.add("pass", "fail", node=("no", "yes"))
    labels.add("pass", "pass", node=("No ", "no"))
    labels.add("fail", "fail")
    (judge,) = labels.found()
    (node,) = judge.nodes
    assert node.node == "asks", "the soft walk decides nothing, the embedder neither"
    assert node.answers is not None
    assert (node.answers.agreement.hits, node.answers.agreement.total) == (1, 2)
    assert node.rates
    assert (node.answers.true_positive.hits, node.answers.true_positive.total) == (0, 1)
    assert (node.walks.hits, node.walks.total) == (1, 3)


def test_a_verdict_without_a_model_is_not_the_judges(labels: Labels) -> None:
    labels.add("pass", "pass", model="")
    labels.add("fail", "pass")
    assert [judge.judge for judge in labels.found()] == [NO_MODEL, "the judge"]


def test_answers_of_more_than_two_kinds_have_no_rates(labels: Labels) -> None:
    labels.add("pass", "pass", node=("all", "most"))
    (judge,) = labels.found()
    assert not judge.nodes[0].rates
    table = agreement_report(labels.found(), "table")
    asks = next(line for line in table.splitlines() if " asks " in line)
    assert "0/1 0% (0%-79%)" in asks


def test_shares_come_with_their_intervals(labels: Labels) -> None:
    labels.add("pass", "pass")
    assert "1/1 100% (21%-100%)" in agreement_report(labels.found(), "table")
    assert agreement_report([], "table").endswith("next: jw-eval review\n")
