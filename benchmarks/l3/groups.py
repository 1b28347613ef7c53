"""Which pairs belong together: sets, lengths, halves and a small sample for slow judges."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Hashable, Sequence

from jw_eval_store.judges.pairs import LabelledPair

LONG = 60
"""Words of golden answer and candidate together from which a pair is long."""
SEED = 20261130


def for_tuning(pair: LabelledPair) -> bool:
    """One half of the references, the same in every run."""
    return hashlib.sha256(pair.reference.encode()).digest()[0] % 2 == 0


def language(pair: LabelledPair) -> str:
    """The golden answer's language."""
    return pair.language.split("-")[0]


def is_long(pair: LabelledPair) -> bool:
    """Whether golden answer and candidate are long together."""
    return len(f"{pair.reference} {pair.text}".split()) >= LONG


def group(pair: LabelledPair) -> str:
    """A table's title."""
    return f"{pair.group or 'doctrine'} ({language(pair)}{', long' if is_long(pair) else ''})"


def sample(
    pairs: Sequence[LabelledPair], each: int, stratum: Callable[[LabelledPair], Hashable]
) -> list[LabelledPair]:
    """At most `each` pairs of every stratum, the same in every run."""
    strata: dict[Hashable, list[LabelledPair]] = {}
    for pair in pairs:
        strata.setdefault(stratum(pair), []).append(pair)
    chooser = random.Random(SEED)
    return [
        pair
        for key in sorted(strata, key=str)
        for pair in chooser.sample(strata[key], min(each, len(strata[key])))
    ]
