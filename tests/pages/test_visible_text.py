"""Whatever is cut from visible text is found, however it is written; the unseen never is."""

from __future__ import annotations

import random
import unicodedata
from html import escape

from hypothesis import given, settings
from hypothesis import strategies as st

from jw_eval_store.pages.reduce import reduce_page
from jw_eval_store.text.passages import searchable

URL = "https://wol.jw.org/es/wol/d/r4/lp-s/1200000001"
LETTERS = "abcdefghilmnoprstuvzABDEGJMáéíóúüñçãõâêôàßøœÑÉ"
WORDS = st.lists(st.text(LETTERS, min_size=1, max_size=7), min_size=1, max_size=12)
BLANKS = [" ", "\u00a0", "\u202f", "&nbsp;", "\n\t", "&#8239;", "  ", "\u2003"]
INVISIBLE = [
    "\u00ad",
    "\u200b",
    "&shy;",
    "&#8203;",
    "<wbr>",
    "\u200d",
    "\ufeff",
    "·",
    "ʹ",
    "<!-- no -->",
]
BLOCKS = ["p", "div", "li", "h2", "td", "blockquote"]


def written(words: list[str], rng: random.Random) -> str:
    """A text as some page may write it: what readers see stays the same."""
    html = []
    for word in words:
        shown = [_letter(letter, rng) for letter in _composed_or_not(word, rng)]
        quote = rng.choice(["", "“”", "‘’", "«»", '""'])
        html.append(escape(quote[:1]) + "".join(shown) + escape(quote[1:]))
    return "".join(piece + rng.choice(BLANKS) for piece in html)


def _letter(letter: str, rng: random.Random) -> str:
    combining = bool(unicodedata.combining(letter))
    shown = rng.choice([letter, letter, letter, f"&#{ord(letter)};", f"&#x{ord(letter):x};"])
    if not combining and rng.random() < 0.15:
        tag = rng.choice(["b", "em", "span", "a", "i"])
        shown = f"<{tag}>{shown}</{tag}>"
    return rng.choice(INVISIBLE) + shown if rng.random() < 0.2 else shown


def page_of(blocks: list[list[str]], rng: random.Random) -> str:
    body = "".join(
        f'<{tag} id="p{n}" data-pid="{n}">{written(words, rng)}</{tag}>'
        for n, words in enumerate(blocks, 1)
        for tag in [rng.choice(BLOCKS)]
    )
    return f"<html><body><article id=article><table><tr>{body}</table></article></body></html>"


@settings(max_examples=150)
@given(st.lists(WORDS, min_size=1, max_size=4), st.randoms(use_true_random=False), st.data())
def test_a_phrase_cut_from_the_visible_text_is_found(
    blocks: list[list[str]], rng: random.Random, data: st.DataObject
) -> None:
    page = reduce_page(page_of(blocks, rng), URL)
    words = blocks[data.draw(st.integers(0, len(blocks) - 1))]
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    text = searchable(page.evidence("captured"))
    assert all(text.holds(word) for word in words)
    unquoted = text.whole.replace('"', "").replace("'", "")
    wanted = " ".join(words[start:end]).casefold()
    assert unicodedata.normalize("NFC", wanted) in unquoted


@settings(max_examples=150)
@given(WORDS, st.randoms(use_true_random=False), st.data())
def test_a_phrase_without_quotes_inside_is_found_as_it_is(
    words: list[str], rng: random.Random, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    shown = [_plain_word(word, rng) for word in words]
    html = "".join(piece + rng.choice(BLANKS) for piece in shown)
    page = reduce_page(f"<article id=article><p>{html}</p></article>", URL)
    assert searchable(page.evidence("captured")).holds(" ".join(words[start:end]))


def _plain_word(word: str, rng: random.Random) -> str:
    return "".join(_letter(letter, rng) for letter in _composed_or_not(word, rng))


def _composed_or_not(word: str, rng: random.Random) -> str:
    return unicodedata.normalize("NFD", word) if rng.random() < 0.5 else word


UNSEEN = [
    "<script>{}</script>", "<style>{}</style>", "<!-- {} -->", "<p title='{}'>x</p>",
    "<a href='/{}'>x</a>", "<img alt='{}'>", "<p hidden>{}</p>", "<p style='display:none'>{}</p>",
    "<div hidden><p><b>{}</b></p></div>", "<template>{}</template>", "<noscript>{}</noscript>",
    "<nav>{}</nav>", "<div class='pswp'>{}</div>", "<div id='study'>{}</div>", "<input value='{}'>",
    "<textarea>{}</textarea>", "<p data-text='{}'>x</p>", "<select><option>{}</select>",
    "<div aria-hidden='true'>{}</div>", "<meta content='{}'>", "<p class='{}'>x</p>",
    "<button>{}</button>", "<a class='fn'>{}</a>", "<dialog>{}</dialog>", "<title>{}</title>",
    "<svg><desc>{}</desc></svg>", "<audio>{}</audio>", "<iframe srcdoc='{}'>{}</iframe>",
]  # fmt: skip


@settings(max_examples=150)
@given(
    st.text("qwyk", min_size=3, max_size=9), WORDS, st.lists(st.sampled_from(UNSEEN), min_size=1)
)
def test_a_phrase_cut_from_what_is_not_seen_is_never_found(
    secret: str, words: list[str], places: list[str]
) -> None:
    hidden = "".join(place.replace("{}", f"{secret} {secret}") for place in places)
    seen = f"<p>{' '.join(words)}</p>"
    page = reduce_page(f"{hidden}<article id=article>{hidden}{seen}{hidden}</article>{hidden}", URL)
    text = searchable(page.evidence("captured"))
    assert not text.holds(secret)
    assert secret not in page.html
    assert text.holds(" ".join(words))
