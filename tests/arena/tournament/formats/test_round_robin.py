"""Round robin: as even as possible wherever it stops, and repeatable."""

from collections import Counter
from itertools import combinations, islice
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as some

from ballcourt.arena.tournament.balance import balance
from ballcourt.arena.tournament.formats.round_robin import schedule
from ballcourt.arena.tournament.groups import SMALL, groups
from ballcourt.arena.tournament.schedule import Block, Field, Length, seatings


def blocks_of(entrants: int, seats: int, blocks: int, seed: int = 5) -> list[Block]:
    return list(schedule(Field(entrants, seats, seed), Length("blocks", blocks)).stage(()))


def spreads(entrants: int, tables: list[tuple[int, ...]]) -> tuple[int, int]:
    """Return the largest difference between entrants in blocks, and between pairs in meetings, after any block."""
    counts, met = (
        Counter(dict.fromkeys(range(entrants), 0)),
        Counter(dict.fromkeys(combinations(range(entrants), 2), 0)),
    )
    widest = widest_pairs = 0
    for table in tables:
        counts.update(table)
        met.update(combinations(sorted(table), 2))
        widest = max(widest, max(counts.values()) - min(counts.values()))
        widest_pairs = max(widest_pairs, max(met.values()) - min(met.values()))
    return widest, widest_pairs


@given(some.integers(1, 11), some.data())
def test_a_round_contains_every_group_once(entrants: int, data: some.DataObject) -> None:
    seats = data.draw(some.integers(1, min(5, entrants)))
    assert sorted(groups(entrants, seats)) == list(combinations(range(entrants), seats))


@given(some.integers(2, 11), some.data())
def test_entrants_are_never_more_than_one_block_apart(entrants: int, data: some.DataObject) -> None:
    seats = data.draw(some.integers(2, min(5, entrants)))
    rounds = data.draw(some.integers(1, 3))
    tables = [block.order for block in blocks_of(entrants, seats, rounds * comb(entrants, seats))]
    assert spreads(entrants, tables)[0] <= 1


@pytest.mark.parametrize(("entrants", "seats", "apart"), [(5, 3, 2), (6, 4, 2), (8, 4, 4), (12, 2, 1), (12, 4, 5)])
def test_pairs_meet_about_equally_often_at_any_time(entrants: int, seats: int, apart: int) -> None:
    tables = [block.order for block in blocks_of(entrants, seats, comb(entrants, seats))]
    assert spreads(entrants, tables)[1] <= apart


def test_a_large_field_is_planned_block_by_block_and_even_at_any_time() -> None:
    assert comb(300, 4) > SMALL
    tables = [block.order for block in blocks_of(300, 4, 1000)]
    for number in (100, 499, 1000):
        played = Counter(entrant for table in tables[:number] for entrant in table)
        assert max(played.values()) - min(played[entrant] for entrant in range(300)) == 1
    assert len({tuple(sorted(table)) for table in tables}) == 1000


def test_a_round_planned_block_by_block_contains_every_group_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ballcourt.arena.tournament.groups.SMALL", 0)
    for entrants, seats in ((7, 3), (8, 4), (9, 2), (10, 4)):
        order = list(groups(entrants, seats))
        assert sorted(order) == list(combinations(range(entrants), seats))
        assert spreads(entrants, order)[0] <= 2


@given(some.integers(2, 9), some.data())
def test_whole_rounds_are_even(entrants: int, data: some.DataObject) -> None:
    seats = data.draw(some.integers(2, min(4, entrants)))
    rounds = data.draw(some.integers(1, 2))
    blocks = schedule(Field(entrants, seats, 5), Length("rounds", rounds)).stage(())
    counted = balance(entrants, (table for block in blocks for table in seatings(block)))
    assert counted.even
    assert counted.matches[0] == rounds * comb(entrants - 1, seats - 1) * seats


def test_five_bots_at_three_seats_play_six_or_nine_of_nine_matches() -> None:
    planned = schedule(Field(5, 3, 1), Length("matches", 7))
    counted = balance(5, (table for block in planned.stage(()) for table in seatings(block)))
    assert planned.blocks == 3
    assert sorted(counted.matches) == [3, 6, 6, 6, 6]


def test_a_block_puts_everybody_in_every_seat_on_one_seed() -> None:
    [block] = blocks_of(3, 3, 1)
    assert sorted(seatings(block)) == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]


@given(some.integers(1, 30))
def test_entrants_of_a_one_seat_game_all_play_every_seed(entrants: int) -> None:
    blocks = list(schedule(Field(entrants, 1, 5), Length("rounds", 3)).stage(()))
    assert len({block.seed for block in blocks}) == 3
    for block in blocks:
        assert sorted(seatings(block)) == [(entrant,) for entrant in range(entrants)]


def test_neighbours_at_the_table_change_from_block_to_block() -> None:
    assert len({block.order for block in blocks_of(4, 4, 6)}) == 6


@given(some.integers(2, 9), some.data())
def test_a_longer_schedule_starts_like_a_shorter_one(entrants: int, data: some.DataObject) -> None:
    seats = data.draw(some.integers(1, min(4, entrants)))
    shorter, longer = sorted(data.draw(some.tuples(some.integers(1, 60), some.integers(1, 60))))
    assert blocks_of(entrants, seats, longer)[:shorter] == blocks_of(entrants, seats, shorter)


def test_every_block_has_its_own_seed_derived_from_the_tournament_seed() -> None:
    seeds = [[block.seed for block in blocks_of(4, 4, 50, seed)] for seed in (1, 1, 2)]
    assert seeds[0] == seeds[1]
    assert len({*seeds[0], *seeds[2]}) == 100


@pytest.mark.parametrize(("matches", "blocks"), [(1, 1), (4, 1), (5, 2), (48, 12)])
def test_matches_are_rounded_up_to_whole_blocks(matches: int, blocks: int) -> None:
    assert schedule(Field(5, 4, 1), Length("matches", matches)).blocks == blocks
    assert schedule(Field(4, 1, 1), Length("matches", matches)).blocks == blocks


def test_rounds_count_every_group() -> None:
    planned = schedule(Field(6, 4, 1), Length("rounds", 2))
    assert (planned.blocks, planned.round_size, planned.is_exact) == (30, 15, True)
    assert [block.round for block in islice(planned.stage(()), 30)] == [0] * 15 + [1] * 15
