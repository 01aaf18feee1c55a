"""The watched folder: only folders that have settled count, once for each change."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ballcourt.arena.ladder.arrivals.inbox import Inbox
from ballcourt.arena.tournament.event.model import SettingsError
from tests.arena.ladder.in_process import put


def test_a_folder_counts_once_two_looks_find_it_unchanged(tmp_path: Path) -> None:
    put(tmp_path, "ann")
    inbox = Inbox(tmp_path)
    inbox.look()
    assert inbox.arrivals() == []
    inbox.look()
    assert inbox.arrivals() == ["ann"]


def test_a_folder_that_is_being_copied_does_not_count(tmp_path: Path) -> None:
    folder = put(tmp_path, "ann")
    inbox = Inbox(tmp_path)
    inbox.look()
    for number in range(3):
        (folder / "data").write_bytes(bytes(number))
        inbox.look()
        assert inbox.arrivals() == []
    inbox.look()
    assert inbox.arrivals() == ["ann"]


def test_a_folder_that_was_handled_counts_again_when_anything_in_it_changes(tmp_path: Path) -> None:
    folder = put(tmp_path, "ann", data="1")
    inbox = Inbox(tmp_path)
    for _ in range(2):
        inbox.look()
    inbox.handled("ann")
    inbox.look()
    assert inbox.arrivals() == []
    (folder / "data").chmod(0o700)
    for _ in range(2):
        inbox.look()
    assert inbox.arrivals() == ["ann"]


def test_a_folder_that_was_handled_counts_again_when_it_comes_back(tmp_path: Path) -> None:
    folder = put(tmp_path, "ann")
    put(tmp_path, "bob")
    inbox = Inbox(tmp_path)
    for _ in range(2):
        inbox.look()
    inbox.handled("ann")
    inbox.handled("bob")
    folder.rename(tmp_path / ".ann")
    inbox.look()
    (tmp_path / ".ann").rename(folder)
    for _ in range(2):
        inbox.look()
    assert inbox.arrivals() == ["ann"]


def test_names_with_a_dot_files_and_links_are_passed_over(tmp_path: Path) -> None:
    watched = tmp_path / "bots"
    put(watched, ".ann")
    put(tmp_path, "elsewhere")
    (watched / "link").symlink_to(tmp_path / "elsewhere")
    (watched / "note.txt").write_text("hello")
    inbox = Inbox(watched)
    for _ in range(2):
        inbox.look()
    assert inbox.arrivals() == []
    assert inbox.places == frozenset()
    (watched / ".ann").rename(watched / "ann")
    for _ in range(2):
        inbox.look()
    assert inbox.arrivals() == ["ann"]


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="nowhere, the folder from which bots join, does not exist; make it"):
        Inbox(tmp_path / "nowhere")


@pytest.mark.slow
def test_folders_nested_without_end_are_looked_at_without_recursion(tmp_path: Path) -> None:
    folder = put(tmp_path / "bots", "ann")
    handle = os.open(folder, os.O_RDONLY)
    for _ in range(2 * sys.getrecursionlimit()):
        os.mkdir("d", dir_fd=handle)
        below = os.open("d", os.O_RDONLY, dir_fd=handle)
        os.close(handle)
        handle = below
    os.close(handle)
    inbox = Inbox(tmp_path / "bots")
    for _ in range(2):
        inbox.look()
    subprocess.run(["rm", "-rf", folder], check=True)  # at any depth
    assert inbox.arrivals() == ["ann"]
