"""Stored answers judged again, verdicts taken apart, and people who say otherwise."""

from __future__ import annotations

import json
import os
import pty
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from typing import Any

import pytest

from jw_eval_store.agents.host_agent import HostAgent
from tests.judges.servers import Reply
from tests.l3_end_to_end.conftest import Bench
from tests.l3_end_to_end.scripted import sensible

GRAPH_CASE = "l3_apologetics_hell_es"
VERDICT_CASE = "l3_apologetics_gods_name_en"
FAIL = '{"verdict": "fail", "reason": "it weakens it"}'


def rejudged(bench: Bench, *arguments: str, **env: str) -> dict[str, Any]:
    result = bench.call("rejudge", *arguments, "--report", "json", **env)
    assert result.exit_code == 0, result.output
    report: dict[str, Any] = json.loads(result.stdout)
    return report


def rows(bench: Bench, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(bench.db)) as conn:
        return conn.execute(sql).fetchall()


def test_answers_are_judged_again_without_asking_any_agent(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HostAgent, "call", _must_not_ask)
    first = rows(bench, "SELECT ulid FROM run")[0][0]
    bench.server.answer = None
    bench.server.will_answer(Reply(FAIL))
    report = rejudged(bench, first, "--case", VERDICT_CASE, "--fresh")
    assert [(r["case_id"], r["verdict"]) for r in report["results"]] == [(VERDICT_CASE, "fail")]
    assert any(first in notice for notice in report["notices"])
    same = rows(
        bench,
        "SELECT count(DISTINCT output_id), count(DISTINCT revision_id), count(*) FROM evaluation e"
        f" JOIN golden_case g ON g.id = e.golden_case_id WHERE case_id = '{VERDICT_CASE}'",
    )
    assert same == [(1, 1, 2)]


def test_answers_of_a_run_that_did_not_end_are_judged_again_only_by_name(bench: Bench) -> None:
    with closing(sqlite3.connect(bench.db)) as conn, conn:
        conn.execute("UPDATE run SET status = 'interrupted'")
    refused = bench.call("rejudge", rows(bench, "SELECT ulid FROM run")[0][0])
    assert refused.exit_code == 2
    assert "did not end" in refused.stderr
    assert "--resume" in refused.stderr
    first = rows(bench, "SELECT ulid FROM run")[0][0]
    assert len(rejudged(bench, first, "--case", VERDICT_CASE)["results"]) == 1


def _must_not_ask(*_: object) -> None:
    raise AssertionError("an agent was asked")


def test_against_the_first_run_only_the_judge_differs(bench: Bench) -> None:
    first = rows(bench, "SELECT ulid FROM run")[0][0]
    report = rejudged(bench, first, "--judge", "none")
    assert {r["reason_code"] for r in report["results"]} == {"no_judge"}
    compared = bench.call("diff", first, report["run"])
    assert "judge changed" in compared.stdout
    assert "agent changed" not in compared.stdout
    again = rejudged(bench, report["run"])
    assert [r["verdict"] for r in again["results"]].count("pass") == 5
    assert bench.server.chats == []


def test_another_client_gets_no_address_of_the_configured_one(bench: Bench) -> None:
    (bench.folder / "jw-eval.toml").write_text(
        f'[judge]\nllm = "ollama"\nmodel = "llama3.1:8b"\nurl = "{bench.server.url}"\n'
    )
    env = {"JW_EVAL_LLM_URL": "", "OPENAI_API_KEY": "", "ANTHROPIC_API_KEY": ""}
    report = rejudged(bench, "--judge", "claude", **env)
    assert {r["reason_code"] for r in report["results"]} == {"no_judge"}
    assert any("ANTHROPIC_API_KEY" in notice for notice in report["notices"])
    assert bench.server.chats == []


def test_what_a_run_has_not_is_no_success(bench: Bench) -> None:
    assert bench.call("rejudge", "01ZZ").exit_code == 2
    missing = bench.call("rejudge", "last", "--case", "l1_apologetics_trinity_es")
    assert missing.exit_code == 5
    assert "at L3" in missing.output


def test_an_agent_that_crashed_keeps_its_error(bench: Bench) -> None:
    with closing(sqlite3.connect(bench.db)) as conn, conn:
        conn.execute(
            "UPDATE evaluation SET verdict = 'error', reason_code = 'agent_outage'"
            " WHERE golden_case_id = (SELECT id FROM golden_case WHERE case_id = ?)",
            (VERDICT_CASE,),
        )
    report = rejudged(bench, "last")
    kept = next(r for r in report["results"] if r["case_id"] == VERDICT_CASE)
    assert (kept["verdict"], kept["reason_code"], kept["reused"]) == ("error", "agent_outage", True)


def test_a_graphs_walk_is_explained_node_by_node(bench: Bench) -> None:
    text = bench.call("explain", GRAPH_CASE).stdout
    parts = [
        f"PASS (0.800)  {GRAPH_CASE}",
        "golden answer",
        "required keywords: ok",
        "comparison  topic 0.7",
        "name: the candidate does not name Dios",
        "the judge's walk",
        "findings [rule] -> yes",
        "claims [task]  (",
        "1. The golden answer's first claim.",
        "contradiction [binary] -> no  (probability ",
        "because: so it is",
        "coverage [choice] -> all",
        "degree [g_eval] -> 8",
        "graph fidelity: findings -> forbidden -> sources -> keywords -> claims -> contradiction",
        "degree: (8.000 - 0) / (10 - 0) = 0.8000",
        "graph: 0.8000 >= pass_at 0.6: pass",
        "4 answers of llama3.1:8b: ",
        "answered with 8 findings",
    ]
    places = [text.find(part) for part in parts]
    assert -1 not in places, parts[places.index(-1)]
    assert places == sorted(places)


def test_an_explanation_is_json_too(bench: Bench) -> None:
    found = json.loads(bench.call("explain", GRAPH_CASE, "--format", "json").stdout)
    assert found["result"]["details"]["judge"] == {
        "strategy": "graph",
        "pass_at": 0.6,
        "score": 0.8,
    }
    nodes = [step["node"] for step in found["steps"] if step["model"]]
    assert nodes == ["topic", "claims", "contradiction", "coverage", "degree"]
    assert found["golden_answer"].startswith("Dios no atormenta")
    assert all(step["prompt"] for step in found["steps"] if step["kind"] == "binary")


def test_a_soft_walk_is_stored_and_explained(bench: Bench) -> None:
    (bench.folder / "jw-eval.toml").write_text("[judge]\nsoft = true\n")
    bench.run("--case", GRAPH_CASE)
    text = bench.call("explain", GRAPH_CASE).stdout
    assert "soft score 0.8000 (informs; " in text


def test_people_contradict_a_verdict_and_a_node(bench: Bench) -> None:
    said = bench.call(
        "review", GRAPH_CASE, "--verdict", "fail", "--reason", "weak", "--author", "Ana"
    )
    assert said.stdout == f"{GRAPH_CASE}: fail says Ana (judged: pass)\n"
    bench.call("review", VERDICT_CASE, "--verdict", "pass", "--author", "Ana")
    bench.call(
        "review", GRAPH_CASE, "--node", "contradiction", "--verdict", "yes", "--author", "Ana"
    )
    disputed = rows(bench, "SELECT case_id, node, judged, human, author FROM v_disagreement")
    assert disputed == [
        (GRAPH_CASE, None, "pass", "fail", "Ana"),
        (GRAPH_CASE, "contradiction", "no", "yes", "Ana"),
    ]
    found = {j["judge"]: j for j in _agreement(bench)}
    graph = found["ollama/llama3.1:8b graph"]
    assert (graph["labels"], graph["agreement"]["hits"]) == (1, 0)
    assert graph["true_negative_rate"]["total"] == 1
    nodes = {node["node"]: node for node in graph["nodes"]}
    assert nodes["contradiction"]["agreement"]["value"] == 0
    assert nodes["contradiction"]["verdicts_contradicted"]["hits"] == 1
    assert "agreement" not in nodes["degree"]
    assert found["ollama/llama3.1:8b verdict"]["agreement"]["interval_95"] == [0.2065, 1.0]
    assert "contradiction" in bench.call("judge", "agreement").stdout


def _agreement(bench: Bench) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(
        bench.call("judge", "agreement", "--format", "json").stdout
    )
    return found


def test_of_a_persons_labels_the_newest_counts(bench: Bench) -> None:
    for verdict in ("fail", "pass"):
        bench.call("review", VERDICT_CASE, "--verdict", verdict, "--author", "Ana")
    bench.call("review", VERDICT_CASE, "--verdict", "fail", "--author", "Luz")
    (judge,) = _agreement(bench)
    assert (judge["labels"], judge["agreement"]["hits"]) == (2, 1)
    assert len(rows(bench, "SELECT * FROM human_label")) == 3


@pytest.mark.parametrize(
    "arguments",
    [
        ("--verdict", "pass"),
        (VERDICT_CASE, "--verdict", "perhaps"),
        (VERDICT_CASE, "--node", "verdict"),
        (VERDICT_CASE, "--node", "coverage", "--verdict", "all"),
        ("l3_nothing", "--verdict", "pass"),
        (VERDICT_CASE,),
        (),
    ],
)
def test_a_label_that_means_nothing_is_refused(bench: Bench, arguments: tuple[str, ...]) -> None:
    result = bench.call("review", *arguments)
    assert result.exit_code == 2
    assert "next: " in result.output
    assert rows(bench, "SELECT * FROM human_label") == []


def test_a_walk_on_a_terminal_starts_with_what_is_undecided(bench: Bench) -> None:
    bench.server.answer = lambda body: (
        Reply("[]") if "infierno" in str(body["messages"]) else sensible(body)
    )
    report = rejudged(bench, "last", "--fresh")
    undecided = [r["case_id"] for r in report["results"] if r["verdict"] == "error"]
    assert undecided == [GRAPH_CASE]
    shown = on_terminal(bench, "pass", "it is right", "q")
    assert f"1 of 6  {GRAPH_CASE}" in shown
    assert "Dios no atormenta" in shown
    assert "judged: error" in shown
    assert "1 of 6 verdicts labelled by Ana" in shown
    labels = rows(bench, "SELECT verdict, reason, author FROM human_label")
    assert labels == [("pass", "it is right", "Ana")]
    assert f"1 of 6  {GRAPH_CASE}" not in on_terminal(bench, "q")


def on_terminal(bench: Bench, *answers: str) -> str:
    """What `jw-eval review` shows on a terminal of its own where these lines are typed."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "jw_eval_cli", "review", "--author", "Ana"]
    env = {**os.environ, "JW_EVAL_DB": str(bench.db), "COLUMNS": "100"}
    with subprocess.Popen(
        command, cwd=bench.folder, env=env, stdin=theirs, stdout=theirs, stderr=theirs
    ) as process:
        os.close(theirs)
        shown = b""
        for answer in answers:
            shown += read_until(ours, b": ")
            os.write(ours, answer.encode() + b"\n")
        shown += read_until(ours, b"labelled by Ana")
        process.wait(timeout=30)
    os.close(ours)
    return shown.decode()


def read_until(terminal: int, end: bytes) -> bytes:
    """What comes until a prompt is at the end, or the text is there."""
    read, deadline = b"", time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            read += os.read(terminal, 65536)
        except OSError:
            break
        if read.endswith(end) and b"(p/f/s/e/q)" in read[-200:]:
            break
        if read.endswith(b"(may be empty): ") or (end != b": " and end in read):
            break
    return read
