"""Finding games: one by its name, and those that are named in the environment without being installed."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import tests.bluff
from tests.arena.conftest import PATIENCE_S


def test_a_game_in_the_current_folder_is_found_by_its_module(tmp_path: Path) -> None:
    """As the command is started: without the current folder among the places of modules."""
    shutil.copytree(Path(tests.bluff.__file__).parent, tmp_path / "written_here")
    found = subprocess.run(
        [sys.executable, "-P", "-m", "ballcourt", "games", "bluff", "--json"],
        cwd=tmp_path,
        env={**os.environ, "BALLCOURT_GAMES": "written_here:GAME"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    assert [game["name"] for game in json.loads(found.stdout)] == ["bluff"]


def test_finding_a_game_imports_neither_other_games_nor_what_viewers_need() -> None:
    script = (
        "import sys; from ballcourt.engine.registry import find_game; find_game('maya');"
        "print(*{name.split('.')[3] for name in sys.modules if name.startswith('ballcourt.engine.games.')});"
        "print([name for name in sys.modules if name.startswith('ballcourt.engine.games.maya.view')])"
    )
    assert _output_of(script).split() == ["maya", "[]"]


def test_a_game_in_the_environment_replaces_a_built_in_one_of_its_name(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text(
        "from ballcourt.engine.core import Game\n"
        "class Other(Game):\n    name, title = 'maya', 'Other'\n"
        "GAME = Other()\n"
    )
    script = (
        "from ballcourt.engine.registry import find_game, games;"
        "print(find_game('maya').title, games()['maya'].title, find_game('ahau').name, *games())"
    )
    assert _output_of(script, tmp_path, BALLCOURT_GAMES="other:GAME").split() == [
        *("Other", "Other", "ahau"),
        *("ahau", "maya", "tzolkin"),
    ]


def _output_of(script: str, folder: Path | None = None, **environment: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", script],
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    ).stdout
