"""Pages in the site's shape, with all that makes its text hard to search, around public text.

`data/john_3_asv.tsv` is John 3 of the American Standard Version (1901, public domain), one verse a
line: number, tab, text.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from html import escape
from pathlib import Path

JOHN_3_URL = "https://wol.jw.org/en/wol/b/r1/lp-e/bi22/43/3"


def john_3() -> dict[int, str]:
    """The 36 clean verses by number."""
    lines = (Path(__file__).parent / "data" / "john_3_asv.tsv").read_text("utf-8").splitlines()
    return {int(number): text for number, text in (line.split("\t") for line in lines)}


def bible_page(
    verses: Mapping[int, str], *, seed: int = 0, verse_class: str = "v", language: str = "E"
) -> str:
    """A chapter of John as a whole page; `seed` varies whatever is volatile on a healthy page."""
    rng = random.Random(seed)
    nonce, year = rng.randrange(10**9), 2020 + rng.randrange(9)
    body = "".join(_paragraph(number, text, verse_class) for number, text in verses.items())
    return f"""<!DOCTYPE html>
<html lang="en" class="y{year}"><head><title>John 3 — Online Library ({year})</title>
<script nonce="{nonce}">var secret = "For God so hated the world";</script>
<link rel="stylesheet" href="/assets/app.{nonce}.css"><style>.x{{content:"hated"}}</style></head>
<body><input type="hidden" id="contentLibLangSym" value="{language}">
<input type="hidden" id="contentRsconf" value="r1">
<nav><a href="/en/wol/pref?url={nonce}">Previous chapter</a><ul><li>For God so hated</ul></nav>
<article id="article" class="article pub-bi22 docClass-106 y{year}" data-n="{nonce}">
<header><h1 id="p1" data-pid="1">John</h1></header>
<!-- For God so hated the world {nonce} -->
<div class="navigation" role="navigation"><a href="/2">2 {nonce}</a></div>
<p class="hidden">Sorry, there was an error loading the video {nonce}</p>
{body}
<div class="pswp" aria-hidden="true"><button>Share {nonce}</button><p>Gallery</p></div>
</article>
<div id="study"><p id="p900" data-pid="900">For God so hated, says a footnote.</p></div>
<footer>Copyright {year}</footer><script src="/player.{nonce}.js"></script></body></html>"""


def _paragraph(number: int, text: str, verse_class: str) -> str:
    """A verse; every fifth is poetry, in two spans of two paragraphs."""
    sign = '<a class="b" href="/x">+</a>' if number % 2 else '<a class="fn" data-fnid="7">*</a>'
    label = "cl" if number == 1 else "vl"
    shown = 3 if number == 1 else number
    head = f'<strong><a class="{label} vx" href="/y">{shown}&nbsp;</a></strong>'
    halves = _halves(text) if number % 5 == 0 else [text]
    spans = [
        f'<p class="sb" id="p{number * 2 + i}" data-pid="{number * 2 + i}">'
        f'<span class="{verse_class}" id="v43-3-{number}-{i + 1}" title="For God so hated">'
        f"{head if i == 0 else ''}{_troubled(half)}{sign}</span> </p>\n"
        for i, half in enumerate(halves)
    ]
    return "".join(spans)


def _halves(text: str) -> list[str]:
    words = text.split()
    middle = len(words) // 2
    return [" ".join(words[:middle]), " ".join(words[middle:])]


def _troubled(text: str) -> str:
    """The text with no-break spaces, soft hyphens, syllable marks, quotes and inline markup."""
    shown = escape(text.replace("'", "’").replace("-", "‑"), quote=False)
    shown = shown.replace("Nicodemus", "Nic·o·deʹmus").replace("Jesus", "<em>Je·</em>sus")
    shown = shown.replace("God", "G\u200bo\u00add").replace(" the ", "\u00a0the\n\t")
    shown = shown.replace("world", "wor<wbr>ld").replace("Verily", "Ve&shy;rily")
    return shown.replace("Son", '<span class="nm">S</span>on').replace(" he ", "&#8239;he ")
