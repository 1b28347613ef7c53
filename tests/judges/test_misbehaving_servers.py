"""Whatever a server does, a case is judged rightly or not at all, and the run goes on."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from jw_eval_store.domain.judging import JudgeSpec
from jw_eval_store.domain.settings import JudgeSettings
from jw_eval_store.judges.factory import make_asker, make_client, make_judge
from jw_eval_store.judges.judgement import Judgement, JudgeVerdict
from jw_eval_store.judges.retrying import RetryPolicy
from tests.judges.fakes import JUDGEMENT
from tests.judges.servers import MODEL, Reply, ScriptedServer, Tokens, scripted_server

FAIL = '{"verdict": "fail", "reason": "it denies it"}'
G_EVAL = JudgeSpec(strategy="g_eval", evaluation_steps=("Compare.",), pass_at=0.6)
EXACT = pytest.mark.parametrize("llm", ["ollama", "openai"])


class Bench:
    """One client in front of a scripted server; `waits` are the seconds it would have slept."""

    def __init__(self, server: ScriptedServer, llm: Any) -> None:
        self.server, self.llm = server, llm
        self.waits: list[float] = []

    def judge(
        self,
        *replies: Reply,
        spec: JudgeSpec | None = None,
        judgement: Judgement = JUDGEMENT,
        **settings: Any,
    ) -> JudgeVerdict:
        """The verdict of a fresh judge on the one case."""
        self.server.will_answer(*replies)
        path = "/v1" if self.llm == "openai" else ""
        limits = {"timeout": 5.0, "first_token_timeout": 5.0, **settings}
        configured = JudgeSettings(llm=self.llm, model=MODEL, url=self.server.url + path, **limits)
        retries = RetryPolicy(attempts=3, sleep=self.waits.append)
        with make_client(configured, {}) as client:
            asker = make_asker(client, configured, retries=retries)
            return make_judge(spec or JudgeSpec(), asker, configured)(judgement)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with scripted_server() as running:
        yield running


@pytest.fixture(params=["ollama", "openai"])
def bench(request: pytest.FixtureRequest, server: ScriptedServer) -> Bench:
    if request.param == "openai":
        pytest.importorskip("openai")
    return Bench(server, request.param)


def test_a_clean_reply_decides_with_all_that_explains_it(bench: Bench) -> None:
    judged = bench.judge(Reply(FAIL))
    assert (judged.verdict, judged.score, judged.reasons) == ("fail", 0.0, ("it denies it",))
    [step] = judged.steps
    assert (step.node, step.kind, step.answer, step.model) == ("verdict", "verdict", "fail", MODEL)
    assert step.reply == FAIL
    assert step.model_digest
    assert step.prompt_tokens
    assert step.reply_tokens == 2
    assert not step.cached


LOOKED_THROUGH = {
    "fenced": f"```json\n{FAIL}\n```",
    "fenced with talk": f"Sure, here it is:\n```json\n{FAIL}\n```\nAnything else?",
    "thinking aloud": f"Let me see. The candidate denies it, so: {FAIL}",
    "thinking in tags": f'<think>{{"verdict": "pass", "reason": "draft"}}</think>\n{FAIL}',
    "trailing comma": '{"verdict": "fail", "reason": "it, denies, it",}',
    "other spelling": '{"verdict": " Fail. ", "reason": "it denies it"}',
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("text", LOOKED_THROUGH.values(), ids=LOOKED_THROUGH.keys())
def test_wrapping_is_looked_through(bench: Bench, text: str) -> None:
    judged = bench.judge(Reply(text))
    assert judged.verdict == "fail"
    assert len(bench.server.chats) == 1


UNUSABLE = {
    "empty list": "[]",
    "text for a truth value": '"True."',
    "nothing": "",
    "wrong type": '{"verdict": true, "reason": "x"}',
    "unknown label": '{"verdict": "maybe", "reason": "x"}',
    "missing reason": '{"verdict": "pass"}',
    "further key": '{"verdict": "pass", "reason": "x", "score": 1}',
    "key twice": '{"verdict": "pass", "reason": "x", "verdict": "fail"}',
    "two answers": '{"verdict": "fail", "reason": "x"} or {"verdict": "pass", "reason": "y"}',
    "answer within a broken one": '{"note": {"verdict": "pass", "reason": "x"}',
    "thought without end": '<think>{"verdict": "pass", "reason": "x"}',
    "no JSON": "The candidate is faithful. Verdict: pass.",
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("text", UNUSABLE.values(), ids=UNUSABLE.keys())
def test_an_unusable_reply_is_asked_for_once_more_and_then_not_scored(
    bench: Bench, text: str
) -> None:
    judged = bench.judge(Reply(text))
    assert (judged.verdict, judged.score, judged.reason_code) == (None, None, "judge_malformed")
    assert len(bench.server.chats) == 2
    assert judged.steps[-1].error == "judge_malformed"
    assert judged.steps[-1].reply == text


@pytest.mark.sampled(6)
@pytest.mark.parametrize("text", UNUSABLE.values(), ids=UNUSABLE.keys())
def test_the_second_reply_decides_and_was_told_what_was_wrong(bench: Bench, text: str) -> None:
    judged = bench.judge(Reply(text), Reply(FAIL))
    assert judged.verdict == "fail"
    problem = judged.steps[-1].details["asked_again"]
    assert isinstance(problem, str)
    last = bench.server.chats[1]["messages"][-1]
    assert last["role"] == "user"
    assert problem in last["content"]


def test_a_reply_cut_off_is_no_verdict(bench: Bench) -> None:
    judged = bench.judge(Reply('{"verdict": "pass", "reas', cut=True))
    assert (judged.verdict, judged.reason_code) == (None, "judge_cut")


def test_a_finished_draft_in_a_reply_cut_off_is_no_verdict(bench: Bench) -> None:
    judged = bench.judge(Reply(f"The text says {FAIL} but I think that", cut=True))
    assert (judged.verdict, judged.reason_code) == (None, "judge_cut")


def test_white_space_without_end_after_the_answer_does_not_spoil_it(bench: Bench) -> None:
    assert bench.judge(Reply(FAIL + "\n" * 300, cut=True)).verdict == "fail"


LONG = replace(JUDGEMENT, candidate="El alma es la persona misma, y muere con ella. " * 500)


@pytest.mark.parametrize("read", [0.5, 2048, 4096])
def test_a_silently_cut_prompt_is_no_verdict(bench: Bench, read: float) -> None:
    bench.server.loaded_context = 4096
    judged = bench.judge(Reply(read=read), judgement=LONG)
    assert (judged.verdict, judged.reason_code) == (None, "judge_cut")
    assert judged.steps[-1].error == "judge_cut"


def test_a_long_prompt_that_was_read_whole_is_judged(bench: Bench) -> None:
    assert bench.judge(Reply(FAIL), judgement=LONG).verdict == "fail"
    if bench.llm == "ollama":
        assert bench.server.chats[0]["options"]["num_ctx"] == 14336


def test_a_context_that_the_server_did_not_grant_is_noticed(server: ScriptedServer) -> None:
    server.loaded_context = 5000
    judged = Bench(server, "ollama").judge(Reply(read=5000), judgement=LONG)
    assert (judged.verdict, judged.reason_code) == (None, "judge_cut")


def test_a_slow_server_is_given_up_once_and_not_asked_again(bench: Bench) -> None:
    judged = bench.judge(Reply(delay=0.6), timeout=0.1, first_token_timeout=0.15)
    assert (judged.verdict, judged.reason_code) == (None, "judge_unreachable")
    assert "0.15 s" in judged.reasons[0]
    assert len(bench.server.chats) == 1


def test_a_cold_model_is_waited_for(bench: Bench) -> None:
    judged = bench.judge(Reply(delay=0.4), timeout=0.1, first_token_timeout=5.0)
    assert judged.verdict == "pass"


def test_a_refusal_for_now_is_waited_out_as_long_as_the_server_says(bench: Bench) -> None:
    busy = Reply(status=429, headers={"Retry-After": "7"})
    judged = bench.judge(busy, Reply(FAIL))
    assert judged.verdict == "fail"
    assert bench.waits == [7.0]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("status", [500, 502, 503])
def test_a_failing_server_is_tried_again_with_growing_waits(bench: Bench, status: int) -> None:
    judged = bench.judge(Reply(status=status))
    assert (judged.verdict, judged.reason_code) == (None, "judge_unreachable")
    assert len(bench.server.chats) == 3
    assert 1 <= bench.waits[0] <= 2 <= bench.waits[1] <= 3


@pytest.mark.sampled(4)
@pytest.mark.parametrize("status", [400, 401, 403, 404, 413])
def test_a_refusal_for_good_is_not_tried_again(bench: Bench, status: int) -> None:
    judged = bench.judge(Reply(status=status, error="not this one"))
    assert (judged.verdict, judged.reason_code) == (None, "judge_unreachable")
    assert "not this one" in judged.reasons[0]
    assert len(bench.server.chats) == 1


@pytest.mark.parametrize("where", ["before", "within"])
def test_a_broken_connection_is_tried_again(bench: Bench, where: str) -> None:
    assert bench.judge(Reply(reset=where), Reply(FAIL)).verdict == "fail"
    judged = bench.judge(Reply(reset=where))
    assert (judged.verdict, judged.reason_code) == (None, "judge_unreachable")


def test_a_redirect_is_not_followed(bench: Bench) -> None:
    away = Reply(status=307, headers={"Location": "http://192.0.2.1/api/chat"})
    judged = bench.judge(away)
    assert (judged.verdict, judged.reason_code) == (None, "judge_unreachable")


def test_a_missing_model_says_how_to_get_it(bench: Bench) -> None:
    bench.server.models = ["other:latest", "third:latest"]
    judged = bench.judge(Reply())
    assert (judged.verdict, judged.reason_code) == (None, "judge_unreachable")
    assert MODEL in judged.reasons[0]
    assert "JW_EVAL_LLM_MODEL" in judged.reasons[0]
    assert not bench.server.chats


@EXACT
def test_nobody_listening_is_said_at_once(llm: Any) -> None:
    if llm == "openai":
        pytest.importorskip("openai")
    with scripted_server() as gone:
        pass
    bench = Bench(gone, llm)
    judged = bench.judge(Reply())
    assert (judged.verdict, judged.reason_code) == (None, "judge_unreachable")
    assert "JW_EVAL_LLM_URL" in judged.reasons[0]
    assert not bench.waits


@pytest.mark.sampled(2)
@pytest.mark.parametrize("number", [85, -3, 11])
def test_a_score_out_of_range_is_not_scored(bench: Bench, number: int) -> None:
    judged = bench.judge(Reply(f'{{"score": {number}, "reason": "x"}}'), spec=G_EVAL)
    assert (judged.verdict, judged.score, judged.reason_code) == (None, None, "judge_malformed")


def test_a_score_is_the_mean_of_what_stood_at_its_own_token(bench: Bench) -> None:
    tokens = [
        ('{"score": ', {'{"score": ': 0.99}),
        ("4", {"4": 0.7, "3": 0.2, "100": 0.06, "x": 0.03, "9": 0.005}),
        (', "reason": "claim ', {', "reason": "claim ': 0.9}),
        ("1", {"1": 0.5, "10": 0.5}),
        (' holds"}', {' holds"}': 0.9}),
    ]
    judged = bench.judge(Reply(tokens=tokens), spec=G_EVAL)
    assert judged.score == pytest.approx((4 * 0.7 + 3 * 0.2) / 0.9 / 10)
    assert judged.verdict == "fail"
    assert judged.steps[-1].details["score_mode"] == "logprob"


def test_ten_in_two_tokens_is_ten(bench: Bench) -> None:
    tokens = [
        ('{"score": ', {'{"score": ': 0.99}),
        ("1", {"1": 0.9, "9": 0.1}),
        ("0", {"0": 0.8, ",": 0.2}),
        (', "reason": "all"}', {', "reason": "all"}': 0.9}),
    ]
    judged = bench.judge(Reply(tokens=tokens), spec=G_EVAL)
    assert judged.score == pytest.approx((10 * 0.72 + 1 * 0.18 + 9 * 0.1) / 10)
    assert judged.verdict == "pass"


def test_without_log_probabilities_the_whole_number_counts_and_is_called_so(bench: Bench) -> None:
    judged = bench.judge(Reply('{"score": 7, "reason": "well"}'), spec=G_EVAL)
    assert (judged.verdict, judged.score) == ("pass", 0.7)
    assert judged.steps[-1].details["score_mode"] == "raw"


def test_ollama_gets_what_it_needs_in_its_options(server: ScriptedServer) -> None:
    Bench(server, "ollama").judge(Reply())
    [chat] = server.chats
    assert chat["options"] == {"seed": 1, "temperature": 0.0, "num_ctx": 4096, "num_predict": 300}
    assert chat["format"]["properties"]["verdict"]["enum"] == ["pass", "fail"]
    assert list(chat["format"]["properties"]) == ["verdict", "reason"]
    assert (chat["logprobs"], chat["top_logprobs"]) == (True, 20)


def test_a_server_that_does_not_even_tell_its_models_is_given_up(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jw_eval_store.judges.clients.ollama.DESCRIPTION_TIMEOUT", 0.1)
    server.description_delay = 0.5
    judged = Bench(server, "ollama").judge(Reply())
    assert (judged.verdict, judged.reason_code) == (None, "judge_unreachable")
    assert "0.1 s" in judged.reasons[0]
    assert not server.chats


def test_ollama_pausing_within_its_reply_is_given_up(server: ScriptedServer) -> None:
    started = time.monotonic()
    judged = Bench(server, "ollama").judge(Reply(pause=8), timeout=0.15, first_token_timeout=9.0)
    assert (judged.verdict, judged.reason_code) == (None, "judge_unreachable")
    assert time.monotonic() - started < 7


def test_ollama_dripping_its_reply_without_end_is_given_up(server: ScriptedServer) -> None:
    drip: Tokens = [(" ", {" ": 1.0})] * 400
    judged = Bench(server, "ollama").judge(
        Reply(tokens=drip, drip=0.01), timeout=0.3, first_token_timeout=9.0
    )
    assert (judged.verdict, judged.reason_code) == (None, "judge_unreachable")
    assert "0.3 s" in judged.reasons[0]


@pytest.mark.parametrize(
    "reply", [Reply(error_in_stream="runner has stopped"), Reply(without_end=True)]
)
def test_ollama_failing_within_its_stream_is_tried_again(
    server: ScriptedServer, reply: Reply
) -> None:
    bench = Bench(server, "ollama")
    assert bench.judge(reply, Reply(FAIL)).verdict == "fail"
    assert bench.judge(reply).reason_code == "judge_unreachable"


def test_a_model_that_thinks_gets_room_for_it(server: ScriptedServer) -> None:
    server.capabilities = ["completion", "thinking"]
    Bench(server, "ollama").judge(Reply())
    assert server.chats[0]["options"]["num_predict"] == 4300
    assert server.chats[0]["options"]["num_ctx"] == 6144


def test_openai_models_that_refuse_an_option_are_asked_without_it(server: ScriptedServer) -> None:
    pytest.importorskip("openai")
    refusal = Reply(status=400, error="logprobs are not supported", param="logprobs")
    judged = Bench(server, "openai").judge(refusal, Reply(FAIL))
    assert judged.verdict == "fail"
    assert "logprobs" in server.chats[0]
    assert "logprobs" not in server.chats[1]
    assert "top_logprobs" not in server.chats[1]
    assert "seed" in server.chats[1]
