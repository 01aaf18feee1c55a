"""Bots that write beside their program, as kits of other contests do, are continued by the same command."""

from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import load_bot
from tests.cli.conftest import CUP, Refused, Run

WRITER = """
import os, pathlib
from ballcourt import Bot, run
class Writer(Bot):
    def choose(self, decision):
        {write}
        return decision.legal[0]
run(Writer)
"""


@pytest.mark.parametrize(
    "write",
    [
        'open("bot-0.log", "a").write("x")',
        'open("old.log", "a").write("x")',
        'pathlib.Path(__file__).with_name("state.json").write_text("{}")',
        'os.makedirs("replays/today", exist_ok=True)',
        'pathlib.Path("old.log").unlink(missing_ok=True)',
    ],
)
def test_a_tournament_of_a_bot_that_writes_beside_its_program_goes_on(run: Run, place: Path, write: str) -> None:
    (place / "low" / "bot.py").write_text(WRITER.format(write=write))
    (place / "low" / "bot.toml").write_text('name = "low"\nversion = "1"\ncommand = ["{python}", "bot.py"]\n')
    (place / "low" / "old.log").write_text("of the author")
    before = load_bot(place / "low").content_hash
    (place / "cup.toml").write_text(CUP)
    for rounds in ("1", "1", "2"):
        result = run("tournament", "cup.toml", "--rounds", rounds)
        assert result.exit_code == 0, result.output
    assert load_bot(place / "low").content_hash == before


def test_a_file_that_the_author_changed_is_named(run: Run, place: Path, refused: Refused) -> None:
    (place / "cup.toml").write_text(CUP)
    assert run("tournament", "cup.toml").exit_code == 0
    (place / "low" / "lib").mkdir()
    (place / "low" / "lib" / "brain.py").write_text("new")
    complaint = refused("tournament", "cup.toml")
    assert "the files of low 1 have changed since out was begun (lib/brain.py of low 1)" in complaint
    assert "restore them, and remove those that the program itself wrote there, or give" in complaint
