"""Agents in the tool's process: whatever they do, the call ends with a reply."""

from __future__ import annotations

import asyncio
import importlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from jw_eval_store.agents.host import printed
from jw_eval_store.agents.host.load import load
from jw_eval_store.agents.in_process import InProcessAgent
from jw_eval_store.agents.interface import AgentCall, AgentReply
from jw_eval_store.agents.normalise import normalise
from jw_eval_store.agents.staleness import changes
from jw_eval_store.domain.settings import AgentSettings

RESULT = {"findings": [{"summary": "s"}]}


@contextmanager
def agent_of(function: Callable[..., Any], **settings: Any) -> Iterator[InProcessAgent]:
    agent = InProcessAgent("a", "test", function, AgentSettings(target="x:y", **settings))
    try:
        yield agent
    finally:
        agent.close()


def ask(function: Callable[..., Any], timeout: float = 5, **settings: Any) -> AgentReply:
    with agent_of(function, **settings) as agent:
        return agent.call(AgentCall("c1", {"question": "q"}, timeout))


def test_a_synchronous_agent_gets_the_input_as_keywords() -> None:
    reply = ask(lambda question: {"query": question, **RESULT})
    assert reply.error is None
    assert reply.output is not None
    assert reply.output.query == "q"


def test_an_asynchronous_agent_is_awaited_and_may_start_tasks() -> None:
    async def agent(question: str) -> Any:
        return await asyncio.create_task(asyncio.sleep(0, RESULT))

    assert ask(agent).error is None


def test_input_keys_are_renamed_for_the_agent() -> None:
    def agent(text: str) -> Any:
        return {"query": text, **RESULT}

    reply = ask(agent, rename={"question": "text"})
    assert reply.output is not None
    assert reply.output.query == "q"


def test_arguments_that_do_not_fit_name_the_parameters_and_rename() -> None:
    def agent(text: str) -> Any:
        return RESULT

    reply = ask(agent)
    assert reply.error == "agent_crash"
    assert "(text: 'str')" in reply.message
    assert "rename" in reply.message


@pytest.mark.parametrize(
    "error", [ValueError("boom"), SystemExit(3), KeyboardInterrupt(), GeneratorExit()]
)
@pytest.mark.parametrize("asynchronous", [False, True])
def test_whatever_is_raised_is_a_crash_with_its_place(
    error: BaseException, asynchronous: bool
) -> None:
    def agent(question: str) -> Any:
        raise error

    async def async_agent(question: str) -> Any:
        raise error

    reply = ask(async_agent if asynchronous else agent)
    assert reply.error == "agent_crash"
    assert type(error).__name__ in reply.message
    assert "test_in_process.py" in reply.message


def test_an_exception_in_a_task_of_the_agent_does_not_stop_the_next_call() -> None:
    async def broken() -> None:
        raise SystemExit(1)

    async def agent(question: str) -> Any:
        task = asyncio.create_task(broken())
        await asyncio.sleep(0.05)
        task.cancel()
        return RESULT

    with agent_of(agent) as subject:
        call = AgentCall("c", {"question": "q"}, 5)
        assert subject.call(call).error == "agent_crash"
        assert subject.call(call).error == "agent_crash"


def test_none_and_ten_megabytes_are_bad_outputs() -> None:
    none = ask(lambda question: None)
    assert (none.error, "None" in none.message) == ("agent_bad_output", True)
    huge = ask(lambda question: [{"text": "x" * 10_000_000}])
    assert (huge.error, "max_output" in huge.message) == ("agent_bad_output", True)


def test_a_swallowed_outage_is_an_error_not_a_poor_answer() -> None:
    reply = ask(lambda question: {"findings": [], "warnings": ["ConnectError: refused"]})
    assert reply.error == "agent_outage"
    assert "ConnectError: refused" in reply.message


def test_hanging_synchronous_code_times_out_and_the_agent_goes_on() -> None:
    release = threading.Event()

    def agent(question: str) -> Any:
        if question == "hang":
            release.wait(20)
        return RESULT

    with agent_of(agent) as subject:
        started = time.perf_counter()
        assert subject.call(AgentCall("c", {"question": "hang"}, 0.1)).error == "agent_timeout"
        assert time.perf_counter() - started < 2
        assert subject.call(AgentCall("c", {"question": "q"}, 5)).error is None
    release.set()


def test_a_hanging_asynchronous_agent_is_cancelled_and_its_worker_used_again() -> None:
    cancelled: list[str] = []
    threads: list[str] = []

    async def agent(question: str) -> Any:
        threads.append(str(threading.get_ident()))
        try:
            await asyncio.sleep(20 if question == "hang" else 0)
        except asyncio.CancelledError:
            cancelled.append(question)
            raise
        return RESULT

    with agent_of(agent) as subject:
        assert subject.call(AgentCall("c", {"question": "hang"}, 0.1)).error == "agent_timeout"
        assert subject.call(AgentCall("c", {"question": "q"}, 5)).error is None
    assert cancelled == ["hang"]
    assert len(set(threads)) == 1


def test_printing_is_captured_per_call_and_the_tools_own_output_is_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def agent(question: str) -> Any:
        print("from", question)
        sys.stderr.write("err\n")
        sys.stdout.buffer.write(b"raw\n")
        return RESULT

    async def async_agent(question: str) -> Any:
        print("start", question)
        await asyncio.sleep(0.02)
        print("end", question)
        return RESULT

    with agent_of(agent) as subject, agent_of(async_agent) as other:
        print("tool")
        assert subject.call(AgentCall("c", {"question": "q"})).log == "from q\nerr\nraw\n"
        with ThreadPoolExecutor(8) as pool:
            calls = [AgentCall("c", {"question": str(n)}) for n in range(20)]
            for number, reply in enumerate(pool.map(other.call, calls)):
                assert reply.log == f"start {number}\nend {number}\n"
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("tool\n", "")


def test_an_agent_left_behind_does_not_print_into_the_tools_output(
    capsys: pytest.CaptureFixture[str],
) -> None:
    release, printed = threading.Event(), threading.Event()

    def agent(question: str) -> Any:
        release.wait(20)
        print("late")
        printed.set()

    assert ask(agent, timeout=0.05).error == "agent_timeout"
    release.set()
    assert printed.wait(5)
    assert capsys.readouterr().out == ""


def test_endless_printing_keeps_the_end_of_the_log_only() -> None:
    def agent(question: str) -> Any:
        for number in range(20_000):
            print("line", number)
        return RESULT

    log = ask(agent).log
    assert len(log) < 21_000
    assert log.startswith("[...]")
    assert log.endswith("line 19999\n")


def test_a_frozen_clock_is_refused_in_process() -> None:
    with agent_of(lambda question: RESULT) as subject:
        reply = subject.call(AgentCall("c", {"question": "q"}, now="2026-01-01T00:00:00Z"))
    assert reply.error == "agent_unavailable"


def test_the_streams_are_given_back_when_the_last_agent_closes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(printed, "_users", 0)
    before = sys.stdout
    with agent_of(lambda question: RESULT) as subject:
        subject.call(AgentCall("c", {"question": "q"}))
        assert sys.stdout is not before
    assert sys.stdout is before


def test_the_tools_own_cost_of_a_trivial_call_is_small() -> None:
    with agent_of(lambda question: RESULT) as subject:
        call = AgentCall("c", {"question": "q"})
        best = min(_timed(subject, call) for _ in range(15))
    assert best < 0.0005


def _timed(subject: InProcessAgent, call: AgentCall) -> float:
    started = time.perf_counter()
    for _ in range(20):
        subject.call(call)
    return (time.perf_counter() - started) / 20


def test_a_function_without_a_package_has_no_fingerprint() -> None:
    def bare(question: str) -> object:
        return RESULT

    bare.__module__ = "answers"  # a single file: whatever it imports beside it would be missed
    with agent_of(bare) as subject:
        assert subject.fingerprint() is None


def test_the_fingerprint_covers_what_its_package_imports_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "kit_b/__init__.py": "",
        "kit_b/agent.py": (
            "import json, helper_b as h\nimport yaml\nfrom . import sub\n"
            "def ask(question):\n    from lazy_b.deep import said\n    return h.SAID + said\n"
        ),
        "kit_b/sub.py": 'from importlib import import_module\nimport_module("dynamic_b")\n',
        "helper_b.py": "import second_b\nSAID = 'good'\n",
        "second_b.py": "",
        "lazy_b/__init__.py": "",
        "lazy_b/deep.py": "said = ''\n",
        "dynamic_b.py": "",
        "unused_b.py": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    function = load("kit_b.agent:ask")
    with agent_of(function) as subject:
        before = subject.fingerprint()
        assert before is not None
        beside = {name.removeprefix("beside/") for name in before.files if name[:7] == "beside/"}
        own = {"kit_b/__init__.py", "kit_b/agent.py", "kit_b/sub.py", "unused_b.py"}
        assert beside == {*files} - own
        for name in ("helper_b.py", "second_b.py", "lazy_b/deep.py", "dynamic_b.py"):
            (tmp_path / name).write_text(files[name] + "# edited\n")
            after = subject.fingerprint()
            assert after is not None
            assert changes(before, after, None) == [f"agent file beside/{name}"]
            before = after
        (tmp_path / "unused_b.py").write_text("edited = 1\n")
        assert subject.fingerprint() == before
    for name in [name for name in sys.modules if name.partition(".")[0].endswith("_b")]:
        del sys.modules[name]


def test_the_fingerprint_covers_data_files_of_the_roots(tmp_path: Path) -> None:
    prompts = tmp_path / "prompts"
    prompts.mkdir()
    (prompts / "a.j2").write_text("one")
    (prompts / "__pycache__").mkdir()
    (prompts / "__pycache__" / "a.pyc").write_text("compiled")
    agent = InProcessAgent(
        "a", "test", lambda question: RESULT, AgentSettings(target="x:y"), {"prompts": str(prompts)}
    )
    before = agent.fingerprint()
    assert before is not None
    assert list(before.files) == ["prompts/a.j2"]
    assert "python" in before.versions
    assert agent.fingerprint() == before
    (prompts / "a.j2").write_text("two")
    after = agent.fingerprint()
    assert after is not None
    assert after.fingerprint_hash != before.fingerprint_hash
    agent.close()


def test_code_that_was_imported_and_then_edited_answers_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that lives on would call its old answers those of the files as they are now."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(str(tmp_path))
    package = tmp_path / "lasting_c"
    package.mkdir()
    (package / "__init__.py").write_text("")
    later, core = package / "later.py", package / "core.py"
    later.write_text("SAID = 'one'\n")
    core.write_text(
        "def answer(question):\n    from lasting_c import later\n"
        "    return {'findings': [{'summary': later.SAID}]}\n"
    )

    def asked() -> AgentReply:
        with agent_of(load("lasting_c.core:answer")) as agent:
            assert agent.fingerprint() is not None
            return agent.call(AgentCall("c1", {"question": "q"}))

    assert asked().error is None
    for edited in (later, core):
        source = edited.read_text()
        edited.write_text(source.replace("one", "two") + "# edited\n")
        reply = asked()
        assert reply.error == "agent_unavailable"
        assert f"{edited.resolve()} has changed since this process imported it" in reply.message
        importlib.reload(sys.modules[f"lasting_c.{edited.stem}"])
        assert asked().error is None
    assert asked().output == normalise({"findings": [{"summary": "two"}]})
    for name in [name for name in sys.modules if name.partition(".")[0] == "lasting_c"]:
        del sys.modules[name]
