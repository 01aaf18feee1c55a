"""What a bot's folder may hold, and what makes it another bot."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from ballcourt.arena.bots import contents
from ballcourt.arena.bots.contents import ContentsError, ItemKind, copy, digest, items


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one item of each kind."""
    made = tmp_path / "mia"
    (made / "lib" / "empty").mkdir(parents=True)
    (made / "lib" / "book").write_bytes(b"opening")
    (made / "bot").write_bytes(b"#!/bin/sh")
    (made / "bot").chmod(0o755)
    (made / "link").symlink_to("lib/book")
    return made


def test_everything_in_a_folder_is_listed_once_and_links_are_not_followed(folder: Path) -> None:
    (folder / "loop").symlink_to(".")
    (folder / "away").symlink_to("/")
    found = {item.path: (item.kind, item.target) for item in items(folder, ("*.o",))}
    assert found == {
        "away": (ItemKind.LINK, "/"),
        "bot": (ItemKind.PROGRAM, ""),
        "lib": (ItemKind.FOLDER, ""),
        "lib/book": (ItemKind.FILE, ""),
        "lib/empty": (ItemKind.FOLDER, ""),
        "link": (ItemKind.LINK, "lib/book"),
        "loop": (ItemKind.LINK, "."),
    }


def link(path: Path, target: str) -> Path:
    path.symlink_to(target)
    return path


CHANGES: dict[str, Callable[[Path], object]] = {
    "content": lambda folder: (folder / "lib" / "book").write_bytes(b"endgame"),
    "right to execute": lambda folder: (folder / "bot").chmod(0o644),
    "target of a link": lambda folder: link(folder / "new", "bot").replace(folder / "link"),
    "file for a link": lambda folder: (folder / "bot").replace(folder / "link"),
    "empty folder": lambda folder: (folder / "lib" / "empty").rmdir(),
    "name": lambda folder: (folder / "bot").rename(folder / "tob"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_a_copy_keeps_is_in_the_digest(folder: Path, change: str) -> None:
    before = digest(folder)
    CHANGES[change](folder)
    assert digest(folder) != before


def test_a_copy_has_the_digest_of_the_original_but_none_of_its_other_modes(folder: Path, tmp_path: Path) -> None:
    (folder / "bot").chmod(0o6777)
    (folder / "lib").chmod(0o777)
    (folder / ".git").mkdir()
    assert copy(folder, tmp_path / "copy", (".*",)) == digest(folder, (".*",)) == digest(tmp_path / "copy")
    modes = {path: oct((tmp_path / "copy" / path).stat().st_mode & 0o7777) for path in (".", "bot", "lib", "lib/book")}
    assert modes == {".": "0o755", "bot": "0o755", "lib": "0o755", "lib/book": "0o644"}


def fifo(path: Path) -> None:
    os.mkfifo(path)


def unix_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(path))


@pytest.mark.parametrize("make", [fifo, unix_socket])
def test_what_is_no_file_is_refused_without_being_opened(folder: Path, make: Callable[[Path], None]) -> None:
    make(folder / "pipe")
    with pytest.raises(ContentsError, match="mia/pipe, in the folder of a bot, is neither a file nor a folder nor"):
        digest(folder)


def test_a_file_larger_than_any_bot_is_refused_without_being_read(folder: Path) -> None:
    with (folder / "sparse").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(ContentsError, match="mia holds more than 4096 MB, up to sparse; a bot may not"):
        digest(folder)


def test_too_many_names_and_too_deep_folders_are_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contents, "DEEPEST", 1)
    with pytest.raises(ContentsError, match="lib, in the folder of a bot, is nested more than 1 folders deep"):
        digest(folder)
    monkeypatch.setattr(contents, "MOST_NAMES", 2)
    with pytest.raises(ContentsError, match="mia holds more than 2 files and folders"):
        digest(folder)


def test_a_file_that_grows_while_it_is_read_is_refused(folder: Path) -> None:
    listed = items(folder)
    grown = next(item for item in listed if item.path == "lib/book")
    (folder / "lib" / "book").write_bytes(b"opening and more")
    with pytest.raises(ContentsError, match="lib/book, in the folder of a bot, changed while it was read"):
        contents._hashed(folder, grown)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("d" * 60, "has a path of 60 bytes; at most 50 are allowed"), (os.fsdecode(b"\xff"), "is not UTF-8; rename it")],
)
def test_a_path_that_some_programs_cannot_be_given_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, wrong: str
) -> None:
    monkeypatch.setattr(contents, "LONGEST_PATH", 50)
    (folder / name).touch()
    with pytest.raises(ContentsError, match=wrong):
        digest(folder)
