"""All training pairs together, seeded: the same arguments give the same pairs in the same order."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from nli_training.changes import changed_pairs, joined_pairs
from nli_training.chat import chat_pairs, core, untidied
from nli_training.overlap import neighbours, reworded
from nli_training.pairs import DEVELOPMENT_SHARE, NEUTRAL, Pair, is_development
from nli_training.scenes import scene_pairs
from nli_training.sources import (
    SENTENCES,
    begin,
    families,
    golden_sentences,
    inferes,
    parallel,
    points,
    replies,
)
from nli_training.translate import translated
from nli_training.vocabulary import LANGUAGES

SCENES = {"es": 60, "en": 80, "pt": 120}
TRANSLATED = {"pt": 0.2, "en": 0.12, "es": 0.08}
CHANGED = 0.5
JOINED = 0.03
UNRELATED = 0.015
PARALLEL = 0.4
CHATS = {"en": 0.4, "es": 0.08, "pt": 0.08}
TALKED = 0.5
CLOSE = 0.5
HELD_OF_CHAT = 0.2
"""More than of the rest: BEGIN's rows are few, and their thresholds need many."""
KEPT = {
    "scene": 0.3,
    "points": 0.4,
    "joined": 0.5,
    "chat": 0.35,
    "change": 0.45,
    "pt_captions": 0.55,
    "es_general": 0.5,
    "es_general>pt": 0.5,
    "es_general>en": 0.5,
}
"""Share that is trained on: of what is made by rule less is left to learn."""
TIMES = {"inferes": 2, "begin": 10}
"""What others labelled is little, and what a model is measured on."""


@dataclass(frozen=True)
class Corpus:
    """Training and development pairs; no group stands in both."""

    training: list[Pair]
    development: list[Pair]

    def counts(self) -> dict[str, Counter[str]]:
        """Pairs per source and per language, for the log."""
        return {
            "training sources": Counter(p.source.split(":")[0] for p in self.training),
            "development sources": Counter(p.source.split(":")[0] for p in self.development),
            "languages": Counter(p.lang for p in self.training),
            "classes": Counter(str(p.label) for p in self.training),
        }


def sentences_of_tests(files: Iterable[Path]) -> set[str]:
    """Both sentences of test rows (JSON lines with `reference` and `text`): they stay out."""
    lines = (line for file in files for line in file.read_text(encoding="utf-8").splitlines())
    rows = [json.loads(line) for line in lines]
    return {row[side].strip() for row in rows for side in ("reference", "text")}


def build(
    data: Path,
    tests: list[Path],
    cache: Path,
    sentences: Path = SENTENCES,
    more: Iterable[Pair] = (),
    seed: int = 1,
) -> Corpus:
    """Reads `data`/inferes_train.csv and `data`/begin_dev_wow.tsv, and adds all that we make, and
    `more`."""
    rng, seen = random.Random(seed), sentences_of_tests(tests)
    labelled = list(inferes(data / "inferes_train.csv", seen))
    chatty = list(begin(data / "begin_dev_wow.tsv", seen))
    answered = list(replies(sentences))
    shares = {pair.group: HELD_OF_CHAT for pair in chatty + answered}
    labelled += chatty
    own = [*families(sentences), *more]
    pairs = labelled + own + _some(parallel(sentences), PARALLEL, rng)
    pairs += [p for p in answered if p.source != "close" or rng.random() < CLOSE]
    pairs += points(sentences)
    for lang, share in TRANSLATED.items():
        pairs += _some(translated(labelled + own, lang, cache), share, rng)
    made = list(_made(labelled, answered, sentences, rng))
    pairs += made
    pairs += list(_overlapping(answered, sentences, rng))
    pairs += list(_mixed(pairs, rng))
    pairs = [p for p in pairs if not {p.premise, p.hypothesis} & seen]
    rng.shuffle(pairs)
    held = [p for p in pairs if is_development(p.group, shares.get(p.group, DEVELOPMENT_SHARE))]
    groups = {p.group for p in held}
    training = [p for p in pairs if p.group not in groups and rng.random() < _kept(p)]
    return Corpus([p for p in training for _ in range(TIMES.get(p.source, 1))], held)


def _kept(pair: Pair) -> float:
    return KEPT.get(pair.source.split(":")[0], 1.0)


def _some(pairs: Iterable[Pair], share: float, rng: random.Random) -> list[Pair]:
    return [pair for pair in pairs if rng.random() < share]


def _made(
    labelled: list[Pair], answered: list[Pair], folder: Path, rng: random.Random
) -> Iterator[Pair]:
    """Scenes, changes of golden sentences and of the labelled sets' premises, and replies to
    what has been replied to."""
    for lang in LANGUAGES:
        for _ in range(SCENES[lang]):
            yield from scene_pairs(rng, lang)
    sentences = [*golden_sentences(folder)]
    premises = {p.premise: p for p in labelled}
    sentences += [(text, p.lang, p.group) for text, p in premises.items() if rng.random() < 0.5]
    for text, lang, group in sentences:
        if rng.random() < CHANGED:
            yield from changed_pairs(text, lang, group, rng)
        if rng.random() < CHATS[lang]:
            yield from chat_pairs(text, lang, group, rng)
    for source, lang in {p.premise: p.lang for p in answered}.items():
        if rng.random() < TALKED:
            yield from chat_pairs(source, lang, source, rng)


def _overlapping(answered: list[Pair], folder: Path, rng: random.Random) -> Iterator[Pair]:
    """Captions and sources of replies, in which shared words mean much."""
    captions = [s for s in golden_sentences(folder) if s[2].split(":")[0].endswith("_captions")]
    for sentence in captions * 2:
        yield from reworded(sentence, rng)
    yield from neighbours(captions, rng)
    sources = {p.premise: (p.premise, p.lang, p.group) for p in answered}
    for pair in neighbours(sources.values(), rng, HELD_OF_CHAT):
        reply = untidied(core(pair.hypothesis, pair.lang, rng), rng)
        yield pair.with_texts(pair.premise, reply, "overlap:other source")


def _mixed(pairs: list[Pair], rng: random.Random) -> Iterator[Pair]:
    """Longer texts, and pairs of sentences that have nothing to do with each other."""
    by_language: dict[str, list[Pair]] = {lang: [] for lang in LANGUAGES}
    for pair in pairs:
        by_language.get(pair.lang, []).append(pair)
    for lang, own in by_language.items():
        for pair in own:
            other = rng.choice(own)
            if other.group == pair.group or is_development(other.group) != is_development(
                pair.group
            ):
                continue
            if rng.random() < JOINED and pair.label <= 2:
                yield from joined_pairs(pair, other.premise, rng)
            if rng.random() < UNRELATED:
                yield Pair(pair.premise, other.hypothesis, NEUTRAL, lang, "unrelated", pair.group)


def save(pairs: list[Pair], file: Path) -> None:
    """JSON lines."""
    lines = (json.dumps(asdict(pair), ensure_ascii=False) for pair in pairs)
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def load(file: Path) -> list[Pair]:
    """What `save` wrote."""
    return [Pair(**json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]
