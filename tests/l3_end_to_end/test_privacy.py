"""Nothing leaves the machine unless an external judge is chosen by name."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.l3_end_to_end.conftest import RUN, Bench

KEYS = {"OPENAI_API_KEY": "sk-secret", "ANTHROPIC_API_KEY": "sk-ant-secret"}
WATCHED = """
import socket, sys
connected = socket.socket.connect

def connect(self, address):
    with open("addresses", "a") as file:
        print(address, file=file)
    return connected(self, address)

resolved = socket.getaddrinfo

def getaddrinfo(host, *others, **more):
    with open("addresses", "a") as file:
        print((host, "resolved"), file=file)
    return resolved(host, *others, **more)

socket.socket.connect, socket.getaddrinfo = connect, getaddrinfo
from jw_eval_cli.main import main
sys.argv = ["jw-eval", *sys.argv[1:]]
main()
"""


def addresses(folder: Path, *arguments: str, **env: str) -> set[str]:
    """The hosts that a command contacts or looks up."""
    command = [sys.executable, "-c", WATCHED, *arguments]
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **env}, capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for secret in KEYS.values():
        assert secret not in done.stdout + done.stderr
    file = folder / "addresses"
    return (
        {line.split("'")[1] for line in file.read_text().splitlines()} if file.exists() else set()
    )


@pytest.mark.long
def test_keys_in_the_environment_choose_no_judge(bench: Bench) -> None:
    """JW_EVAL_LLM is not set: only Ollama's own address on this machine is asked."""
    host = bench.server.url.removeprefix("http://")
    env = {**KEYS, "OLLAMA_HOST": host, "JW_EVAL_DB": str(bench.db)}
    found = addresses(bench.folder, *RUN, "--fresh", **env)
    assert found <= {"127.0.0.1"}
    assert bench.server.chats
    sent = str(bench.server.headers)
    assert not any(secret in sent for secret in KEYS.values())


def test_no_judge_means_no_address_at_all(bench: Bench) -> None:
    env = {**KEYS, "JW_EVAL_LLM": "none", "JW_EVAL_DB": str(bench.db)}
    assert addresses(bench.folder, *RUN, **env) == set()


def test_an_ollama_elsewhere_must_be_named_as_such(bench: Bench) -> None:
    report = bench.run(JW_EVAL_LLM_URL="", OLLAMA_HOST="http://203.0.113.7:11434")
    assert {result["reason_code"] for result in report["results"]} == {"no_judge"}
    assert any("203.0.113.7" in notice for notice in report["notices"])


@pytest.mark.parametrize("llm", ["openai", "claude"])
def test_an_external_judge_without_its_key_is_said(bench: Bench, llm: str) -> None:
    report = bench.run(JW_EVAL_LLM=llm, JW_EVAL_LLM_URL="", **dict.fromkeys(KEYS, ""))
    assert {result["reason_code"] for result in report["results"]} == {"no_judge"}
    assert any("_API_KEY" in notice for notice in report["notices"])
