"""Noise leaves text and structure alone; what a reader or a citation would notice does not."""

from __future__ import annotations

import pytest

from jw_eval_store.pages.fingerprints import Fingerprints, fingerprints, versions
from jw_eval_store.pages.reduce import reduce_page
from tests.pages.wol_page import JOHN_3_URL, bible_page, john_3


def of(html: str) -> Fingerprints:
    return fingerprints(html, reduce_page(html, JOHN_3_URL))


PLAIN = bible_page(john_3())
BEFORE = of(PLAIN)


@pytest.mark.parametrize("seed", range(1, 11))
def test_nonces_years_and_navigation_change_the_bytes_only(seed: int) -> None:
    after = of(bible_page(john_3(), seed=seed))
    assert after.bytes_hash != BEFORE.bytes_hash
    assert (after.text_hash, after.structure_hash) == (BEFORE.text_hash, BEFORE.structure_hash)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("For", "F\u00ador"),
        ("’", "'"),
        ("&nbsp;", " "),
        ("<em>Je·</em>sus", "Jesus"),
        ("+</a>", "*</a>"),
    ],
)
def test_another_spelling_of_the_same_text_is_the_same_text(old: str, new: str) -> None:
    assert old in PLAIN
    after = of(PLAIN.replace(old, new))
    assert (after.text_hash, after.structure_hash) == (BEFORE.text_hash, BEFORE.structure_hash)


def test_a_changed_word_changes_the_text_but_not_the_structure() -> None:
    after = of(bible_page(john_3() | {16: "For God so hated the world"}))
    assert after.text_hash != BEFORE.text_hash
    assert after.structure_hash == BEFORE.structure_hash


def test_a_renamed_verse_class_changes_the_structure_but_not_the_text() -> None:
    after = of(bible_page(john_3(), verse_class="verse"))
    assert after.text_hash == BEFORE.text_hash
    assert after.structure_hash != BEFORE.structure_hash


def test_a_lost_or_moved_verse_changes_the_structure() -> None:
    verses = john_3()
    without = {number: text for number, text in verses.items() if number != 16}
    moved = without | {16: verses[16]}
    assert len({BEFORE.structure_hash, of(bible_page(without)).structure_hash,
                of(bible_page(moved)).structure_hash}) == 3  # fmt: skip


def test_bytes_and_text_of_a_page_have_the_same_fingerprint() -> None:
    page = reduce_page(PLAIN, JOHN_3_URL)
    assert fingerprints(PLAIN.encode(), page) == fingerprints(PLAIN, page)
    assert set(versions()) == {"reducer", "normaliser", "url"}
