"""The file of a ladder's stages: it only grows, and a line that was cut short never counts."""

import json
from pathlib import Path

import pytest

from ballcourt.arena.tournament.event.stages import (
    STAGES,
    Stage,
    StagesError,
    WrittenSchedule,
    choose,
    read_stages,
    settle,
)
from ballcourt.arena.tournament.schedules.schedule import SeatOutcome

FIRST = Stage(0, 0, ((0, 1), (2, 0)), 1, ((0, 1, 2),))
SECOND = Stage(1, 2, ((1, 2),), 0, ((0,), (1, 2)))
RESULTS = {
    f"b00000{block}-r{turn}": (SeatOutcome(1, 0.0, fault=False), SeatOutcome(2, 0.0, fault=turn == 1))
    for block in range(2)
    for turn in range(2)
}


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    assert list(read_stages(tmp_path)) == []
    choose(tmp_path, FIRST)
    assert list(read_stages(tmp_path)) == [(FIRST, None)]
    settle(tmp_path, FIRST, RESULTS)
    choose(tmp_path, SECOND)
    assert list(read_stages(tmp_path)) == [(FIRST, RESULTS), (SECOND, None)]


def test_a_schedule_has_all_blocks_so_far_in_all_rotations(tmp_path: Path) -> None:
    choose(tmp_path, FIRST)
    settle(tmp_path, FIRST, RESULTS)
    choose(tmp_path, SECOND)
    blocks = list(WrittenSchedule(tmp_path, 2).stage(()))
    assert [(block.index, block.round, block.tables) for block in blocks] == [
        (0, 0, ((0, 1), (1, 0))),
        (1, 0, ((2, 0), (0, 2))),
        (2, 1, ((1, 2), (2, 1))),
    ]


def test_wherever_a_line_is_cut_short_the_lines_before_it_count_and_the_next_takes_its_place(tmp_path: Path) -> None:
    choose(tmp_path, FIRST)
    first = (tmp_path / STAGES).read_bytes()
    settle(tmp_path, FIRST, RESULTS)
    whole = (tmp_path / STAGES).read_bytes()
    for end in range(len(first), len(whole)):
        (tmp_path / STAGES).write_bytes(whole[:end])
        assert list(read_stages(tmp_path)) == [(FIRST, None)]
        settle(tmp_path, FIRST, RESULTS)
        assert (tmp_path / STAGES).read_bytes() == whole


@pytest.mark.parametrize("entrant", [-1, 3, 10**18])
def test_a_stage_with_an_entrant_that_is_not_there_is_damage(tmp_path: Path, entrant: int) -> None:
    line = json.dumps({"stage": 0, "first_block": 0, "tables": [[0, entrant]], "across": 1, "divisions": [[0, 1, 2]]})
    (tmp_path / STAGES).write_text(f"{line}\n")
    with pytest.raises(StagesError, match=r"stages\.jsonl is damaged in line 1"):
        list(WrittenSchedule(tmp_path, 2, 3).stage(()))


@pytest.mark.parametrize("line", [b"nonsense", b"[]", b'{"stage": 0}', b'{"stage": 5, "places": {}}', b'{"tables": 1}'])
def test_a_damaged_line_is_named(tmp_path: Path, line: bytes) -> None:
    choose(tmp_path, FIRST)
    with (tmp_path / STAGES).open("ab") as file:
        file.write(line + b"\n")
    with pytest.raises(StagesError, match=r"stages\.jsonl is damaged in line 2; restore it from a copy"):
        list(read_stages(tmp_path))
