"""What all schedules share: fields, formats and the keys of matches."""

import pytest

from ballcourt.arena.tournament.schedules.formats import default_format, known_formats, schedule_of
from ballcourt.arena.tournament.schedules.schedule import (
    Design,
    Field,
    FormatOptions,
    Length,
    ScheduleError,
    block_index,
    keyed_seatings,
)


@pytest.mark.parametrize(
    ("entrants", "sentence"),
    [
        (3, "4 seats cannot be filled by 3 different bots; name at least 4 bots, or give fewer seats"),
        (1, "4 seats cannot be filled by 1 different bot; name at least 4 bots, or give fewer seats"),
    ],
)
def test_more_seats_than_entrants_are_refused(entrants: int, sentence: str) -> None:
    with pytest.raises(ScheduleError, match=sentence):
        Field(entrants, 4)


def test_a_key_identifies_its_block() -> None:
    block = Field(3, 3).rotated(1234, 0, (0, 1, 2))
    assert [block_index(key) for key, _ in keyed_seatings(block)] == [1234] * 3
    assert [block_index(key) for key in ("match", "b12-r0", "b000012", "b000012-r0.2")] == [None] * 4


def test_formats_are_found_by_their_files() -> None:
    assert {"round-robin", "balanced", "swiss"} <= set(known_formats())
    with pytest.raises(ScheduleError, match="there is no format 'ladder'; known formats: adaptive, balanced, "):
        schedule_of(Design("ladder", Length("rounds", 1), FormatOptions()), Field(4, 2))


def test_an_option_of_another_format_is_refused() -> None:
    design = Design("swiss", Length("rounds", 1), FormatOptions(focus=(0,)))
    with pytest.raises(ScheduleError, match="the format 'swiss' takes no focus; formats that do: gauntlet"):
        schedule_of(design, Field(4, 2))


@pytest.mark.parametrize(
    ("entrants", "seats", "format"),
    [(4, 4, "round-robin"), (12, 4, "round-robin"), (13, 4, "balanced"), (40, 1, "round-robin")],
)
def test_large_fields_are_balanced_unless_a_format_is_named(entrants: int, seats: int, format: str) -> None:
    assert default_format(Field(entrants, seats), ()) == format
