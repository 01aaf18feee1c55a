"""Schedules that end when their results say enough."""

from collections.abc import Sequence

import pytest

from ballcourt.arena.tournament.schedules.formats.comparison import schedule
from ballcourt.arena.tournament.schedules.schedule import Field, FormatOptions, Length, PlayedBlock
from ballcourt.arena.tournament.schedules.sequential import PART, Sequential

ALL = schedule(Field(2, 2), Length("blocks", 1000), FormatOptions())


def stages(sequential: Sequential) -> list[list[int]]:
    """Return the indices of the blocks of each stage."""
    results, found = list[PlayedBlock](), list[list[int]]()
    while blocks := list(sequential.stage(results)):
        found.append([block.index for block in blocks])
        results += [PlayedBlock(block, ()) for block in blocks]
    return found


def after(blocks: int, asked: list[int] | None = None) -> Sequential:
    def is_over(results: Sequence[PlayedBlock]) -> bool:
        if asked is not None:
            asked.append(len(results))
        return len(results) >= blocks

    return Sequential(ALL, is_over, 3)


def test_it_goes_on_in_stages_until_the_results_say_enough() -> None:
    assert stages(after(7)) == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]


def test_the_stages_grow_with_what_has_been_played_so_that_few_blocks_are_played_in_vain() -> None:
    asked: list[int] = []
    found = stages(after(600, asked))
    assert [index for stage in found for index in stage] == list(range(asked[-1]))
    assert asked[-1] <= 600 * (1 + 1 / PART)
    assert len(found) < 600 / 3 / 2


@pytest.mark.parametrize(("matches", "blocks"), [(1, 1), (14, 7), (15, 8)])
def test_it_ends_at_the_latest_after_the_matches_asked_for(matches: int, blocks: int) -> None:
    assert sum(map(len, stages(Sequential(ALL, lambda results: False, 3, matches)))) == blocks


def test_a_shorter_end_than_what_has_been_played_plays_nothing() -> None:
    results = [PlayedBlock(block, ()) for block in ALL.stage(())][:9]
    assert list(Sequential(ALL, lambda results: False, 3, 4).stage(results)) == []
