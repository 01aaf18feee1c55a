"""The folders of running and killed launchers."""

import os
import signal
import socket
from pathlib import Path

import pytest

from ballcourt.arena.processes.folder import PREFIX, private_folder
from tests.arena.conftest import Talk, Traces


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which launchers create theirs."""
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr("ballcourt.arena.processes.folder.LONGEST_PATH", 1000)
    return tmp_path


def test_leftovers_of_a_killed_launcher_are_removed_by_the_next(traces: Traces) -> None:
    killed = Talk(traces)
    os.kill(killed.process.pid, signal.SIGKILL)
    killed.end()
    assert killed.folder.exists()
    following = Talk(traces)
    assert not killed.folder.exists()
    assert following.folder.exists()
    following.end()
    assert traces.all_gone()


def test_sockets_are_removed_with_their_folder(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = place / f"{PREFIX}abandoned" / "door" / "1"
    inside.mkdir(parents=True)
    monkeypatch.chdir(inside)  # its path may be too long for a socket
    with socket.socket(socket.AF_UNIX) as door:
        door.bind("arena.sock")
    with private_folder() as mine:
        assert list(place.iterdir()) == [Path(mine)]


def test_the_folder_of_a_running_launcher_is_left_alone(place: Path) -> None:
    with private_folder() as one, private_folder() as other:
        assert Path(one).is_dir()
        assert Path(other).is_dir()
    assert list(place.iterdir()) == []


def test_files_that_no_launcher_made_are_left_alone(place: Path) -> None:
    file, link, full = (place / f"{PREFIX}{name}" for name in ("file", "link", "full"))
    file.touch()
    link.symlink_to(place)
    full.mkdir()
    (full / "thesis.txt").touch()
    with private_folder():
        pass
    assert all(path.exists() for path in (file, link, full / "thesis.txt"))
