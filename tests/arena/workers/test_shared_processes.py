"""Bots that play several matches at the same time in one process."""

import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import Bot, BotError, load_bot
from ballcourt.arena.workers.runner import Runner
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.conftest import BOTS, LOWEST, Traces
from tests.arena.matches import match_of

MATCHES = 4


def batching(folder: Path, *arguments: str) -> Bot:
    """Return a bot that plays several matches at the same time, in a folder of its own."""
    shutil.copy(BOTS / "batching.py", folder / "bot.py")
    words = ", ".join(f'"{word}"' for word in ("{python}", "bot.py", *arguments))
    (folder / "bot.toml").write_text(f'name = "net"\nversion = "1"\ncommand = [{words}]\nmatches = {MATCHES}\n')
    return load_bot(folder)


def played(bot: Bot) -> list[MatchRecord]:
    """Play matches of the bot against another one, all at the same time."""
    matches = [match_of(str(number), "bluff", {"rounds": "100"}, number, (bot, LOWEST)) for number in range(MATCHES)]
    with Runner(workers=1, matches_per_worker=MATCHES) as runner:
        return list(runner.run(replace(match, takes_turns=True) for match in matches))


def notes_of(record: MatchRecord, seat: int) -> list[str]:
    return [note for number, note in record.decisions.thoughts.items() if record.decisions.seats[number] == seat]


@pytest.mark.slow
def test_one_process_plays_several_matches_and_is_asked_by_several_at_once(tmp_path: Path, traces: Traces) -> None:
    records = played(batching(tmp_path))
    thoughts = [note.split() for record in records for note in notes_of(record, 0)]
    assert not [fault.detail + fault.stderr_tail for record in records for fault in record.faults]
    assert len({process for process, _ in thoughts}) == 1, "a network would be loaded once"
    assert max(int(together) for _, together in thoughts) > 1
    assert max(record.beside[0] for record in records) == MATCHES - 1
    assert all(record.beside[1] == 0 for record in records), "the other bot has a process for each match"
    assert traces.all_gone()


@pytest.mark.slow
def test_whatever_ends_the_process_ends_all_of_its_matches(tmp_path: Path, traces: Traces) -> None:
    faults = [record.faults[0] for record in played(batching(tmp_path, "exit")) if record.faults]
    assert len(faults) > 1
    assert {fault.termination for fault in faults} == {Termination.TERMINATION_CRASH}
    assert "exit code 3" in "".join(fault.detail for fault in faults)
    assert traces.all_gone()


@pytest.mark.parametrize("matches", ["0", "9", "true", '"2"', "1.5"])
def test_a_number_of_matches_that_is_none_is_refused(matches: str, tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text(
        f'name = "a"\nversion = "1"\ncommand = ["{sys.executable}"]\nmatches = {matches}\n'
    )
    with pytest.raises(BotError, match=r"matches is .*; it must be a whole number from 1 to 8"):
        load_bot(tmp_path)
