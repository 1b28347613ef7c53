"""The tokenizer, cut to what Spanish, English and Portuguese need.

multilingual-e5-small knows 250,002 pieces of a hundred languages; two thirds of its bytes. The
pieces kept are those that the commonest words of the three languages (wordfreq) and the training
pairs are made of, and every single character of the Latin, Greek and Hebrew scripts. Scores stay,
so that a word that is covered is cut as before.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable

from tokenizers import Regex, Tokenizer, normalizers, pre_tokenizers
from tokenizers.models import Unigram

from nli_training.e5 import Start

LANGUAGES = ("es", "en", "pt")
SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")
SCRIPTS = ("LATIN", "GREEK", "HEBREW", "DIGIT")
WORDS_PER_LANGUAGE = 100_000
PIECES = 38_000


def make_tokenizer(pieces: list[str], scores: Iterable[float]) -> Tokenizer:
    """A unigram tokenizer (Kudo 2018) with SentencePiece's normalisation; ids follow `pieces`."""
    vocabulary = list(zip(pieces, map(float, scores), strict=True))
    tokenizer = Tokenizer(Unigram(vocabulary, unk_id=SPECIAL.index("<unk>"), byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.NFKC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Strip()]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    return tokenizer


def common_words() -> list[str]:
    """The commonest words of each language, as written and with a capital."""
    from wordfreq import top_n_list

    words = [w for code in LANGUAGES for w in top_n_list(code, WORDS_PER_LANGUAGE)]
    return words + [word.capitalize() for word in words]


def choose_pieces(start: Start, texts: Iterable[str], limit: int = PIECES) -> list[int]:
    """Ids of the pieces to keep, in the order of the original; at most `limit` of them."""
    whole = make_tokenizer(start.pieces, start.scores)
    used: Counter[int] = Counter()
    for encoding in whole.encode_batch(common_words()):
        used.update(set(encoding.ids))
    for encoding in whole.encode_batch(list(texts)):
        used.update(dict.fromkeys(set(encoding.ids), 3))
    always = {*range(len(SPECIAL)), *(i for i, p in enumerate(start.pieces) if _is_character(p))}
    ranked = [i for i, _ in used.most_common() if i not in always]
    return sorted(always | set(ranked[: limit - len(always)]))


def _is_character(piece: str) -> bool:
    bare = piece.removeprefix("\u2581")
    if len(bare) != 1:
        return piece == "\u2581"
    return (not bare.isalpha() and ord(bare) < 0x2200) or _script(bare) in SCRIPTS


def _script(character: str) -> str:
    return unicodedata.name(character, "").split(" ", 1)[0]
