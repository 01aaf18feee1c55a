"""Games that are named in the environment, without being installed."""

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
