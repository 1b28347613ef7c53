"""L2 from a page's HTML to the verdict: markup never decides, for or against."""

from __future__ import annotations

import pytest

from jw_eval_store.domain.cases import CitationCase, parse_case
from jw_eval_store.layers.citations import evaluate
from jw_eval_store.pages.reduce import reduce_page
from tests.layers.toolkit_shape import finding, output
from tests.pages.wol_page import JOHN_3_URL, bible_page, john_3

PAGE = reduce_page(bible_page(john_3()), JOHN_3_URL).evidence("imported")


def verdict(phrase: str, verse: int) -> str:
    url = f"{JOHN_3_URL}#v=43:3:{verse}"
    case = parse_case(
        {"id": "c", "agent": "a", "layer": "l2", "input": {"text": "John 3", "language": "en"}}
        | {"expected": {"expected_citations": [url], "support_phrases": [phrase]}}
    )
    assert isinstance(case, CitationCase)
    cited = output(finding(url=f"{JOHN_3_URL}/?utm_source=x#study=discover&v=43:3:{verse}"))
    return evaluate(case, cited, {PAGE.fetch_key: PAGE}, ["imported"]).verdict


@pytest.mark.parametrize("verse", sorted(john_3()))
def test_every_verse_supports_itself_and_no_other_supports_it(verse: int) -> None:
    verses = john_3()
    assert verdict(verses[verse], verse) == "pass"
    assert verdict(verses[verse], verse % 36 + 1) == "fail"


@pytest.mark.parametrize(
    "phrase",
    ["God so hated the world", "For God so hated", "Sorry, there was an error", "Gallery", "wor"],
)
def test_scripts_comments_attributes_footnotes_and_dialogs_support_nothing(phrase: str) -> None:
    assert verdict(phrase, 16) == "fail"
