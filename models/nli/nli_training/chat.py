"""Pairs in the manner of chatbots: a source, and a reply that keeps to it or adds to it.

What a speaker says of himself, also that he knows or read it, and whatever is added, no source
bears out; an opening like "Yes," says nothing (after BEGIN, Dziri et al. 2022: of the 111 replies
with an "I" in its development part, 2 are attributable). Word lists: words/chat.yaml.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

from nli_training.changes import cut_short, lower_first, other_form, synonym, word_lists
from nli_training.pairs import ENTAILMENT, NEUTRAL, Pair
from nli_training.words import word_lists as read_words

VERBS = {
    "en": "is|was|are|were|has|had|can|began|became|consists|includes",
    "es": "es|fue|era|son|fueron|está|tiene|tenía|puede|nació|empezó",
    "pt": "é|foi|era|são|foram|está|tem|tinha|pode|nasceu|começou",
}
PRONOUN = {"en": "it", "es": "eso", "pt": "isso"}


def lists() -> dict[str, dict[str, Any]]:
    """The lists of words/chat.yaml."""
    return read_words("chat")


def core(source: str, lang: str, rng: random.Random) -> str:
    """What is taken over from the source: all of it, its first part, or without its subject or
    what stands in brackets."""
    text = source.strip().rstrip(" .")
    if rng.random() < 0.5:
        text = re.sub(r" ?\([^()]*\)", "", text)
    if rng.random() < 0.4:
        text = cut_short(text, word_lists()[lang], rng) or text
    parts = re.split(r"(?<=\w)[,;] (?=[a-zà-ü])", text)
    if len(parts) > 1 and len(parts[0].split()) > 5 and rng.random() < 0.6:
        text = parts[0]
    found = re.search(rf"^([\w' ]{{3,40}}?) (?=(?:{VERBS[lang]})\b)", text)
    if lang == "en" and found and found.group(1).count(" ") < 3 and rng.random() < 0.5:
        text = f"{PRONOUN[lang]} {text[found.end() :]}"
    return text


def untidied(text: str, rng: random.Random) -> str:
    """Half of them as models of that time wrote: lower case, blanks before marks."""
    if rng.random() < 0.5:
        return text
    spaced = re.sub(r"(?<=\w)([.,!?])(?= |$)", r" \1", text)
    return spaced.lower() if rng.random() < 0.6 else spaced


def chat_pairs(source: str, lang: str, group: str, rng: random.Random) -> Iterator[Pair]:
    """Three replies that keep to the source, and five that don't."""
    words, alike = lists()[lang], word_lists()[lang]

    def reply(text: str, label: int) -> Pair:
        kind = "chat:kept" if label == ENTAILMENT else "chat:added"
        return Pair(source, untidied(text, rng), label, lang, kind, group)

    for _ in range(3):
        opening = rng.choice(["", rng.choice(words["openings"])])
        said = core(source, lang, rng)
        said = other_form(said, alike, rng) or said
        said = synonym(said, alike, rng) or said
        joined = said if not opening or opening.endswith((". ", "! ")) else lower_first(said)
        yield reply(f"{opening}{joined}.", ENTAILMENT)
    said = core(source, lang, rng)
    yield reply(f"{rng.choice(words['of_oneself'])}{lower_first(said)}.", NEUTRAL)
    said, opinion = core(source, lang, rng), rng.choice(words["opinions"])
    mixed = [f"{said}. {opinion}", f"{opinion} {said}."]
    yield reply(rng.choice(mixed), NEUTRAL)
    yield reply(f"{said} {rng.choice(words['additions'])}.", NEUTRAL)
    opening = rng.choice(["", rng.choice(words["openings"])])
    yield reply(f"{opening}{' '.join(rng.sample(words['opinions'], 2))}", NEUTRAL)
    asked = rng.choice(words["questions"]).format(lower_first(core(source, lang, rng)))
    yield reply(asked, NEUTRAL)
