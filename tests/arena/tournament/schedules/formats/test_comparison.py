"""The format of comparisons: every seat is fair to both versions, and both play every deal."""

from collections import Counter

import pytest

from ballcourt.arena.tournament.schedules.formats.comparison import copies, schedule
from ballcourt.arena.tournament.schedules.schedule import (
    Field,
    FormatOptions,
    Length,
    PlayedBlock,
    Schedule,
    ScheduleError,
)


def comparison(seats: int, blocks: int = 3) -> Schedule:
    return schedule(Field(2 * copies(seats), seats), Length("blocks", blocks), FormatOptions())


@pytest.mark.parametrize(("seats", "matches"), [(1, 2), (2, 2), (3, 6), (4, 2), (5, 20)])
def test_a_block_gives_both_versions_every_seat_equally_often(seats: int, matches: int) -> None:
    planned = comparison(seats)
    blocks = list(planned.stage(()))
    assert [block.index for block in blocks] == [0, 1, 2]
    assert planned.matches_in(1) == matches
    for block in blocks:
        assert len(block.tables) == matches
        sat = Counter((seat, entrant < copies(seats)) for table in block.tables for seat, entrant in enumerate(table))
        assert sat == {(seat, is_new): matches / 2 for seat in range(seats) for is_new in (True, False)}
        assert all(len(set(table)) == seats for table in block.tables)


@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5])
def test_the_second_of_each_two_tables_is_the_first_with_the_versions_exchanged(seats: int) -> None:
    (block, *_) = comparison(seats).stage(())
    sides = [[entrant < copies(seats) for entrant in table] for table in block.tables]
    for one, other in zip(sides[::2], sides[1::2], strict=True):
        assert one == [not side for side in other]
        assert abs(2 * sum(one) - seats) <= 1


def test_at_an_even_table_the_versions_sit_in_turns() -> None:
    (block,) = comparison(4, blocks=1).stage(())
    assert [[entrant < 2 for entrant in table] for table in block.tables] == [[True, False] * 2, [False, True] * 2]


def test_there_is_one_stage() -> None:
    planned = comparison(2, blocks=1)
    (block,) = planned.stage(())
    assert list(planned.stage([PlayedBlock(block, ())])) == []


def test_a_wrong_number_of_bots_is_refused() -> None:
    with pytest.raises(ScheduleError, match="5 bots were named for a comparison with 3 seats; name 4: 2 of each"):
        schedule(Field(5, 3), Length("blocks", 1), FormatOptions())
