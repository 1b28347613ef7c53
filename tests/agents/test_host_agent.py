"""Agents in host processes: isolation, limits, and a case's crash stays that case's."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from signal import SIGINT, SIGKILL

import pytest

from jw_eval_store.agents.host_agent import HostAgent
from jw_eval_store.agents.host_process import HostProcess, Message
from jw_eval_store.domain.errors import UsageError
from tests.agents.host_sample import agent_of, ask, text, write_sample


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_sample(tmp_path_factory.mktemp("toolkit"))


@pytest.fixture(scope="module")
def agent(folder: Path) -> Iterator[HostAgent]:
    subject = agent_of(folder, timeout=5, memory_mb=1500)
    yield subject
    subject.close()


@pytest.mark.parametrize(
    ("question", "code", "shown"),
    [
        ("exit", "agent_crash", "status 3"),
        ("segv", "agent_crash", "SIGSEGV"),
        ("kill", "agent_crash", "SIGKILL"),
        ("raise", "agent_crash", "ValueError: boom"),
        ("quit", "agent_crash", "SystemExit: 2"),
        ("memory", "agent_crash", "MemoryError"),
        ("huge", "agent_bad_output", "max_output"),
        ("none", "agent_bad_output", "None"),
    ],
)
def test_what_goes_wrong_is_this_cases_error_and_the_next_goes_on(
    agent: HostAgent, question: str, code: str, shown: str
) -> None:
    reply = ask(agent, question)
    assert (reply.error, reply.output) == (code, None)
    assert shown in reply.message
    assert text(ask(agent, "fine")) == "ok"


def test_a_segmentation_fault_shows_where_python_was(agent: HostAgent) -> None:
    assert "host_agent_sample.py" in ask(agent, "segv").log


@pytest.mark.parametrize("question", ["hang", "c hang"])
def test_a_hang_is_killed_at_its_time_limit_even_in_c(agent: HostAgent, question: str) -> None:
    started = time.perf_counter()
    reply = ask(agent, question, timeout=0.3)
    assert (reply.error, time.perf_counter() - started < 3) == ("agent_timeout", True)
    assert text(ask(agent, "fine")) == "ok"


def test_all_that_is_printed_is_in_the_log_and_does_not_touch_the_protocol(
    agent: HostAgent, capfd: pytest.CaptureFixture[str]
) -> None:
    reply = ask(agent, "print")
    assert text(reply) == "ok"
    for line in ("python print", "descriptor", "error", "thread", "child"):
        assert line in reply.log
    assert "python print" not in ask(agent, "fine").log
    assert capfd.readouterr() == ("", "")


def test_a_warm_host_serves_many_calls(agent: HostAgent) -> None:
    assert text(ask(agent, "pid")) == text(ask(agent, "pid")) != str(os.getpid())


def test_the_environment_is_cut_down_to_a_list(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "hidden")
    monkeypatch.setenv("ALLOWED", "seen")
    subject = agent_of(folder, env=("ALLOWED",))
    shown = text(ask(subject, "env"))
    subject.close()
    assert "hidden" not in shown
    assert "('ALLOWED', 'seen')" in shown
    assert str(Path.home()) + "'" not in shown


def test_zone_language_and_hashes_are_fixed(folder: Path) -> None:
    first, second = agent_of(folder), agent_of(folder)
    shown = text(ask(first, "tz"))
    assert shown == text(ask(second, "tz"))
    assert "UTC" in shown
    first.close()
    second.close()


def test_each_case_has_its_own_home_folder_and_environment(agent: HostAgent) -> None:
    assert text(ask(agent, "write")) == text(ask(agent, "write")) == "([], None)"


def test_the_clock_can_be_frozen_per_case(agent: HostAgent) -> None:
    shown = text(ask(agent, "now", now="2026-01-02T03:04:05Z"))
    assert "1767323045.0, '2026-01-02T03:04:05', '2026-01-02', '2026-01-02', True" in shown
    assert "2027-" in text(ask(agent, "now", now="2027-05-05T00:00:00+00:00"))
    assert "2026-01-02" not in text(ask(agent, "now"))


def test_a_host_that_dies_between_calls_is_nobodys_crash(agent: HostAgent) -> None:
    assert text(ask(agent, "later")) == "ok"
    time.sleep(0.2)
    assert text(ask(agent, "fine")) == "ok"


def test_nothing_is_left_behind(folder: Path) -> None:
    subject = agent_of(folder)
    host, child = int(text(ask(subject, "pid"))), int(text(ask(subject, "child")))
    subject.close()
    deadline = time.monotonic() + 5
    while _runs(child) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not _runs(host)
    assert not _runs(child)


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.parametrize("signal", [SIGKILL, SIGINT])
def test_a_tool_that_is_killed_or_interrupted_leaves_no_host(folder: Path, signal: int) -> None:
    script = (
        "import signal, sys; from pathlib import Path\n"
        # whoever started the tests in the background had it ignored
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from jw_eval_store.agents.host_agent import HostAgent\n"
        "from jw_eval_store.agents.interface import AgentCall\n"
        "from jw_eval_store.domain.settings import AgentSettings\n"
        "s = AgentSettings(target='host_agent_sample:act')\n"
        "a = HostAgent('a', 't', s, Path(sys.argv[1]))\n"
        "r = a.call(AgentCall('c', {'question': 'pid'}))\n"
        "print(r.output.findings[0].text, flush=True)\n"
        "a.call(AgentCall('c', {'question': 'hang'}))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as tool:
        assert tool.stdout is not None
        host = int(tool.stdout.readline())
        assert _runs(host)
        tool.send_signal(signal)
        tool.wait(60)
    deadline = time.monotonic() + 5
    while _runs(host) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not _runs(host)


def test_calls_at_once_get_hosts_of_their_own(folder: Path) -> None:
    subject = agent_of(folder, "act_async")
    with ThreadPoolExecutor(3) as pool:
        pids = {text(reply) for reply in pool.map(lambda q: ask(subject, q), ["long"] * 3)}
    subject.close()
    assert len(pids) == 3


def test_short_calls_at_once_wait_for_a_warm_host_instead_of_starting_more(folder: Path) -> None:
    subject = agent_of(folder)
    with ThreadPoolExecutor(4) as pool:
        pids = {text(reply) for reply in pool.map(lambda q: ask(subject, q), ["pid"] * 40)}
    subject.close()
    assert len(pids) < 4


def test_asynchronous_calls_may_share_a_host(folder: Path) -> None:
    subject = agent_of(folder, "act_async", concurrency=8)
    text(ask(subject, "warm"))
    with ThreadPoolExecutor(4) as pool:
        started = time.perf_counter()
        replies = list(pool.map(lambda q: ask(subject, q), ["wait"] * 4))
        assert time.perf_counter() - started < 1.1
    subject.close()
    assert len({text(reply) for reply in replies}) == 1
    assert {reply.log for reply in replies} == {"async wait\n"}


@pytest.mark.long
def test_a_crash_among_calls_that_share_a_host_is_pinned_on_its_case(folder: Path) -> None:
    subject = agent_of(folder, "act_async", concurrency=8)
    text(ask(subject, "warm"))
    with ThreadPoolExecutor(4) as pool:
        questions = ["wait", "exit", "wait", "wait"]
        replies = list(pool.map(lambda q: ask(subject, q), questions))
    subject.close()
    assert [reply.error for reply in replies] == [None, "agent_crash", None, None]


def test_an_asynchronous_hang_is_cancelled_without_losing_the_host(folder: Path) -> None:
    subject = agent_of(folder, "act_async")
    before = text(ask(subject, "pid"))
    assert ask(subject, "hang", timeout=0.2).error == "agent_timeout"
    assert text(ask(subject, "pid")) == before
    assert ask(subject, "block", timeout=0.2).error == "agent_timeout"
    assert text(ask(subject, "task quits")) != before
    assert text(ask(subject, "pid"))
    subject.close()


@pytest.mark.parametrize(
    ("target", "shown"),
    [
        ("host_agent_broken:act", "nothing_of_this_name"),
        ("host_agent_noisy:act", "SystemExit: 4"),
        ("host_agent_dies:act", "status 7"),
        ("host_agent_missing:act", "no module 'host_agent_missing'"),
        ("host_agent_sample:missing", "has no 'missing'"),
    ],
)
def test_an_agent_that_cannot_be_started_says_why_and_is_tried_once(
    folder: Path, target: str, shown: str
) -> None:
    subject = agent_of(folder, target)
    reply = ask(subject, "q")
    assert reply.error == "agent_unavailable"
    assert shown in reply.message
    started = time.perf_counter()
    assert ask(subject, "q") == reply
    assert time.perf_counter() - started < 0.02
    assert subject.fingerprint() is None
    subject.close()


def test_a_host_killed_while_it_says_what_the_agent_depends_on_is_replaced(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = agent_of(folder, roots=(str(folder),))
    expected = subject.fingerprint()
    killed: list[int] = []
    whole = HostProcess.depends

    def depends(host: HostProcess) -> object:
        if not killed:
            killed.append(host._spawned.process.pid)
            os.kill(killed[0], SIGKILL)
        return whole(host)

    monkeypatch.setattr(HostProcess, "depends", depends)
    assert expected is not None
    assert subject.fingerprint() == expected
    assert killed
    subject.close()


def test_a_host_killed_while_it_starts_is_started_once_more(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, killed = HostProcess._exchange, list[int]()

    def exchange(host: HostProcess, message: Message, timeout: float) -> Message:
        if "target" in message and len(killed) < times:
            killed.append(host._spawned.process.pid)
            os.kill(killed[-1], SIGKILL)
        return whole(host, message, timeout)

    monkeypatch.setattr(HostProcess, "_exchange", exchange)
    for times, error in ((1, None), (2, "agent_unavailable")):
        killed.clear()
        subject = agent_of(folder, roots=(str(folder),))
        assert ask(subject, "q").error == error
        assert len(killed) == times
        subject.close()


def test_an_interpreter_that_does_not_exist_is_refused(folder: Path) -> None:
    with pytest.raises(UsageError, match="no interpreter"):
        agent_of(folder, python="nowhere/bin/python")


def test_a_closed_agent_starts_nothing(folder: Path) -> None:
    subject = agent_of(folder)
    subject.close()
    assert ask(subject, "q").error == "agent_unavailable"
