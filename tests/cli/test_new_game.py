"""`ballcourt new-game`: what it writes is a game that passes every check, under any name."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Refused, Run


@pytest.mark.slow
def test_a_new_game_is_installed_checked_tested_and_played(run: Run, place: Path, tmp_path: Path) -> None:
    assert run("new-game", "high_bids").exit_code == 0
    installed = tmp_path / "installed"
    environment = {**os.environ, "PYTHONPATH": str(installed), "BALLCOURT_GAMES": ""}

    def succeeds(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", *words], cwd=place, env=environment, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    succeeds("pip", "install", "--no-build-isolation", "--no-deps", "--target", str(installed), "./high_bids")
    assert "high_bids, rules 1: all 18 checks passed" in succeeds("ballcourt", "check", "game", "high_bids")
    assert "5 passed" in succeeds("pytest", "-p", "no:cacheprovider", "high_bids/tests")
    notes = (place / "high_bids" / "AGENTS.md").read_text()
    assert (
        "# HighBids, a game for Ballcourt" in notes
        and (place / "high_bids" / "CLAUDE.md").read_text() == "@AGENTS.md\n"
    )
    for command in re.findall(r"^ballcourt .*", notes, re.MULTILINE):
        succeeds(*shlex.split(command, comments=True))
    assert "high_bids, rules 1, cards = 5" in succeeds(
        "ballcourt", "play", "high_bids", "random", "random", "--option", "cards=5"
    )


def test_a_new_game_has_its_name_everywhere(run: Run, place: Path) -> None:
    assert run("new-game", "high_bids").exit_code == 0
    written = {path: path.read_text() for path in (place / "high_bids").rglob("*") if path.is_file()}
    names = {str(path.relative_to(place / "high_bids")) for path in written}
    assert {"pyproject.toml", "high_bids/high_bids.proto", "high_bids/game.py", "tests/test_rules.py"} <= names
    assert [path for path, text in written.items() if "goofspiel" in (str(path) + text).lower()] == []
    assert "class HighBids(Game):" in written[place / "high_bids/high_bids/game.py"]
    assert "HIGH_BIDS_ACTION_BID_1 = 1;" in written[place / "high_bids/high_bids/high_bids.proto"]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Maya", "'Maya' is not a valid name of a game; it must be at most 40 lower-case letters"),
        ("class", "'class' is not a valid name of a game"),
        ("maya", "there is a game 'maya' already; choose another name"),
        ("json", "there is a Python module 'json' already; choose another name"),
        ("low", "low already exists; choose another name, or remove it"),
        ("nowhere/mine", "nowhere/mine cannot be written: No such file or directory"),
    ],
)
def test_a_game_that_cannot_be_written_is_refused(refused: Refused, name: str, sentence: str) -> None:
    assert sentence in refused("new-game", name)
