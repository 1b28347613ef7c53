from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jw_eval_store.domain.outputs import AgentOutput, Finding
from jw_eval_store.layers.constant import Answered, EqualOutputs, answer_hash, equal_outputs


def answered(case_id: str, question: str, answer: str, *, language: str = "es") -> Answered:
    return Answered(case_id, "apologetics", {"question": question, "language": language}, answer)


def test_one_answer_to_different_questions_is_a_group() -> None:
    groups = equal_outputs(
        [answered("a", "¿Trinidad?", "x"), answered("b", "¿Alma?", "x"), answered("c", "¿?", "y")]
    )
    assert groups == (EqualOutputs("apologetics", ("a", "b")),)
    assert groups[0].notice == "apologetics gave the same answer to 2 different inputs: a, b"


def test_one_answer_to_one_question_is_none() -> None:
    same = [answered("a", "¿Alma?", "x"), answered("b", "¿Alma?", "x", language="S")]
    assert equal_outputs(same) == ()


def test_the_same_answer_of_two_agents_is_none() -> None:
    other = answered("b", "¿Alma?", "x")._replace(agent="research_topic")
    assert equal_outputs([answered("a", "¿Trinidad?", "x"), other]) == ()


def test_a_long_group_names_its_first_cases() -> None:
    (group,) = equal_outputs(answered(f"c{n}", f"{n}?", "x") for n in range(7))
    assert group.notice.endswith("7 different inputs: c0, c1, c2, c3, c4 and 2 more")


def test_the_repeated_question_does_not_hide_an_equal_answer() -> None:
    finding = Finding(summary="always this")
    one = AgentOutput(query="one", findings=(finding,), metadata={"seconds": 1})
    other = AgentOutput(query="other", findings=(finding,))
    assert answer_hash(one) == answer_hash(other)
    assert answer_hash(one) != answer_hash(AgentOutput(query="one"))


@given(st.lists(st.tuples(st.sampled_from("pqrs"), st.sampled_from("xyz")), max_size=12))
def test_every_group_asks_different_things_and_no_case_is_in_two(
    asked: list[tuple[str, str]],
) -> None:
    cases = [answered(f"c{n}", question, answer) for n, (question, answer) in enumerate(asked)]
    by_id = {case.case_id: case for case in cases}
    groups = equal_outputs(cases)
    named = [case_id for group in groups for case_id in group.case_ids]
    assert len(named) == len(set(named))
    for group in groups:
        questions = [by_id[case_id].input["question"] for case_id in group.case_ids]
        assert len(set(questions)) == len(questions) > 1
        assert len({by_id[case_id].answer for case_id in group.case_ids}) == 1
