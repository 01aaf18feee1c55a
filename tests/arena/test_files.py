"""Files are written whole or not at all."""

import errno
import os
from pathlib import Path

import pytest

from ballcourt.arena.files import discard_temporaries, read_toml, write_atomically, write_folder_atomically


def test_a_failed_write_names_the_requested_path_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=rf"No space left on device: '{tmp_path}/kept'\Z"):
        write_atomically(tmp_path / "kept", b"data")
    assert list(tmp_path.iterdir()) == []


def test_a_path_below_a_file_is_named_too(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError, match=f"{tmp_path}/file/kept"):
        write_folder_atomically(tmp_path / "file" / "kept", {"a": b""})


def test_leftovers_of_a_killed_process_are_overwritten_or_discarded(tmp_path: Path) -> None:
    for name in ("file", "folder"):
        (tmp_path / f".{name}.{os.getpid()}.ballcourt-tmp").mkdir()
    (tmp_path / ".other.1.ballcourt-tmp").touch()
    write_atomically(tmp_path / "file", b"data")
    write_folder_atomically(tmp_path / "folder", {"a": b"data"})
    discard_temporaries(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]


def test_contents_are_synced_before_the_rename_and_the_folder_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: set[int] = set()  # inodes: everything else is lost in a power failure
    rename = Path.replace

    def checked(path: Path, target: Path) -> Path:
        assert {file.stat().st_ino for file in (path, *path.rglob("*"))} <= synced
        synced.clear()
        return rename(path, target)

    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.add(os.fstat(descriptor).st_ino))
    monkeypatch.setattr(Path, "replace", checked)
    write_atomically(tmp_path / "file", b"data")
    assert synced == {tmp_path.stat().st_ino}
    write_folder_atomically(tmp_path / "folder", {"a": b"data", "b": b""})
    assert synced == {tmp_path.stat().st_ino}
    assert sorted(path.name for path in (tmp_path / "folder").iterdir()) == ["a", "b"]


def test_a_toml_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    """Some editors of Windows write one."""
    (tmp_path / "a.toml").write_bytes("\ufeffname = 'mia'".encode())
    assert read_toml(tmp_path / "a.toml") == {"name": "mia"}
