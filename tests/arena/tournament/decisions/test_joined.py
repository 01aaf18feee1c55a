"""The schedule of an event that entrants joined."""

from collections.abc import Sequence

import pytest

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.tournament.decisions.changes import Changes, Joining
from ballcourt.arena.tournament.decisions.joined import schedule_with
from ballcourt.arena.tournament.event.tables import BotTable
from ballcourt.arena.tournament.schedules.schedule import Design, Field, FormatOptions, Length, PlayedBlock, Schedule
from ballcourt.arena.tournament.schedules.strengths import Strengths
from tests.arena.tournament.simulated import course

BEGINS = 12
"""The block that the eighth entrant joins with."""


def joined(format: str) -> Schedule:
    joining = Joining(BotTable(path="eve"), BotVersion("eve", "1", "0" * 64), "", BEGINS, tuple(range(8)))
    return schedule_with(Changes(joined=(joining,)), Design(format, Length("rounds", 12), FormatOptions()), Field(8, 2))


def test_who_joins_plays_from_its_block_on() -> None:
    blocks = [played.block for stage in course(joined("adaptive")) for played in stage]
    first = next(block.index for block in blocks if any(7 in table for table in block.tables))
    assert first >= BEGINS


def test_strengths_count_each_result_once_although_a_bot_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    add = Strengths.add

    def counted(strengths: Strengths, played: Sequence[PlayedBlock]) -> None:
        taken.append(len(played))
        add(strengths, played)

    monkeypatch.setattr(Strengths, "add", counted)
    results = sum(map(len, course(joined("adaptive"))))
    assert sum(taken) <= results + BEGINS  # those of before the joining are taken in by both schedules
