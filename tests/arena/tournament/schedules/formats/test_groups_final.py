"""Groups, then a final."""

from collections import Counter
from dataclasses import replace

import pytest

from ballcourt.arena.match.policy import parse_policy
from ballcourt.arena.tournament.decisions.course import Course
from ballcourt.arena.tournament.schedules.formats.groups_final import schedule
from ballcourt.arena.tournament.schedules.schedule import (
    Field,
    FormatOptions,
    Length,
    ScheduleError,
    SeatOutcome,
)
from tests.arena.tournament.simulated import by_index, course, played, tables

ROUNDS = Length("rounds", 6)


def test_groups_play_among_themselves_and_their_best_meet() -> None:
    planned = schedule(Field(8, 2), ROUNDS, FormatOptions(groups=2, advance=2))
    groups, final = course(planned)
    one, other = {0, 3, 4, 7}, {1, 2, 5, 6}
    assert all(set(table) <= one or set(table) <= other for table in tables(groups))
    assert {entrant for table in tables(final) for entrant in table} == {0, 3, 1, 2}


def test_after_each_round_everybody_has_played_a_block_more() -> None:
    planned = schedule(Field(23, 3), ROUNDS, FormatOptions(groups=3, advance=3))
    groups, final = course(planned)
    for rounds in range(1, 7):
        played = Counter(e for result in groups if result.block.round < rounds for e in result.block.tables[0])
        assert min(played[entrant] for entrant in range(23)) == rounds
    assert [result.block.round for result in final] == sorted(6 + place // 3 for place in range(18))


def test_finalists_are_placed_by_the_final_and_above_all_others() -> None:
    planned = schedule(Field(8, 2), ROUNDS, FormatOptions(groups=2, advance=1))
    placing = planned.placing([result for stage in course(planned) for result in stage])
    assert placing
    assert placing.order == (0, 1, 2, 3, 4, 5, 6, 7)
    assert [row.decided_by for row in placing.places][:3] == ["", "points", "final"]
    assert [(group.name, [row.entrant for row in group.places]) for group in placing.groups] == [
        ("group 1", [0, 3, 4, 7]),
        ("group 2", [1, 2, 5, 6]),
    ]
    assert [turn.name for turn in placing.rounds][5:7] == ["groups, round 6", "final, round 1"]


@pytest.mark.parametrize(
    ("gone", "finalists"),
    [
        ({0}, {3, 4, 1, 2}),
        ({3, 1, 6}, {0, 4, 2, 5}),
        ({7}, {0, 3, 1, 2}),
        ({0, 3, 4}, {7, 0, 1, 2}),
    ],
)
def test_the_next_of_a_group_takes_the_place_of_a_finalist_that_left_before_the_final(
    gone: set[int], finalists: set[int]
) -> None:
    """In the last case a single entrant of its group is left, so the best of those who left keeps a seat empty."""
    planned = schedule(Field(8, 2), ROUNDS, FormatOptions(groups=2, advance=2))
    in_groups, _ = course(planned)
    results = [*in_groups[:-1], replace(in_groups[-1], gone=frozenset(gone))]
    final = [*planned.stage(results)]
    assert {entrant for block in final for entrant in block.tables[0]} == finalists
    for so_far in (results, results + [replace(played(block, by_index), gone=frozenset({1})) for block in final]):
        placing = planned.placing(so_far)
        assert placing and {*placing.order[:4]} == finalists, "before the final as after it"


def test_the_next_of_a_group_takes_the_place_of_a_finalist_that_is_disqualified() -> None:
    planned = schedule(Field(8, 2), ROUNDS, FormatOptions(groups=2, advance=2))
    running = Course(planned, parse_policy({"disqualify": "above 50% of 12 matches"}), 8)
    outcomes: dict[str, list[SeatOutcome]] = {}
    seated: set[int] = set()
    while due := [*running.upcoming()]:
        seated = {entrant for one in due for entrant in one.block.tables[0]}
        for match in (match for one in due for match in played(one.block, by_index).matches):
            faulty = zip(match.table, match.outcomes, strict=True)
            outcomes[match.key] = [outcome._replace(fault=entrant == 0) for entrant, outcome in faulty]
        running.settle(outcomes)
    assert running.status(0) == "disqualified"
    assert seated == {3, 4, 1, 2}, "in the last round of the final"


@pytest.mark.parametrize(
    ("seats", "options", "sentence"),
    [
        (1, FormatOptions(), "need at least 2 seats"),
        (4, FormatOptions(groups=4), "4 groups of 12 bots have 3, too few for 4 seats; give at most 3 groups"),
        (7, FormatOptions(), "2 groups of 12 bots have 6, too few for 7 seats; give at most 1 group$"),
        (4, FormatOptions(groups=3, advance=1), "advance = 1 does not fit 3 groups of 4 at 4 seats; give from 2 to 4"),
        (2, FormatOptions(groups=3, advance=5), "advance = 5 does not fit 3 groups of 4 at 2 seats; give from 1 to 4"),
    ],
)
def test_groups_that_do_not_fit_are_refused(seats: int, options: FormatOptions, sentence: str) -> None:
    with pytest.raises(ScheduleError, match=sentence):
        schedule(Field(12, seats), ROUNDS, options)
