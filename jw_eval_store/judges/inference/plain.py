"""How texts are written before a model reads them, and what needs no model to be known.

Small weights know words as they mostly stand: of "the soul does NOT die" they read that it dies.
And trained on sentences of which one was changed, they see a change where there is none.
"""

from __future__ import annotations

import html
import re

from jw_eval_store.text.normal import normal, visible

_NEW_LINE = re.compile(
    r"</?(?:p|br|hr|div|section|article|blockquote|h[1-6]|ul|ol|li|table|thead|tbody|tr)\b[^<>]*>",
    re.IGNORECASE,
)
_CELL = re.compile(r"</?(?:td|th)\b[^<>]*>", re.IGNORECASE)
_INLINE = re.compile(
    r"</?(?:a|b|i|u|em|strong|span|font|small|mark|cite|q)\b[^<>]*>", re.IGNORECASE
)
"""Not `del` and `s`: what is struck out is not said."""

_RUN_ON = re.compile(
    r"""
    (?<!\w)(?:(?<!\.)[a-zà-öø-ÿ]{2,}|[A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ]{3,}|No|Não|Sí|Sim|Yes
        |[A-Za-z]+['’][a-z]{1,3}|\d+:\d+(?:[-–,]\d+)*)
    [)»”]*[.!?…]+[)»”]*
    (?=[¿¡«“]*[A-ZÀ-ÖØ-Þ])
    (?![¿¡«“]*(?:\w{2,}\(|\w+\.[a-zà-öø-ÿ]|[A-Z][A-Z]|\w\d|(?:Com|Org|Net|Edu|Gov|Gob|Info)\b))
    """,
    re.VERBOSE,
)
"""The end of a sentence that the next one follows without a blank. Not of initials (`J.R.R.`), of
short words in capitals (`Mat.`, `EE.UU.`), before figures, and within addresses and code."""

_ADDRESS = re.compile(r"[/@\\=&#_<>]|www\.", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{2,}")
_ROMAN = re.compile(r"[IVXLC]+")
_ITEM = re.compile(r"(?:[-•]|#+)\s+")
_AROUND = " .!¡…:;\"'*_"
"""Signs before and after a sentence that change nothing of it; a question mark does."""


def as_seen(text: str) -> str:
    """The text as people see it: HTML's blocks as paragraphs, its signs as letters, and without
    invisible characters. Of `&iacute;` or a soft hyphen a model makes other words.
    """
    plain = _INLINE.sub("", _CELL.sub(" ", _NEW_LINE.sub("\n\n", text)))
    return visible(html.unescape(plain))


def apart(text: str) -> str:
    """The text with a blank after each sentence that the next one follows without any.

    People who answer in a chat forget it ("The soul dies.There is no hell"); read as one sentence,
    the whole follows from no part of the golden answer, and no part of that from the whole.
    """
    return re.sub(r"\S+", lambda found: _apart(found.group()), text)


def _apart(word: str) -> str:
    return word if _ADDRESS.search(word) else _RUN_ON.sub(lambda end: f"{end.group()} ", word)


def in_small_letters(sentence: str) -> str:
    """The sentence with each word in capitals in small letters; Roman numbers stay."""
    return _WORD.sub(lambda found: _small(found.group()), sentence)


def _small(word: str) -> str:
    return word.lower() if word.isupper() and not _ROMAN.fullmatch(word) else word


def says_the_same(premise: str, hypothesis: str) -> bool:
    """Whether one is the other word for word, but for capitals and the signs around it."""
    return _bare(premise) == _bare(hypothesis)


def _bare(sentence: str) -> str:
    found = normal(sentence)
    item = _ITEM.match(found)
    return found[item.end() if item else 0 :].strip(_AROUND)


def repeats(premise: str, hypothesis: str) -> bool:
    """Whether one stands in the other word for word, with something around it."""
    own = re.escape(_bare(premise))
    return re.search(rf"(?<!\w){own}(?!\w)", normal(hypothesis)) is not None
