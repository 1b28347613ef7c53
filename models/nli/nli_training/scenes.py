"""Pairs of everyday scenes from a small grammar (words/scenes.yaml), in es, en and pt.

A scene is who does what, and where. What follows from it: the same in other words, a more general
who, what or where, something left out, the passive. What contradicts it: that nobody does it, that
one does not, the opposite of what or where. What is neutral: another who or what, something added.
Absence turns the direction round: that no person runs entails that no man runs.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from nli_training.pairs import CONTRADICTION, ENTAILMENT, NEUTRAL, Pair
from nli_training.vocabulary import LANGUAGES
from nli_training.words import word_lists as read_words

IS = {"es": "está", "en": "is", "pt": "está"}
ISNT = {"es": "no está", "en": "is not", "pt": "não está"}
THERE = {"es": "hay", "en": "there is", "pt": "há"}
THERE_ISNT = {"es": "no hay", "en": "there is", "pt": "não há"}
BESIDES = {"es": "y mira a su alrededor", "en": "and looking around", "pt": "e olhando em volta"}


def lists() -> dict[str, dict[str, Any]]:
    """The lists of words/scenes.yaml."""
    return read_words("scenes")


@dataclass(frozen=True)
class Scene:
    """Keys of the word lists; `where` may be empty; `other` picks the other wording of `do`."""

    who: str
    do: str
    where: str = ""
    other: bool = False

    def doing(self, lang: str) -> str:
        """What is done, in words that follow is/está."""
        entry = lists()["do"][self.do]
        if self.other and "same" in entry:
            return str(entry["same"][LANGUAGES.index(lang)][0])
        return str(entry[lang])

    def place(self, lang: str) -> str:
        """Where, after a blank; or nothing."""
        return " " + lists()["where"][self.where][lang] if self.where else ""


def told(scene: Scene, lang: str, way: str) -> str:
    """A sentence that says the scene (plain, definite, exists, passive), or denies it."""
    who, at = lists()["who"][scene.who], LANGUAGES.index(lang)
    doing, place = scene.doing(lang), scene.place(lang)
    sentence = {
        "plain": lambda: f"{who[lang]} {IS[lang]} {doing}{place}",
        "definite": lambda: f"{who['the'][at]} {IS[lang]} {doing}{place}",
        "exists": lambda: f"{THERE[lang]} {who[lang]} {doing}{place}",
        "passive": lambda: f"{lists()['do'][scene.do]['passive'][at][0]} {who[lang]}{place}",
        "isnt": lambda: f"{who['the'][at]} {ISNT[lang]} {doing}{place}",
        "none": lambda: f"{who['none'][at]} {IS[lang]} {doing}{place}",
        "noexists": lambda: f"{THERE_ISNT[lang]} {who['none'][at]} {doing}{place}",
    }[way]()
    return sentence[:1].upper() + sentence[1:]


def more_general(scene: Scene, rng: random.Random) -> Scene:
    """One step up in who, what or where, or where left out; the scene itself where none is."""
    ups = [
        replace(scene, **{part: up})
        for part in ("who", "do", "where")
        if (up := lists()[part].get(getattr(scene, part), {}).get("up"))
    ]
    return rng.choice([*ups, replace(scene, where=""), replace(scene, other=True)])


def against(scene: Scene, rng: random.Random) -> Scene | None:
    """A scene of the same person that can't be at once."""
    found = [
        replace(scene, **{part: other})
        for part in ("do", "where")
        if (other := lists()[part].get(getattr(scene, part), {}).get("against"))
    ]
    return rng.choice(found) if found else None


def elsewhere(scene: Scene, rng: random.Random) -> Scene:
    """A scene that shares some of it and may be true as well."""
    choices = [(part, key) for part in ("who", "do") for key in _unrelated(part, scene)]
    part, key = rng.choice(choices)
    return replace(scene, other=False, **{part: key})


def _unrelated(part: str, scene: Scene) -> list[str]:
    """Entries neither above nor below the scene's own, that go with the rest of it."""
    own = getattr(scene, part)
    related = {own, *_up(part, own)} | {k for k in lists()[part] if own in _up(part, k)}
    return [k for k in lists()[part] if k not in related and _fits(part, k, scene)]


def _up(part: str, key: str) -> list[str]:
    above = lists()[part].get(key, {}).get("up")
    return [above, *_up(part, above)] if above else []


def _fits(part: str, key: str, scene: Scene) -> bool:
    if part == "do":
        opposite = lists()["do"][scene.do].get("against")
        animal = "animal" in [scene.who, *_up("who", scene.who)]
        return key != opposite and (not animal or lists()["do"][key]["by"] == "all")
    animal = "animal" in [key, *_up("who", key)]
    return not animal or lists()["do"][scene.do]["by"] == "all"


def random_scene(rng: random.Random) -> Scene:
    """Animals do only what animals do."""
    do = rng.choice(list(lists()["do"]))
    whos = [w for w in lists()["who"] if _fits("who", w, Scene("man", do))]
    return Scene(rng.choice(whos), do, rng.choice(["", *lists()["where"]]), rng.random() < 0.3)


def _says(scene: Scene, rng: random.Random, definite: bool = True) -> str:
    ways = ["plain", "plain", "exists", *(["definite"] if definite else [])]
    return rng.choice([*ways, *(["passive"] if "passive" in lists()["do"][scene.do] else [])])


def scene_pairs(rng: random.Random, lang: str) -> Iterator[Pair]:
    """About nine pairs around one scene."""
    scene = random_scene(rng)
    group = f"scene:{scene.who}:{scene.do}:{scene.where}"

    def pair(premise: str, hypothesis: str, label: int, kind: str) -> Pair:
        return Pair(premise, hypothesis, label, lang, f"scene:{kind}", group)

    said = told(scene, lang, _says(scene, rng))
    denied = told(scene, lang, rng.choice(["none", "noexists", "isnt"]))
    general, other, opposite = more_general(scene, rng), elsewhere(scene, rng), against(scene, rng)
    yield pair(said, told(general, lang, _says(general, rng)), ENTAILMENT, "general")
    again = replace(scene, other=not scene.other)
    yield pair(said, told(again, lang, _says(again, rng)), ENTAILMENT, "again")
    yield pair(said, denied, CONTRADICTION, "denied")
    yield pair(denied, said, CONTRADICTION, "denied")
    if general.who == scene.who or rng.random() < 0.3:
        yield pair(said, told(general, lang, "isnt"), CONTRADICTION, "general denied")
    yield pair(said, told(other, lang, _says(other, rng)), NEUTRAL, "other")
    yield pair(said, told(other, lang, rng.choice(["none", "isnt"])), NEUTRAL, "other denied")
    yield pair(denied, told(other, lang, _says(other, rng)), NEUTRAL, "other said")
    none = told(general, lang, rng.choice(["none", "noexists"]))
    yield pair(none, told(scene, lang, rng.choice(["none", "noexists"])), ENTAILMENT, "none")
    if (general.who, general.do, general.where) != (scene.who, scene.do, scene.where):
        yield pair(told(general, lang, _says(general, rng)), said, NEUTRAL, "specific")
    yield pair(said, f"{said} {BESIDES[lang]}", NEUTRAL, "added")
    if opposite is not None:
        yield pair(said, told(opposite, lang, _says(opposite, rng)), CONTRADICTION, "opposite")
