"""The folders of running and killed launchers."""

import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from ballcourt.arena.temporary import PREFIX, made_again, private_folder, remove_abandoned, scratch_folder
from tests.arena.conftest import PATIENCE_S, Talk, Traces


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which launchers create theirs."""
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr("ballcourt.arena.temporary.LONGEST_PATH", 1000)
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


def test_files_of_a_killed_process_are_removed_by_the_next(place: Path) -> None:
    lines = (
        "import os, sys, tempfile",
        "tempfile.gettempdir = lambda: sys.argv[1]",
        "from ballcourt.arena import temporary",
        "temporary.LONGEST_PATH = 1000",
        "with temporary.scratch_folder() as scratch:",
        "    (scratch / 'copy.sqlite').touch()",
        "    os._exit(0)",
    )
    subprocess.run([sys.executable, "-c", "\n".join(lines), place], check=True, timeout=PATIENCE_S)
    assert [path.name for path in place.rglob("*.sqlite")] == ["copy.sqlite"]
    with scratch_folder() as mine:
        assert list(place.iterdir()) == [mine.parent]


def test_a_removed_scratch_folder_is_made_again_unless_another_user_has_its_name(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scratch_folder() as scratch:
        shutil.rmtree(scratch.parent)
        with made_again(scratch):
            assert (scratch.parent.stat().st_mode & 0o777, scratch.stat().st_mode & 0o777) == (0o700, 0o700)
        monkeypatch.setattr(os, "geteuid", lambda: 12345)
        with pytest.raises(PermissionError, match="another user"), made_again(scratch):
            pass


def test_a_scratch_folder_that_was_made_again_is_no_leftover_as_long_as_it_is_used(place: Path) -> None:
    with scratch_folder() as scratch:
        with made_again(scratch):
            pass
        remove_abandoned()
        assert scratch.exists(), "it was not removed, and its own process holds the lock"
        shutil.rmtree(scratch.parent)
        with made_again(scratch):
            remove_abandoned()
            assert scratch.exists()
        remove_abandoned()
        assert not scratch.exists()
