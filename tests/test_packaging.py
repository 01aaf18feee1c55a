"""One import name: every module has one name, and users may choose any names for their own modules."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.arena.conftest import folder_of_all, need_sandbox

ROOT = Path(__file__).parents[1]
SCRIPTS = {"starters", *(file.parent.name for file in (ROOT / "bots").glob("*/bot.toml"))}
"""Folders of `bots` that hold programs, not modules."""

IMPORT_ALL = """
import importlib, sys
from pathlib import Path

root, *expected = sys.argv[1:]
for name in expected:
    importlib.import_module(name)
files = {}
for name, module in sorted(sys.modules.items()):
    if name != "__main__" and (file := getattr(module, "__file__", None)):
        files.setdefault(Path(file).resolve(), []).append(name)
ours = {file: names for file, names in files.items() if file.is_relative_to(root) and ".venv" not in file.parts}
assert len(ours) >= len(expected)
print([names for names in ours.values() if len(names) > 1])
"""

OWN_MODULES = {
    "engine.py": "def best(legal: list[int]) -> int:\n    return max(legal)\n",
    "arena.py": "HOME = 'the author'\n",
    "bots/__init__.py": "",
    "bots/habits.py": "WHOSE = 'the author'\n",
    "leaderboard/__init__.py": "ENTRIES = ()\n",
}

BOT = """
import arena
import engine
import leaderboard
from ballcourt import Bot, Decision, run
from ballcourt.simulate import sample
from bots.habits import WHOSE

assert (arena.HOME, WHOSE, leaderboard.ENTRIES) == ("the author", "the author", ())


class Searcher(Bot):
    def choose(self, decision: Decision) -> int:
        state = sample(decision, self.random)
        action = engine.best(state.legal_actions(decision.match.seat))
        state.clone().apply(decision.match.seat, action)
        return action


if __name__ == "__main__":
    run(Searcher)
"""

MANIFEST = """
name = "mine"
version = "1"
command = ["{python}", "bot.py"]
games = ["maya"]
"""

TEST = """
from ballcourt import Session
from ballcourt.arena.match.in_process import play_in_process
from bot import Searcher


def test_it_plays_maya():
    record = play_in_process("maya", [Session(Searcher()), Session(Searcher())], seed=1)
    assert [result.termination for result in record.results] == [1, 1]
"""


def python(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run our interpreter in a folder, with that folder first on its import path."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "BALLCOURT"))}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def modules() -> list[str]:
    """All modules of the package, by the names under which they are documented."""
    source = ROOT / "src"
    package = source / "ballcourt"
    folders = [package, *(package / name for name in ("arena", "bots", "cli", "engine", "leaderboard", "v1"))]
    files = {
        file for folder in folders for file in (folder.glob("*.py") if folder == package else folder.rglob("*.py"))
    }
    starter = package / "engine" / "starter"  # a template: `new-game` copies it and renames its package
    parts = {file.relative_to(source).with_suffix("").parts for file in files if starter not in file.parents}
    named = {words[:-1] if words[-1] == "__init__" else words for words in parts if words[-1] != "__main__"}
    return sorted(".".join(words) for words in named if not (words[1:2] == ("bots",) and SCRIPTS.intersection(words)))


@pytest.fixture
def project() -> Iterator[Path]:
    """The folder of a bot whose author has modules with the names of our folders; every user may read it."""
    with folder_of_all() as folder:
        for name, content in OWN_MODULES.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(content)
        (folder / "bot.py").write_text(BOT)
        (folder / "bot.toml").write_text(MANIFEST)
        yield folder


@pytest.mark.slow
def test_no_file_is_loaded_under_two_names() -> None:
    names = modules()
    assert {"ballcourt.cli.play", "ballcourt.bots.sdk.python.bot", "ballcourt.v1.maya_pb2"} <= {*names}
    done = python("-c", IMPORT_ALL, str(ROOT), *names, folder=ROOT)
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("engine", "ballcourt.engine"),
        ("arena.match.spec", "ballcourt.arena"),
        ("bots.sdk.python", "ballcourt.bots"),
        ("leaderboard.model.ratings", "ballcourt.leaderboard"),
        ("proto.ballcourt.v1.maya_pb2", "ballcourt.v1"),
    ],
)
def test_a_second_import_name_is_refused_in_a_checkout(name: str, right: str) -> None:
    done = python("-c", f"import {name}", folder=ROOT)
    assert done.returncode == 1
    assert f"ImportError: import th{'ese modules' if 'proto' in name else 'is package'} as {right};" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("tier", ["0", "1"])
def test_a_bot_may_have_modules_with_the_names_of_our_folders(project: Path, tier: str) -> None:
    if tier == "1":
        need_sandbox()
    played = python("-m", "ballcourt", "play", "maya", ".", "random", "--sandbox", tier, "--json", folder=project)
    assert played.returncode == 0, played.stderr
    assert '"termination": "OK"' in played.stdout
    assert "CRASH" not in played.stdout
    checked = python("-m", "ballcourt", "check", "bot", ".", "--decisions", "20", "--sandbox", tier, folder=project)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.slow
def test_a_project_with_such_modules_can_test_its_bot_in_process(project: Path) -> None:
    (project / "test_bot.py").write_text(TEST)
    done = python("-m", "pytest", "-q", "-p", "no:cacheprovider", "test_bot.py", folder=project)
    assert done.returncode == 0, done.stdout
