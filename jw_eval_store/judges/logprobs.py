"""How sure a model was: the probability of each allowed answer, read at the answer's own tokens.

Log-probabilities are the model's before any grammar mask, so they are renormalised over the allowed
labels; where little of the probability is on these, the model had something else in mind and no
confidence is given. Weighting scores by probability is G-Eval's (Liu et al. 2023).
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Sequence

from jw_eval_store.judges.interface import MIN_PROBABILITY, LlmReply, TokenLogprob

MIN_MASS = 0.5
"""Probability that must be on the allowed labels together for a confidence to mean anything."""

_LEADING = " \t\r\n\"'"
_ENDS = re.compile(r"""[\s"',.}\]]""")


def distribution(
    reply: LlmReply, key: str, labels: Sequence[str], taken: str
) -> dict[str, float] | None:
    """Probability (sum 1) of each label that could have stood as the value of `key`.

    `taken` is the label that was read from the reply. None where there are no log-probabilities,
    where the tokens do not spell what was read, or where there is little mass on the labels.
    """
    tokens = reply.logprobs or ()
    start = _value_start("".join(token.token for token in tokens), key)
    if start is None:
        return None
    masses: dict[str, float] = defaultdict(float)
    _gather(masses, _from(tokens, start), list(labels), "", 1.0)
    kept = {label: masses[label] for label in labels if masses[label] >= MIN_PROBABILITY}
    total = sum(kept.values())
    if taken not in kept or total < MIN_MASS:
        return None
    return {label: mass / total for label, mass in kept.items()}


def weighted_score(reply: LlmReply, low: int, high: int, taken: int) -> float | None:
    """Mean of the whole numbers low..high by their probability; None without confidence."""
    labels = [str(number) for number in range(low, high + 1)]
    found = distribution(reply, "score", labels, str(taken))
    return None if found is None else sum(int(label) * p for label, p in found.items())


def margin(probabilities: Sequence[float]) -> float:
    """Distance of an answer from its border: 0 where two are equally likely, 1 if one is sure."""
    first, second = [*sorted(probabilities, reverse=True), 0.0, 0.0][:2]
    return first - second


def _value_start(text: str, key: str) -> int | None:
    """Where the value of a key begins: at its last mention, since models may draft before.

    Quotes within strings are escaped in JSON, so an unescaped `"key":` is a key.
    """
    found = list(re.finditer(rf'(?<!\\)"{re.escape(key)}"\s*:\s*"?', text))
    return found[-1].end() if found else None


def _from(tokens: Sequence[TokenLogprob], start: int) -> list[tuple[str, TokenLogprob]]:
    """The tokens from a position on, each with the part of it that stands before the position."""
    placed, position = [], 0
    for token in tokens:
        end = position + len(token.token)
        if end > start:
            placed.append((token.token[: max(0, start - position)], token))
        position = end
    return placed


def _gather(
    masses: dict[str, float],
    tokens: list[tuple[str, TokenLogprob]],
    labels: list[str],
    written: str,
    mass: float,
) -> None:
    """Add the mass of each label that can follow what is `written` of it so far.

    What may still become several labels ("1" of 1 and 10) is followed along the tokens that were
    written: P(a) * P(b given a). Where it was not written, its share is unknown and left out.
    """
    if not tokens:
        return
    before, token = tokens[0]
    whole = _whole_labels(token, before, labels) if not written else set()
    for text, logprob in _options(token):
        part = mass * math.exp(min(logprob, 0.0))
        spelled = written + _spelled(text, before, first=not written)
        fitting = _fitting(spelled, labels, whole)
        if len(fitting) == 1:
            masses[fitting[0]] += part
        elif fitting and text == token.token:
            _gather(masses, tokens[1:], fitting, spelled, part)


def _options(token: TokenLogprob) -> list[tuple[str, float]]:
    """The alternatives at a place, the token written among them, each once."""
    options = dict(token.alternatives)
    options.setdefault(token.token, token.logprob)
    return list(options.items())


def _spelled(text: str, before: str, *, first: bool) -> str:
    """What an alternative adds to the label: without what stands before the value."""
    if not first:
        return text
    return (
        text[len(before) :].lstrip(_LEADING) if text.startswith(before) else text.lstrip(_LEADING)
    )


def _fitting(spelled: str, labels: list[str], whole: set[str]) -> list[str]:
    """Labels that a spelling can still become; a sign after it, or `whole`, ends it."""
    ended = _ENDS.search(spelled)
    if ended:
        return [label for label in labels if label == spelled[: ended.start()].casefold()]
    folded = spelled.casefold()
    if folded in whole:
        return [folded]
    return [label for label in labels if folded and label.startswith(folded)]


def _whole_labels(token: TokenLogprob, before: str, labels: list[str]) -> set[str]:
    """Labels that are a token of their own where longer ones are too: then "1" never means 10."""
    seen = {_spelled(text, before, first=True).casefold() for text, _ in _options(token)}
    return {
        label
        for label in labels
        if label in seen
        and all(longer in seen for longer in labels if longer != label and longer.startswith(label))
    }
