"""A gauntlet: the bots in focus meet all others evenly."""

from collections import Counter

import pytest

from ballcourt.arena.tournament.schedules.formats.gauntlet import schedule
from ballcourt.arena.tournament.schedules.schedule import Field, FormatOptions, Length, ScheduleError
from tests.arena.tournament.simulated import course, tables


@pytest.mark.parametrize("focus", [(0,), (2,), (1, 4, 5)])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_table_has_one_bot_in_focus_and_all_others_meet_it_equally_often(
    focus: tuple[int, ...], seats: int
) -> None:
    planned = schedule(Field(12, seats), Length("rounds", 5), FormatOptions(focus=focus))
    [stage] = course(planned)
    met: Counter[tuple[int, int]] = Counter()
    for table in tables(stage):
        [runner] = [entrant for entrant in table if entrant in focus]
        met.update((runner, entrant) for entrant in table if entrant != runner)
    for runner in focus:
        times = [met[runner, other] for other in range(12) if other not in focus]
        assert max(times) - min(times) <= 1
        assert min(times) >= 5


def test_bots_in_focus_play_equally_often() -> None:
    planned = schedule(Field(10, 2), Length("blocks", 7), FormatOptions(focus=(0, 1)))
    played = Counter(entrant for stage in course(planned) for table in tables(stage) for entrant in table)
    assert abs(played[0] - played[1]) <= 1


@pytest.mark.parametrize(
    ("seats", "focus", "sentence"),
    [
        (3, (), "a gauntlet needs the bots that run it; give focus"),
        (1, (0,), "a gauntlet needs at least 2 seats"),
        (4, (0, 1), "a gauntlet at 4 seats needs at least 3 bots that are not in focus; there are 2"),
        (2, (0, 1, 2, 3), "needs at least 1 bots that are not in focus; there are 0"),
    ],
)
def test_a_field_without_a_gauntlet_is_refused(seats: int, focus: tuple[int, ...], sentence: str) -> None:
    with pytest.raises(ScheduleError, match=sentence):
        schedule(Field(4, seats), Length("rounds", 1), FormatOptions(focus=focus))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_others_that_just_fill_a_table_are_enough(seats: int) -> None:
    [stage] = course(schedule(Field(seats, seats), Length("rounds", 1), FormatOptions(focus=(0,))))
    assert [sorted(table) for table in tables(stage)] == [[*range(seats)]]
