"""URLs that name one page are one page; those that don't are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jw_eval_store.text.anchors import parse_anchor
from jw_eval_store.text.urls import citation_matches, fetch_url, is_same_page, parse_url

JOHN_3 = "https://wol.jw.org/es/wol/b/r4/lp-s/nwt/E/2024/43/3"


@pytest.mark.parametrize(
    "written",
    [
        JOHN_3 + "/",
        JOHN_3 + "#study=discover&v=43:3:16",
        JOHN_3 + "?utm_source=mail&UTM_Medium=x&fbclid=1",
        JOHN_3 + "?",
        JOHN_3.replace("https", "http"),
        JOHN_3.replace("wol.jw.org", "WOL.JW.ORG:443"),
        JOHN_3.replace("lp-s", "%6cp%2Ds"),
        JOHN_3.replace("/r4", "/./x/../r4"),
        f" {JOHN_3}\n",
    ],
)
def test_spellings_of_one_page_have_one_fetch_key(written: str) -> None:
    assert parse_url(written).fetch_key == JOHN_3
    assert parse_url(written).host == "wol.jw.org"
    assert parse_url(written).written == written
    assert is_same_page(written, JOHN_3)


@pytest.mark.parametrize(
    "other",
    [
        JOHN_3.replace("/nwt/", "/nwtsty/"),
        JOHN_3.replace("/es/", "/en/"),
        JOHN_3.replace("wol.jw.org", "wol.jw.org.example.net"),
        JOHN_3.replace("wol.jw.org", "m.wol.jw.org"),
        JOHN_3.replace("wol.jw.org", "wol.jw.org:8443"),
        JOHN_3 + "?q=x",
        JOHN_3 + "/16",
        JOHN_3.replace("/b/r4", "/b%2Fr4"),
        "/es/wol/b/r4/lp-s/nwt/E/2024/43/3",
        "",
    ],
)
def test_other_pages_stay_apart(other: str) -> None:
    assert not is_same_page(other, JOHN_3)
    assert not citation_matches(JOHN_3, other)


def test_a_user_name_does_not_hide_the_real_host() -> None:
    parsed = parse_url("https://wol.jw.org@evil.example/es")
    assert parsed.host == "evil.example"
    assert parsed.fetch_key == "https://evil.example/es"


def test_order_of_parameters_does_not_matter_but_their_values_do() -> None:
    assert is_same_page("https://h.org/f?b=2&a=1&a=0", "https://h.org/f?a=0&a=1&b=2&gclid=9")
    assert not is_same_page("https://h.org/f?a=1", "https://h.org/f?a=2")


def test_a_port_of_its_own_keeps_its_scheme() -> None:
    assert parse_url("http://127.0.0.1:8080/a/").fetch_key == "http://127.0.0.1:8080/a"
    assert parse_url("http://[::1]:8080/a").fetch_key == "http://[::1]:8080/a"


@pytest.mark.parametrize(
    ("fragment", "anchor"),
    [
        ("study=discover&v=43:3:16", "v43:3:16"),
        ("study=discover&v=43:3:16-43:3:18", "v43:3:16-43:3:18"),
        ("v=43:3:36-43:4:2", "v43:3:36-43:4:2"),
        ("v=43:3:16-18", "v43:3:16-43:3:18"),
        ("v=43:3:16-4:2", "v43:3:16-43:4:2"),
        ("study%3Ddiscover%26v%3D43%3A3%3A16", "v43:3:16"),
        ("v43-3-16-1", "v43:3:16"),
        ("h=17:0-18:507", "p17-p18"),
        ("h=17:0-507", "p17"),
        ("p170", "p170"),
    ],
)
def test_every_form_of_fragment_names_its_anchor(fragment: str, anchor: str) -> None:
    parsed = parse_url(f"{JOHN_3}#{fragment}")
    assert str(parsed.anchor) == anchor
    assert parse_anchor(anchor) == parsed.anchor


@pytest.mark.parametrize(
    "fragment", ["", "study=discover", "v=43:3", "v=", "h=x", "footnote1", "v=43:3:18-43:3:16"]
)
def test_other_fragments_name_none(fragment: str) -> None:
    assert parse_url(f"{JOHN_3}#{fragment}").anchor is None


@pytest.mark.parametrize(
    ("expected", "cited", "matches"),
    [
        ("", "#v=43:3:16", True),
        ("", "", True),
        ("#v=43:3:16", "#study=discover&v=43:3:16", True),
        ("#v=43:3:16", "#v=43:3:14-43:3:18", True),
        ("#v=43:3:14-43:3:18", "#v=43:3:16", False),
        ("#v=43:3:16", "#v=43:3:17", False),
        ("#v=43:3:16", "", False),
        ("#p170", "#h=169:0-171:3", True),
        ("#p170", "#v=43:3:16", False),
        ("#v=43:3:16", "#h=1:0-99:3", False),
    ],
)
def test_an_expected_anchor_accepts_itself_or_a_range_around_it(
    expected: str, cited: str, matches: bool
) -> None:
    assert citation_matches(JOHN_3 + expected, JOHN_3 + "/" + cited) is matches


@given(st.text())
def test_nonsense_is_read_without_an_error_and_is_no_page(text: str) -> None:
    assert parse_url(text).written == text
    assert not citation_matches(JOHN_3, text)


@given(st.text(), st.text(), st.text())
def test_a_fetch_key_is_its_own_fetch_key(path: str, query: str, fragment: str) -> None:
    key = parse_url(f"https://h.org/{path}?{query}#{fragment}").fetch_key
    assert parse_url(key).fetch_key == key


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://www.jw.org/en/bread/#p1", "https://www.jw.org/en/bread/"),
        ("https://www.jw.org/en/bread", "https://www.jw.org/en/bread"),
        (
            "https://WWW.jw.org/en/bread/?b=1&utm_source=x&a=2",
            "https://www.jw.org/en/bread/?a=2&b=1",
        ),
        ("https://www.jw.org/", "https://www.jw.org/"),
        ("https://www.jw.org", "https://www.jw.org/"),
    ],
)
def test_what_is_fetched_keeps_its_last_slash_and_names_the_same_page(
    url: str, expected: str
) -> None:
    assert fetch_url(url) == expected
    assert parse_url(expected).fetch_key == parse_url(url).fetch_key
