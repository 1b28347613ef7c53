"""HTTP below the agent's client: recorded once, replayed offline, secrets never leave the host."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from jw_eval_store.agents.host_agent import HostAgent
from jw_eval_store.agents.interface import AgentCall, AgentReply
from jw_eval_store.domain.recordings import Exchange, Recording
from jw_eval_store.domain.settings import AgentSettings
from tests.agents.recording_site import AGENT, JWT, TOKEN, Network, Site

CLIENTS = ("httpx_sync", "httpx_async", "with_requests", "with_urllib3", "with_aiohttp")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("recording")
    (path / "recording_sample.py").write_text(AGENT)
    return path


@pytest.fixture(scope="module")
def network() -> Iterator[Network]:
    with pytest.MonkeyPatch.context() as patch:
        subject = Network()
        patch.setenv("BASE", subject.base)
        yield subject
        subject.close()


def agent_of(folder: Path, function: str, **settings: Any) -> HostAgent:
    target = f"recording_sample:{function}"
    return HostAgent("a", "t", AgentSettings(target=target, env=("BASE",), **settings), folder)


def call(agent: HostAgent, question: str = "soul", **options: Any) -> AgentReply:
    return agent.call(AgentCall("c", {"question": question}, 20, **options))


def texts(reply: AgentReply) -> list[str]:
    assert reply.error is None, reply.message + reply.log
    assert reply.output is not None
    return [finding.text for finding in reply.output.findings]


def record(agent: HostAgent, question: str = "soul") -> tuple[list[str], Recording]:
    reply = call(agent, question, record=True)
    assert reply.recording is not None, reply
    return texts(reply), reply.recording


@pytest.mark.sampled(2)
@pytest.mark.parametrize("client", CLIENTS)
def test_what_was_recorded_is_replayed_without_a_network(
    folder: Path, network: Network, client: str
) -> None:
    agent = agent_of(folder, client)
    live, recording = record(agent)
    assert live[0] == "found soul True"
    before = len(Site.asked)
    again = texts(call(agent, recording=recording))
    agent.close()
    assert len(Site.asked) == before
    assert again[0] == live[0]
    assert again[2:] == live[2:]
    assert live[2] != live[3]
    assert live[4] == "page /page/moved"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("client", CLIENTS)
def test_no_secret_leaves_the_host(folder: Path, network: Network, client: str) -> None:
    agent = agent_of(folder, client)
    _, recording = record(agent)
    agent.close()
    raw = json.dumps([exchange.to_json() for exchange in recording.exchanges])
    bodies = b"".join(e.request_body + e.body for e in recording.exchanges)
    for secret in (TOKEN, JWT, "c2VjcmV0"):
        assert secret not in raw
        assert secret.encode() not in bodies
    cookies = [v for e in recording.exchanges for n, v in e.headers if n.lower() == "set-cookie"]
    assert cookies == ["REDACTED"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("client", CLIENTS)
def test_a_request_that_is_not_recorded_is_a_miss_with_the_nearest(
    folder: Path, network: Network, client: str
) -> None:
    agent = agent_of(folder, client)
    _, recording = record(agent)
    before = len(Site.asked)
    reply = call(agent, "hell", recording=recording)
    agent.close()
    assert reply.error == "recording_miss"
    assert "q=hell" in reply.message
    assert "q=soul" in reply.message
    assert len(Site.asked) == before


def test_a_miss_is_reported_even_where_the_agent_swallows_it(
    folder: Path, network: Network
) -> None:
    agent = agent_of(folder, "swallows")
    _, recording = record(agent)
    assert texts(call(agent, recording=recording)) == ["page /page/other"]
    reply = call(agent, "x", recording=recording)
    agent.close()
    assert (reply.error, reply.output) == ("recording_miss", None)


@pytest.mark.parametrize("function", ["by_socket", "looks_up", "swallows"])
def test_without_a_recording_the_network_is_closed(
    folder: Path, network: Network, function: str
) -> None:
    agent = agent_of(folder, function)
    before = len(Site.asked)
    reply = call(agent)
    agent.close()
    assert reply.error == "recording_miss"
    assert len(Site.asked) == before


def test_a_miss_before_a_crash_is_the_reason(folder: Path, network: Network) -> None:
    agent = agent_of(folder, "dies_after_a_miss")
    reply = call(agent)
    agent.close()
    assert reply.error == "recording_miss"
    assert "/nowhere" in reply.message


def test_an_agent_that_needs_no_network_needs_no_recording(folder: Path, network: Network) -> None:
    agent = agent_of(folder, "no_network")
    assert texts(call(agent)) == ["offline"]
    assert record(agent)[1].exchanges == ()
    agent.close()


def test_loopback_and_the_whole_network_can_be_opened(folder: Path, network: Network) -> None:
    for settings in ({"loopback": True}, {"network": True}):
        agent = agent_of(folder, "swallows", **settings)
        assert texts(call(agent)) == ["page /page/other"]
        agent.close()


def test_requests_of_an_agents_threads_belong_to_its_call(folder: Path, network: Network) -> None:
    agent = agent_of(folder, "in_threads")
    live, recording = record(agent)
    assert len(recording.exchanges) == 8
    assert texts(call(agent, recording=recording)) == live
    agent.close()


def test_concurrent_calls_in_one_host_replay_their_own_recordings(
    folder: Path, network: Network
) -> None:
    agent = agent_of(folder, "httpx_async", concurrency=8)
    questions = ["soul", "hell", "name", "hope"]
    recordings = {q: record(agent, q)[1] for q in questions}
    with ThreadPoolExecutor(4) as pool:
        replies = list(pool.map(lambda q: call(agent, q, recording=recordings[q]), questions * 5))
    agent.close()
    assert [texts(reply)[0] for reply in replies] == [f"found {q} True" for q in questions * 5]


def test_what_makes_a_request_the_same_can_be_chosen(folder: Path, network: Network) -> None:
    agent = agent_of(folder, "swallows", match_on=("method", "path"))
    _, recording = record(agent)
    assert texts(call(agent, "another", recording=recording)) == ["page /page/other"]
    agent.close()


def test_recordings_have_a_content_address_that_ignores_request_headers(
    folder: Path, network: Network
) -> None:
    agent = agent_of(folder, "swallows")
    first, second = record(agent)[1], record(agent)[1]
    agent.close()
    assert first.content_hash == second.content_hash
    assert first.size == len("page /page/other")
    restored = Recording(tuple(Exchange.from_json(e.to_json()) for e in first.exchanges))
    assert restored == first


def test_keys_of_the_environment_are_secrets_and_other_variables_are_not(
    folder: Path, network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_API_KEY", "0123456789abcdef")
    settings = AgentSettings(target="recording_sample:with_key", env=("BASE", "MY_API_KEY"))
    agent = HostAgent("a", "t", settings, folder)
    _, recording = record(agent)
    assert recording.exchanges[0].url == f"{network.base}/page/REDACTED"
    assert texts(call(agent, recording=recording)) == ["page /page/REDACTED"]
    agent.close()
