"""Editing a case's file: what was asked for changes, every other byte stays."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.golden.editing import REMOVED, edit_source
from jw_eval_store.golden.reading import ReadCase, folder_layer, read_case

SPECIFIED = sorted((Path(__file__).parent / "specified").rglob("*.yaml"))
L1, L2, L3 = (path.read_text(encoding="utf-8") for path in SPECIFIED)


def _diff(text: str, changes: dict[str, object]) -> list[str]:
    edited = edit_source(text.encode(), changes).decode()
    lines = difflib.ndiff(text.split("\n"), edited.split("\n"))
    return [line for line in lines if line[0] in "+-"]


@pytest.mark.parametrize("path", SPECIFIED, ids=lambda path: path.parent.name)
def test_no_change_gives_the_same_bytes(path: Path) -> None:
    source = path.read_bytes()
    read = read_case(str(path), source, folder_layer(path))
    assert isinstance(read, ReadCase)
    assert edit_source(source, {}) == source
    assert edit_source(source, {"id": read.case.id, "input": read.case.input}) == source


def test_a_scalar_changes_in_its_line_and_keeps_its_comment() -> None:
    text = L1.replace("must_have_citation: true ", "must_have_citation: yes ")
    assert _diff(text, {"expected.must_have_citation": False}) == [
        "-   must_have_citation: yes        # cada finding con metadata.source debe tener URL",
        "+   must_have_citation: false        # cada finding con metadata.source debe tener URL",
    ]
    assert _diff(L1, {"expected.min_findings": 4}) == ["-   min_findings: 3", "+   min_findings: 4"]


def test_a_list_changes_item_by_item() -> None:
    sources = ["topic_index", "question_refs", "verse_text"]
    assert _diff(L1, {"expected.sources_in_order": sources}) == ["+     - question_refs"]
    assert _diff(L1, {"expected.sources_in_order": ["verse_text"]}) == ["-     - topic_index"]
    added = _diff(L1, {"expected.forbidden_keywords_in_findings": ["supuestamente", "607"]})
    assert added == ['-     - "podría ser"', '+     - "607"']


def test_keys_are_found_where_the_file_has_them() -> None:
    assert _diff(L2, {"expected.support_phrases": ["Dios amó tanto"]}) == [
        '-   - "amó tanto al mundo"'
    ]
    nested = "expected:\n  expected_citations: https://x.org/a\n  support_phrases: [a b, c]\n"
    assert _diff(nested, {"expected.support_phrases": ["a b", "d"]}) == [
        "-   support_phrases: [a b, c]",
        '+   support_phrases: ["a b", d]',
    ]


def test_a_comment_stays_when_a_text_becomes_a_list_or_a_block() -> None:
    diff = _diff(L1, {"expected.must_have_source": ["a", "b"]})
    assert diff[1:] == [
        "+   must_have_source:   # al menos un finding de esta fuente",
        "+     - a",
        "+     - b",
    ]
    text = "golden_answer: corta  # por ahora\nid: a\n"
    edited = edit_source(text.encode(), {"expected.golden_answer": "una\ndos\n"})
    assert edited.decode() == "golden_answer: |  # por ahora\n  una\n  dos\nid: a\n"
    assert edit_source(edited, {"expected.golden_answer": "corta"}).decode() == text


def test_a_removed_key_takes_its_lines_and_an_emptied_part_goes_too() -> None:
    assert _diff(L3, {"metadata.added_by": REMOVED}) == ["-   added_by: elias"]
    gone = _diff(L3, {f"metadata.{key}": REMOVED for key in ("topic", "added_by", "added_at")})
    assert gone[0] == "- metadata:"
    assert len(gone) == 4


def test_new_keys_go_below_their_neighbours() -> None:
    edited = edit_source(L2.encode(), {"metadata.topic": "love", "input.chapter": 3}).decode()
    assert "  language: es\n  chapter: 3\nexpected_citations:" in edited
    assert edited.endswith('- "Dios amó tanto"\nmetadata:\n  topic: love\n')


def test_line_ends_bom_and_a_missing_last_line_end_are_kept() -> None:
    text = L2.rstrip("\n").replace("\n", "\r\n")
    source = b"\xef\xbb\xbf" + text.encode()
    edited = edit_source(source, {"metadata.topic": "love", "input.language": "en"})
    assert edited.startswith(source[:40])
    assert b"language: en\r\n" in edited
    assert edited.endswith(b'tanto"\r\nmetadata:\r\n  topic: love\r\n')


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("support_phrases:\n-\n  a\n-\n  b\n", {"expected.support_phrases": ["b"]}),
        ("id: a\n", {"lint.x": None}),
        ("id: [", {"id": "a"}),
        ("id: a\n", {"id.x": "b"}),
        ("id: a\n", {"id": REMOVED}),
    ],
)
def test_what_cannot_be_edited_is_said(text: str, changes: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        edit_source(text.encode(), changes)


_word = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=30)
_text = _word.map(lambda text: text + "x")
_changes: dict[str, st.SearchStrategy[Any]] = {
    "input.language": st.sampled_from(["es", "no", "3:16", 3, None, True, ["a", {"b": 1}], []]),
    "input.note": _word | st.just(REMOVED) | st.dictionaries(_text, _word, max_size=2),
    "metadata.topic": _word,
    "metadata.tags": st.lists(_word, max_size=3),
    "metadata": st.just(REMOVED),
    "expected.forbidden_keywords_in_findings": st.lists(_text, max_size=4),
    "expected.support_phrases": st.lists(_text, min_size=1, max_size=4),
    "expected.expected_keywords_any": st.lists(_text, max_size=4) | st.just(REMOVED),
    "expected.golden_answer": st.lists(_text, min_size=1, max_size=4).map("\n".join),
    "judge.threshold_pass": st.sampled_from([0.6, 0.7, 1]),
}
_layout = st.sampled_from(
    [
        lambda text: text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\n\n# note\n") if "|" not in text else text,
        lambda text: text.replace("  - ", "- ") if "    -" not in text else text,
        lambda text: text.rstrip("\n"),
        lambda text: text + "\n# the end\n",
    ]
)


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from([L1, L2, L3]),
    _layout,
    st.sampled_from(sorted(_changes)).flatmap(lambda key: st.tuples(st.just(key), _changes[key])),
)
def test_an_edit_reads_as_asked_and_touches_no_other_line(
    text: str, layout: Any, change: tuple[str, Any]
) -> None:
    before = layout(text)
    after = edit_source(before.encode(), dict([change])).decode()
    kept = [line for line in before.splitlines() if line.lstrip().startswith("#")]
    assert [line for line in kept if line not in after.splitlines()] == []
    top = change[0].removeprefix("expected.").split(".")[0]
    outside = [line for line in _others(before, top) if line not in after.splitlines()]
    assert outside == []


def _others(text: str, key: str) -> list[str]:
    """Lines that do not belong to a top-level key, nor to `expected`."""
    found, inside = [], False
    for line in text.splitlines():
        if line[:1].isalpha():
            inside = line.startswith((f"{key}:", "expected:"))
        if not inside:
            found.append(line)
    return found
