"""Pages of ten types in the site's shape, with noise that must not count and changes that must.

All text is our own. A page is a list of passages (anchor and text) and a seed for whatever is
volatile on a healthy page.
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape

SENTENCES = {
    "en": (
        "The baker carried seven loaves to the market before sunrise.",
        "Martha did not sell the old mill to her neighbour.",
        "A river never runs back to the hills of Arden.",
        "Those who share their bread will have twelve friends.",
        "Peter wrote the letter with his own hand, and Anna read it.",
        "The gate stands open, since nobody “guards” it at night.",
        "Three ships left the harbour of Bristol in spring.",
        "She said that the lamp would burn without oil.",
        "The children kept the promise that they had made.",
        "No winter has ever silenced the bells of Saint Mary's.",
        "Forty men built the well-known bridge in a single summer.",
        "What is planted in patience is gathered with joy.",
    ),
    "es": (
        "El panadero llevó siete panes al mercado antes del amanecer.",
        "Marta no vendió el viejo molino a su vecino.",
        "Un río nunca vuelve a las colinas de Arden.",
        "Quienes comparten su pan tendrán doce amigos.",
        "Pedro escribió la carta con su propia mano, y Ana la leyó.",
        "La puerta está abierta, pues nadie la «vigila» de noche.",
        "Tres barcos salieron del puerto de Cádiz en primavera.",
        "Ella dijo que la lámpara ardería sin aceite.",
        "Los niños cumplieron la promesa que habían hecho.",
        "Ningún invierno ha callado las campanas de Toledo.",
        "Cuarenta hombres construyeron el puente en un solo verano.",
        "Lo que se siembra con paciencia se recoge con alegría.",
    ),
    "pt": (
        "O padeiro levou sete pães ao mercado antes do amanhecer.",
        "Marta não vendeu o velho moinho ao seu vizinho.",
        "Um rio nunca volta às colinas de Arden.",
        "Aqueles que partilham o pão terão doze amigos.",
        "Pedro escreveu a carta com a própria mão, e Ana a leu.",
        "A porta está aberta, pois ninguém a “vigia” de noite.",
        "Três barcos saíram do porto de Lisboa na primavera.",
        "Ela disse que a lâmpada arderia sem azeite.",
        "As crianças cumpriram a promessa que tinham feito.",
        "Nenhum inverno calou os sinos de Coimbra.",
        "Quarenta homens construíram a ponte num só verão.",
        "O que se planta com paciência colhe-se com alegria.",
    ),
}
CODES = {"en": "E", "es": "S", "pt": "T"}
PHRASES = {"en": "seven loaves to the market", "es": "siete panes al mercado",
           "pt": "sete pães ao mercado"}  # fmt: skip
FIRST = 4
"""Position of the sentence that the cases cite."""

Passages = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class PageType:
    """A type of page: where it lives, its language, what carries its anchors, and its marks."""

    name: str
    path: str
    language: str
    anchors: str
    marks: str
    host: str = "wol.jw.org"
    root: str = "article"

    @property
    def url(self) -> str:
        return f"https://{self.host}{self.path}"

    @property
    def anchor(self) -> str:
        """Of the passage that is cited; empty where the page has none."""
        return self.passages()[FIRST][0]

    @property
    def cited_url(self) -> str:
        fragment = {"v": f"#study=discover&v={self.anchor[1:]}", "p": f"#{self.anchor}"}
        return self.url + fragment.get(self.anchors, "")

    @property
    def phrase(self) -> str:
        return PHRASES[self.language]

    def passages(self) -> Passages:
        """The page's text; the sentence that is cited stands at `FIRST`."""
        texts = list(SENTENCES[self.language])
        texts.insert(FIRST, texts.pop(0))
        names = {"v": "v43:3:{}", "p": "p{}", "": ""}[self.anchors]
        return tuple((names.format(number), text) for number, text in enumerate(texts, start=1))

    def html(self, passages: Passages | None = None, seed: int = 0, **how: str) -> str:
        """The whole page, with what is volatile drawn from the seed."""
        return _page(self, self.passages() if passages is None else passages, seed, **how)


TYPES = (
    PageType("chapter", "/en/wol/b/r1/lp-e/bi22/43/3", "en", "v", "pub-bi22 docClass-106"),
    PageType("study chapter", "/en/wol/b/r1/lp-e/own/43/3", "en", "v", "pub-own docClass-106"),
    PageType("capítulo", "/es/wol/b/r4/lp-s/bi22/43/3", "es", "v", "pub-bi22 docClass-106"),
    PageType("capítulo português", "/pt/wol/b/r5/lp-t/bi22/43/3", "pt", "v", "pub-bi22"),
    PageType("article", "/en/wol/d/r1/lp-e/1200270001", "en", "p", "pub-w docId-1200270001"),
    PageType("artículo", "/es/wol/d/r4/lp-s/1200270002", "es", "p", "pub-w docId-1200270002"),
    PageType("artigo", "/pt/wol/d/r5/lp-t/1200270003", "pt", "p", "pub-w docId-1200270003"),
    PageType("daily text", "/en/wol/dt/r1/lp-e/2026/3/1", "en", "p", "pub-es26"),
    PageType("plain", "/en/library/articles/bread/", "en", "", "", "www.jw.org"),
    PageType("main", "/es/biblioteca/pan/", "es", "", "", "www.jw.org", "main"),
)


def _page(
    kind: PageType,
    passages: Passages,
    seed: int,
    *,
    verse_class: str = "v",
    article: str = "yes",
    language: str = "",
    marks: str = "",
) -> str:
    rng = random.Random(seed)
    nonce, year = f"{rng.getrandbits(64):x}", 2020 + rng.randrange(9)
    code = CODES.get(language or kind.language, language)
    body = "".join(_passage(kind, a, t, n, rng, verse_class, seed)
                   for n, (a, t) in enumerate(passages, start=1))  # fmt: skip
    name = ' id="article"' if kind.root == "article" else ""
    inside = f"""<{kind.root}{name} class="{marks or kind.marks} y{year}" data-n="{nonce}">
<!-- {SENTENCES[kind.language][3]} {nonce} --><header><nav>{nonce}</nav></header>
{_noise_inside(rng, nonce)}{body}
<div class="pswp" aria-hidden="true"><button>Share {nonce}</button><p>Gallery {year}</p></div>
</{kind.root}>"""
    return f"""<!DOCTYPE html>
<html lang="{(language or kind.language).lower()}" class="y{year}"><head><meta charset="utf-8">
<title>Bread ({year}) {nonce[:4]}</title><script nonce="{nonce}">var t={rng.random()};</script>
<link rel="stylesheet" href="/assets/app.{nonce}.css"></head><body>
<input type="hidden" id="contentLibLangSym" value="{code}"><input type="hidden" id="contentRsconf">
<nav><a href="/pref?url={nonce}">Previous {rng.randrange(99)}</a><ul><li>{nonce}</ul></nav>
{_around(rng, nonce)}{inside if article == "yes" else "<p>Sorry, this page was not found.</p>"}
<div id="study"><p id="p900" data-pid="900">{nonce} says a footnote of {year}.</p></div>
<footer>Copyright {year}, {rng.randrange(60)} seconds ago</footer>
<script src="/player.{nonce}.js"></script></body></html>"""


def _noise_inside(rng: random.Random, nonce: str) -> str:
    choices = (
        "",
        f'<iframe src="/ad/{nonce}">Buy {nonce}</iframe>',
        f"<div hidden>Loaded at {rng.random()}</div>",
        f'<div role="navigation"><a href="/{nonce}">Next chapter</a></div>',
        f'<p style="display: none">Sorry, there was an error loading the video {nonce}</p>',
        f'<figure><svg><title>{nonce}</title></svg><img src="/{nonce}.jpg" alt="{nonce}"></figure>',
    )
    return rng.choice(choices)


def _around(rng: random.Random, nonce: str) -> str:
    choices = (
        "",
        f'<aside class="ad">Buy {nonce} today</aside>',
        f"<header><p>It is {rng.randrange(24)}:{rng.randrange(60):02}</p></header>",
        f'<div id="cookie-banner"><form action="/consent/{nonce}">We use cookies</form></div>',
        f'<div class="g-recaptcha" data-sitekey="{nonce}"></div>',
        f'<div class="menu new-{nonce}"><ul><li>Home<li>Library<li>Bread</ul></div>',
    )
    return rng.choice(choices)


def _passage(
    kind: PageType, anchor: str, text: str, number: int, rng: random.Random, css: str, seed: int
) -> str:
    shown = _disguised(text, rng) if seed else escape(text, quote=False)
    sign = '<a class="b" href="/x">+</a>' if number % 2 else '<a class="fn" data-fnid="7">*</a>'
    if anchor.startswith("v"):
        label = f'<strong><a class="vl vx" href="/y">{anchor.rpartition(":")[2]}&nbsp;</a></strong>'
        name = anchor.replace(":", "-")
        span = (
            f'<span class="{css}" id="{name}-1" data-x="{rng.random()}">{label}{shown}{sign}</span>'
        )
        return f'<p class="sb" id="p{number}" data-pid="{number}">{span} </p>\n'
    if anchor:
        return f'<p class="sb" id="{anchor}" data-pid="{anchor[1:]}">{shown}{sign}</p>\n'
    return f"<p>{shown}</p>\n"


_DISGUISES: tuple[Callable[[str, random.Random], str], ...] = (
    lambda text, rng: text,
    lambda text, rng: text.replace(" ", "\u00a0", rng.randrange(4)),
    lambda text, rng: text.replace(" ", "&nbsp;", rng.randrange(4)),
    lambda text, rng: text.replace(" ", "\n\t ", rng.randrange(4)),
    lambda text, rng: _inserted(text, rng, "\u00ad"),
    lambda text, rng: _inserted(text, rng, "\u200b"),
    lambda text, rng: _inserted(text, rng, "&shy;"),
    lambda text, rng: _inserted(text, rng, "<wbr>"),
    lambda text, rng: _inserted(text, rng, "·"),
    lambda text, rng: unicodedata.normalize("NFD", text),
    lambda text, rng: text.replace("'", "’").replace("-", "\u2011"),
    lambda text, rng: text.translate({0x201C: '"', 0x201D: '"', 0xAB: '"', 0xBB: '"'}),
    lambda text, rng: _wrapped(text, rng, "em"),
    lambda text, rng: _wrapped(text, rng, "b"),
    lambda text, rng: _wrapped(text, rng, 'span class="nm"'),
    lambda text, rng: "".join(f"&#{ord(c)};" if ord(c) > 127 else c for c in text),
    lambda text, rng: text.replace(" ", "  "),
)


def _disguised(text: str, rng: random.Random) -> str:
    """The same text to a reader, written in another way."""
    return rng.choice(_DISGUISES)(escape(text, quote=False), rng)


def _inserted(text: str, rng: random.Random, mark: str) -> str:
    words = text.split(" ")
    at = rng.randrange(len(words))
    word = words[at]
    cut = len(word) // 2
    if "&" not in word:
        words[at] = word[:cut] + mark + word[cut:] if cut else word
    return " ".join(words)


def _wrapped(text: str, rng: random.Random, tag: str) -> str:
    words = text.split(" ")
    at = rng.randrange(len(words))
    words[at] = f"<{tag}>{words[at]}</{tag.split(maxsplit=1)[0]}>"
    return " ".join(words)


def changed(passages: Passages, position: int, text: str) -> Passages:
    """The passages with another text at one position."""
    found = list(passages)
    found[position] = (found[position][0], text)
    return tuple(found)


def without(passages: Passages, position: int) -> Passages:
    """The passages without one of them."""
    return passages[:position] + passages[position + 1 :]


def renamed(passages: Passages, position: int, anchor: str) -> Passages:
    """The passages with another anchor at one position."""
    found = list(passages)
    found[position] = (anchor, found[position][1])
    return tuple(found)


def of_type(name: str) -> PageType:
    return next(kind for kind in TYPES if kind.name == name)


def numbered(kind: PageType, number: int) -> PageType:
    """The same type of page at an address of its own."""
    if kind.anchors == "v":
        return replace(kind, path=kind.path.replace("/43/3", f"/n{number}/43/3"))
    if "docId" in kind.marks:
        document = f"12003{number:05}"
        return replace(
            kind,
            path=f"{kind.path.rpartition('/')[0]}/{document}",
            marks=f"pub-w docId-{document}",
        )
    return replace(kind, path=f"{kind.path.rstrip('/')}/{number}")


def pick(rng: random.Random, options: Sequence[PageType]) -> PageType:
    return options[rng.randrange(len(options))]
