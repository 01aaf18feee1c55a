"""Twelve authors, two for each language, and the ladder of their class.

Every command and every line that an author types is in the documents, and `typed` refuses others.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.languages.test_languages import PROGRAMS
from tests.test_documents import DOCUMENTS, ROOT

LADDER = """
game = "maya"
bots = "bots"
seats = 4
residents = ["random", "greedy"]

[sandbox]
tier = {tier}
"""
MATCHES = 4
"""The matches of each author's bot, at least."""
LONGEST_S = 3600
MINE = re.compile(r"\bmine\b")
WITH_NUMPY = "return int(numpy.sort(decision.legal)[-1])"
WRITTEN = "\n".join(path.read_text(encoding="utf-8") for path in [*DOCUMENTS, *ROOT.glob("bots/sdk/*/README.md")])

Change = Callable[[Path], None]


@dataclass(frozen=True)
class Author:
    """A person with a bot."""

    name: str
    language: str
    change: Change
    path: Sequence[Path] = (ROOT,)
    """For Python's imports: a folder with a sitecustomize makes another system of this one."""

    def write(self, place: Path) -> None:
        """Begin, change and check a bot."""
        self.type(place, "ballcourt new-bot mine" + (f" --lang {self.language}" if self.language in PROGRAMS else ""))
        self.change(place / self.name)
        self.type(place, "ballcourt check bot ./mine --game tzolkin --decisions 100")

    def enter(self, place: Path) -> None:
        """Put the bot into the folder of the ladder as the page about ladders asks."""
        incomplete = place / "bots" / f".{self.name}"
        shutil.copytree(place / self.name, incomplete)
        incomplete.rename(place / "bots" / self.name)

    def type(self, place: Path, command: str) -> None:
        """Run a command of the documents, with the name of the bot in place of `mine`."""
        _, *words = MINE.sub(self.name, typed(command)).split()
        run(words, place, self.path)


def typed(text: str) -> str:
    """Return the text, which is in the documents, maybe with another language. Raises AssertionError."""
    assert any(text.replace(f"--lang {name}", "--lang go") in WRITTEN for name in PROGRAMS), f"no document has {text!r}"
    return text


def run(words: Sequence[str], place: Path, path: Iterable[Path] = (ROOT,)) -> str:
    """Run a command of Ballcourt to its end; return what it printed. Raises RuntimeError with its last words."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path)), "BALLCOURT_CACHE": str(place / "cache")}
    command = [sys.executable, "-m", "ballcourt", *words]
    done = subprocess.run(
        command, cwd=place, env=environment, capture_output=True, text=True, timeout=LONGEST_S, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}: {(done.stderr + done.stdout)[-2000:]}")
    return done.stdout


def attend(authors: Sequence[Author], place: Path, tier: int) -> dict[str, int]:
    """Write and enter the bots of all, and play the ladder; return the ranks of the bots by their names.

    Raises RuntimeError with the words of a command that failed.
    """
    (place / "bots").mkdir()
    for author in authors:
        author.write(place)
        author.enter(place)
    (place / "ladder.toml").write_text(LADDER.format(tier=tier), encoding="utf-8")
    matches = str(MATCHES * (len(authors) + 2))
    run([*typed("ballcourt ladder ladder.toml").split()[1:], "--matches", matches], place)
    table = json.loads(run([*typed("ballcourt leaderboard runs/ladder").split()[1:], "--json"], place))
    [ladder] = table["ladders"]
    return {standing["bot"]: standing["rank"] for standing in ladder["standings"]}


def leave(folder: Path) -> None:
    """Change nothing."""


def needs_numpy(folder: Path) -> None:
    """Choose with a NumPy of its own, as the page about dependencies says."""
    (folder / "requirements.txt").write_text("numpy==2.1.3\n", encoding="utf-8")
    with (folder / "bot.toml").open("a", encoding="utf-8") as manifest:
        manifest.write(typed('requirements = "requirements.txt"\n'))
    program = folder / "bot.py"
    lines = program.read_text(encoding="utf-8").splitlines()
    [choice] = [number for number, line in enumerate(lines) if line.strip().startswith("return ")]
    lines[choice] = lines[choice].partition("return")[0] + WITH_NUMPY
    program.write_text("\n".join(["import numpy", *lines]) + "\n", encoding="utf-8")


def as_the_readme(language: str) -> Change:
    """Return a change that makes the program of a bot the first one in the README of its SDK."""

    def change(folder: Path) -> None:
        readme = (folder / "sdk" / "README.md").read_text(encoding="utf-8")
        programs = re.findall(r"^```(?:cpp|go|java|rust|ts)\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
        (folder / PROGRAMS[language]).write_text(programs[0], encoding="utf-8")

    return change


OF_PYTHON = (
    Author("nina", "python", needs_numpy),
    Author("wendy", "python", leave, (ROOT / "tests" / "windows", ROOT)),
)
"""One with a library, and one on a system that lacks what Windows lacks."""
AUTHORS = OF_PYTHON + tuple(
    Author(f"{language}-{number}", language, change)
    for language in sorted(PROGRAMS)
    for number, change in enumerate((leave, as_the_readme(language)), 1)
)
