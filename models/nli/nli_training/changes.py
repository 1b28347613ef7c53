"""Pairs made from one sentence by a change whose effect on the meaning is known.

Each maker of a contradiction has a counterpart that looks alike and keeps the meaning, so that no
word gives the class away: a negation beside a double negation, another name beside a synonym.
The word lists are words/changes.yaml.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import Any

from nli_training.pairs import CONTRADICTION, ENTAILMENT, NEUTRAL, Pair
from nli_training.words import word_lists as read_words

Change = Callable[[str, dict[str, Any], random.Random], str | None]


def word_lists() -> dict[str, dict[str, Any]]:
    """The lists of words/changes.yaml."""
    return read_words("changes")


def lower_first(text: str) -> str:
    """As it reads inside another sentence: names keep their capital."""
    first = text.split(" ", 1)[0]
    names = {n for lists in word_lists().values() for group in lists["names"] for n in group}
    proper = first in names or first in ("Dios", "God", "Deus", "Jehová", "Jehovah", "Jeová", "I")
    return text if proper or first[1:2].isupper() else text[:1].lower() + text[1:]


def swap_word(text: str, old: str, new: str) -> str | None:
    """The one occurrence of a word put another way; none if it is absent or stands twice."""
    found = list(re.finditer(rf"(?<!\w){re.escape(old)}(?!\w)", text))
    return None if len(found) != 1 else text[: found[0].start()] + new + text[found[0].end() :]


def negate(text: str, lists: dict[str, Any], rng: random.Random) -> str | None:
    """ "not" at the first verb of the list, or taken away where it stands."""
    word = lists["negation"]
    if re.search(rf"(?<!\w){word}(?!\w)", text, re.IGNORECASE):
        bare = re.sub(rf"(?<!\w){word} ", "", text, count=1)
        return bare if bare != text else None
    before = "(?<!que )(?<!that )"
    found = re.search(rf"{before}(?<!\w)({'|'.join(lists['verbs'])})(?!\w)", text)
    if found is None or found.start() == 0:
        return None
    verb = found.group(1)
    new = f"{verb} {word}" if word == "not" else f"{word} {verb}"
    return text[: found.start()] + new + text[found.end() :]


def antonym(text: str, lists: dict[str, Any], rng: random.Random) -> str | None:
    """A word put as its opposite."""
    pairs = [*lists["antonyms"], *([b, a] for a, b in lists["antonyms"])]
    return _first_swap(text, pairs, rng)


def synonym(text: str, lists: dict[str, Any], rng: random.Random) -> str | None:
    """A word put another way."""
    pairs = [*lists["synonyms"], *([b, a] for a, b in lists["synonyms"])]
    return _first_swap(text, pairs, rng)


def weaker(text: str, lists: dict[str, Any], rng: random.Random) -> str | None:
    """ "All" made "some": it follows."""
    return _first_swap(text, lists["all_some"], rng)


def stronger(text: str, lists: dict[str, Any], rng: random.Random) -> str | None:
    """ "Some" made "all": it does not follow."""
    return _first_swap(text, lists["some_all"], rng)


def other_name(text: str, lists: dict[str, Any], rng: random.Random) -> str | None:
    """A name put in the place of another of its kind."""
    groups = [g for g in lists["names"] if any(swap_word(text, n, n) for n in g)]
    if not groups:
        return None
    group = rng.choice(groups)
    present = [n for n in group if swap_word(text, n, n)]
    return swap_word(text, rng.choice(present), rng.choice([n for n in group if n not in text]))


def swapped_roles(text: str, lists: dict[str, Any], rng: random.Random) -> str | None:
    """Two names of people change places."""
    present = [n for n in lists["names"][0] if swap_word(text, n, n)]
    joined = any(f"{a} {word} {b}" in text for a in present for b in present for word in "yeo")
    if len(present) != 2 or joined or " and " in text:
        return None
    a, b = present
    marked = swap_word(text, a, "\0")
    half = swap_word(marked, b, a) if marked else None
    return half.replace("\0", b) if half else None


def other_number(text: str, lists: dict[str, Any], rng: random.Random) -> str | None:
    """A figure, or a number word, put as another."""
    found = re.search(r"(?<![\w:.,])\d+(?![\w])", text)
    if found:
        value = int(found.group())
        step = rng.choice([-10, -7, -3, -2, -1, 1, 2, 5, 10, 40])
        new = value + step if value + step > 0 else value + 3
        return text[: found.start()] + str(new) + text[found.end() :]
    present = [n for n in lists["numbers"][1:] if swap_word(text, n, n)]
    if not present:
        return None
    others = [n for n in lists["numbers"][1:] if n not in present]
    return swap_word(text, rng.choice(present), rng.choice(others))


def other_form(text: str, lists: dict[str, Any], rng: random.Random) -> str | None:
    """A number as a figure instead of a word, or the other way: it follows."""
    if re.search(r"\d[:.,]\d", text):
        return None
    forms = [(word, figure) for figure, word in lists["figures"].items()]
    return _first_swap(text, [[a, b] for pair in forms for a, b in (pair, pair[::-1])], rng)


def other_form_and_number(text: str, lists: dict[str, Any], rng: random.Random) -> str | None:
    """Another number, in the other form."""
    changed = other_number(text, lists, rng)
    return other_form(changed, lists, rng) if changed else None


def in_a_manner(text: str, lists: dict[str, Any], rng: random.Random) -> str | None:
    """How it is done, added before the first participle: it does not follow, but what was there
    follows from it."""
    found = re.search(lists["doing"], text)
    if found is None or re.search(rf"(?<!\w){lists['negation']}(?!\w)", text, re.IGNORECASE):
        return None
    manner = rng.choice(lists["manners"])
    return text[: found.start(1)] + f"{manner} " + text[found.start(1) :]


def other_reference(text: str, lists: dict[str, Any], rng: random.Random) -> str | None:
    """Another book or verse of the Bible."""
    found = re.search(rf"({'|'.join(lists['books'])}) (\d+):(\d+)", text)
    if found is None:
        return None
    book, chapter, verse = found.groups()
    if rng.random() < 0.5:
        book = rng.choice([b for b in lists["books"] if b != book])
    else:
        verse = str(int(verse) + rng.randint(1, 9))
    return text[: found.start()] + f"{book} {chapter}:{verse}" + text[found.end() :]


def framed(kind: str) -> Change:
    """The sentence inside one of the frames of that kind."""

    def change(text: str, lists: dict[str, Any], rng: random.Random) -> str | None:
        if len(text.split()) > 30:
            return None
        frame: str = rng.choice(lists[kind])
        return frame.format(lower_first(text.rstrip(" .")) if not frame.startswith("{") else text)

    return change


def denied_negation(text: str, lists: dict[str, Any], rng: random.Random) -> str | None:
    """ "It is false that <the opposite>": a double negation, so the meaning stays."""
    opposite = negate(text, lists, rng)
    return framed("deny")(opposite, lists, rng) if opposite else None


def shortened(text: str, lists: dict[str, Any], rng: random.Random) -> str | None:
    """The part before the last comma or semicolon."""
    head, _, tail = text.rstrip(".").rpartition(rng.choice([", ", "; "]))
    conditions = ("si ", "if ", "se ", "when", "cuando", "quando", "aunque", "although", "embora")
    bare = head.lower().startswith(conditions)
    return head + "." if len(head.split()) > 4 and len(tail.split()) > 2 and not bare else None


def cut_short(text: str, lists: dict[str, Any], rng: random.Random) -> str | None:
    """Without what follows a preposition near the end; not where a word makes a part say more than
    the whole, as "only" and "the largest" do."""
    if re.search(lists["narrow"], text, re.IGNORECASE):
        return None
    places = [m.start() for m in re.finditer(lists["prepositions"], text)]
    heads = [text[:at].rstrip(" ,;") for at in places]
    whole = [h for h in heads if len(h.split()) > 4 and not re.search(lists["open_end"], h)]
    return rng.choice(whole) if whole else None


def cut_short_and_changed(text: str, lists: dict[str, Any], rng: random.Random) -> str | None:
    """Another number, name or opposite in what is left."""
    head = cut_short(text, lists, rng)
    changes = rng.sample([other_number, other_name, antonym], 3)
    return next((new for c in changes if head and (new := c(head, lists, rng))), None)


def as_it_is(text: str, lists: dict[str, Any], rng: random.Random) -> str | None:
    """The same in other letters, or without its full stop."""
    return rng.choice(
        [text.lower(), text.rstrip("."), text.upper() if rng.random() < 0.2 else text]
    )


def untidy(text: str, lists: dict[str, Any], rng: random.Random) -> str | None:
    """Case and punctuation as chatbots write them."""
    return rng.choice([text.lower(), text.rstrip("."), text.replace(",", " ,")])


def _first_swap(text: str, pairs: list[list[str]], rng: random.Random) -> str | None:
    present = [(a, b) for a, b in pairs if swap_word(text, a, b) and b not in text]
    return swap_word(text, *rng.choice(present)) if present else None


CHANGES: tuple[tuple[str, Change, int, float], ...] = (
    ("negation", negate, CONTRADICTION, 0.5),
    ("antonym", antonym, CONTRADICTION, 0.6),
    ("name", other_name, CONTRADICTION, 0.4),
    ("roles", swapped_roles, CONTRADICTION, 1.0),
    ("number", other_number, CONTRADICTION, 0.4),
    ("reference", other_reference, CONTRADICTION, 0.8),
    ("other number in another form", other_form_and_number, CONTRADICTION, 0.15),
    ("number in another form", other_form, ENTAILMENT, 0.6),
    ("manner", in_a_manner, NEUTRAL, 0.35),
    ("denied", framed("deny"), CONTRADICTION, 0.12),
    ("stronger", stronger, NEUTRAL, 0.6),
    ("weaker", weaker, ENTAILMENT, 0.5),
    ("affirmed", framed("affirm"), ENTAILMENT, 0.12),
    ("hedged", framed("hedges"), ENTAILMENT, 0.06),
    ("double negation", denied_negation, ENTAILMENT, 0.3),
    ("synonym", synonym, ENTAILMENT, 0.6),
    ("shortened", shortened, ENTAILMENT, 0.6),
    ("untidy", untidy, ENTAILMENT, 0.12),
    ("copy", as_it_is, ENTAILMENT, 0.08),
    ("cut short", cut_short, ENTAILMENT, 0.25),
    ("cut short and changed", cut_short_and_changed, CONTRADICTION, 0.2),
)


def changed_pairs(text: str, lang: str, group: str, rng: random.Random) -> Iterator[Pair]:
    """What the changes make of a sentence; each is used at random as often as its share says."""
    lists = word_lists()[lang]
    for name, change, label, share in CHANGES:
        new = change(text, lists, rng) if rng.random() < share else None
        if new is not None and (new != text or name == "copy"):
            yield Pair(text, new, label, lang, f"change:{name}", group)
            if label == CONTRADICTION and rng.random() < 0.4:
                yield Pair(new, text, label, lang, f"change:{name}", group)
            if name == "manner":
                yield Pair(new, text, ENTAILMENT, lang, "change:manner dropped", group)


def joined_pairs(first: Pair, other: str, rng: random.Random) -> Iterator[Pair]:
    """A longer premise or hypothesis: a sentence more, before or after."""
    around = rng.choice([_after(first.premise, other), _after(other, first.premise)])
    yield first.with_texts(around, first.hypothesis, "joined:premise")
    if first.label != NEUTRAL:
        longer = rng.choice([_after(first.hypothesis, other), _after(other, first.hypothesis)])
        label = NEUTRAL if first.label == ENTAILMENT else CONTRADICTION
        yield first.with_texts(first.premise, longer, "joined:hypothesis", label)


def _after(first: str, second: str) -> str:
    return f"{first}{'' if first.endswith(('.', '?', '!')) else '.'} {second}"
