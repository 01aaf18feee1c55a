"""The schedules of several set-ups, mixed."""

from collections import Counter

import pytest

from ballcourt.arena.tournament.schedules.balance import balances
from ballcourt.arena.tournament.schedules.formats import schedule_of
from ballcourt.arena.tournament.schedules.schedule import (
    Block,
    Design,
    Field,
    FormatOptions,
    Length,
    PlayedBlock,
    Schedule,
    ScheduleError,
)
from tests.arena.tournament.simulated import course, played

SIZES = (2, 3, 4)
ENTRANTS = 12


def mixed(
    format: str, length: Length, sizes: tuple[int, ...] = SIZES, options: FormatOptions | None = None
) -> Schedule:
    design = Design(format, length, options or FormatOptions(), sizes)
    return schedule_of(design, Field(ENTRANTS, max(sizes)))


def blocks(schedule: Schedule) -> list[Block]:
    return [result.block for stage in course(schedule) for result in stage]


@pytest.mark.parametrize("format", ["round-robin", "balanced", "gauntlet", "adaptive", "swiss", "groups-final"])
def test_every_set_up_has_the_schedule_of_an_event_of_its_own(format: str) -> None:
    options = FormatOptions(focus=(3,) if format == "gauntlet" else ())
    length = Length("rounds", 2)
    found = blocks(mixed(format, length, options=options))
    for setup, seats in enumerate(SIZES):
        own = blocks(schedule_of(Design(format, length, options), Field(ENTRANTS, seats, draw=setup)))
        of_setup = [block for block in found if block.setup == setup]
        assert [(block.round, block.tables) for block in of_setup] == [(block.round, block.tables) for block in own]


def test_the_bots_that_meet_in_one_set_up_are_not_those_of_another() -> None:
    met = [
        {frozenset(block.tables[0]) for block in blocks(mixed("balanced", Length("rounds", 2), (4, 4)))[setup::2]}
        for setup in (0, 1)
    ]
    assert met[0] != met[1]


def test_wherever_it_ends_every_set_up_has_had_its_share() -> None:
    for number in range(1, 40):
        schedule = mixed("balanced", Length("blocks", number))
        counted = Counter(block.setup for block in blocks(schedule))
        assert schedule.blocks == counted.total() == number
        for setup, seats in enumerate(SIZES):
            share = number / schedule.round_size * ENTRANTS / seats
            assert abs(counted[setup] - share) < 1


@pytest.mark.parametrize("format", ["round-robin", "balanced", "adaptive"])
def test_a_longer_one_begins_like_a_shorter_one(format: str) -> None:
    short, long = (blocks(mixed(format, Length("blocks", number))) for number in (17, 60))
    assert long[:17] == short


@pytest.mark.parametrize("number", [1, 2, 5, 36, 37, 100])
def test_matches_are_the_fewest_blocks_that_hold_them(number: int) -> None:
    schedule = mixed("balanced", Length("matches", number))
    sizes = [len(block.tables) for block in blocks(schedule)]
    assert sum(sizes[:-1]) < number <= sum(sizes) == schedule.matches_in(schedule.blocks)
    assert [schedule.matches_in(count) for count in range(len(sizes))] == [
        sum(sizes[:count]) for count in range(len(sizes))
    ]


def test_each_set_up_is_counted_by_itself() -> None:
    schedule = mixed("balanced", Length("rounds", 11))
    for seats, counted in zip(SIZES, balances(ENTRANTS, len(SIZES), schedule.stage(())), strict=True):
        assert set(counted.matches) == {11 * seats}
        assert {time for times in counted.seats for time in times[:seats]} == {11}


def test_an_elimination_is_played_in_every_set_up_and_places_are_added() -> None:
    schedule = mixed("single-elimination", Length("rounds", 1), (2, 4))
    results: list[PlayedBlock] = []
    strengths = [{entrant: -entrant for entrant in range(12)}, {entrant: -entrant for entrant in range(12)}]
    strengths[1][5] = 1  # the best of the second
    while stage := [played(block, strengths[block.setup].__getitem__) for block in schedule.stage(results)]:
        results += stage
    assert len(results) == schedule.blocks
    placing = schedule.placing(results)
    assert placing
    assert sorted(placing.order) == list(range(12))
    assert placing.order[0] == 0  # first and second
    assert placing.places[0].values == {"sum of places": 3}
    assert {table.setup for turn in placing.rounds for table in turn.tables} == {0, 1}
    assert [group.places[0].entrant for group in placing.groups] == [0, 5]


def test_a_set_up_that_has_no_schedule_is_refused() -> None:
    with pytest.raises(ScheduleError, match="an elimination lasts until one table is left, so blocks = 7 does not fit"):
        mixed("single-elimination", Length("blocks", 7))
