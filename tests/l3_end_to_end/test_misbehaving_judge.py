"""Whatever a judge does, the run ends, and no answer is wrongly passed or failed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.judges.servers import Reply
from tests.l3_end_to_end.conftest import Bench

FAIL = '{"verdict": "fail", "reason": "it denies it"}'
VERDICT_CASE = "l3_apologetics_gods_name_en"
GRAPH_CASE = "l3_apologetics_hell_es"

MODES: dict[str, tuple[list[Reply], str]] = {
    "fenced": ([Reply(f"```json\n{FAIL}\n```")], "fail"),
    "thinking aloud": ([Reply(f"Let me think. It denies it: {FAIL}")], "fail"),
    "an empty list": ([Reply("[]")], "judge_malformed"),
    "a wrong type": ([Reply('{"verdict": 1, "reason": "x"}')], "judge_malformed"),
    "prose": ([Reply("The answer passes.")], "judge_malformed"),
    "cut off": ([Reply('{"verdict": "pa', cut=True)], "judge_cut"),
    "a cut prompt": ([Reply(read=0.3)], "judge_cut"),
    "an overload": ([Reply(status=429, headers={"Retry-After": "0"})], "judge_unreachable"),
    "an error": ([Reply(status=500)], "judge_unreachable"),
    "a reset": ([Reply(reset="before")], "judge_unreachable"),
    "a reset in the reply": ([Reply(reset="within")], "judge_unreachable"),
    "an error in the stream": ([Reply(error_in_stream="out of memory")], "judge_unreachable"),
    "slowness": ([Reply(delay=1.5)], "judge_unreachable"),
    "one error, then an answer": ([Reply(status=500), Reply(FAIL)], "fail"),
    "nonsense, then an answer": ([Reply("[]"), Reply(FAIL)], "fail"),
}


def judged(bench: Bench, case: str, *replies: Reply) -> dict[str, Any]:
    """The result of one case with a judge that answers so, within a second."""
    limits = "[judge]\ntimeout = 1.0\nfirst_token_timeout = 1.0\n"
    (bench.folder / "jw-eval.toml").write_text(limits)
    bench.server.answer = None
    bench.server.will_answer(*replies)
    result: dict[str, Any] = bench.run("--case", case, "--fresh")["results"][0]
    return result


@pytest.mark.sampled(4)
@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(("replies", "outcome"), MODES.values(), ids=MODES.keys())
def test_a_misbehaving_judge_ends_no_run(bench: Bench, replies: list[Reply], outcome: str) -> None:
    result = judged(bench, VERDICT_CASE, *replies)
    assert outcome in (result["verdict"], result["reason_code"])
    assert result["verdict"] != "pass"


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("score", ['{"score": 85, "reason": "r"}', '{"score": -3, "reason": "r"}'])
def test_a_score_out_of_range_scores_nothing(bench: Bench, score: str) -> None:
    way = ('{"output": "1. A claim."}', '{"verdict": "no", "reason": "r"}',
           '{"verdict": "all", "reason": "r"}', score)  # fmt: skip
    result = judged(bench, GRAPH_CASE, *map(Reply, way))
    assert (result["verdict"], result["reason_code"]) == ("error", "judge_malformed")


@pytest.mark.usefixtures("impatient")
def test_a_missing_model_is_named_with_the_way_to_get_it(bench: Bench) -> None:
    bench.server.models = []
    result = judged(bench, VERDICT_CASE, Reply())
    assert result["reason_code"] == "judge_unreachable"
    assert "llama3.1:8b" in result["reasons"][0]
