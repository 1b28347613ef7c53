"""Addresses and charsets that need no network."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from jw_eval_store.pages.fetching.addresses import is_public
from jw_eval_store.pages.fetching.charset import text_of
from jw_eval_store.text.waiting import retry_after


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True),
        ("2606:4700::1", True),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.0.1", False),
        ("127.0.0.1", False),
        ("0.0.0.0", False),
        ("100.64.0.1", False),
        ("169.254.169.254", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::", False),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:8.8.8.8", True),
        ("2002:7f00:1::", False),
        ("64:ff9b::a00:1", False),
        ("64:ff9b::808:808", True),
        ("wol.jw.org", False),
        ("", False),
    ],
)
def test_only_addresses_on_the_internet_are_public(address: str, public: bool) -> None:
    assert is_public(address) is public


@pytest.mark.parametrize(
    ("body", "header", "text"),
    [
        ("José".encode(), "text/html; charset=iso-8859-1", "José"),
        ("José".encode(), "", "José"),
        ("José".encode("latin-1"), "text/html; charset=ISO-8859-1", "José"),
        (b"<meta charset='windows-1252'>" + "José".encode("cp1252"), "text/html", "José"),
        ("José".encode("utf-8-sig"), "text/html; charset=ascii", "José"),
        ("José".encode("utf-16"), "", "José"),
        ("José".encode("latin-1"), "text/html; charset=nonsense", "Jos\ufffd"),
        ("José".encode("latin-1"), "", "Jos\ufffd"),
    ],
)
def test_text_is_what_the_bytes_are_not_what_is_claimed(
    body: bytes, header: str, text: str
) -> None:
    assert text_of(body, header)[-len(text) :] == text


@given(st.binary(), st.text())
def test_any_bytes_become_text(body: bytes, header: str) -> None:
    assert isinstance(text_of(body, header), str)


@example("¹")
@example("9" * 400)
@given(st.text())
def test_any_retry_after_is_a_time_or_none(text: str) -> None:
    found = retry_after(text)
    assert found is None or found >= 0
