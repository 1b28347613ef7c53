"""Write the bundled evidence: pages made by hand, in the site's shape, around the sample's corpus.

    python scripts/build_sample_evidence.py

writes snapshots/ again: the pages that the golden cases in seeds/ cite, and manifest.yaml. The
pages hold public-domain verses and sentences of our own (jw_eval_store/sample/corpus/SOURCES.md),
with the marks that make phrases hard to find on the site: verse numbers, `+` and `*`, no-break
spaces, and study notes outside of the article, which must not count as evidence.
"""

from __future__ import annotations

import sys
from html import escape
from pathlib import Path

from jw_eval_store.golden.folders import read_folder
from jw_eval_store.pages.manifest import MANIFEST, new_entry
from jw_eval_store.pages.writing import save_snapshot
from jw_eval_store.resources import bundled
from jw_eval_store.sample.addresses import document_url, verse_url
from jw_eval_store.sample.library import LANGUAGES, Library, Topic, Verse, library
from jw_eval_store.text.urls import parse_url

NOTE = (
    "Authored for jw-eval: the shape of a page of wol.jw.org around public-domain text and "
    "sentences of our own. No text of the site."
)
WRITTEN = "2026-11-30T00:00:00Z"
"""When the pages were written: fixed, so that the manifest changes only with the pages."""

_SITE = {"en": ("E", "r1"), "es": ("S", "r4"), "pt": ("T", "r5"), "ase": ("ASL", "r266")}
"""Per language, what the hidden inputs contentLibLangSym and contentRsconf say."""


def cited_pages() -> set[str]:
    """Fetch keys of the pages that the bundled cases expect to be cited."""
    cases, _ = read_folder(bundled("seeds"))
    expected = [getattr(read.case.expected, "expected_citations", ()) for read in cases]
    return {parse_url(citation.url).fetch_key for listed in expected for citation in listed}


def pages() -> dict[str, str]:
    """Every page the corpus could make that a case cites, HTML by fetch key."""
    made: dict[str, str] = {}
    for corpus in filter(None, map(library, LANGUAGES)):
        for verse in corpus.verses:
            key = parse_url(verse_url(corpus.language, verse)).fetch_key
            made.setdefault(key, chapter_page(corpus, verse))
        for topic in corpus.topics:
            made[document_url(corpus.language, topic.docid)] = topic_page(corpus, topic)
    cited = cited_pages()
    if missing := cited - made.keys():
        sys.exit(f"the sample's corpus makes no page {', '.join(sorted(missing))}")
    return {key: made[key] for key in sorted(cited)}


def chapter_page(corpus: Library, of: Verse) -> str:
    """The chapter of a verse, with the verses that the corpus holds, a paragraph each."""
    held = [verse for verse in corpus.verses if verse[:2] == of[:2]]
    paragraphs = [
        f'<p id="p{number}" data-pid="{number}" class="sb">{_verse(corpus, verse)}</p>'
        for number, verse in enumerate(held, start=1)
    ]
    notes = [corpus.notes[verse].text for verse in held if verse in corpus.notes]
    edition = "bi22" if corpus.language == "en" else "nwt"
    title = corpus.title(of).rsplit(":", 1)[0]
    return _page(corpus, title, f"bible pub-{edition}", paragraphs, notes)


def topic_page(corpus: Library, topic: Topic) -> str:
    """A topic's document: its statement and its points."""
    sentences = [topic.statement, *(point.text for point in topic.points)]
    paragraphs = [
        f'<p id="p{number}" data-pid="{number}" class="sb">{_spaced(sentence)}</p>'
        for number, sentence in enumerate(sentences, start=1)
    ]
    marks = f"document pub-sample docId-{topic.docid}"
    return _page(corpus, topic.title, marks, paragraphs, [])


def _verse(corpus: Library, verse: Verse) -> str:
    """A verse with its number, a reference mark inside, and a footnote mark at the end."""
    mark, name = ("cl", verse.chapter) if verse.number == 1 else ("vl", verse.number)
    words = corpus.verses[verse].split(" ")
    middle = len(words) // 2
    first, rest = (escape(" ".join(part), quote=False) for part in (words[:middle], words[middle:]))
    return (
        f'<span id="v{verse.book}-{verse.chapter}-{verse.number}-1" class="v">'
        f'<a class="{mark}" href="#">{name}&nbsp;</a>{first}<a class="b" href="#">+</a> {rest}'
        '<a class="fn" href="#">*</a></span>'
    )


def _spaced(sentence: str) -> str:
    """A sentence with a no-break space after its first word, as editors of the site set them."""
    return escape(sentence, quote=False).replace(" ", "&nbsp;", 1)


def _page(corpus: Library, title: str, marks: str, paragraphs: list[str], notes: list[str]) -> str:
    """The whole page. Title, hidden inputs and study pane are outside of the article, as there."""
    symbol, region = _SITE[corpus.language]
    study = [f'<div class="section"><p>{escape(note, quote=False)}</p></div>' for note in notes]
    return "\n".join(
        [
            "<!DOCTYPE html>",
            f"<!-- {NOTE} -->",
            f'<html lang="{corpus.language}" dir="ltr" data-origin="authored">',
            f'<head><meta charset="utf-8"><title>{escape(title)}</title></head>',
            "<body>",
            f'<input type="hidden" id="contentLibLangSym" value="{symbol}">',
            f'<input type="hidden" id="contentRsconf" value="{region}">',
            f'<article id="article" class="article {marks}">',
            f"<header><h1>{escape(title)}</h1></header>",
            *paragraphs,
            "</article>",
            f'<div id="study">{"".join(study)}</div>',
            "</body>",
            "</html>",
            "",
        ]
    )


def write(folder: Path) -> None:
    """Write the pages with their manifest, in place of all that the folder held."""
    made = pages()
    for old in [folder / MANIFEST, *(folder / "wol").glob("*.html")]:
        old.unlink(missing_ok=True)
    for key, html in made.items():
        save_snapshot(folder, new_entry(key, "authored", "page", WRITTEN, NOTE), html)


if __name__ == "__main__":
    write(bundled("snapshots"))
