"""Writing cases: the specification's shape, quotes where YAML 1.1 misreads, exact round trips."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from jw_eval_store.domain.cases import parse_case
from jw_eval_store.golden.reading import ReadCase, folder_layer, read_case
from jw_eval_store.golden.rendering import render
from jw_eval_store.golden.writing import write_case

SPECIFIED = sorted((Path(__file__).parent / "specified").rglob("*.yaml"))
URL = "https://wol.jw.org/es/wol/b/r4/lp-s/nwt/E/2024/43/3#study=discover&v=43:3:16"

_characters = st.characters(exclude_characters="\0", exclude_categories=["Cs"])
_texts = st.one_of(
    st.text(_characters, max_size=60),
    st.sampled_from(
        ["3:16", "no", "NO", "~", "null", "1e5", "1.10", "0123", "2024-01-01", "=", "<<", "-", "?"]
    ),
    st.lists(st.text(_characters, max_size=14), max_size=30).map(" ".join),
    st.lists(st.text(_characters, max_size=30), max_size=6).map("\n".join),
)
_phrases = _texts.map(lambda text: text + "x")
_scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(min_value=-(2**63), max_value=2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    _texts,
)
_json = st.recursive(
    _scalars,
    lambda below: (
        st.lists(below, max_size=3) | st.dictionaries(_texts.filter(bool), below, max_size=3)
    ),
    max_leaves=6,
)
_free = st.dictionaries(_texts.filter(bool), _json, min_size=1, max_size=3)
_citations = st.lists(
    st.just(URL) | st.builds(lambda p: {"url": URL, "phrases": p}, st.lists(_phrases, max_size=2)),
    min_size=1,
    max_size=3,
)
_expected: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "l1": st.fixed_dictionaries(
        {"min_findings": st.integers(1, 9)},
        optional={
            "forbidden_keywords_in_findings": st.lists(_phrases, max_size=3),
            "must_have_citation": st.booleans(),
            "sources_order": st.sampled_from(["prefix", "first_seen", "priority"]),
        },
    ),
    "l2": st.fixed_dictionaries(
        {
            "expected_citations": _citations,
            "support_phrases": st.lists(_phrases, min_size=1, max_size=3),
        }
    ),
    "l3": st.fixed_dictionaries(
        {"golden_answer": _phrases},
        optional={
            "expected_citations": _citations,
            "expected_keywords_any": st.lists(_phrases, max_size=3),
            "counter_answers": st.lists(_phrases, max_size=2),
        },
    ),
}


@st.composite
def _definitions(draw: st.DrawFn) -> dict[str, Any]:
    layer = draw(st.sampled_from(["l1", "l2", "l3"]))
    definition = {
        "id": draw(st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,20}", fullmatch=True)),
        "agent": "apologetics",
        "layer": layer,
        "input": draw(_free),
        "metadata": draw(st.just({}) | _free),
        "lint": draw(st.dictionaries(_texts.filter(bool), _phrases, max_size=2)),
        "expected": draw(_expected[layer]),
    }
    if layer == "l3" and draw(st.booleans()):
        definition["judge"] = {"threshold_pass": 0.9, "strategy": "claims", "pass_at": 0.5}
    if draw(st.booleans()):
        definition["now"] = "2026-05-30T12:00:00Z"
    return definition


@settings(max_examples=100, deadline=None)
@given(_definitions(), st.booleans())
def test_what_is_written_reads_as_the_same_case(definition: dict[str, Any], named: bool) -> None:
    case = parse_case(definition)
    written = write_case(case, name_layer=named)
    read = read_case("x.yaml", written, None if named else case.layer)
    assert isinstance(read, ReadCase), (read, written.decode())
    assert read.case == case
    assert write_case(read.case, name_layer=named) == written


@settings(max_examples=300, deadline=None)
@given(_texts)
@example("a\u2028b")
@example("3:16")
@example("palabra " * 40 + "fin")
@example("# no comment\n\n  deeper\nend\n")
@example("ends with blanks  \nx")
def test_every_yaml_1_1_reader_gets_a_text_as_the_text(text: str) -> None:
    assert yaml.safe_load(render({"k": text})) == {"k": text}
    assert yaml.safe_load(render({"k": [text]}, flow=True)) == {"k": [text]}


@pytest.mark.parametrize("path", SPECIFIED, ids=lambda path: path.parent.name)
def test_a_specified_case_is_written_in_the_specified_shape(path: Path) -> None:
    read = read_case(str(path), path.read_bytes(), folder_layer(path))
    assert isinstance(read, ReadCase)
    written = write_case(read.case).decode().split("\n")
    keys = [line.partition(":")[0] for line in path.read_text(encoding="utf-8").split("\n")]
    top = [key for key in keys if key.isidentifier()]
    assert [line.partition(":")[0] for line in written if line[:1].isalpha()] == top


def test_long_texts_are_blocks_and_phrases_are_quoted() -> None:
    case = parse_case(
        {
            "id": "a",
            "agent": "echo",
            "layer": "l3",
            "input": {"reference": "Juan 3:16", "verse": "3:16", "chapter": 3},
            "expected": {
                "golden_answer": "Una línea.\nOtra.\n",
                "counter_answers": ["Es así. " * 20 + "Fin."],
            },
        }
    )
    written = write_case(case).decode()
    assert 'reference: "Juan 3:16"' in written
    assert "verse: '3:16'" in written
    assert "chapter: 3\n" in written
    assert "golden_answer: |\n  Una línea.\n  Otra.\n" in written
    assert "- >-\n" in written
    assert max(map(len, written.split("\n"))) <= 100
