"""Cases over machines: each on one, told by its id, balanced, and moved as seldom as may be."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jw_eval_store.domain.errors import UsageError
from jw_eval_store.domain.shards import Shard, parse_shard, split

Durations = dict[str, float | None]
MEASURED = st.dictionaries(
    st.text(min_size=1, max_size=12),
    st.none() | st.floats(min_value=0, max_value=60_000),
    max_size=60,
)


def shards(durations: Durations, count: int) -> list[frozenset[str]]:
    return [split(durations, Shard(number, count)).case_ids for number in range(1, count + 1)]


def cases(count: int, milliseconds: float | None = None) -> Durations:
    return {f"case_{number:04}": milliseconds for number in range(count)}


@given(MEASURED, st.integers(min_value=1, max_value=9))
def test_every_case_is_in_exactly_one_shard(durations: Durations, count: int) -> None:
    found = shards(durations, count)
    assert sum(map(len, found)) == len(durations)
    assert frozenset[str]().union(*found) == durations.keys()


@given(MEASURED, st.integers(min_value=1, max_value=9), st.randoms())
def test_the_order_in_which_cases_come_decides_nothing(
    durations: Durations, count: int, random: Random
) -> None:
    shuffled = list(durations.items())
    random.shuffle(shuffled)
    first = split(durations, Shard(1, count))
    assert split(dict(shuffled), Shard(1, count)) == first


def test_shards_take_about_as_long_as_each_other() -> None:
    durations: Durations = {name: 10 + 37 * n % 2000 for n, name in enumerate(cases(500))}
    loads = [sum(durations[case] or 0 for case in part) for part in shards(durations, 5)]
    assert max(loads) / (sum(loads) / 5) <= 1.11


def test_one_long_case_has_a_shard_nearly_for_itself() -> None:
    durations = cases(40, 10.0) | {"long": 1000.0}
    with_long = next(part for part in shards(durations, 4) if "long" in part)
    assert with_long == {"long"}


def test_a_new_case_moves_few_others() -> None:
    before, after = shards(cases(1000), 5), shards(cases(1001), 5)
    moved = sum(len(old - new) for old, new in zip(before, after, strict=True))
    assert moved <= 10


def test_little_changes_of_duration_move_few_cases() -> None:
    before: Durations = {name: 10.0 + 37 * n % 500 for n, name in enumerate(cases(1000))}
    after: Durations = {name: (d or 0) * (1 + n % 3 / 100) for n, (name, d) in
                        enumerate(before.items())}  # fmt: skip
    moved = sum(len(a - b) for a, b in zip(shards(before, 5), shards(after, 5), strict=True))
    assert moved < 50


def test_machines_that_measured_otherwise_can_be_told() -> None:
    one = split(cases(9) | {"a": 5.0}, Shard(1, 3))
    same = split(cases(9) | {"a": 5.0}, Shard(2, 3))
    other = split(cases(9) | {"b": 5.0}, Shard(3, 3))
    assert one.split_hash == same.split_hash != other.split_hash
    assert one.total == 10


@pytest.mark.parametrize("text", ["", "2", "0/5", "6/5", "-1/5", "1/0", "a/b", "1/5/2", "1,5"])
def test_what_is_no_shard_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is no shard"):
        parse_shard(text)


def test_a_shard_is_read_as_it_is_written() -> None:
    assert str(parse_shard(" 2/5 ")) == "2/5"
