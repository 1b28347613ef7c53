"""Cache, budget, retries and outages: the same for every client."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from jw_eval_store.judges.answers import Labelled, labelled
from jw_eval_store.judges.asking import Asked, Asker, MemoryCache
from jw_eval_store.judges.budget import Budget
from jw_eval_store.judges.clients.none import NoClient
from jw_eval_store.judges.errors import (
    JudgeBudgetError,
    JudgeError,
    JudgeMalformedError,
    JudgeUnreachableError,
)
from jw_eval_store.judges.interface import LlmReply, LlmRequest, Message
from jw_eval_store.judges.retrying import RetryPolicy
from tests.judges.fakes import FakeClient, said, verdict

KIND = labelled(("pass", "fail"))
PASS, FAIL = said(verdict="pass", reason="x"), said(verdict="fail", reason="y")
QUICK = RetryPolicy(attempts=3, sleep=lambda _: None)


def request(text: str = "?", **options: Any) -> LlmRequest:
    return LlmRequest((Message("user", text),), KIND.model_json_schema(), **options)


def ask(asker: Asker, asked: LlmRequest | None = None, **options: Any) -> Asked[Labelled]:
    return asker.ask(asked or request(), KIND, options.pop("budget", Budget("case")), **options)


def test_an_equal_question_is_answered_from_the_cache_with_all_it_had() -> None:
    client = FakeClient([verdict("fail", {"fail": 0.8, "pass": 0.2}), PASS])
    asker = Asker(client)
    first, second = ask(asker), ask(asker)
    assert (first.answer, first.reply.cached) == (second.answer, False)
    assert second.reply.cached
    assert second.reply.logprobs == first.reply.logprobs
    assert len(client.asked) == 1


@pytest.mark.parametrize(
    "other",
    [request("other?"), request(seed=2), request(max_tokens=5), request(alternatives=3)],
)
def test_another_prompt_or_option_is_another_question(other: LlmRequest) -> None:
    client = FakeClient([PASS])
    asker = Asker(client)
    ask(asker)
    assert not ask(asker, other).reply.cached


def test_another_model_digest_is_another_judge() -> None:
    cache = MemoryCache()
    ask(Asker(FakeClient([PASS], "sha256:one"), cache=cache))
    assert ask(Asker(FakeClient([FAIL], "sha256:two"), cache=cache)).answer.verdict == "fail"
    assert ask(Asker(FakeClient([FAIL], "sha256:one"), cache=cache)).answer.verdict == "pass"


def test_replies_of_a_model_without_digest_are_not_kept() -> None:
    client = FakeClient([PASS, FAIL], "")
    asker = Asker(client)
    assert [ask(asker).answer.verdict for _ in range(2)] == ["pass", "fail"]


def test_fresh_asks_again_and_changes_nothing_that_was_stored() -> None:
    cache = MemoryCache()
    ask(Asker(FakeClient([PASS]), cache=cache))
    assert ask(Asker(FakeClient([FAIL]), cache=cache, fresh=True)).answer.verdict == "fail"
    assert ask(Asker(FakeClient([FAIL]), cache=cache)).answer.verdict == "pass"


def test_a_mended_reply_is_cached_and_its_cost_is_both_calls() -> None:
    client = FakeClient(["[]", FAIL])
    asker = Asker(client)
    asked = ask(asker)
    assert (asked.reply.prompt_tokens, asked.reply.reply_tokens) == (200, 20)
    assert asked.mended
    assert ask(asker).reply.cached
    assert asker.run_budget.spent_tokens == 220


def test_an_unusable_reply_is_not_cached() -> None:
    client = FakeClient(["[]", "[]", PASS])
    asker = Asker(client)
    with pytest.raises(JudgeMalformedError) as caught:
        ask(asker)
    assert caught.value.reply is not None
    assert caught.value.reply.text == "[]"
    assert ask(asker).answer.verdict == "pass"


@pytest.mark.parametrize("limits", [{"calls": 2}, {"tokens": 200}, {"seconds": 0.009}])
def test_a_spent_budget_ends_asking_with_the_setting_to_raise(limits: dict[str, Any]) -> None:
    client = FakeClient([PASS])
    asker = Asker(client, run_budget=Budget("run", **limits))
    ask(asker, request("one"))
    ask(asker, request("two"))
    with pytest.raises(JudgeBudgetError) as caught:
        ask(asker, request("three"))
    assert caught.value.code == "judge_budget"
    assert f"{next(iter(limits))}_per_run" in str(caught.value)
    assert ask(asker, request("one")).reply.cached
    assert len(client.asked) == 2


def test_retries_and_re_asks_count_as_calls() -> None:
    budget = Budget("case", calls=2)
    client = FakeClient([JudgeUnreachableError("busy", transient=True), "[]", PASS])
    with pytest.raises(JudgeBudgetError):
        ask(Asker(client, retries=QUICK), budget=budget)
    assert len(client.asked) == 2


def test_threads_together_never_make_more_calls_than_allowed() -> None:
    client = FakeClient([PASS])
    asker = Asker(client, run_budget=Budget("run", calls=20))

    def one(number: int) -> bool:
        try:
            ask(asker, request(str(number)))
        except JudgeBudgetError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(one, range(100))) == 20
    assert len(client.asked) == 20


def test_a_dead_server_is_not_asked_for_every_case() -> None:
    client = FakeClient([JudgeUnreachableError("no answer")])
    asker = Asker(client, retries=QUICK)
    for number in range(10):
        with pytest.raises(JudgeUnreachableError):
            ask(asker, request(str(number)))
    assert len(client.asked) == 3


def test_questions_refused_one_by_one_do_not_make_a_server_dead() -> None:
    refused = JudgeUnreachableError("too long", outage=False)
    client = FakeClient([refused] * 5 + [PASS])
    asker = Asker(client, retries=QUICK)
    for number in range(5):
        with pytest.raises(JudgeUnreachableError):
            ask(asker, request(str(number)))
    assert ask(asker).answer.verdict == "pass"


def test_a_success_between_failures_clears_them() -> None:
    down = JudgeUnreachableError("no answer")
    client = FakeClient([down, down, PASS, down, down, PASS])
    asker = Asker(client, retries=QUICK)
    for number in range(6):
        if number % 3 == 2:
            ask(asker, request(str(number)))
        else:
            with pytest.raises(JudgeUnreachableError, match="no answer"):
                ask(asker, request(str(number)))


def test_waits_grow_and_what_the_server_asks_is_capped() -> None:
    waits: list[float] = []
    errors = [JudgeUnreachableError("busy", transient=True, retry_after=a) for a in (None, 3, 9e9)]
    client = FakeClient([*errors, PASS])
    asker = Asker(client, retries=RetryPolicy(attempts=4, first_wait=0.5, sleep=waits.append))
    assert ask(asker).answer.verdict == "pass"
    assert 0.5 <= waits[0] <= 1.0
    assert waits[1:] == [3, 60]


def test_no_judge_is_said_as_such() -> None:
    with pytest.raises(JudgeError) as caught:
        ask(Asker(NoClient()))
    assert caught.value.code == "no_judge"


def test_a_reply_survives_its_cache() -> None:
    reply = verdict("pass", {"pass": 0.9, "fail": 0.1})
    assert LlmReply.from_json(reply.to_json()) == reply
