"""Cached vectors as commands, and cases that say nearly the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jw_eval_store.config import load_config
from jw_eval_store.golden.lint import lint
from jw_eval_store.golden.reading import ReadCase, read_case
from jw_eval_store.judges.embedders.usem3 import Usem3Embedder
from jw_eval_store.runs.registry import duplicates
from jw_eval_store.runs.registry.duplicates import MOST, duplicate_finder, has_quick_embedder
from tests.traces.conftest import Invoke

CASE = """
id: {id}
agent: apologetics
input: {{question: "{question}", language: {language}}}
golden_answer: "{golden}"
expected_keywords_any: [{keyword}]
"""
SOUL = {
    "id": "l3_soul",
    "question": "¿Qué es el alma?",
    "language": "es",
    "golden": "El alma es la persona entera y muere con ella.",
    "keyword": "muere",
}
OTHER = SOUL | {"id": "l3_other", "question": "¿Muere el alma de una persona?"}
ENGLISH = {
    "id": "l3_english",
    "question": "What is the soul?",
    "language": "en",
    "golden": "The soul is the whole person and dies with it.",
    "keyword": "dies",
}


def add(invoke: Invoke, values: dict[str, str]) -> str:
    done = invoke("cases", "add", "--layer", "3", input=CASE.format(**values))
    assert done.exit_code == 0, done.output
    return str(done.stderr)


def test_a_new_case_that_says_the_same_is_noticed(invoke: Invoke) -> None:
    assert "warning" not in add(invoke, SOUL)
    assert "warning" not in add(invoke, ENGLISH), "a translation is no duplicate"
    said = add(invoke, OTHER)
    assert "near l3_soul in its golden answer (cosine 1.00)" in said
    assert "jw-eval cases similar l3_other" in said


def test_no_warning_without_a_quick_embedder(
    invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JW_EVAL_EMBEDDER", "none")
    monkeypatch.setattr(Usem3Embedder, "_raw", None)
    add(invoke, SOUL)
    assert "warning" not in add(invoke, OTHER)
    assert not has_quick_embedder(load_config())
    assert duplicate_finder(load_config()) is None


def test_lint_finds_near_duplicates_of_a_language(invoke: Invoke, tmp_path: Path) -> None:
    reworded = OTHER | {"golden": "El alma es la persona entera, y muere con ella."}
    for values in (SOUL, reworded, ENGLISH):
        folder = tmp_path / "golden" / "l3"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{values['id']}.yaml").write_text(CASE.format(**values))
    found = json.loads(invoke("cases", "lint", "golden", "--format", "json").stdout)
    near = [f for f in found["findings"] if f["rule"] == "near-duplicate"]
    assert [f["case_id"] for f in near] == ["l3_soul"]
    assert "l3_other" in near[0]["message"]


def test_translations_are_no_near_duplicates() -> None:
    reads = [_read(SOUL), _read(ENGLISH), _read(OTHER)]
    found = lint(reads, similar=lambda texts: [(0, 1, 0.95), (0, 2, 0.9)])
    assert [f.case_id for f in found if f.rule == "near-duplicate"] == ["l3_other"]


def _read(values: dict[str, str]) -> ReadCase:
    read = read_case(f"{values['id']}.yaml", CASE.format(**values).encode(), "l3")
    assert isinstance(read, ReadCase)
    return read


def test_lint_says_where_it_left_golden_answers_uncompared(
    invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "golden" / "l3"
    folder.mkdir(parents=True, exist_ok=True)
    for values in (SOUL, ENGLISH):
        (folder / f"{values['id']}.yaml").write_text(CASE.format(**values))
    assert "too many" not in invoke("cases", "lint", "golden").stdout
    monkeypatch.setattr(duplicates, "MOST", 1)
    said = invoke("cases", "lint", "golden").stdout
    assert "note: 2 golden answers are too many to look for near-duplicates here (at most 1" in said
    assert "::notice" in invoke("cases", "lint", "golden", "--format", "github").stdout


def test_more_answers_than_can_be_compared_quickly_are_left_alone() -> None:
    find = duplicate_finder(load_config(environ={}))
    assert find is not None
    assert list(find(["the same"] * (MOST + 1))) == []


def test_similar_cases_are_listed_nearest_first(invoke: Invoke) -> None:
    for values in (SOUL, ENGLISH):
        add(invoke, values)
    rows = json.loads(invoke("cases", "similar", "l3_soul", "--format", "json").stdout)
    assert rows[0]["case"] == "l3_english"
    assert rows == sorted(rows, key=lambda row: -row["cosine"])
    by_text = invoke("cases", "similar", "¿Qué es el alma?", "--limit", "1").stdout
    assert "1  l3_soul" in by_text
    assert invoke("cases", "similar", " ").exit_code == 2


def test_nothing_to_compare_with_is_no_success(invoke: Invoke) -> None:
    assert invoke("cases", "similar", "alma").exit_code == 5


def test_the_cache_is_warmed_listed_pruned_and_indexed_again(invoke: Invoke) -> None:
    add(invoke, SOUL)
    assert "computed now" in invoke("embeddings", "warm").stdout
    assert ", 0 computed now" in invoke("embeddings", "warm").stdout
    (row,) = json.loads(invoke("embeddings", "list", "--format", "json").stdout)
    assert (row["dimension"], row["bytes"]) == (512, row["texts"] * 2048)
    assert invoke("embeddings", "prune").stdout == "0 vectors deleted\n"
    assert invoke("embeddings", "prune", "--all").stdout == f"{row['texts']} vectors deleted\n"
    assert ", 0 computed" not in invoke("embeddings", "reindex").stdout
    switched_off = invoke("embeddings", "warm", env={"JW_EVAL_EMBEDDER": "none"})
    assert (switched_off.exit_code, "JW_EVAL_EMBEDDER" in switched_off.stderr) == (2, True)
