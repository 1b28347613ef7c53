"""What `from jw_eval_store import ...` gives, in scripts, notebooks and running event loops."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import jw_eval_store
from jw_eval_store import Store, Suite, evaluate
from jw_eval_store.domain.errors import EmptySelectionError, InfrastructureError, UsageError
from tests.runs.conftest import URL, Project

SAYS = [{"text": "God so loved the world", "url": URL}]
STRUCTURE = {
    "id": "c",
    "layer": "l1",
    "agent": "any",
    "input": {"question": "why"},
    "expected": {"min_findings": 1},
}
MEANING = STRUCTURE | {"layer": "l3", "expected": {"golden_answer": "God loved the world."}}


@pytest.fixture
def suite(project: Project) -> Suite:
    project.case("one")
    project.case("two", expected="min_findings: 5")
    return Suite(project.root)


def test_importing_the_package_imports_nothing_else() -> None:
    code = "import jw_eval_store, sys; print([m for m in sys.modules if 'pydantic' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
    assert set(jw_eval_store.__all__) <= set(dir(jw_eval_store))
    with pytest.raises(AttributeError, match="nothing"):
        _ = jw_eval_store.nothing


def test_a_suite_runs_and_its_store_tells(suite: Suite) -> None:
    heard: list[tuple[int, int]] = []
    report = suite.run(progress=lambda done, total: heard.append((done, total)))
    assert (report.gate.verdict, len(report.results)) == ("failed", 2)
    assert heard[-1] == (2, 2)
    store = suite.store
    assert [run.run for run in store.runs()] == [report.run]
    assert store.report().gate == report.gate
    assert store.explain("two").result.verdict == "fail"
    assert store.diff(report.run).same == 2
    assert store.trend(layer="1")[0].passed == 1
    rows = store.query("SELECT case_id FROM v_result WHERE verdict = :v", v="fail")
    assert rows == [{"case_id": "two"}]


def test_only_a_verdict_that_moved_is_called_unstable(suite: Suite) -> None:
    for _ in range(2):
        suite.run()
    newest, first = suite.store.explain("two").earlier
    assert (newest.cause, first.cause) == ("nothing changed", "first verdict shown")


def test_an_agent_without_fingerprint_may_have_changed(project: Project) -> None:
    project.case("one", agent="loose")
    project.configure('[agents.loose]\ntarget = "loose:ask"\n')
    suite = Suite(project.root)
    for said in (SAYS, []):
        (project.root / "loose.py").write_text(f"def ask(**_):\n    return {said!r}\n")
        suite.run()
    newest, _ = suite.store.explain("one").earlier
    assert (newest.verdict, newest.cause) == ("fail", "agent unknown")


def test_a_case_at_a_layer_left_out_says_how_to_judge_it(suite: Suite, project: Project) -> None:
    case = project.root / "cases" / "l3" / "deep.yaml"
    case.parent.mkdir()
    case.write_text("id: deep\nagent: answerer\ninput: {question: why}\ngolden_answer: So.\n")
    with pytest.raises(EmptySelectionError) as raised:
        suite.run(filters={"id": "deep"})
    assert raised.value.hint == "it matches at another layer: --layer 3"


def test_filters_narrow_and_typos_are_errors(suite: Suite) -> None:
    assert len(suite.run(filters={"id": "one"}).results) == 1
    assert len(suite.run([1], {"agent": ["answerer"]}).results) == 2
    with pytest.raises(EmptySelectionError, match="answerrer"):
        suite.run(filters={"agent": "answerrer"})
    with pytest.raises(UsageError, match="agnet"):
        suite.run(filters={"agnet": "answerer"})
    with pytest.raises(EmptySelectionError, match="L2"):
        suite.run([1, 2])


def test_agents_are_given_in_place_of_configured_ones(project: Project) -> None:
    project.case("one", expected="required_keywords_any: [brought]")
    given = Suite(project.root, agents={"answerer": lambda question: [{"text": "brought"}]})
    assert given.run().gate.verdict == "passed"
    assert Suite(project.root).run().gate.verdict == "failed"
    with pytest.raises(UsageError, match="can't be called"):
        Suite(project.root, agents={"answerer": "answers:answer"}).run()  # type: ignore[dict-item]


def test_a_given_agent_that_no_case_asks_is_refused(project: Project) -> None:
    project.case("one")
    misspelt = Suite(project.root, agents={"answeer": lambda question: []})
    with pytest.raises(UsageError, match="no case asks the given agent 'answeer'") as refused:
        misspelt.run()
    assert refused.value.hint == "did you mean answerer?"


@pytest.mark.parametrize("number", [0, -1])
@pytest.mark.parametrize("name", ["repeat", "jobs"])
def test_less_than_one_judgement_at_a_time_is_refused(suite: Suite, name: str, number: int) -> None:
    arguments: dict[str, Any] = {name: number}
    with pytest.raises(UsageError, match=f"{name} is {number}"):
        suite.run(**arguments)


@pytest.mark.parametrize("limit", [0, -1])
def test_no_row_is_never_what_a_limit_asks_for(suite: Suite, limit: int) -> None:
    suite.run()
    with pytest.raises(UsageError, match=f"limit {limit} would leave no row"):
        suite.store.query("SELECT case_id FROM v_result", limit=limit)


def test_it_runs_within_a_running_event_loop(suite: Suite) -> None:
    async def notebook() -> tuple[int, str, str]:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0.001)

        ticking = asyncio.create_task(tick())
        held_up = suite.run()
        before = ticks
        report = await suite.run_async()
        ticking.cancel()
        return ticks - before, held_up.gate.verdict, report.gate.verdict

    ticks, first, second = asyncio.run(notebook())
    assert (first, second) == ("failed", "failed")
    assert ticks > 1


def test_a_cancelled_run_is_interrupted_and_can_be_resumed(project: Project) -> None:
    for number in range(40):
        project.case(f"case_{number:02}")
    slow = project.root / "agents" / "answers.py"
    slow.write_text("import time\n" + slow.read_text() + "\ntime_of = time.sleep\n")
    text = slow.read_text().replace(
        "    finding = Find", "    time.sleep(0.05)\n    finding = Find"
    )
    slow.write_text(text)
    suite = Suite(project.root)

    async def cancelled() -> None:
        begun = asyncio.Event()
        loop = asyncio.get_running_loop()

        def progress(done: int, total: int) -> None:
            loop.call_soon_threadsafe(begun.set)

        run = asyncio.create_task(suite.run_async(progress=progress))
        await begun.wait()
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run

    asyncio.run(cancelled())
    assert [run.status for run in suite.store.runs()] == ["interrupted"]


def test_a_store_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match=r"no\.db"):
        Store(tmp_path / "no.db").runs()


@pytest.mark.parametrize("answer", [SAYS, {"findings": SAYS}, lambda question: SAYS])
def test_one_answer_is_evaluated_without_a_store(answer: object) -> None:
    assert evaluate(STRUCTURE, answer).verdict == "pass"


def test_an_agent_that_raises_is_an_error_not_an_exception() -> None:
    def broken(question: str) -> None:
        raise ValueError("out of order")

    found = evaluate(STRUCTURE, broken)
    assert (found.verdict, found.reason_code) == ("error", "agent_crash")


def test_citations_are_held_against_a_folder_of_pages(project: Project) -> None:
    path = project.case("cited", layer="l2")
    project.snapshot()
    assert evaluate(path, SAYS, snapshots=project.root / "snapshots").verdict == "pass"
    assert evaluate(path, SAYS).reason_code == "evidence_missing"


@pytest.mark.parametrize(("verdict", "expected"), [("pass", "pass"), ("fail", "fail")])
def test_meaning_is_decided_by_the_judge_that_is_given(verdict: str, expected: str) -> None:
    def judge(prompt: str) -> str:
        return json.dumps({"reason": "because", "verdict": verdict})

    assert evaluate(MEANING, SAYS, judge=judge).verdict == expected


def test_the_cross_encoder_vetoes_the_judge_that_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    case = MEANING | {"expected": {"golden_answer": "The soul dies."}}
    wrong = [{"text": "The soul does not die."}]

    def judge(prompt: str) -> str:
        return json.dumps({"reason": "because", "verdict": "pass"})

    assert evaluate(case, wrong, judge=judge, nli="none").verdict == "pass"
    vetoed = evaluate(case, wrong, judge=judge, nli="embedded", nli_kind="news")
    assert (vetoed.verdict, vetoed.reason_code) == ("error", "judges_disagree")
    monkeypatch.setenv("JW_EVAL_NLI", "embedded")
    assert evaluate(case, wrong, judge=judge, nli_kind="news").reason_code == "judges_disagree"
    missing = evaluate(case, SAYS, judge=judge, nli="no/such-model")
    assert (missing.verdict, missing.reason_code) == ("error", "judge_unreachable")
    with pytest.raises(UsageError, match="nli_kind is ' '"):
        evaluate(case, wrong, judge=judge, nli_kind=" ")


def test_without_a_judge_meaning_is_undecided() -> None:
    assert evaluate(MEANING, SAYS).verdict == "error"


def test_a_judge_that_raises_leaves_it_undecided() -> None:
    def judge(prompt: str) -> str:
        raise OSError("no model")

    assert evaluate(MEANING, SAYS, judge=judge).reason_code == "judge_unreachable"


@pytest.mark.parametrize(
    ("case", "answer", "message"),
    [
        (STRUCTURE | {"extra": 1}, SAYS, "extra"),
        (Path("nowhere.yaml"), SAYS, "nowhere"),
        (STRUCTURE, "a text", "shape"),
    ],
)
def test_wrong_input_is_refused(
    case: dict[str, object] | Path, answer: object, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        evaluate(case, answer)


def test_an_empty_list_of_layers_or_values_never_means_everything(suite: Suite) -> None:
    with pytest.raises(UsageError, match="no layer is named"):
        suite.run(layers=[])
    with pytest.raises(UsageError, match="filter 'agent' names nothing"):
        suite.run(filters={"agent": []})
    assert not suite.config.database.exists()
