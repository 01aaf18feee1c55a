"""A folder with everything that commands read, undamaged."""

import shutil
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from ballcourt import Session
from ballcourt.arena.ladder.model import read_ladder
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.arena.records.store import write_record
from ballcourt.arena.replays.judgement import JudgedDecision, judgement_of, keep_judgement
from ballcourt.arena.replays.kept import keep
from ballcourt.arena.terminal.saved import Setup, write_saved
from ballcourt.bots.first_legal.bot import FirstLegalBot
from ballcourt.v1.record_pb2 import Decisions
from tests.arena.ladder.in_process import play, put
from tests.arena.recorded import recorded
from tests.cli.conftest import write_bot
from tests.fuzz.command import told

CUP: Final = """
game = "bluff"
seats = 2
rounds = 2
seeds = "match"
workers = 1
output = "cup"
bots = ["./low", "./any"]
options = { rounds = "1" }
[clock]
bank_ms = 5000
[faults]
illegal = "retry 2"
disqualify = "above 10% of 20 matches"
[[bot]]
path = "./any"
label = "twin"
owner = "zoe"
clock = { bank_ms = 9000 }
"""
LADDER: Final = """
game = "bluff"
bots = "bots"
output = "out"
seats = 2
seed = 5
provisional = 4
missing = "7 d"
[divisions]
size = 4
moves = 1
"""
ESTIMATED: Final[JudgedDecision] = {
    "decision": 0,
    "question": "?",
    "estimate": {"values": [0.5] * 2, "wins": [], "points": [], "ranked": [], "marks": []},
}
PARAMETER: Final = "[parameters.nerve]\ndefault = 0.5\nleast = 0.0\nmost = 1.0\n"
TUNE: Final = "tune ./mine --game bluff --seats 2 --steps 1 --deals 1 --checks 1 --workers 1 --output tuned"
PREPARED: Final = (
    "tournament cup.toml", "tournament cup.toml --format swiss --output over", "event key key",
    "event bundle over --key key --output cup.zip", "event pause cup --reason lunch", "event resume cup --reason fed",
    "event withdraw cup twin --reason ill", "event add cup late=./low --owner zoe --clock bank_ms=5000 --reason x",
    "tournament cup/tournament.toml", "admin token new low --owner zoe --tokens tokens.json", TUNE,
)  # fmt: skip


def make(place: Path) -> None:
    """Write bots, tournaments, a ladder, records and all else into a folder."""
    write_bot(place / "low", "low")
    write_bot(place / "any", "any", "random")
    mine = write_bot(place / "mine", "mine") / "bot.toml"
    mine.write_text(mine.read_text() + PARAMETER)
    (place / "cup.toml").write_text(CUP)
    (place / "ladder.toml").write_text(LADDER)
    maya = play_in_process("maya", [Session(FirstLegalBot()), Session(FirstLegalBot())], seed=2, key="maya")
    keep(maya, write_record(place, maya))
    keep_judgement(place / "maya.match", judgement_of(maya, "low", [ESTIMATED]))
    begun = recorded("begun")
    begun.decisions.CopyFrom(Decisions())
    write_saved(place / "begun.saved", Setup(game="bluff", bots=("human",) * 3, options={}, said={"seed": 1}), begun)
    for command in PREPARED:
        done = told(*command.split(), within=place, limited=False)
        assert done.exit_code == 0, (command, done.output)
    for bot in ("a", "b", "c"):
        put(place / "bots", bot)
    with chdir(place):
        go_on(8)


def go_on(matches: int, seconds: float | None = None) -> None:
    """Play the ladder in this folder until it has this number of matches, or for a time: bots may never come."""
    for _ in play(read_ladder(Path("ladder.toml")), matches=matches, seconds=seconds):
        pass


@contextmanager
def copied(place: Path) -> Iterator[Path]:
    """Provide a copy of a folder, for a command that may change it."""
    with TemporaryDirectory(dir=place.parent) as copy:
        shutil.copytree(place, copy, dirs_exist_ok=True)
        yield Path(copy)
