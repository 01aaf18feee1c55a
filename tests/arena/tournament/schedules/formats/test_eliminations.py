"""Single and double elimination, between two seats and at larger tables."""

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as some

from ballcourt.arena.tournament.schedules.formats import double_elimination, single_elimination
from ballcourt.arena.tournament.schedules.knockout import Knockout
from ballcourt.arena.tournament.schedules.schedule import Field, FormatOptions, Length, PlayedBlock, ScheduleError
from tests.arena.tournament.simulated import by_index, course, played, tables

ONE_ROUND = Length("rounds", 1)


def stages_of(
    lives: int, entrants: int, seats: int, strength: Callable[[int], float] = by_index
) -> list[list[PlayedBlock]]:
    return course(Knockout(Field(entrants, seats), ONE_ROUND, lives), strength)


def test_eight_bots_play_quarters_halves_and_a_final() -> None:
    assert [tables(stage) for stage in stages_of(1, 8, 2)] == [
        [(0, 7), (1, 6), (2, 5), (3, 4)],
        [(0, 3), (1, 2)],
        [(0, 1)],
    ]


def test_sixteen_bots_at_four_seats_go_down_by_half() -> None:
    assert [len(stage) for stage in stages_of(1, 16, 4)] == [4, 2, 1]
    assert tables(stages_of(1, 16, 4)[-1]) == [(0, 1, 2, 3)]


def test_the_best_seeds_have_the_byes() -> None:
    assert [tables(stage) for stage in stages_of(1, 6, 2)] == [[(2, 5), (3, 4)], [(0, 3), (1, 2)], [(0, 1)]]


@given(some.integers(2, 24), some.integers(2, 5), some.randoms(use_true_random=False))
def test_whatever_the_results_a_single_elimination_ends_with_one_final(
    entrants: int, seats: int, chance: Random
) -> None:
    seats = min(seats, entrants)
    strengths = [chance.random() for _ in range(entrants)]
    stages = stages_of(1, entrants, seats, lambda entrant: strengths[entrant])
    assert len(stages[-1]) == 1
    assert max(range(entrants), key=strengths.__getitem__) in tables(stages[-1])[0]
    out = Counter(entrant for stage in stages[:-1] for table in tables(stage) for entrant in table)
    assert max(out.values(), default=0) <= len(stages) - 1


@pytest.mark.slow
@given(some.integers(2, 24), some.integers(2, 5), some.randoms(use_true_random=False))
def test_in_a_double_elimination_the_strongest_wins_even_after_a_loss(
    entrants: int, seats: int, chance: Random
) -> None:
    seats = min(seats, entrants)
    strengths = [chance.random() for _ in range(entrants)]
    stages = stages_of(2, entrants, seats, lambda entrant: strengths[entrant])
    strongest = max(range(entrants), key=strengths.__getitem__)
    assert strongest in tables(stages[-1])[0]
    assert len(stages[-1]) == 1


def test_who_lost_once_can_win_a_double_elimination_in_a_second_final() -> None:
    won: Counter[int] = Counter()

    def moody(entrant: int) -> float:
        return float(entrant == 3) if won[0] else -entrant

    knockout = Knockout(Field(4, 2), ONE_ROUND, 2)
    results: list[PlayedBlock] = []
    while stage := list(knockout.stage(results)):
        results += [played(block, moody) for block in stage]
        won[0] += len(results) >= 2
    final, again = results[-2:]
    assert sorted(final.block.tables[0]) == sorted(again.block.tables[0]) == [0, 3]
    assert len(results) == 7


def test_an_undefeated_winner_plays_one_final() -> None:
    stages = stages_of(2, 4, 2)
    assert tables(stages[-1]) == [(0, 1)]
    assert sum(len(stage) for stage in stages) == 6


def test_who_drops_out_later_is_placed_higher() -> None:
    for lives in (1, 2):
        knockout = Knockout(Field(16, 4), ONE_ROUND, lives)
        results = [result for stage in course(knockout) for result in stage]
        placing = knockout.placing(results)
        assert sorted(placing.order) == list(range(16))
        assert placing.order[:4] == (0, 1, 2, 3)
        assert knockout.placing(results[:-1]).order[:4] == (0, 1, 2, 3)


def test_who_drops_out_in_the_same_round_shares_a_place_and_the_bracket_says_how() -> None:
    knockout = Knockout(Field(6, 2), ONE_ROUND, 1)
    results = [result for stage in course(knockout) for result in stage]
    placing = knockout.placing(results)
    assert [(row.entrant, row.place, row.decided_by) for row in placing.places] == [
        (0, 1, ""),
        (1, 2, "points"),
        (2, 3, "round"),
        (3, 3, ""),
        (4, 5, "round"),
        (5, 5, ""),
    ]
    assert [one.byes for one in placing.places] == [1, 1, 0, 0, 0, 0]
    assert [(turn.name, turn.byes) for turn in placing.rounds] == [("round 1", (0, 1)), ("round 2", ()), ("final", ())]
    final = placing.rounds[-1].tables[0]
    assert [(row.entrant, row.points, row.lives) for row in final.entrants] == [(0, 2, 1), (1, 0, 1)]
    assert [row.lives for row in placing.rounds[0].tables[0].entrants] == [1, 0]
    before = knockout.placing(results[:-1])
    assert [row.place for row in before.places] == [1, 1, 3, 3, 5, 5], "who is still in shares the first place"


@pytest.mark.parametrize("lives", [1, 2])
def test_who_sits_out_loses_even_as_the_first_seed(lives: int) -> None:
    knockout = Knockout(Field(4, 2), ONE_ROUND, lives)
    results: list[PlayedBlock] = []
    while stage := list(knockout.stage(results)):
        for block in stage:
            absent = frozenset({0} & {*block.tables[0]})
            results.append(PlayedBlock(block, (), absent) if absent else played(block, by_index))
    placing = knockout.placing(results)
    assert placing.order[0] == 1
    assert next(row.place for row in placing.places if row.entrant == 0) > 2


def test_ties_are_decided_by_the_order_of_the_list() -> None:
    assert tables(stages_of(1, 8, 2, lambda _: 0.0)[-1]) == [(0, 1)]


@pytest.mark.parametrize("module", [single_elimination, double_elimination])
def test_a_length_and_a_single_seat_are_refused(module: object) -> None:
    schedule = module.schedule  # type: ignore[attr-defined]
    with pytest.raises(ScheduleError, match="lasts until one table is left, so blocks = 9 does not fit; leave it out"):
        schedule(Field(4, 2), Length("blocks", 9), FormatOptions())
    with pytest.raises(ScheduleError, match="needs at least 2 seats"):
        schedule(Field(4, 1), ONE_ROUND, FormatOptions())
