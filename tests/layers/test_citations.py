"""L2: cited, supported by stored text, and never green for want of evidence."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jw_eval_store.domain.cases import CitationCase, parse_case
from jw_eval_store.domain.evaluations import LayerResult
from jw_eval_store.domain.evidence import Evidence, Origin, Passage
from jw_eval_store.domain.outputs import AgentOutput
from jw_eval_store.layers.citations import LAYER_VERSION, evaluate
from tests.layers.toolkit_shape import WOL, finding, output

DOCUMENT = "https://wol.jw.org/es/wol/d/r4/lp-s/1200000000"


def page(*passages: tuple[str, str], url: str = WOL, origin: Origin = "captured") -> Evidence:
    return Evidence(url, origin, tuple(Passage(anchor, text) for anchor, text in passages))


JOHN = page(
    ("", "Capítulo 3"),
    ("v43:3:15", "para que todo el que crea en él tenga vida."),
    ("v43:3:16", "Porque de tal manera ha amado Dios al mundo,"),
    ("v43:3:17", "y no ha enviado Dios a su Hijo para condenar al mundo."),
)
SOUL = page(("p1", "El alma es inmortal, dicen."), ("p2", "El alma muere."), url=DOCUMENT)


def judge(answer: AgentOutput, *pages: Evidence, origins: tuple[Origin, ...] = ("captured",),
          url: Any = WOL, phrases: Any = "ha amado Dios") -> LayerResult:  # fmt: skip
    case = parse_case(
        {"id": "c", "agent": "verse_explainer", "layer": "l2", "input": {"language": "es"}}
        | {"expected": {"expected_citations": url, "support_phrases": phrases}}
    )
    assert isinstance(case, CitationCase)
    return evaluate(case, answer, {page.fetch_key: page for page in pages}, origins)


def test_a_cited_page_that_holds_a_phrase_passes_and_tells_where() -> None:
    result = judge(output(finding(), finding(url="")), JOHN, phrases=["nada de eso", "amado  Dios"])
    assert (result.verdict, result.reasons) == ("pass", ())
    assert result.details == {
        "citations": [
            {"url": WOL, "findings": [1], "origin": "captured", "phrase": "amado  Dios",
             "passages": ["v43:3:16"]}
        ]
    }  # fmt: skip
    assert LAYER_VERSION


@pytest.mark.parametrize(
    "cited",
    [
        WOL + "/",
        WOL + "?utm_source=x",
        WOL + "#study=discover&v=43:3:16",
        WOL.replace("https", "http"),
        WOL.replace("wol.jw.org", "WOL.jw.org"),
    ],
)
def test_another_spelling_of_the_url_is_the_same_citation(cited: str) -> None:
    assert judge(output(finding(url=cited)), JOHN).verdict == "pass"


@pytest.mark.parametrize(
    ("cited", "words"),
    [
        (WOL.replace("wol.jw.org", "wol.example.net"), "same path of another host"),
        (WOL.replace("nwtsty", "nwt"), "is not cited; cited: https"),
        ("Juan 3:16", "is not cited; cited: Juan 3:16"),
        ("", "no URL at all"),
    ],
)
def test_another_page_is_not(cited: str, words: str) -> None:
    result = judge(output(finding(url=cited)), JOHN)
    assert result.verdict == "fail"
    assert words in result.reasons[0]


@pytest.mark.parametrize(
    ("cited", "verdict"),
    [
        ("#v=43:3:16", "pass"),
        ("#study=discover&v=43:3:15-43:3:17", "pass"),
        ("#v=43:3:17", "fail"),
        ("", "fail"),
    ],
)
def test_an_expected_verse_accepts_itself_or_a_range_around_it(cited: str, verdict: str) -> None:
    result = judge(output(finding(url=WOL + cited)), JOHN, url=WOL + "#v=43:3:16")
    assert result.verdict == verdict
    assert result.verdict == "pass" or "its page is, but at" in result.reasons[0]


def test_the_phrase_must_stand_at_the_anchor() -> None:
    answer = output(finding(url=WOL + "#v=43:3:17"))
    result = judge(answer, JOHN, url=WOL + "#v=43:3:17")
    assert result.verdict == "fail"
    assert "at v43:3:17; it stands at v43:3:16" in result.reasons[0]


def test_a_phrase_may_run_over_the_verses_of_a_range() -> None:
    url = WOL + "#v=43:3:16-43:3:17"
    answer = output(finding(url=url))
    assert judge(answer, JOHN, url=url, phrases="al mundo, y no ha enviado").verdict == "pass"


def test_an_anchor_that_the_evidence_lacks_is_named() -> None:
    url = WOL + "#v=43:3:36"
    result = judge(output(finding(url=url)), JOHN, url=url, phrases="vida eterna")
    assert result.verdict == "fail"
    assert "the evidence has no such passage" in result.reasons[0]


def test_missing_evidence_is_an_error_even_where_nothing_is_cited() -> None:
    for answer in (output(finding()), output()):
        result = judge(answer)
        assert (result.verdict, result.reason_code) == ("error", "evidence_missing")
        assert f"import FILE --url {WOL}" in result.reasons[0]


def test_one_missing_page_of_two_is_an_error_with_the_other_faults_told() -> None:
    result = judge(output(finding()), JOHN, url=[WOL, DOCUMENT])
    assert (result.verdict, result.reason_code) == ("error", "evidence_missing")
    assert any("is not cited" in reason for reason in result.reasons)


def test_evidence_of_an_origin_that_does_not_count_is_an_error() -> None:
    authored = page(("", "ha amado Dios"), origin="authored")
    result = judge(output(finding()), authored, origins=("captured", "imported"))
    assert (result.verdict, result.reason_code) == ("error", "evidence_origin")
    assert "is authored, and only captured or imported counts" in result.reasons[0]
    assert judge(output(finding()), authored, origins=("authored",)).verdict == "pass"


def test_every_expected_page_must_be_cited_and_hold_its_own_phrases() -> None:
    both = output(finding(), finding(url=DOCUMENT + "#p2"))
    urls = [WOL, {"url": DOCUMENT, "phrases": ["el alma muere"]}]
    assert judge(both, JOHN, SOUL, url=urls).verdict == "pass"
    result = judge(both, JOHN, SOUL, url=[WOL, DOCUMENT])
    assert result.verdict == "fail"
    assert len(result.reasons) == 1
    assert judge(output(finding()), JOHN, SOUL, url=urls).verdict == "fail"


def test_an_inverted_claim_fails_and_the_nearest_passage_shows_it() -> None:
    inverted = page(("p1", "Otra cosa."), ("p7", "El alma es inmortal, dicen."), url=DOCUMENT)
    result = judge(
        output(finding(url=DOCUMENT)), inverted, url=DOCUMENT, phrases="El alma es mortal"
    )
    assert result.verdict == "fail"
    assert "nearest passage p7: “El alma es inmortal, dicen.”" in result.reasons[0]
    assert "negation: “mortal” against “inmortal”" in result.reasons[0]


def test_part_of_a_word_is_no_support() -> None:
    answer = output(finding(url=DOCUMENT))
    assert judge(answer, SOUL, url=DOCUMENT, phrases="mortal").verdict == "fail"


def test_evidence_without_text_fails_with_a_word_about_it() -> None:
    result = judge(output(finding()), page())
    assert "the evidence has no text" in result.reasons[0]


DIFFERENT = [
    Passage("p1", "Primero lo uno."),
    Passage("p1", "Después lo otro."),
]


def test_two_states_of_a_page_are_told_apart_by_content() -> None:
    answer, key = output(finding()), "lo uno"
    one, other = (Evidence(WOL, "captured", (passage,)) for passage in DIFFERENT)
    assert judge(answer, one, phrases=key).verdict == "pass"
    assert judge(answer, other, phrases=key).verdict == "fail"
    assert judge(answer, one, phrases=key).verdict == "pass"


def test_a_result_is_json() -> None:
    result = judge(output(finding()), JOHN)
    assert json.loads(result.model_dump_json())["details"]["citations"][0]["findings"] == [1]
