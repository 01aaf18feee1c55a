"""Groups, then a final."""

from collections import Counter

import pytest

from ballcourt.arena.tournament.schedules.formats.groups_final import schedule
from ballcourt.arena.tournament.schedules.schedule import Field, FormatOptions, Length, ScheduleError
from tests.arena.tournament.simulated import course, tables

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
