"""Evidence is prepared once per content, and searched by anchor."""

from __future__ import annotations

import threading
import time

from jw_eval_store.domain.evidence import Evidence, Passage
from jw_eval_store.text.anchors import parse_anchor
from jw_eval_store.text.passages import searchable

URL = "https://wol.jw.org/es/wol/b/r4/lp-s/nwtsty/43/3"


def evidence(*passages: tuple[str, str]) -> Evidence:
    return Evidence(URL, "captured", tuple(Passage(anchor, text) for anchor, text in passages))


PAGE = evidence(
    ("", "Título"), ("v43:3:16", "Dios amó"), ("v43:3:17", "al mundo"), ("p3", "Nota"), ("", " ")
)


def test_equal_content_is_prepared_once_and_other_content_anew() -> None:
    same = evidence(*((passage.anchor, passage.text) for passage in PAGE.passages))
    assert searchable(same) is searchable(PAGE)
    assert searchable(evidence(("", "Título"))) is not searchable(PAGE)


def test_a_phrase_is_searched_where_the_anchor_points() -> None:
    text = searchable(PAGE)
    assert text.holds("título dios")
    assert text.holds("amó al mundo", parse_anchor("v43:3:16-43:3:17"))
    assert not text.holds("amó al mundo", parse_anchor("v43:3:16"))
    assert not text.holds("título", parse_anchor("v43:3:16"))
    assert not text.holds("nota", parse_anchor("v43:3:3"))
    assert text.holds("nota", parse_anchor("p1-p9"))
    assert text.passages_of("mundo") == ("v43:3:17",)
    assert [p.anchor for p in text.within(parse_anchor("v43:3:1-43:3:16"))] == ["v43:3:16"]
    assert text.within(None) == PAGE.passages


def test_more_pages_than_are_kept_are_still_searched_right_from_many_threads() -> None:
    wrong: list[int] = []

    def search(offset: int) -> None:
        for number in range(700):
            at = (number * 7 + offset) % 700
            if not searchable(evidence(("", f"página número x{at}x"))).holds(f"x{at}x"):
                wrong.append(at)

    threads = [threading.Thread(target=search, args=(offset,)) for offset in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_searching_prepared_evidence_takes_microseconds() -> None:
    page = evidence(*((f"v43:3:{n}", "Porque Dios amó tanto al mundo " * 5) for n in range(1, 37)))
    anchor = parse_anchor("v43:3:36")
    searchable(page)
    best = min(_seconds(page, anchor) for _ in range(20))
    assert best < 300e-6


def _seconds(page: Evidence, anchor: object) -> float:
    started = time.perf_counter()
    text = searchable(page)
    assert text.holds("tanto al mundo", parse_anchor(str(anchor)))
    return time.perf_counter() - started
