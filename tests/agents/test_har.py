"""Recordings as HAR: written and read back alike, and secrets of other tools taken out."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jw_eval_store.agents.har import from_har, to_har
from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.recordings import Exchange, Recording

words = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=12)
pairs = st.lists(st.tuples(st.sampled_from(["accept", "x-kind"]), words), max_size=2).map(tuple)
exchanges = st.builds(
    Exchange,
    st.sampled_from(["GET", "POST", "HEAD"]),
    st.from_regex(r"https://wol\.jw\.org/[a-z0-9/]{0,9}(\?q=[a-z]{1,5})?", fullmatch=True),
    pairs,
    st.binary(max_size=30),
    st.integers(200, 599),
    pairs,
    st.binary(max_size=60),
)


@given(st.lists(exchanges, max_size=3))
def test_what_is_written_is_read_back_alike(items: list[Exchange]) -> None:
    recording = Recording(tuple(items))
    assert from_har(to_har(recording), "x.har") == recording


def test_a_har_of_a_browser_loses_its_secrets_and_encodings() -> None:
    request = {
        "method": "GET",
        "url": "https://user:pass@wol.jw.org/page?token=abcdefgh123#part",
        "headers": [{"name": "Cookie", "value": "session=verysecretvalue"}],
    }
    response = {
        "status": 200,
        "headers": [
            {"name": "Content-Encoding", "value": "br"},
            {"name": "Content-Type", "value": "text/html"},
        ],
        "content": {"text": "echo verysecretvalue"},
    }
    har = json.dumps({"log": {"entries": [{"request": request, "response": response}]}})
    (exchange,) = from_har(har, "x.har").exchanges
    assert exchange.url == "https://wol.jw.org/page?token=REDACTED"
    assert exchange.request_headers == (("Cookie", "REDACTED"),)
    assert exchange.headers == (("Content-Type", "text/html"),)
    assert exchange.body == b"echo REDACTED"


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"log": {"entries": [{}]}}', '{"log": 1}'])
def test_what_is_no_har_is_refused_by_name(text: str) -> None:
    with pytest.raises(UsageError, match=r"folder/x\.har is no HTTP Archive"):
        from_har(text, "folder/x.har")
