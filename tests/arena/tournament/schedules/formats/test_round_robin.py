"""Round robin: as even as possible wherever it stops, and repeatable."""

from collections import Counter
from itertools import combinations, islice
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as some

from ballcourt.arena.tournament.schedules.balance import balance
from ballcourt.arena.tournament.schedules.even_order import even_order
from ballcourt.arena.tournament.schedules.formats.round_robin import schedule as round_robin
from ballcourt.arena.tournament.schedules.schedule import Block, Field, FormatOptions, Length, ScheduleError


def blocks_of(entrants: int, seats: int, blocks: int) -> list[Block]:
    return list(round_robin(Field(entrants, seats), Length("blocks", blocks), FormatOptions()).stage(()))


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
    assert sorted(even_order(entrants, seats)) == list(combinations(range(entrants), seats))


@given(some.integers(2, 11), some.data())
def test_entrants_are_never_more_than_one_block_apart(entrants: int, data: some.DataObject) -> None:
    seats = data.draw(some.integers(2, min(5, entrants)))
    rounds = data.draw(some.integers(1, 3))
    tables = [block.tables[0] for block in blocks_of(entrants, seats, rounds * comb(entrants, seats))]
    assert spreads(entrants, tables)[0] <= 1


@pytest.mark.parametrize(("entrants", "seats", "apart"), [(5, 3, 2), (6, 4, 2), (8, 4, 4), (12, 2, 1), (12, 4, 5)])
def test_pairs_meet_about_equally_often_at_any_time(entrants: int, seats: int, apart: int) -> None:
    tables = [block.tables[0] for block in blocks_of(entrants, seats, comb(entrants, seats))]
    assert spreads(entrants, tables)[1] <= apart


def test_a_round_robin_of_a_large_field_is_refused() -> None:
    with pytest.raises(ScheduleError, match="has 230,300 blocks in a round, more than 5,000; use the format"):
        round_robin(Field(50, 4), Length("blocks", 10), FormatOptions())


@given(some.integers(2, 9), some.data())
def test_whole_rounds_are_even(entrants: int, data: some.DataObject) -> None:
    seats = data.draw(some.integers(2, min(4, entrants)))
    rounds = data.draw(some.integers(1, 2))
    blocks = round_robin(Field(entrants, seats), Length("rounds", rounds), FormatOptions()).stage(())
    counted = balance(entrants, (table for block in blocks for table in block.tables))
    assert counted.even
    assert counted.matches[0] == rounds * comb(entrants - 1, seats - 1) * seats


def test_five_bots_at_three_seats_play_six_or_nine_of_nine_matches() -> None:
    planned = round_robin(Field(5, 3), Length("matches", 7), FormatOptions())
    counted = balance(5, (table for block in planned.stage(()) for table in block.tables))
    assert planned.blocks == 3
    assert sorted(counted.matches) == [3, 6, 6, 6, 6]


def test_a_block_puts_everybody_in_every_seat() -> None:
    [block] = blocks_of(3, 3, 1)
    assert sorted(block.tables) == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]


@given(some.integers(1, 30))
def test_entrants_of_a_one_seat_game_all_play_every_block(entrants: int) -> None:
    blocks = list(round_robin(Field(entrants, 1), Length("rounds", 3), FormatOptions()).stage(()))
    assert len(blocks) == 3
    for block in blocks:
        assert sorted(block.tables) == [(entrant,) for entrant in range(entrants)]


def test_neighbours_at_the_table_change_from_block_to_block() -> None:
    assert len({block.tables[0] for block in blocks_of(4, 4, 6)}) == 6


@given(some.integers(2, 9), some.data())
def test_a_longer_schedule_starts_like_a_shorter_one(entrants: int, data: some.DataObject) -> None:
    seats = data.draw(some.integers(1, min(4, entrants)))
    shorter, longer = sorted(data.draw(some.tuples(some.integers(1, 60), some.integers(1, 60))))
    assert blocks_of(entrants, seats, longer)[:shorter] == blocks_of(entrants, seats, shorter)


@pytest.mark.parametrize(("matches", "blocks"), [(1, 1), (4, 1), (5, 2), (48, 12)])
def test_matches_are_rounded_up_to_whole_blocks(matches: int, blocks: int) -> None:
    assert round_robin(Field(5, 4), Length("matches", matches), FormatOptions()).blocks == blocks
    assert round_robin(Field(4, 1), Length("matches", matches), FormatOptions()).blocks == blocks


def test_rounds_count_every_group() -> None:
    planned = round_robin(Field(6, 4), Length("rounds", 2), FormatOptions())
    assert (planned.blocks, planned.round_size, planned.is_exact) == (30, 15, True)
    assert [block.round for block in islice(planned.stage(()), 30)] == [0] * 15 + [1] * 15
