"""`--since last --explain` says which of the judge's or the embedder's parts is another one."""

from __future__ import annotations

from tests.l3_end_to_end.conftest import Bench


def test_another_model_is_named_with_the_one_before(bench: Bench) -> None:
    report = bench.run("--since", "last", "--explain", JW_EVAL_LLM_MODEL="another:1b")
    why = {r["why"] for r in report["results"] if not r["reused"]}
    assert any("judge changed: " in text and "another:1b" in text for text in why), why
