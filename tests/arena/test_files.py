"""Files are written whole or not at all."""

import errno
import json
import lzma
import os
import shutil
import sqlite3
import subprocess
import sys
import zlib
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from ballcourt.arena.files import (
    BYTES_PER_PART,
    DEEPEST_JSON,
    MOST_ENTRIES,
    MOST_JSON,
    discard_temporaries,
    folder_in_place_of,
    is_full,
    parse_json,
    read_toml,
    to_toml,
    unpacked,
    write_atomically,
    write_folder_atomically,
)
from tests.arena.conftest import PATIENCE_S

MOST_PARTS = MOST_JSON // BYTES_PER_PART


def test_a_failed_write_names_the_requested_path_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=rf"No space left on device: '{tmp_path}/kept'\Z"):
        write_atomically(tmp_path / "kept", b"data")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("free", "expected"), [(0, True), (1 << 30, False)])
def test_an_error_of_sqlite_at_writing_is_that_of_a_full_disk_if_little_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, expected: bool
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
    assert is_full(error, tmp_path) == expected


def test_a_path_below_a_file_is_named_too(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError, match=f"{tmp_path}/file/kept"):
        write_folder_atomically(tmp_path / "file" / "kept", {"a": b""})


def killed_while_writing(path: Path, ends: str) -> None:
    """Write to a path from a process that ends as if it were killed."""
    lines = [
        "import os, sys, pathlib",
        "from ballcourt.arena.files import folder_in_place_of, write_atomically",
        "path = pathlib.Path(sys.argv[1])",
        *ends.splitlines(),
    ]
    subprocess.run([sys.executable, "-c", "\n".join(lines), path], check=True, timeout=PATIENCE_S)


FOLDER = "with folder_in_place_of(path) as new:\n    (new / 'a').touch()\n    os._exit(0)"
FILE = "os.fsync = lambda _: os._exit(0)\nwrite_atomically(path, b'half')"


@pytest.mark.parametrize(("name", "ends"), [("folder", FOLDER), ("file", FILE)])
def test_what_killed_processes_left_is_removed_by_the_next_that_writes_there(
    tmp_path: Path, name: str, ends: str
) -> None:
    for _ in range(2):
        killed_while_writing(tmp_path / name, ends)
    (tmp_path / ".other.1.ballcourt-tmp").touch()
    if name == "file":
        write_atomically(tmp_path / "file", b"data")
    else:
        write_folder_atomically(tmp_path / "folder", {"a": b"data"})
    assert sorted(path.name for path in tmp_path.iterdir()) == [".other.1.ballcourt-tmp", name]
    discard_temporaries(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_what_another_process_is_writing_is_left_alone(tmp_path: Path) -> None:
    with folder_in_place_of(tmp_path / "folder") as one:
        with folder_in_place_of(tmp_path / "folder") as other:
            (other / "a").write_bytes(b"other")
        assert one != other
        (one / "a").write_bytes(b"one")
    assert [(path.name, path.read_bytes()) for path in tmp_path.rglob("*") if path.is_file()] == [("a", b"one")]


def test_a_folder_comes_back_whose_successor_was_killed_at_the_last_moment(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    write_folder_atomically(folder, {"a": b"old"})
    killed_while_writing(
        folder, "pathlib.Path.replace = lambda *_: os._exit(0)\nwith folder_in_place_of(path) as new:\n    pass"
    )
    assert not folder.exists()
    with pytest.raises(RuntimeError), folder_in_place_of(folder):
        raise RuntimeError
    assert [(path.name, path.read_bytes()) for path in tmp_path.rglob("*") if path.is_file()] == [("a", b"old")]


def test_the_old_folder_is_removed_after_a_kill_that_came_when_the_new_one_was_in_place(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    write_folder_atomically(folder, {"a": b"old"})
    late = "rename = pathlib.Path.replace\npathlib.Path.replace = lambda *paths: rename(*paths) and os._exit(0)\n"
    killed_while_writing(folder, late + "with folder_in_place_of(path) as new:\n    pass")
    assert len([*tmp_path.iterdir()]) > 1
    write_folder_atomically(folder, {"a": b"newest"})
    assert [(path.name, path.read_bytes()) for path in tmp_path.rglob("*") if path.is_file()] == [("a", b"newest")]


def test_an_older_folder_stays_until_the_new_one_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "folder"
    write_folder_atomically(folder, {"a": b"old"})
    with pytest.raises(RuntimeError), folder_in_place_of(folder) as temporary:
        (temporary / "a").write_bytes(b"new")
        raise RuntimeError

    def refuse(path: Path, target: Path) -> Path:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(OSError, match=f"{folder}"), folder_in_place_of(folder) as temporary:
        (temporary / "a").write_bytes(b"new")
    assert [(path.name, path.read_bytes()) for path in tmp_path.rglob("*") if path.is_file()] == [("a", b"old")]


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


@pytest.mark.parametrize(
    "document",
    [
        "a." * 30_000 + "a = 1",
        '"a" . ' * 30_000 + "a = 1",
        "[[" + "a." * 17 + "a]]",
        'x = ["""\n""", {' + "a." * 30_000 + 'a = 1}, "z"]',
        "'\"' = 1\n" + "a." * 17 + "b = '\"'",
    ],
)
def test_a_key_whose_dots_would_take_a_parser_minutes_is_refused(tmp_path: Path, document: str) -> None:
    (tmp_path / "file").write_text(document)
    with pytest.raises(ValueError, match="dots; at most 16 are allowed"):
        read_toml(tmp_path / "file")


def test_dots_in_strings_comments_and_lists_are_no_keys(tmp_path: Path) -> None:
    dots, three, thrice = "." * 1000, '"' * 3, "'" * 3
    lines = [f'a = "{dots}"', f"b = '{dots}'  # {dots}", f"c = {three}\n{dots}{three}", f"d = [{'1.5, ' * 100}]"]
    (tmp_path / "file").write_text("\n".join([*lines, f"e = {thrice}\n{dots}'{dots}{thrice}"]))
    assert read_toml(tmp_path / "file") == {"a": dots, "b": dots, "c": dots, "d": [1.5] * 100, "e": f"{dots}'{dots}"}


def test_a_toml_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    """Some editors of Windows write one."""
    (tmp_path / "a.toml").write_bytes("\ufeffname = 'mia'".encode())
    assert read_toml(tmp_path / "a.toml") == {"name": "mia"}


@pytest.mark.parametrize("number", [str(1 << 63), str(-(1 << 63) - 1), f"0x{'f' * 9000}"])
def test_an_integer_that_toml_does_not_have_is_refused(tmp_path: Path, number: str) -> None:
    file = tmp_path / "file.toml"
    file.write_text(f"a = [{{b = {number}}}]\n")
    with pytest.raises(ValueError, match="bits; at most 64 are allowed"):
        read_toml(file)
    file.write_text(f"a = [{-(1 << 63)}, {(1 << 63) - 1}, true]\n")
    assert read_toml(file) == {"a": [-(1 << 63), (1 << 63) - 1, True]}


@pytest.mark.parametrize("part", ["[]", "{}", '"a"', "1"])
def test_the_values_of_json_are_counted_before_it_is_parsed(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = sum(map(part.count, "[{")) + 1
    fits = "[" + ",".join([part] * (MOST_PARTS // parts)) + "]"
    assert len(parse_json(fits)) == MOST_PARTS // parts
    monkeypatch.setattr(json, "loads", None)
    with pytest.raises(ValueError, match=f"commas, colons and brackets; at most {MOST_PARTS} are read"):
        parse_json(fits[:-1] + f",{part},{part}]")
    with pytest.raises(ValueError, match=f"bytes; at most {MOST_JSON} are read"):
        parse_json('"' + " " * MOST_JSON + '"')


@pytest.mark.parametrize("part", ["1,", "[],", "\n", "{a=1},"])
def test_the_values_of_toml_are_counted_before_it_is_parsed(tmp_path: Path, part: str) -> None:
    file = tmp_path / "file.toml"
    file.write_text("a = [" + part * MOST_ENTRIES + "1]\n")
    with pytest.raises(ValueError, match=f"lines, commas, brackets and equals signs; at most {MOST_ENTRIES} are read"):
        read_toml(file)


@pytest.mark.parametrize("most", [10, 4])
@pytest.mark.parametrize("cut", [0, 1])
def test_compressed_bytes_become_no_more_than_is_allowed(most: int, cut: int) -> None:
    for packed, reader in (
        (lzma.compress(b"0123456789"), lzma.LZMADecompressor()),
        (zlib.compress(b"0123456789"), zlib.decompressobj()),
    ):
        with (
            pytest.raises(ValueError, match=f"it is cut short|it unpacks to more than {most} bytes")
            if cut or most < 10
            else nullcontext()
        ):
            assert unpacked(packed[: len(packed) - cut], reader, most) == b"0123456789"


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_json_that_is_nested_too_deeply_is_refused_in_the_same_words_at_any_depth(opening: str, closing: str) -> None:
    assert parse_json(opening * DEEPEST_JSON + "5" + closing * DEEPEST_JSON)
    for depth in (DEEPEST_JSON + 1, 100_000):
        with pytest.raises(ValueError, match=f"it is nested more than {DEEPEST_JSON} deep"):
            parse_json(opening * depth + "5" + closing * depth)


@pytest.mark.parametrize("value", [[{"a": 1}, "b"], ["b", {"a": 1}], [{"a": 1}, {"b": 2}], []])
def test_a_list_of_any_values_reads_back_as_it_was_written(tmp_path: Path, value: list[object]) -> None:
    (tmp_path / "list.toml").write_text(to_toml({"list": value}))
    assert read_toml(tmp_path / "list.toml") == {"list": value}
