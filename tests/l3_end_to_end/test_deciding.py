"""With an embedder and a judge every bundled case is decided, and always in the same way."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from jw_eval_store.config import load_config
from jw_eval_store.judges.embedders.usem3 import Usem3Embedder
from jw_eval_store.runs.reviewing import to_review
from tests.judges.servers import MODEL, Reply
from tests.l3_end_to_end.conftest import Bench, Fresh

CASES = 6


def verdicts(report: dict[str, Any]) -> dict[str, str]:
    return {result["case_id"]: result["verdict"] for result in report["results"]}


def told(report: dict[str, Any]) -> list[dict[str, Any]]:
    """All that is said of each case, but how long it took; and the judge's fingerprint."""
    kept = ("case_id", "verdict", "score", "reasons", "reason_code", "details")
    return [
        {key: result[key] for key in kept} | {"judge": result["inputs"]["judge"]}
        for result in report["results"]
    ]


def counted(db: Path, table: str) -> int:
    with closing(sqlite3.connect(db)) as conn:
        return int(conn.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def test_every_bundled_case_is_decided(fresh_runs: list[Fresh]) -> None:
    found = verdicts(fresh_runs[0].report)
    assert len(found) == CASES
    assert set(found.values()) == {"pass", "fail"}
    assert fresh_runs[0].report["summary"]["l3"]["error"] == 0
    assert fresh_runs[0].report["judge"] == "ollama/llama3.1:8b"
    assert "usem3" in fresh_runs[0].report["embedder"]


def test_two_fresh_runs_say_the_same_in_every_word(fresh_runs: list[Fresh]) -> None:
    first, second = fresh_runs
    assert first.db != second.db
    assert told(first.report) == told(second.report)
    assert all(result["score"] is not None for result in first.report["results"])


def test_a_second_run_computes_no_vector_and_asks_no_judge(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, fresh_runs: list[Fresh]
) -> None:
    monkeypatch.setattr(Usem3Embedder, "_raw", _must_not_compute)
    before = counted(bench.db, "embedding"), counted(bench.db, "judge_reply")
    whole = bench.run()
    again = bench.run("--since", "last")
    assert bench.server.chats == []
    assert (counted(bench.db, "embedding"), counted(bench.db, "judge_reply")) == before
    assert verdicts(again) == verdicts(whole) == verdicts(fresh_runs[0].report)
    passed = sum(verdict == "pass" for verdict in verdicts(again).values())
    assert again["summary"]["l3"]["reused"] == passed
    assert passed > 0


def _must_not_compute(*_: object) -> None:
    raise AssertionError("a vector was computed")


def test_fresh_asks_the_judge_again(bench: Bench) -> None:
    bench.run("--fresh")
    assert len(bench.server.chats) >= CASES


def test_another_judge_makes_verdicts_stale(bench: Bench) -> None:
    bench.server.models = ["other:1b"]
    report = bench.run("--since", "last", JW_EVAL_LLM_MODEL="other:1b")
    assert report["summary"]["l3"]["reused"] == 0
    assert bench.server.chats


def test_a_server_of_the_other_protocol_decides_the_same(
    bench: Bench, fresh_runs: list[Fresh]
) -> None:
    pytest.importorskip("openai")
    env = {"JW_EVAL_LLM": "openai", "JW_EVAL_LLM_MODEL": MODEL}
    report = bench.run("--fresh", JW_EVAL_LLM_URL=f"{bench.server.url}/v1", **env)
    assert verdicts(report) == verdicts(fresh_runs[0].report)
    assert report["judge"] == f"openai/{MODEL}"
    assert {result["score"] for result in report["results"]} == {0.4, 0.8, 1.0}


def test_without_a_judge_all_is_undecided_and_nothing_is_blocked(bench: Bench) -> None:
    report = bench.run(JW_EVAL_LLM="none")
    assert {result["reason_code"] for result in report["results"]} == {"no_judge"}
    assert all("jw-eval judge check" in result["reasons"][0] for result in report["results"])
    assert (report["gate"]["verdict"], report["judge"]) == ("passed", None)
    assert bench.server.chats == []


def test_a_judge_that_is_down_is_said_once_with_the_next_step(bench: Bench) -> None:
    down = {"JW_EVAL_LLM_URL": "http://127.0.0.1:9"}
    report = bench.run(**down)
    assert {result["reason_code"] for result in report["results"]} == {"judge_unreachable"}
    shown = bench.call("run", "--bundled", "--layer", "1,2,3", **down)
    assert shown.exit_code == 0
    assert shown.stdout.count("can't be reached") == 1
    assert shown.stdout.count("next: ") == 1
    assert f"{CASES} cases need a judge" in shown.stdout
    assert "jw-eval rejudge" in shown.stdout


def test_repeats_are_settled_by_the_majority(bench: Bench) -> None:
    case = "l3_apologetics_gods_name_en"
    replies = [Reply(f'{{"verdict": "{v}", "reason": "r"}}') for v in ("fail", "pass", "fail")]
    bench.server.answer = None
    bench.server.will_answer(*replies)
    report = bench.run("--case", case, "--repeat", "3", "--fresh", "--jobs", "1")
    (result,) = report["results"]
    assert result["verdict"] == "fail"
    assert "2 of 3 repeats say fail" in result["reasons"]
    assert result["details"]["repeats"]["verdicts"] == {"fail": 2, "pass": 1}
    assert result["details"]["repeats"]["node_flips"] == {"verdict": 0.3333}
    assert len({chat["options"]["seed"] for chat in bench.server.chats}) == 3
    assert any(case in notice for notice in report["notices"])
    explained = bench.call("explain", case).stdout
    assert "repeats: 2 fail, 1 pass; more than half decide" in explained
    assert "verdict flipped in 33% of them" in explained


def test_repeats_without_a_majority_are_undecided(bench: Bench) -> None:
    case = "l3_apologetics_gods_name_en"
    bench.server.answer = None
    bench.server.will_answer(Reply(), Reply('{"verdict": "fail", "reason": "r"}'))
    report = bench.run("--case", case, "--repeat", "2", "--fresh", "--jobs", "1")
    (result,) = report["results"]
    assert (result["verdict"], result["reason_code"]) == ("error", "judges_disagree")
    assert "1 fail, 1 pass" in result["reasons"][0]
    (item,) = to_review(load_config(bench.folder, {"db": str(bench.db)}))
    assert (item.case_id, item.reason_code) == (case, "judges_disagree")
    assert bench.call("review", case, "--verdict", "fail", "--author", "Ana").exit_code == 0
    assert bench.call("labels", "export", str(bench.folder / "labels.jsonl")).exit_code == 0
    assert bench.run("--since", "last", "--case", case)["summary"]["l3"]["reused"] == 0


def test_a_graph_beside_its_case_is_found(bench: Bench) -> None:
    folder = bench.folder / "golden" / "l3"
    folder.mkdir(parents=True)
    graph = "graph: own\nstart: a\nnodes:\n  a:\n    kind: rule\n    rule: min_findings\n"
    graph += "    at_least: 1\n    yes: {score: 10}\n    no: {score: 0}\n"
    (folder / "own.graph.yaml").write_text(graph)
    (folder / "mine.yaml").write_text(
        "id: mine\nagent: apologetics\ninput: {question: Who is Jesus?, language: en}\n"
        "golden_answer: Jesus is the Son of God.\n"
        "judge: {strategy: graph, graph: own.graph.yaml, pass_at: 0.5}\n"
    )
    (bench.folder / "jw-eval.toml").write_text('cases = ["golden"]\nsamples = true\n')
    shutil.rmtree(bench.folder / ".jw-eval", ignore_errors=True)
    done = bench.call("run", "--case", "mine", "--layer", "3", "--report", "json")
    assert done.exit_code == 0, done.output
    assert '"verdict": "pass"' in done.stdout
    assert bench.server.chats == []
