"""Hold every golden sentence against every candidate sentence: what three numbers come of it.

The golden answer is the premise. `support`: everything that is said follows from it; `coverage`:
each of its sentences is the ground of something that is said; `contradiction`: the worst of all
pairs, so that one contradiction in a long answer counts like one in a short one. What follows from
a part of the golden answer contradicts no other part of it, since that agrees with itself: a
contradiction counts no more than its sentence lacks support.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.judges.inference.interface import Inference, InferenceModel
from jw_eval_store.judges.inference.plain import apart, as_seen, in_small_letters, says_the_same
from jw_eval_store.judges.sentences import split_sentences, windows

AGGREGATION = "3"
"""Grows whenever the same probabilities may give other numbers."""

SENTENCES = "2"
"""Grows whenever the same text may be cut into other statements."""

BRIEF = 4
"""Most pairs of sentences for which a contradiction may fail an answer without a judge."""

MOST = 10_000
"""Most pairs that are asked, two minutes and more of one processor: an agent that answers with a
book must not hold up a run for hours."""

REPEATED = Inference(1.0, 0.0, 0.0)
"""Of a sentence that is the premise word for word. No model is asked: of the sentences that it was
trained on one was mostly changed, so in every third repeated one it sees a contradiction."""

WHOLE = -1
"""In place of a golden sentence's number: the whole golden answer."""


@dataclass(frozen=True)
class Held:
    """One premise and hypothesis: a golden sentence (or all), one or two candidate sentences."""

    golden: int
    window: tuple[int, ...]
    inference: Inference


@dataclass(frozen=True)
class Sheet:
    """All that was asked; `golden` and `candidate` are statements.

    `skipped` counts pairs beside the needed ones that were too long.
    """

    golden: tuple[str, ...]
    candidate: tuple[str, ...]
    held: tuple[Held, ...]
    skipped: int = 0

    @cached_property
    def grounds(self) -> tuple[Held, ...]:
        """For each candidate sentence the pair that supports it best."""
        return tuple(
            max(
                (one for one in self.held if place in one.window),
                key=lambda one: self._supports(one, place),
            )
            for place in range(len(self.candidate))
        )

    def _supports(self, one: Held, place: int) -> float:
        """How far a pair supports one of its candidate sentences.

        Two in a row that say and deny the same are entailed as often as not, so they lend a
        sentence no more than is left of what the same premise contradicts in it alone.
        """
        alone = self._alone.get((one.golden, place))
        if len(one.window) == 1 or alone is None:
            return one.inference.entailment
        return min(one.inference.entailment, round(1 - alone.inference.contradiction, 4))

    @cached_property
    def _alone(self) -> dict[tuple[int, int], Held]:
        """Pairs with one candidate sentence, by golden sentence and place."""
        return {(one.golden, one.window[0]): one for one in self.held if len(one.window) == 1}

    @cached_property
    def _supported(self) -> tuple[float, ...]:
        """For each candidate sentence how far it is supported."""
        return tuple(self._supports(one, place) for place, one in enumerate(self.grounds))

    @cached_property
    def echoes(self) -> tuple[Held, ...]:
        """For each golden sentence the pair in which it is said best."""
        return tuple(
            max((one for one in self.held if one.golden == place), key=_entailment)
            for place in range(len(self.golden))
        )

    @cached_property
    def worst(self) -> Held:
        """The greatest contradiction with a candidate sentence by itself."""
        return max(self._alone.values(), key=self._against)

    def _against(self, one: Held) -> float:
        """What a pair contradicts, no more than its candidate sentence lacks support."""
        support = self._supported[one.window[0]]
        return min(one.inference.contradiction, round(1 - support, 4))

    @property
    def support(self) -> float:
        """How sure it is that nothing is added, 0..1."""
        return min(self._supported)

    @property
    def coverage(self) -> float:
        """How sure it is that nothing is missing, 0..1."""
        return min(map(_entailment, self.echoes))

    @property
    def contradiction(self) -> float:
        """How sure it is that something contradicts, 0..1."""
        return self._against(self.worst)

    @property
    def is_brief(self) -> bool:
        """Whether it is of the size that thresholds are found on: each pair more may err."""
        return len(self.golden) * len(self.candidate) <= BRIEF

    @property
    def score(self) -> float:
        """Nothing added and nothing missing, 0..1."""
        return min(self.support, self.coverage)

    def premise(self, one: Held) -> str:
        """The golden answer's part of a pair."""
        return " ".join(self.golden) if one.golden == WHOLE else self.golden[one.golden]

    def said(self, one: Held) -> str:
        """The candidate's part of a pair."""
        return " ".join(self.candidate[place] for place in one.window)


def _entailment(one: Held) -> float:
    return one.inference.entailment


def hold_together(model: InferenceModel, golden: str, candidate: str) -> Sheet:
    """Every golden sentence, and the whole answer, against every sentence and every two in a row.

    Raises UsageError for an empty text, for more than `MOST` pairs, and for two sentences that are
    over the model's window. The whole answer and two in a row are left out where they are: without
    them less is supported.
    """
    wanted, said = statements(golden), statements(candidate)
    if not wanted or not said:
        raise UsageError("there is no sentence to read", hint="give two texts")
    spans = windows(len(said))
    asked = len(spans) * (len(wanted) + (len(wanted) > 1))
    if asked > MOST:
        raise UsageError(
            f"{asked} pairs of sentences are too many ({MOST})", hint="ask for a shorter answer"
        )
    known: dict[tuple[str, str], Inference | None] = {}
    held = []
    for place, premise in _premises(wanted):
        for window in spans:
            pair = (premise, " ".join(said[i] for i in window))
            if pair not in known:
                needed = place != WHOLE and len(window) == 1
                known[pair] = _inferred(model, pair, needed=needed)
            inference = known[pair]
            held += [] if inference is None else [Held(place, window, inference)]
    return Sheet(wanted, said, tuple(held), asked - len(held))


def statements(text: str) -> tuple[str, ...]:
    """The sentences of a text. One of a single word (`No.`) states nothing by itself.

    Held alone it would entail nothing and contradict anything, so it goes with the next sentence,
    or at the end with the one before. They are read as people see them, without HTML and invisible
    characters, and end where the next one begins, though no blank stands between them.
    """
    found: list[str] = []
    waiting = ""
    for sentence in split_sentences(apart(as_seen(text))):
        whole = f"{waiting} {sentence}".strip()
        waiting = "" if " " in whole else whole
        found += [] if waiting else [whole]
    if waiting:
        found[-1:] = [f"{found[-1]} {waiting}" if found else waiting]
    return tuple(found)


def _premises(wanted: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    yield from enumerate(wanted)
    if len(wanted) > 1:
        yield WHOLE, " ".join(wanted)


def _inferred(model: InferenceModel, pair: tuple[str, str], *, needed: bool) -> Inference | None:
    if says_the_same(*pair):
        return REPEATED
    premise, hypothesis = map(in_small_letters, pair)
    try:
        return model.infer([(premise, hypothesis)])[0]
    except UsageError:
        if needed:
            raise
        return None
