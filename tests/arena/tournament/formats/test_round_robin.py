"""The schedule: balanced, repeatable, and without the seed in its keys."""

from itertools import combinations, islice
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as some

from ballcourt.arena.tournament.balance import balance
from ballcourt.arena.tournament.formats.round_robin import blocks_for, groups, round_robin
from ballcourt.arena.tournament.schedule import ScheduleError, seatings


@given(some.integers(1, 9), some.data())
def test_a_round_holds_every_group_once(entrants: int, data: some.DataObject) -> None:
    seats = data.draw(some.integers(1, entrants))
    held = list(groups(entrants, seats))
    assert sorted(held) == list(combinations(range(entrants), seats))


@given(some.integers(2, 9), some.data())
def test_whole_rounds_are_even(entrants: int, data: some.DataObject) -> None:
    seats = data.draw(some.integers(2, min(4, entrants)))
    rounds = data.draw(some.integers(1, 2))
    blocks = islice(round_robin(entrants, seats, 5), rounds * comb(entrants, seats))
    counted = balance(entrants, (table for block in blocks for table in seatings(block)))
    assert counted.even
    assert counted.matches[0] == rounds * comb(entrants - 1, seats - 1) * seats


@given(some.integers(4, 12), some.integers(1, 60))
def test_a_plan_that_ends_inside_a_round_is_nearly_even(entrants: int, count: int) -> None:
    blocks = islice(round_robin(entrants, 4, 5), count)
    played = balance(entrants, (table for block in blocks for table in seatings(block))).matches
    assert max(played) - min(played) <= 4 * 4


def test_a_block_puts_everybody_in_every_seat_on_one_seed() -> None:
    block = next(round_robin(3, 3, 1))
    assert sorted(seatings(block)) == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]


@given(some.integers(1, 30))
def test_alone_everybody_plays_every_seed(entrants: int) -> None:
    blocks = list(islice(round_robin(entrants, 1, 5), blocks_for(entrants, 1, rounds=3)))
    assert len({block.seed for block in blocks}) == 3
    for block in blocks:
        assert sorted(seatings(block)) == [(entrant,) for entrant in range(entrants)]


def test_neighbours_at_the_table_change_from_block_to_block() -> None:
    orders = {block.order for block in islice(round_robin(4, 4, 1), 6)}
    assert len(orders) == 6


def test_a_longer_schedule_begins_like_a_shorter_one() -> None:
    longer = list(islice(round_robin(6, 4, 9), 40))
    assert list(islice(round_robin(6, 4, 9), 15)) == longer[:15]


def test_blocks_have_seeds_of_their_own_that_follow_from_the_tournament_seed() -> None:
    seeds = [[block.seed for block in islice(round_robin(4, 4, seed), 50)] for seed in (1, 1, 2)]
    assert seeds[0] == seeds[1]
    assert len({*seeds[0], *seeds[2]}) == 100


@pytest.mark.parametrize(("matches", "blocks"), [(1, 1), (4, 1), (5, 2), (48, 12)])
def test_matches_are_rounded_up_to_whole_blocks(matches: int, blocks: int) -> None:
    assert blocks_for(5, 4, matches=matches) == blocks
    assert blocks_for(4, 1, matches=matches) == blocks


def test_rounds_count_every_group() -> None:
    assert blocks_for(6, 4, rounds=2) == 30


def test_more_seats_than_entrants_are_refused() -> None:
    with pytest.raises(ScheduleError, match="4 seats cannot be filled by 3 different bots; name at least 4"):
        next(round_robin(3, 4, 1))
