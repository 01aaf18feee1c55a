"""Adaptive: half of the blocks are balanced, half are for those who may be the best."""

from collections import Counter
from itertools import combinations

import pytest

from ballcourt.arena.tournament.schedules.formats.adaptive import PART, Adaptive, schedule
from ballcourt.arena.tournament.schedules.least_met import least_met
from ballcourt.arena.tournament.schedules.schedule import (
    Block,
    Field,
    FormatOptions,
    Length,
    PlayedBlock,
    ScheduleError,
)
from tests.arena.tournament.simulated import course, tables


def adaptive(entrants: int, seats: int, rounds: int) -> Adaptive:
    return Adaptive(Field(entrants, seats), Length("rounds", rounds))


def played(planned: Adaptive) -> list[PlayedBlock]:
    return [result for stage in course(planned) for result in stage]


def blocks(results: list[PlayedBlock]) -> list[Block]:
    return [result.block for result in results]


def test_the_first_round_and_then_every_second_block_is_that_of_the_balanced_format() -> None:
    results = played(adaptive(21, 4, 8))
    balanced = least_met(21, 4)
    owed = [*results[:6], *results[6::2]]
    assert [tuple(result.block.tables[0]) for result in owed] == [next(balanced) for _ in owed]


@pytest.mark.parametrize(("entrants", "seats"), [(50, 4), (11, 3), (7, 2), (300, 5)])
def test_one_round_leaves_no_one_without_a_match(entrants: int, seats: int) -> None:
    (stage,) = course(adaptive(entrants, seats, 1))
    assert {entrant for table in tables(stage) for entrant in table} == {*range(entrants)}


def test_the_other_blocks_are_for_the_strongest_once_these_are_known() -> None:
    late = played(adaptive(40, 4, 40))[-100:]
    leaders = Counter(entrant for table in tables(late[1::2]) for entrant in table)
    assert {entrant for entrant, _ in leaders.most_common(4)} == {0, 1, 2, 3}
    assert sum(leaders[entrant] for entrant in range(6)) > 0.9 * leaders.total()


def test_after_the_first_round_all_who_won_a_block_may_be_the_best() -> None:
    results = played(adaptive(40, 4, 5))
    winners = {min(table) for table in tables(results[:10])}
    leaders = {entrant for table in tables(results[11::2]) for entrant in table}
    assert winners <= leaders


def test_everybody_goes_on_playing() -> None:
    results = played(adaptive(40, 4, 40))
    counts = Counter(entrant for table in tables(results) for entrant in table)
    assert min(counts[entrant] for entrant in range(40)) >= 40 // 2


def test_a_stage_is_a_whole_round_and_later_several() -> None:
    stages = course(adaptive(6, 2, 3 * PART))
    assert {len(stage) % 3 for stage in stages} == {0}
    assert [len(stage) for stage in stages[: 2 * PART]] == [3] * 2 * PART
    assert len(stages[-1]) > 3
    rounds = [result.block.round for stage in stages for result in stage]
    assert rounds == [index // 3 for index in range(len(rounds))]


def test_it_follows_from_the_results_alone() -> None:
    once, again = (played(adaptive(12, 3, 12)) for _ in range(2))
    assert blocks(once) == blocks(again)


def test_a_run_that_goes_on_asks_for_the_same_blocks() -> None:
    results = played(adaptive(12, 3, 12))
    fresh = adaptive(12, 3, 12)
    assert list(fresh.stage(results[:20])) == blocks(results[20:24])
    assert list(fresh.stage(results[:8])) == blocks(results[8:12]), "also for fewer results than before"


def test_results_of_another_course_are_not_mixed_in() -> None:
    planned, other = adaptive(12, 3, 12), adaptive(12, 3, 12)
    reversed_results = [result for stage in course(other, lambda entrant: float(entrant)) for result in stage]
    results = played(planned)
    list(planned.stage(reversed_results[:16]))
    assert list(planned.stage(results[:20])) == blocks(results[20:24])


@pytest.mark.parametrize("length", [Length("blocks", 7), Length("blocks", 50)])
def test_a_longer_schedule_starts_like_a_shorter_one(length: Length) -> None:
    short = played(Adaptive(Field(12, 3), length))
    long = played(adaptive(12, 3, 20))
    assert blocks(short) == blocks(long)[: length.number]


def test_bots_of_one_owner_are_kept_apart() -> None:
    owners = ("ann", "ann", "ann", "bob", "bob", *(f"owner {number}" for number in range(10)))
    results = played(Adaptive(Field(15, 3, owners), Length("rounds", 10)))
    related = Field(15, 3, owners).related
    assert not [table for table in tables(results) if related & set(combinations(table, 2))]


def test_one_owner_can_still_fill_a_table() -> None:
    results = played(Adaptive(Field(3, 3, ("ann",) * 3), Length("rounds", 3)))
    assert tables(results) == [(0, 1, 2)] * 3


def test_one_seat_is_refused() -> None:
    with pytest.raises(ScheduleError, match="an adaptive tournament needs at least 2 seats"):
        schedule(Field(3, 1), Length("rounds", 1), FormatOptions())
