"""Swiss: equals meet, no pair meets twice without need, byes go round."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from ballcourt.arena.tournament.schedules.formats.swiss import Swiss, schedule
from ballcourt.arena.tournament.schedules.schedule import (
    Field,
    FormatOptions,
    Length,
    PlayedBlock,
    PlayedMatch,
    ScheduleError,
    SeatOutcome,
    keyed_seatings,
)
from tests.arena.tournament.simulated import course, tables


def swiss(entrants: int, seats: int, rounds: int) -> Swiss:
    return Swiss(Field(entrants, seats), Length("rounds", rounds))


def repeated(stages: list[list[PlayedBlock]]) -> int:
    met = Counter(pair for stage in stages for table in tables(stage) for pair in combinations(table, 2))
    return sum(times - 1 for times in met.values())


@pytest.mark.parametrize(("entrants", "rounds"), [(8, 7), (16, 6), (51, 9), (300, 9)])
def test_no_pair_meets_twice_between_two_seats(entrants: int, rounds: int) -> None:
    assert repeated(course(swiss(entrants, 2, rounds))) == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("entrants", "seats", "rounds"), [(16, 4, 3), (50, 4, 7), (100, 5, 6), (300, 4, 8), (27, 3, 6)]
)
def test_no_pair_meets_twice_at_larger_tables_while_the_field_is_large(entrants: int, seats: int, rounds: int) -> None:
    assert repeated(course(swiss(entrants, seats, rounds))) == 0


def test_pairs_meet_again_only_when_everybody_has_met() -> None:
    stages = course(swiss(4, 2, 6))
    assert repeated(stages[:3]) == 0
    assert repeated(stages) == 6


@pytest.mark.slow
@given(some.integers(3, 23), some.integers(2, 5), some.integers(1, 9))
def test_everybody_plays_once_a_round_but_for_byes_which_go_round(entrants: int, seats: int, rounds: int) -> None:
    seats = min(seats, entrants)
    stages = course(swiss(entrants, seats, rounds))
    assert len(stages) == rounds
    played = Counter(entrant for stage in stages for table in tables(stage) for entrant in table)
    for stage in stages:
        assert len({entrant for table in tables(stage) for entrant in table}) == entrants - entrants % seats
    assert max(played.values()) - min(played[entrant] for entrant in range(entrants)) <= 1


def test_the_leaders_meet_in_the_last_round() -> None:
    last = course(swiss(32, 2, 5))[-1]
    assert 0 in tables(last)[0]


def test_a_swiss_tournament_puts_the_strongest_first_and_the_weakest_last() -> None:
    planned = swiss(32, 4, 5)
    order = planned.placing([result for stage in course(planned) for result in stage]).order
    assert sorted(order) == list(range(32))
    assert (order[0], order[-1]) == (0, 31)


def test_bots_that_all_tie_are_paired_like_others() -> None:
    assert repeated(course(swiss(12, 2, 5), strength=lambda _: 0.0)) == 0


def test_a_swiss_tournament_of_one_seat_is_refused() -> None:
    with pytest.raises(ScheduleError, match="a Swiss tournament needs at least 2 seats"):
        schedule(Field(4, 1), Length("rounds", 1), FormatOptions())


def test_the_last_of_those_who_had_the_fewest_byes_has_the_next() -> None:
    stages = course(swiss(5, 2, 5))
    resting = [set(range(5)).difference(*tables(stage)) for stage in stages]
    assert resting == [{4}, {3}, {2}, {1}, {0}]


@pytest.mark.parametrize(
    ("entrants", "seats", "smaller", "sizes"),
    [
        (11, 3, ((2, 1),), [3, 3, 3, 2]),
        (7, 5, ((2, 4), (3, 2)), [5, 2]),
        (9, 5, ((2, 4), (3, 2)), [5, 2, 2]),
        (8, 5, ((2, 4),), [5, 2]),
    ],
)
def test_those_left_over_play_at_smaller_tables_in_turn(
    entrants: int, seats: int, smaller: tuple[tuple[int, int], ...], sizes: list[int]
) -> None:
    planned = schedule(Field(entrants, seats, smaller=smaller), Length("rounds", entrants), FormatOptions())
    stages = course(planned)
    assert all([len(table) for table in tables(stage)] == sizes for stage in stages)
    assert planned.matches_in(planned.blocks) == entrants * sum(sizes)
    assert planned.matches_in(len(sizes) + 1) == sum(sizes) + seats
    seated = [table for stage in stages for table in tables(stage)]
    for size in {*sizes} - {seats}:
        left = Counter(entrant for table in seated for entrant in table if len(table) == size)
        assert max(left.values()) - min(left[entrant] for entrant in range(entrants)) <= 2
    placing = planned.placing([result for stage in stages for result in stage])
    assert placing
    assert placing.order[0] == 0
    assert sum(row.byes for row in placing.places) == entrants * (entrants - sum(sizes))
    assert {table.setup for turn in placing.rounds for table in turn.tables} <= {0, 1, 2, 4}


def test_a_block_at_a_smaller_table_is_worth_as_much_as_another() -> None:
    planned = schedule(Field(5, 3, smaller=((2, 1),)), Length("rounds", 1), FormatOptions())
    placing = planned.placing([result for stage in course(planned) for result in stage])
    assert placing
    assert [row.values["points"] for row in placing.places] == [3, 3, 1.5, 0, 0]


def test_of_equals_the_one_with_fewer_faults_stands_first() -> None:
    planned = swiss(2, 2, 1)
    [block] = planned.stage(())
    matches = tuple(
        PlayedMatch(key, table, tuple(SeatOutcome(1, 0.0, fault=entrant == 0) for entrant in table))
        for key, table in keyed_seatings(block)
    )
    assert planned.placing([PlayedBlock(block, matches)]).order == (1, 0)


@pytest.mark.parametrize(("score", "order"), [(5.0, (0, 1, 2)), (-5.0, (2, 0, 1))])
def test_a_bye_is_worth_half_the_points_of_a_block(score: float, order: tuple[int, ...]) -> None:
    planned = swiss(3, 2, 1)
    [block] = planned.stage(())
    won_by_seat_0 = (SeatOutcome(1, score, fault=False), SeatOutcome(2, score, fault=False))
    matches = tuple(PlayedMatch(key, table, won_by_seat_0) for key, table in keyed_seatings(block))
    assert planned.placing([PlayedBlock(block, matches)]).order == order, (
        "all have the same points, so the score decides"
    )


def test_a_block_that_another_sits_out_is_worth_as_much_as_a_bye() -> None:
    planned = swiss(4, 2, 1)
    blocks = [*planned.stage(())]
    results = [PlayedBlock(block, (), frozenset({0} & {*block.tables[0]})) for block in blocks]
    placing = planned.placing(results)
    gone, *_ = (row for row in placing.places if row.entrant == 0)
    rival = next(
        row.entrant for table in placing.rounds[0].tables for row in table.entrants if table.entrants[-1].absent
    )
    met = next(row for row in placing.places if row.entrant == rival)
    assert (gone.values["points"], gone.byes) == (0, 0)
    assert (met.values["points"], met.byes) == (1, 1)
