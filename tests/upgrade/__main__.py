"""Writes what users of this version have: a tournament that was ended early, and a ladder in mid-season.

`python -m tests.upgrade`, at a release, writes tests/upgrade/VERSION.zip. Commit it, and never write it again.
All bots are in it, as those of the arena may change.
"""

import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

from ballcourt.arena.bots.starters import write_bot

CUP = """\
game = "maya"
seats = 2
rounds = 3
seed = 7
output = "runs/cup"
bots = ["./bots/first", "./bots/second"]
"""
LADDER = """\
game = "ahau"
seats = 2
seed = 7
bots = "bots"
output = "runs/ladder"
"""


def main() -> None:
    """Play both in a scratch folder and pack it."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "ladder.toml").write_text(LADDER, encoding="utf-8")
        (folder / "bots").mkdir()
        for name in ("first", "second"):
            write_bot(folder / "bots" / name, "python")
        play(folder, "ladder", "ladder.toml", "--matches", "8")
        (folder / "cup.toml").write_text(CUP.replace("rounds = 3", "rounds = 2"), encoding="utf-8")
        play(folder, "tournament", "cup.toml")
        play(folder, "event", "lengthen", "runs/cup", "--blocks", "3", "--reason", "there is time")
        shutil.make_archive(str(Path(__file__).with_name(version("ballcourt"))), "zip", folder)


def play(folder: Path, *words: str) -> None:
    """Run a command of Ballcourt."""
    subprocess.run([sys.executable, "-m", "ballcourt", *words], cwd=folder, check=True)


if __name__ == "__main__":
    main()
