"""Split the cases of a run over several machines: each case on one of them, told by its id."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.hashing import json_hash

HEADROOM = 1.1
"""A case leaves the shard of its hash where that would hold so many times its fair share."""


@dataclass(frozen=True)
class Shard:
    """Part `number` (from 1) of `count` parts."""

    number: int
    count: int

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"


@dataclass(frozen=True)
class Split:
    """The cases of one shard, and what tells whether others are shards of the same whole.

    `split_hash` is the content address of all cases with their shards: machines that don't agree
    on it would leave cases out or judge them twice.
    """

    shard: Shard
    case_ids: frozenset[str]
    total: int
    split_hash: str


def parse_shard(text: str) -> Shard:
    """`2/5` -> the second of five. Raises UsageError."""
    found = re.fullmatch(r"([0-9]{1,4})/([0-9]{1,4})", text.strip())
    shard = Shard(int(found[1]), int(found[2])) if found else Shard(0, 0)
    if not 1 <= shard.number <= shard.count:
        raise UsageError(f"{text!r} is no shard", hint="such as 2/5: the second of five, from 1")
    return shard


def split(durations: Mapping[str, float | None], shard: Shard) -> Split:
    """The shard's part of these cases; milliseconds by case id, none where never measured."""
    places = _places(durations, shard.count)
    mine = frozenset(case for case, place in places.items() if place == shard.number - 1)
    return Split(shard, mine, len(places), json_hash(sorted(places.items())))


def _places(durations: Mapping[str, float | None], count: int) -> dict[str, int]:
    """Shard (from 0) by case: that of its hash while there is room, else the least loaded one.

    The longest go first. Consistent hashing with bounded loads (Mirrokni, Thorup and Zadimoghaddam,
    2018): a case that comes, goes, or takes a little longer moves few others.
    """
    costs = _costs(durations)
    room = HEADROOM * sum(costs.values()) / count
    loads = [0.0] * count
    places: dict[str, int] = {}
    for case in sorted(costs, key=lambda case: (-costs[case], _number(case))):
        place = _number(case) % count
        if loads[place] + costs[case] > room:
            place = loads.index(min(loads))
        loads[place] += costs[case]
        places[case] = place
    return places


def _costs(durations: Mapping[str, float | None]) -> dict[str, float]:
    """Milliseconds by case, at least one; what was never measured takes as long as most do."""
    known = sorted(value for value in durations.values() if value is not None)
    usual = max(1.0, known[len(known) // 2]) if known else 1.0
    return {case: usual if d is None else max(1.0, d) for case, d in durations.items()}


def _number(case_id: str) -> int:
    return int.from_bytes(sha256(case_id.encode()).digest()[:8])
