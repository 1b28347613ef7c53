"""Which kind of text a labelled set is of: thresholds are found per kind and language."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from jw_eval_store.domain.inference import DEFAULT_KIND
from jw_eval_store.judges.pairs import LabelledPair

KINDS = {"inferes": "encyclopaedia", "sick": "captions", "begin": "chat"}


def with_kind(pair: LabelledPair) -> LabelledPair:
    """The pair with the kind of its set; without a set it is doctrine."""
    name = pair.group.casefold()
    kind = next((kind for start, kind in KINDS.items() if name.startswith(start)), DEFAULT_KIND)
    return replace(pair, kind=kind)


def title(pair: LabelledPair) -> str:
    """A table's name."""
    return f"{pair.group or DEFAULT_KIND} ({pair.language.split('-')[0]})"


def grouped(pairs: Iterable[LabelledPair]) -> dict[str, list[LabelledPair]]:
    """Pairs by set and language; doctrine of all languages together, its pairs being few."""
    groups: dict[str, list[LabelledPair]] = {}
    for pair in pairs:
        groups.setdefault(title(pair) if pair.group else DEFAULT_KIND, []).append(pair)
    return groups
