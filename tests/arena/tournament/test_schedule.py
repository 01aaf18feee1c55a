"""What all schedules share: fields, formats and the keys of matches."""

import pytest

from ballcourt.arena.tournament.formats import find_format, known_formats
from ballcourt.arena.tournament.schedule import Field, ScheduleError, block_index, keyed_seatings


@pytest.mark.parametrize(
    ("entrants", "sentence"),
    [
        (3, "4 seats cannot be filled by 3 different bots; name at least 4 bots, or give fewer seats"),
        (1, "4 seats cannot be filled by 1 different bot; name at least 4 bots, or give fewer seats"),
    ],
)
def test_more_seats_than_entrants_are_refused(entrants: int, sentence: str) -> None:
    with pytest.raises(ScheduleError, match=sentence):
        Field(entrants, 4, 1)


def test_a_key_identifies_its_block() -> None:
    block = Field(3, 3, 1).block(1234, 0, (0, 1, 2))
    assert [block_index(key) for key, _ in keyed_seatings(block)] == [1234] * 3
    assert [block_index(key) for key in ("match", "b12-r0", "b000012", "b000012-r0.2")] == [None] * 4


def test_formats_are_found_by_their_files() -> None:
    assert known_formats() == ["round-robin"]
    with pytest.raises(ScheduleError, match="there is no format 'swiss'; known formats: round-robin"):
        find_format("swiss")
