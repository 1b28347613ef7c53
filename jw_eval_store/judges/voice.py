"""Active and passive of one statement: "God created the earth", "the earth was created by God".

Only where both say it in the same tense and with all the same words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from jw_eval_store.judges.guard.names import canonical
from jw_eval_store.judges.guard.pairs import Pair, Side
from jw_eval_store.judges.guard.words import Word, lemma

_VOICES: dict[str, tuple[tuple[str, str], ...]] = {
    "en": (
        (r"(?:is|are) being (\S+) by", r"(?:is|are) (\S+ing)"),
        (r"(?:was|were) (\S+) by", r"(\S*(?:ed|[^aeiou]ent|ote|oke|ade|aught|ought|eld|ound|ave))"),
    ),
    "es": (
        (r"(?:está|están) siendo (\S+) por", r"(?:está|están) (\S+ndo)"),
        (r"(?:fue|fueron) (\S+) por", r"(\S+(?:ó|aron|eron|hizo|dijo|puso))"),
    ),
    "pt": (
        (r"(?:está|estão) sendo (\S+) por", r"(?:está|estão) (\S+ndo)"),
        (r"(?:foi|foram) (\S+) por", r"(\S+(?:[aei]ram|ou|eu|iu|fez|disse|pôs))"),
    ),
}
"""Per language: a passive with its verb, and the active verb of the same tense."""

_ENDS = re.compile(r"(?:ed|ing|[ai]d[oa]s?|[aei]ndo|iendo|i?ó|aron|ieron|[aei]ram|ou|eu|iu)$")
"""Ends of participles, gerunds and past forms of regular verbs: simplemma takes many participles
for adjectives and gerunds for nouns."""


def is_other_voice(pair: Pair) -> bool:
    """Whether one sentence is the passive of the other."""
    return _is_passive_of(pair.golden, pair.candidate) or _is_passive_of(
        pair.candidate, pair.golden
    )


def _is_passive_of(passive: Side, active: Side) -> bool:
    said, told = _weighty(passive), _weighty(active)
    for passive_form, active_form in _VOICES[passive.lexicon.language]:
        done = _find(passive_form, said)
        for doing in _find_all(active_form, told) if done else ():
            if done and _fits(done, doing, passive.lexicon.language):
                return True
    return False


_Clause = tuple[list[str], str, list[str]]
"""The words before a verb, the verb as written, the words after it."""


def _fits(done: _Clause, doing: _Clause, language: str) -> bool:
    """The passive's subject is the active's object, its agent the active's subject."""
    (patient, participle, tail), (agent, verb, rest) = done, doing
    same_verb = lemma(participle, language) == lemma(verb, language) or (
        _ENDS.sub("", participle) == _ENDS.sub("", verb)
    )
    complete = bool(patient and agent) and tail[: len(agent)] == agent
    return same_verb and complete and rest == patient + tail[len(agent) :]


def _weighty(side: Side) -> list[Word]:
    return [w for w in side.words if w.lower not in side.lexicon.articles]


def _find(form: str, words: Sequence[Word]) -> _Clause | None:
    return next(iter(_find_all(form, words)), None)


def _find_all(form: str, words: Sequence[Word]) -> list[_Clause]:
    """Every place where a form stands, as clauses."""
    shown = " ".join(word.lemma if word.lemma == "por" else word.lower for word in words)
    found = []
    for match in re.finditer(rf"(?<!\S){form}(?!\S)", shown):
        start = shown.count(" ", 0, match.start())
        end = start + match[0].count(" ") + 1
        before, after = words[:start], words[end:]
        found.append(([canonical(w) for w in before], match[1], [canonical(w) for w in after]))
    return found
