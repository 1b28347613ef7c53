"""Cut answers into sentences, es, en and pt, and find each golden sentence's nearest match.

Nothing is ever cut off or dropped: the sentences, joined, are the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jw_eval_store.domain.matching import EmbedderIdentity, SentenceMatch, TopicMatch
from jw_eval_store.judges.embedders.interface import Embedder, cosines

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ABBREVIATIONS = re.compile(
    r"(?:sra?|srta|dra?|prof|lic|ing|uds?|dña|sto|sta|mrs?|ms|jr|nº|n[úu]ms?|nr|p[áa]gs?|pp|caps?"
    r"|vers|vv|vs|cf|fig|vol|etc|ej|aprox|i\.e|e\.g|p\.e[jx]|[ad]\.c|a\.e\.c|e\.c|b\.c|a\.d"
    r"|b\.c\.e|c\.e|ee|ee\.uu|[ap]\.m)",
    re.IGNORECASE,
)
_STOP = re.compile(r"""[.!?…]+["'»”’)\]*_]*(?=\s)""")
_STARTS_SENTENCE = re.compile(r"""["'«“‘(\[¿¡*_—–-]*[^\W_a-zà-öø-ÿ]""")
_STARTS_ITEM = re.compile(r"\s*(?:[-*•·–—]\s|\(?\d{1,3}[.)]\s|#+\s|[a-z]\)\s)")
_SHORT_LINE = 50


def split_sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text, in order, without blanks around them.

    Ends at `. ! ? …` before a capital, a figure or an opening mark; not after an abbreviation
    (`Sr.`, `1 Ped. 3:15`), an initial, or the figure of a list item. A line end ends a sentence
    where a blank line, a list item or a heading follows or a short line stops.
    """
    return tuple(
        sentence for block in _blocks(text) for sentence in _split_block(block) if sentence
    )


def _blocks(text: str) -> list[str]:
    """Runs of lines that belong together: wrapped lines of one paragraph are joined."""
    blocks: list[list[str]] = [[]]
    for line in text.splitlines():
        if _breaks_before(line, blocks[-1]):
            blocks.append([])
        if line.strip():
            blocks[-1].append(line.strip())
    return [" ".join(lines) for lines in blocks if lines]


def _breaks_before(line: str, block: Sequence[str]) -> bool:
    if not block or not line.strip() or _STARTS_ITEM.match(line):
        return True
    ends_a_line = len(block[-1]) < _SHORT_LINE or block[-1][-1] in ".!?…:"
    return ends_a_line and _STARTS_SENTENCE.match(line.strip()) is not None


def _split_block(block: str) -> list[str]:
    item = _STARTS_ITEM.match(block)
    start, sentences = 0, []
    for stop in _STOP.finditer(block, item.end() if item else 0):
        rest = block[stop.end() :].lstrip()
        if _STARTS_SENTENCE.match(rest) and not _is_abbreviated(block[start : stop.end()], rest):
            sentences.append(block[start : stop.end()].strip())
            start = stop.end()
    return [*sentences, block[start:].strip()]


def _is_abbreviated(before: str, rest: str) -> bool:
    """Whether the full stop that ends `before` belongs to its last word."""
    if not before.endswith(".") or before.endswith(".."):
        return False
    word = before[:-1].rpartition(" ")[2].lstrip("(«“\"'[¿¡")
    if re.fullmatch(r"[^\W\d_]", word):
        return word.isupper() or word in "vpd"
    book = re.fullmatch(r"[A-ZÀ-Þ][^\W\d_]{1,5}", word) and rest[:1].isdigit()
    return bool(book) or _ABBREVIATIONS.fullmatch(word) is not None


@dataclass(frozen=True)
class SentenceComparer:
    """Compares answers sentence by sentence with one embedder."""

    embedder: Embedder

    @property
    def identity(self) -> EmbedderIdentity:
        """The embedder that the cosines belong to."""
        return self.embedder.identity

    def compare(self, golden: str, candidate: str) -> TopicMatch:
        """Match every golden sentence with its nearest one or two sentences of the candidate.

        Raises UsageError where one of the texts is empty.
        """
        wanted, sentences = split_sentences(golden), split_sentences(candidate)
        spans = windows(len(sentences))
        texts = [" ".join(sentences[i] for i in window) for window in spans]
        vectors = self.embedder.embed([*wanted, golden, *texts, candidate])
        first = len(wanted) + 1
        table = cosines(vectors[: first - 1], vectors[first:-1])
        whole = cosines(vectors[first - 1 : first], vectors[-1:])
        matches = tuple(
            _best(sentence, row, spans, texts) for sentence, row in zip(wanted, table, strict=True)
        )
        score = sum(match.cosine for match in matches) / len(matches)
        return TopicMatch(
            score=round(score, 4), cosine=float(whole[0, 0]), matches=matches, sentences=sentences
        )


def windows(count: int) -> list[tuple[int, ...]]:
    """Every sentence alone, then every two in a row."""
    return [(i,) for i in range(count)] + [(i, i + 1) for i in range(count - 1)]


def _best(
    golden: str, row: NDArray[np.float64], windows: Sequence[tuple[int, ...]], texts: Sequence[str]
) -> SentenceMatch:
    """The nearest window; among equals the first one, so single sentences win."""
    best = int(row.argmax())
    return SentenceMatch(
        golden=golden, candidate=texts[best], positions=windows[best], cosine=float(row[best])
    )
