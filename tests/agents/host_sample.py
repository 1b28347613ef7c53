"""An agent that does all that agents may do wrong, and short ways to ask it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jw_eval_store.agents.host_agent import HostAgent
from jw_eval_store.agents.interface import AgentCall, AgentReply
from jw_eval_store.domain.settings import AgentSettings

AGENT = """
import asyncio, ctypes, datetime, os, random, signal, sys, threading, time
from pathlib import Path

def found(text):
    return [{"text": str(text), "source": "s"}]

def act(question):
    if question == "exit": os._exit(3)
    if question == "segv": ctypes.string_at(0)
    if question == "kill": os.kill(os.getpid(), signal.SIGKILL)
    if question == "raise": raise ValueError("boom")
    if question == "quit": sys.exit(2)
    if question == "hang": time.sleep(60)
    if question == "c hang": ctypes.PyDLL(None).sleep(60)
    if question == "memory": return found("x" * (2 << 30))
    if question == "huge": return found("x" * 10_000_000)
    if question == "none": return None
    if question == "print":
        print("python print"); os.write(1, b"descriptor\\n"); print("error", file=sys.stderr)
        worker = threading.Thread(target=lambda: print("thread")); worker.start(); worker.join()
        os.system("echo child")
    if question == "frames": os.write(int(sys.argv[1]) if len(sys.argv) > 1 else 1, b"{}")
    if question == "env": return found(sorted(os.environ.items()))
    if question == "tz": return found((time.tzname[0], hash("x"), os.environ["LANG"]))
    if question == "write":
        seen = (os.listdir(Path.home()) + os.listdir("."), os.environ.get("LEFT"))
        (Path.home() / "cache.txt").write_text("x"); Path("here.txt").write_text("x")
        os.environ["LEFT"] = "behind"; os.chdir("/")
        return found(seen)
    if question == "now":
        stamp = time.strftime("%Y-%m-%d")
        return found((time.time(), datetime.datetime.now().isoformat(), stamp,
                      datetime.date.today().isoformat(),
                      isinstance(datetime.datetime.fromtimestamp(0), datetime.datetime)))
    if question == "child":
        import subprocess
        return found(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]).pid)
    if question == "pid": return found(os.getpid())
    if question == "later":
        threading.Timer(0.05, lambda: os._exit(9)).start()
    return found("ok")

async def act_async(question):
    if question == "wait": await asyncio.sleep(0.3)
    if question == "long": await asyncio.sleep(1.5)
    if question == "block": time.sleep(60)
    if question == "hang":
        await asyncio.sleep(60)
    if question == "both":
        print("start", question)
    if question == "exit":
        await asyncio.sleep(0.1); os._exit(3)
    if question == "task quits":
        async def quits(): sys.exit(1)
        asyncio.create_task(quits())
        await asyncio.sleep(0.05)
    print("async", question)
    return found(os.getpid())
"""


def write_sample(path: Path) -> Path:
    """The agent, and others that cannot be started, in a folder."""
    (path / "host_agent_sample.py").write_text(AGENT)
    (path / "host_agent_broken.py").write_text("import nothing_of_this_name\n")
    (path / "host_agent_noisy.py").write_text("print('importing')\nraise SystemExit(4)\n")
    (path / "host_agent_dies.py").write_text("import os\nos._exit(7)\n")
    return path


def agent_of(folder: Path, function: str = "act", **settings: Any) -> HostAgent:
    target = function if ":" in function else f"host_agent_sample:{function}"
    return HostAgent("a", "test", AgentSettings(target=target, **settings), folder)


def ask(agent: HostAgent, question: str, **limits: Any) -> AgentReply:
    return agent.call(AgentCall("c", {"question": question}, **limits))


def text(reply: AgentReply) -> str:
    assert reply.error is None, reply.message + reply.log
    assert reply.output is not None
    return reply.output.findings[0].text
