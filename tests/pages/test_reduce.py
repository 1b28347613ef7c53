"""A page reduces to the text that readers see, verse by verse, and to nothing else."""

from __future__ import annotations

import time

import pytest

from jw_eval_store.domain.evidence import Passage
from jw_eval_store.pages.reduce import ReducedPage, reduce_page
from jw_eval_store.text.anchors import parse_anchor
from jw_eval_store.text.normal import normal
from jw_eval_store.text.passages import searchable
from jw_eval_store.text.phrases import contains
from tests.pages.wol_page import JOHN_3_URL, bible_page, john_3

DOCUMENT_URL = "https://wol.jw.org/es/wol/d/r4/lp-s/1200000001"


def article(body: str, marks: str = "") -> ReducedPage:
    return reduce_page(f'<article id="article" class="{marks}">{body}</article>', DOCUMENT_URL)


def texts(body: str) -> list[str]:
    return [passage.text for passage in article(body).passages]


def test_all_36_clean_verses_of_john_3_are_found_at_their_verse() -> None:
    verses = john_3()
    assert len(verses) == 36
    page = reduce_page(bible_page(verses), JOHN_3_URL)
    text = searchable(page.evidence("authored"))
    found = [n for n, verse in verses.items() if text.holds(verse, parse_anchor(f"v43:3:{n}"))]
    assert found == list(verses)
    exact = {p.anchor: normal(p.text) for p in page.passages if p.anchor.startswith("v")}
    assert exact == {f"v43:3:{n}": normal(verse) for n, verse in verses.items()}


def test_the_same_page_without_its_normal_form_finds_only_some() -> None:
    page = reduce_page(bible_page(john_3()), JOHN_3_URL)
    whole = " ".join(passage.text for passage in page.passages)
    assert sum(verse in whole for verse in john_3().values()) < 25


def test_nothing_unseen_is_in_it() -> None:
    page = reduce_page(bible_page(john_3()), JOHN_3_URL)
    whole = normal(" ".join(passage.text for passage in page.passages))
    for unseen in ("hated", "Sorry", "Share", "Gallery", "footnote", "Previous", "Copyright", "+"):
        assert not contains(whole, unseen)
    assert page.healthy
    assert (page.language, page.document_id, page.publication) == ("en", None, "bi22")
    assert page.passages[0] == Passage("p1", "John")


def test_reducing_the_reduced_page_changes_nothing() -> None:
    page = reduce_page(bible_page(john_3()), JOHN_3_URL)
    again = reduce_page(page.html, JOHN_3_URL)
    assert again.passages == page.passages
    assert again.html == page.html
    assert again.healthy
    assert "nonce" not in page.html
    assert "<script" not in page.html
    assert len(page.html) < len(bible_page(john_3()))


def test_an_excerpt_keeps_only_its_passages() -> None:
    page = reduce_page(bible_page(john_3()), JOHN_3_URL)
    kept = reduce_page(page.excerpt(["v43:3:16", "v43:3:17"]), JOHN_3_URL)
    assert [passage.anchor for passage in kept.passages] == ["v43:3:16", "v43:3:17"]
    assert kept.healthy


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>uno</p><p>dos</p>", ["uno", "dos"]),
        ("<ul><li>uno<li>dos</ul>", ["uno", "dos"]),
        ("<table><tr><td>uno<td>dos</table>", ["uno", "dos"]),
        ("uno<br>dos", ["uno", "dos"]),
        ("<div>uno<p>dos</p>tres</div>", ["uno", "dos", "tres"]),
        ("<p>in<b>mor</b>tal</p>", ["inmortal"]),
        ("<p>in<wbr>mortal</p>", ["inmortal"]),
        ("<p>in<!-- x -->mor<a href='#'>tal</a></p>", ["inmortal"]),
        ("<p>uno <i>dos</i>\n tres</p>", ["uno dos tres"]),
        ("<p>a &lt;b&gt; &amp;amp; c</p>", ["a <b> &amp; c"]),
        ("<p hidden>x</p><p style='Display : none'>x</p><p aria-hidden=true>x</p>uno", ["uno"]),
        ("<p><span style='visibility:hidden'>x</span>uno</p>", ["uno"]),
        ("<template><p>x</p></template><noscript>x</noscript><title>x</title>uno", ["uno"]),
        ("<svg><text>x</text></svg><img alt=x><input value=x><textarea>x</textarea>uno", ["uno"]),
        ("<div id=study>x</div><div class='a pswp'>x</div><nav>x</nav>uno", ["uno"]),
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>字", ["漢字"]),
        ("<p>uno<a class=fn>*</a><a class='b x'>+</a>, dos<a>*</a></p>", ["uno, dos"]),
        ("<p></p><p> \u00a0 </p>", []),
    ],
)
def test_only_block_elements_part_words_and_only_the_seen_counts(
    body: str, expected: list[str]
) -> None:
    assert texts(body) == expected


def test_paragraphs_and_verses_name_their_passages() -> None:
    page = article(
        '<h1 id="p1" data-pid="1">Título</h1><p id="p2">sin</p><div id="p3" data-pid="3">uno'
        '<p>dos</p></div><p id="p4" data-pid="4">antes <span class="v" id="v1-1-1-1">luz</span>'
        ' después</p><p id="p5x" data-pid="5">otro</p>'
    )
    assert page.passages == (
        Passage("p1", "Título"),
        Passage("", "sin"),
        Passage("p3", "uno dos"),
        Passage("p4", "antes después"),
        Passage("v1:1:1", "luz"),
        Passage("", "otro"),
    )


def test_spans_of_one_verse_are_one_passage_even_in_another_order() -> None:
    page = article(
        '<p id="p1" data-pid="1"><span id="v19-83-18-1">que sepan</span> '
        '<span id="v19-84-1-1">otro</span></p><p id="p2" data-pid="2">'
        '<span id="v19-83-18-2">que tú</span><span id="v19-83-18-3">, Jehová</span></p>'
    )
    assert page.passages[0] == Passage("v19:83:18", "que sepan que tú, Jehová")


def test_blanks_between_two_spans_of_a_verse_part_words() -> None:
    page = article('<p id="p1" data-pid="1"><b id="v1-1-1-1">a</b> <b id="v1-1-1-2">b</b></p>')
    assert page.passages == (Passage("v1:1:1", "a b"),)


def test_numbers_of_a_verse_go_even_where_their_class_has_another_name() -> None:
    body = '<p><span id="v1-2-3-1"><a class="n">2</a><a class="n">3 </a>tres <a>7</a></span></p>'
    assert texts(body) == ["tres 7"]


@pytest.mark.parametrize(
    ("html", "url", "proof"),
    [
        ("<p>Not found</p>", DOCUMENT_URL, "no article"),
        ("", DOCUMENT_URL, "no article"),
        ("<article id=article> </article>", DOCUMENT_URL, "no text"),
        ("<article id=article>x</article>", DOCUMENT_URL, "does not name its language"),
        (
            "<html lang=en><article id=article class=docId-1200000001>x",
            DOCUMENT_URL,
            "is en, not es",
        ),
        ("<html lang=es><article id=article class=docId-1200000002>x", DOCUMENT_URL, "1200000002"),
        ("<html lang=es><article id=article>x", DOCUMENT_URL, "not named"),
        ("<html lang=en><article id=article>x", JOHN_3_URL, "no verse of book 43, chapter 3"),
        ("<html lang=en><article id=article><b id=v43-4-1-1>x</b>", JOHN_3_URL, "chapter 3"),
    ],
)
def test_a_page_that_does_not_prove_its_health_is_not_healthy(
    html: str, url: str, proof: str
) -> None:
    page = reduce_page(html, url)
    assert not page.healthy
    assert any(proof in unproven for unproven in page.unproven)


@pytest.mark.parametrize(
    ("html", "url"),
    [
        ("<html lang=es><article id=article class='x docId-1200000001'>uno", DOCUMENT_URL),
        ("<html><input id=contentLibLangSym value=S><article id=article class=docId-1200000001>x"
         "<p>Sorry, there was an error loading the video", DOCUMENT_URL),
        ("<main><p>uno</main>", "https://www.jw.org/es/biblioteca/x/"),
        ("<html lang=ase><article id=article><b id=v43-3-1-1>x</b>",
         "https://wol.jw.org/ase/wol/b/r266/lp-asl/nwt/43/3"),
    ],
)  # fmt: skip
def test_a_page_that_proves_it_is(html: str, url: str) -> None:
    assert reduce_page(html, url).unproven == ()


def test_bytes_are_utf_8_with_or_without_a_mark_and_never_fail() -> None:
    body = "<article id=article>año"
    for raw in (body.encode(), b"\xef\xbb\xbf" + body.encode()):
        assert reduce_page(raw, DOCUMENT_URL).passages == (Passage("", "año"),)
    assert reduce_page(body.encode("latin-1"), DOCUMENT_URL).passages == (Passage("", "a\ufffdo"),)
    assert reduce_page(body + "\ud800", DOCUMENT_URL).passages == (Passage("", "año?"),)


def test_no_nesting_is_too_deep() -> None:
    deep = "<article id=article>" + "<div>" * 20_000 + "hondo"
    started = time.perf_counter()
    assert [p.text for p in reduce_page(deep, DOCUMENT_URL).passages] == ["hondo"]
    assert time.perf_counter() - started < 20
