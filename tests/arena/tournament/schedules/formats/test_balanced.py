"""Balanced blocks: even at any time, and as good as a complete design soon."""

import tracemalloc
from collections import Counter
from itertools import combinations, islice

import pytest
from hypothesis import given
from hypothesis import strategies as some

from ballcourt.arena.tournament.schedules.balance import Balance, balance
from ballcourt.arena.tournament.schedules.formats.balanced import schedule as balanced
from ballcourt.arena.tournament.schedules.least_met import least_met
from ballcourt.arena.tournament.schedules.schedule import Block, Field, FormatOptions, Length


def blocks_of(entrants: int, seats: int, blocks: int) -> list[Block]:
    return list(balanced(Field(entrants, seats), Length("blocks", blocks), FormatOptions()).stage(()))


def balance_of(entrants: int, seats: int, blocks: int) -> Balance:
    return balance(entrants, (table for block in blocks_of(entrants, seats, blocks) for table in block.tables))


@given(some.integers(1, 30), some.data())
def test_entrants_are_never_more_than_one_block_apart(entrants: int, data: some.DataObject) -> None:
    seats = data.draw(some.integers(2, min(5, entrants))) if entrants > 1 else 1
    counts = Counter(dict.fromkeys(range(entrants), 0))
    for block in blocks_of(entrants, seats, data.draw(some.integers(1, 60))):
        assert len(set(block.tables[0])) == seats
        counts.update(block.tables[0])
        assert max(counts.values()) - min(counts.values()) <= 1


def test_a_large_field_takes_memory_for_those_who_have_met_and_not_for_all_pairs() -> None:
    entrants = 3000
    tracemalloc.start()
    try:
        assert len([*islice(least_met(entrants, 2), 10)]) == 10
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < entrants**2


@pytest.mark.slow
@pytest.mark.parametrize("entrants", [12, 50, 100, 300])
def test_rating_differences_vary_little_more_than_in_a_complete_design(entrants: int) -> None:
    assert balance_of(entrants, 4, entrants).variance_factor() <= 1.15
    assert balance_of(entrants, 4, 3 * entrants).variance_factor() <= 1.05


def test_at_two_seats_differences_vary_little_more_after_three_blocks_an_entrant() -> None:
    assert balance_of(100, 2, 300).variance_factor() <= 1.25


def test_a_complete_design_has_factor_one_and_separate_parts_have_none() -> None:
    assert balance(6, combinations(range(6), 2)).variance_factor() == pytest.approx(1)
    assert balance(6, [(0, 1, 2), (3, 4, 5)]).variance_factor() == float("inf")


def test_two_parts_that_meet_once_are_poorly_compared() -> None:
    bridge = [*combinations(range(5), 2), *combinations(range(5, 10), 2), (4, 5)]
    assert balance(10, bridge).variance_factor() > 2


def test_hardly_anybody_meets_twice_in_a_large_field() -> None:
    met = Counter(pair for group in islice(least_met(100, 4), 100) for pair in combinations(sorted(group), 2))
    assert sum(times - 1 for times in met.values()) <= 6  # of 600 meetings


def test_who_sits_before_whom_is_even_too() -> None:
    before: Counter[tuple[int, int]] = Counter()
    for group in islice(least_met(4, 4), 60):
        before.update(zip(group, group[1:] + group[:1], strict=True))
    assert set(before.values()) == {20}


def test_after_each_round_everybody_has_played_a_block_more() -> None:
    schedule = balanced(Field(50, 4), Length("rounds", 3), FormatOptions())
    blocks = list(schedule.stage(()))
    assert (schedule.round_size, schedule.blocks) == (13, 39)
    assert [block.round for block in blocks] == [index // 13 for index in range(39)]
    for rounds in (1, 2, 3):
        played = Counter(entrant for block in blocks if block.round < rounds for entrant in block.tables[0])
        assert min(played[entrant] for entrant in range(50)) == rounds


def test_a_longer_schedule_starts_like_a_shorter_one() -> None:
    assert blocks_of(20, 4, 30)[:10] == blocks_of(20, 4, 10)


def test_with_one_seat_everybody_plays_every_block() -> None:
    assert [sorted(block.tables) for block in blocks_of(3, 1, 2)] == [[(0,), (1,), (2,)]] * 2
