"""Reading cases: the specification's examples, lines of keys, and whatever bytes come along."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from jw_eval_store.domain.cases import CitationCase, SemanticCase, StructuralCase
from jw_eval_store.golden.folders import read_folder
from jw_eval_store.golden.reading import ReadCase, folder_layer, read_case

SPECIFIED = Path(__file__).parent / "specified"
L2 = SPECIFIED / "l2/verse_john_3_16_es.yaml"


def _specified(layer: str) -> ReadCase:
    [path] = (SPECIFIED / layer).iterdir()
    read = read_case(str(path), path.read_bytes(), folder_layer(path))
    assert isinstance(read, ReadCase)
    return read


def test_the_specified_l1_case_loads_as_written() -> None:
    case = _specified("l1").case
    assert isinstance(case, StructuralCase)
    assert case.input == {"question": "¿Es la Trinidad bíblica?", "language": "es"}
    assert case.expected.min_findings == 3
    assert case.expected.sources_in_order == ("topic_index", "verse_text")
    assert case.expected.must_have_source == ("topic_index",)
    assert case.expected.must_have_citation is True
    assert case.expected.forbidden_keywords_in_findings == ("supuestamente", "podría ser")


def test_the_specified_l2_case_loads_as_written() -> None:
    case = _specified("l2").case
    assert isinstance(case, CitationCase)
    assert case.input["reference"] == "Juan 3:16"
    [citation] = case.expected.expected_citations
    assert citation.url == "https://wol.jw.org/es/wol/b/r4/lp-s/nwt/E/2024/43/3"
    assert case.expected.phrases_for(citation) == ("amó tanto al mundo", "Dios amó tanto")


def test_the_specified_l3_case_loads_as_written() -> None:
    case = _specified("l3").case
    assert isinstance(case, SemanticCase)
    assert case.expected.golden_answer.startswith("La Trinidad no es una enseñanza bíblica. Las")
    assert case.expected.golden_answer.endswith("influida por filosofía griega.\n")
    assert case.expected.expected_keywords_none == ("doctrina central de la fe cristiana",)
    assert (case.judge.threshold_pass, case.judge.threshold_review_min) == (0.78, 0.55)
    assert case.metadata == {
        "topic": "doctrine.trinity",
        "added_by": "elias",
        "added_at": "2026-05-30",
    }


def test_lines_are_those_of_the_keys_wherever_they_stand() -> None:
    lines = _specified("l2").lines
    assert lines["input.reference"] == 4
    assert lines["expected.support_phrases"] == 8
    assert lines["expected.support_phrases.1"] == 10


def test_keys_under_expected_mean_the_same_as_at_the_top_level() -> None:
    text = L2.read_text(encoding="utf-8")
    head, _, tail = text.partition("expected_citations:")
    nested = (
        head
        + "expected:\n"
        + "".join(f"  {line}\n" for line in ("expected_citations:" + tail).rstrip().split("\n"))
    )
    read = read_case("l2/x.yaml", nested.encode(), "l2")
    assert isinstance(read, ReadCase)
    assert read.case == _specified("l2").case
    assert read.lines["expected.support_phrases"] == 9


def test_the_layer_may_be_written_where_no_folder_says_it() -> None:
    source = b"layer: l2\n" + L2.read_bytes()
    read = read_case("anywhere/x.yaml", source, folder_layer(Path("anywhere/x.yaml")))
    assert isinstance(read, ReadCase)
    assert read.case == _specified("l2").case


def test_all_mistakes_of_a_file_are_told_in_the_order_of_their_lines() -> None:
    source = b"id: a b\nagent: 1\ninput: {q: x}\nexpected:\n  min_findings: x\n  minimum: 2\n"
    read = read_case("x.yaml", source, "l1")
    assert isinstance(read, list)
    assert [problem.line for problem in read] == [1, 2, 5, 6]


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300))
@example(b"\xef\xbb\xbf")
@example(b"a: \xed\xa0\x80")
@example(b"[" * 100_000)
@example(b"{a: " * 5_000)
@example(b"- " * 5_000)
@example(b"? " * 5_000)
def test_no_bytes_crash_the_reader(source: bytes) -> None:
    assert isinstance(read_case("x.yaml", source, "l1"), list)


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(sorted(SPECIFIED.rglob("*.yaml"))),
    st.integers(min_value=0, max_value=900),
    st.integers(min_value=0, max_value=40),
    st.text(max_size=12) | st.sampled_from([":", "- ", "#", "\n", "\t", "{", "&a ", "? ", '"']),
)
def test_no_damage_to_a_case_crashes_the_reader(path: Path, at: int, cut: int, put: str) -> None:
    text = path.read_text(encoding="utf-8")
    source = (text[:at] + put + text[at + cut :]).encode("utf-8", "surrogatepass")
    read = read_case(str(path), source, folder_layer(path))
    if isinstance(read, list):
        assert read
        assert all(problem.message for problem in read)
    else:
        assert read.source == source


@pytest.mark.parametrize("name", ["case.yaml", "case.yml", "CASE.YAML"])
def test_a_folder_is_read_whatever_one_file_holds(tmp_path: Path, name: str) -> None:
    (tmp_path / "l2").mkdir()
    (tmp_path / "l2" / name).write_bytes(L2.read_bytes())
    (tmp_path / "l2" / "broken.yaml").write_bytes(b"id: [")
    (tmp_path / "l2" / "notes.txt").write_bytes(b"no case")
    cases, refused = read_folder(tmp_path)
    assert [read.case.id for read in cases] == ["l2_verse_john_3_16_es"]
    assert [Path(problem.path).name for problem in refused] == ["broken.yaml"]
