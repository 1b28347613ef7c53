"""What agents return becomes one shape, or an error that shows what came."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jw_eval_store.agents.normalise import BadOutputError, normalise
from jw_eval_store.agents.volatile import check_paths, differing
from jw_eval_store.domain.errors import UsageError
from tests.toolkit_shape import AgentResult, Citation, Finding

URL = "https://wol.jw.org/en/wol/b/r1/lp-e/nwtsty/43/3"


def toolkit_result(**metadata: Any) -> AgentResult:
    citation = Citation(URL, "John 3", "verse", {"accessed_at": "2026-01-01T00:00:00"})
    finding = Finding("Summary", citation, "Excerpt", {"source": "verse_text"})
    return AgentResult("q", "apologetics", [finding], ["w"], {"trace_id": "t1", **metadata})


def test_the_toolkits_dataclasses_lose_their_volatile_fields_only() -> None:
    output = normalise(toolkit_result(language="E"))
    assert output.metadata == {"language": "E"}
    finding = output.findings[0]
    assert (finding.text, finding.summary, finding.excerpt) == ("", "Summary", "Excerpt")
    assert (finding.source, finding.citation.url) == ("verse_text", URL)
    assert finding.citation.metadata == {}
    assert (output.query, output.agent_name, output.warnings) == ("q", "apologetics", ("w",))


def test_dataclass_dict_and_to_dict_give_the_same_output() -> None:
    as_dict = {
        "query": "q",
        "agent_name": "apologetics",
        "findings": [
            {
                "summary": "Summary",
                "excerpt": "Excerpt",
                "citation": {"url": URL, "title": "John 3", "kind": "verse", "metadata": {}},
                "metadata": {"source": "verse_text"},
            }
        ],
        "warnings": ["w"],
        "metadata": {},
    }
    with_method = SimpleNamespace(to_dict=lambda: as_dict)
    assert normalise(as_dict) == normalise(with_method) == normalise(toolkit_result())


def test_the_specifications_findings_have_a_text() -> None:
    result = SimpleNamespace(findings=[SimpleNamespace(text="T", metadata={"source": "rag"})])
    output = normalise(result)
    assert (output.findings[0].text, output.findings[0].source) == ("T", "rag")


def test_a_list_of_text_url_source_is_accepted() -> None:
    finding = normalise([{"text": "T", "url": URL, "source": "verse_text"}]).findings[0]
    assert (finding.text, finding.citation.url, finding.source) == ("T", URL, "verse_text")


def test_keys_beyond_the_shape_stay_visible_in_the_metadata() -> None:
    output = normalise({"findings": [{"summary": "s", "score": 0.5}], "tokens": 3})
    assert output.metadata == {"tokens": 3}
    assert output.findings[0].metadata == {"score": 0.5}


def test_configured_volatile_fields_are_dropped_at_each_place() -> None:
    result = toolkit_result(took={"ms": 7, "kept": 1})
    output = normalise(
        result, volatile=("result.metadata.took.ms", "finding.metadata.source", "citation.title")
    )
    assert output.metadata == {"took": {"kept": 1}}
    assert output.findings[0].metadata == {}
    assert output.findings[0].citation.title == ""


@pytest.mark.parametrize("path", ["metadata.x", "result", "findings.metadata.x", "result.findings"])
def test_a_volatile_path_that_names_nothing_is_refused(path: str) -> None:
    with pytest.raises(UsageError, match="names no field"):
        check_paths([path])


@pytest.mark.parametrize(
    ("result", "shown"),
    [
        (None, "returned None"),
        ("plain text", "str 'plain text'"),
        (42, "int 42"),
        ({"answer": "x"}, "dict {'answer': 'x'}"),
        ({"findings": None}, "dict {'findings': None}"),
        ({"findings": {"a": 1}}, "dict"),
        (["text"], "findings[0] is str 'text'"),
        ([None], "findings[0] is None"),
        ([{"url": URL}], "expected text, or summary and excerpt"),
        ([{"text": 3}], "findings[0].text is int 3"),
        ([{"text": "t", "citation": URL}], "findings[0].citation is str"),
        ([{"text": "t", "citation": {"url": 5}}], "findings[0].citation.url is int 5"),
        ([{"text": "t", "metadata": [1]}], "findings[0].metadata is list [1]"),
        ({"findings": [], "warnings": "w"}, "warnings is str 'w'"),
    ],
)
def test_anything_else_is_an_error_that_shows_what_came(result: Any, shown: str) -> None:
    with pytest.raises(BadOutputError) as caught:
        normalise(result)
    assert shown in str(caught.value)


def test_metadata_that_is_not_json_becomes_text_without_addresses() -> None:
    class Opaque:
        pass

    output = normalise(
        toolkit_result(
            when=dt.date(2026, 1, 2),
            amount=Decimal("1.50"),
            raw=b"\xffbytes",
            nan=math.nan,
            inf=-math.inf,
            opaque=Opaque(),
            error=ValueError("bad"),
            many={"b", "a"},
            pair=(1, 2),
            keyed={1: "x", None: "y"},
            kind=dict,
        )
    )
    assert output.metadata["when"] == "2026-01-02"
    assert output.metadata["amount"] == "1.50"
    assert output.metadata["raw"] == "\ufffdbytes"
    assert (output.metadata["nan"], output.metadata["inf"]) == ("nan", "-inf")
    assert " at 0x" not in str(output.metadata["opaque"])
    assert output.metadata["error"] == "ValueError: bad"
    assert output.metadata["many"] == ["a", "b"]
    assert output.metadata["pair"] == [1, 2]
    assert output.metadata["keyed"] == {"1": "x", "None": "y"}


def test_a_result_that_refers_to_itself_is_an_error() -> None:
    loop: dict[str, Any] = {"findings": []}
    loop["metadata"] = loop
    with pytest.raises(BadOutputError, match="refers to itself"):
        normalise(loop)


def test_an_object_whose_to_dict_raises_is_an_error() -> None:
    def broken() -> dict[str, Any]:
        raise RuntimeError("no")

    with pytest.raises(BadOutputError, match="RuntimeError: no"):
        normalise(SimpleNamespace(to_dict=broken))


def test_lone_surrogates_are_replaced_so_that_the_output_can_be_stored() -> None:
    output = normalise([{"text": "a\ud800b", "source": "x\udfff"}])
    assert output.findings[0].text == "a\ufffd\ufffd\ufffdb"
    output.content.encode()


def test_ten_megabytes_are_refused_by_size() -> None:
    with pytest.raises(BadOutputError, match=r"10,0\d\d,\d\d\d bytes"):
        normalise([{"text": "x" * 10_000_000}])
    assert normalise([{"text": "x" * 1000}], max_output=2000).findings


def test_fields_that_differ_between_two_answers_are_named() -> None:
    first = normalise({"findings": [{"summary": "s", "metadata": {"ms": 1}}], "metadata": {"n": 1}})
    second = normalise(
        {"findings": [{"summary": "s", "metadata": {"ms": 2}, "citation": {"url": URL}}]}
    )
    assert differing(first, second) == ["citation.url", "finding.metadata.ms", "result.metadata.n"]
    assert differing(first, first) == []


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


@given(json_values)
def test_any_value_is_an_output_or_a_bad_output(value: Any) -> None:
    try:
        output = normalise(value)
    except BadOutputError:
        return
    assert normalise(output.model_dump(mode="json")) == output


@given(st.dictionaries(st.text(), json_values, max_size=4))
def test_any_metadata_is_stored_and_read_back_alike(metadata: dict[str, Any]) -> None:
    output = normalise({"findings": [{"text": "t", "metadata": metadata}], "metadata": metadata})
    output.content.encode()
    assert normalise(output.model_dump(mode="json")).content_hash == output.content_hash
