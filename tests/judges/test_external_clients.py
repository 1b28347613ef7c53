"""External judges over their official libraries: what is sent, what is read, what stays secret."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from jw_eval_store.domain.judging import JudgeSpec
from jw_eval_store.domain.settings import JudgeSettings
from jw_eval_store.judges.factory import make_asker, make_client, make_judge
from jw_eval_store.judges.judgement import JudgeVerdict
from jw_eval_store.judges.retrying import RetryPolicy
from tests.judges.fakes import JUDGEMENT
from tests.judges.servers import MODEL, Reply, ScriptedServer, scripted_server

SECRET = "sk-very-secret-0123456789"
FAIL = '{"verdict": "fail", "reason": "it denies it"}'
ENV = {"OPENAI_API_KEY": SECRET, "ANTHROPIC_API_KEY": SECRET}
LIBRARIES = {"openai": "openai", "claude": "anthropic"}


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with scripted_server() as running:
        yield running


def judge(server: ScriptedServer, llm: Any, *replies: Reply, model: str = MODEL) -> JudgeVerdict:
    pytest.importorskip(LIBRARIES[llm])
    server.will_answer(*replies)
    url = server.url + ("/v1" if llm == "openai" else "")
    settings = JudgeSettings(llm=llm, model=model, url=url)
    with make_client(settings, ENV) as client:
        quick = RetryPolicy(attempts=3, sleep=lambda _: None)
        asker = make_asker(client, settings, retries=quick)
        return make_judge(JudgeSpec(), asker, settings)(JUDGEMENT)


def test_claude_is_asked_for_json_true_to_the_schema(server: ScriptedServer) -> None:
    judged = judge(server, "claude", Reply(FAIL))
    assert (judged.verdict, judged.soft_score) == ("fail", None)
    [chat] = server.chats
    assert chat["system"].startswith("Eres un juez doctrinal")
    assert [message["role"] for message in chat["messages"]] == ["user"]
    assert chat["output_config"]["format"]["type"] == "json_schema"
    verdict = chat["output_config"]["format"]["schema"]["properties"]["verdict"]
    assert verdict["enum"] == ["pass", "fail"]
    assert not {"temperature", "seed", "logprobs"} & set(chat)
    assert any(SECRET in value for value in server.headers[0].values())


@pytest.mark.parametrize(
    ("replies", "verdict", "code"),
    [
        ([Reply(status=529), Reply(FAIL)], "fail", None),
        ([Reply(status=429), Reply(status=500), Reply(FAIL)], "fail", None),
        ([Reply(reset="before"), Reply(FAIL)], "fail", None),
        ([Reply("[]"), Reply(FAIL)], "fail", None),
        ([Reply("[]")], None, "judge_malformed"),
        ([Reply('{"verdict": "pass', cut=True)], None, "judge_cut"),
        ([Reply(read=0.5)], None, "judge_cut"),
        ([Reply(status=529)], None, "judge_unreachable"),
        ([Reply(status=401)], None, "judge_unreachable"),
    ],
)
def test_claude_misbehaving_is_no_wrong_verdict(
    server: ScriptedServer, replies: list[Reply], verdict: str | None, code: str | None
) -> None:
    judged = judge(server, "claude", *replies)
    assert (judged.verdict, judged.reason_code) == (verdict, code)


@pytest.mark.parametrize("llm", LIBRARIES)
def test_a_server_that_repeats_the_key_does_not_get_it_printed(
    server: ScriptedServer, llm: str
) -> None:
    judged = judge(server, llm, Reply(status=401, error=f"bad key {SECRET}"))
    assert judged.reason_code == "judge_unreachable"
    assert "bad key ***" in judged.reasons[0]
    assert SECRET not in repr(judged)


def test_openai_s_key_is_sent_and_its_options_are_openai_s(server: ScriptedServer) -> None:
    judge(server, "openai", Reply(FAIL))
    assert server.headers[0]["authorization"] == f"Bearer {SECRET}"
    [chat] = server.chats
    assert chat["response_format"]["json_schema"]["strict"] is True
    assert (chat["logprobs"], chat["top_logprobs"]) == (True, 20)
    assert (chat["temperature"], chat["seed"], chat["max_tokens"]) == (0.0, 1, 300)


def test_the_only_model_of_a_server_needs_no_name(server: ScriptedServer) -> None:
    pytest.importorskip("openai")
    settings = JudgeSettings(llm="openai", url=server.url + "/v1")
    with make_client(settings, {}) as client:
        assert client.identity().model == MODEL
    server.models = ["one", "two"]
    with make_client(settings, {}) as client, pytest.raises(Exception, match="one, two"):
        client.identity()


def test_the_digest_of_a_compatible_server_does_not_follow_its_clock(
    server: ScriptedServer,
) -> None:
    pytest.importorskip("openai")
    settings = JudgeSettings(llm="openai", url=server.url + "/v1", model=MODEL)
    digests = set()
    for _ in range(2):
        with make_client(settings, {}) as client:
            digests.add(client.identity().digest)
        server.clock += 1000
    assert len(digests) == 1
    assert digests.pop().startswith("sha256:")
