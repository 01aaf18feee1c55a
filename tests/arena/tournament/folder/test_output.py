"""The output folder of a tournament."""

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ballcourt.arena.faults import ArenaError
from ballcourt.arena.records.store import RecordError, read_record, write_record
from ballcourt.arena.tournament.event.manifest import MANIFEST
from ballcourt.arena.tournament.event.seeds import Seed
from ballcourt.arena.tournament.folder.manifest import FolderError, kept_seed
from ballcourt.arena.tournament.folder.output import VOIDED, VOIDING, hold, open_folder, record_files
from ballcourt.arena.tournament.folder.plan import Plan
from tests.arena.conftest import bounded
from tests.arena.recorded import recorded


def test_a_tournament_is_resumed_in_its_folder(planned: Plan, tmp_path: Path) -> None:
    for _ in range(2):
        with open_folder(tmp_path / "out", planned) as folder:
            assert record_files(folder.path) == []
    assert kept_seed(tmp_path / "out") == Seed(5)
    assert kept_seed(tmp_path / "elsewhere") is None


HOLD = """
import pathlib, sys
from ballcourt.arena.tournament.folder.output import hold
with hold(pathlib.Path(sys.argv[1])):
    print("held", flush=True)
    input()
"""


def test_a_folder_locked_by_another_process_is_refused(planned: Plan, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    command = [sys.executable, "-c", HOLD, str(out)]
    with bounded(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == "held\n"
        with (
            pytest.raises(FolderError, match=rf"is in use by another run \(process {holder.pid}\)"),
            open_folder(out, planned),
        ):
            pass
        holder.kill()
    with open_folder(out, planned):
        pass


def test_half_written_files_of_a_killed_run_are_removed(planned: Plan, tmp_path: Path) -> None:
    (tmp_path / "out" / "records").mkdir(parents=True)
    leftover = tmp_path / "out" / "records" / ".b000000-r0.match.123.ballcourt-tmp"
    leftover.write_bytes(b"half")
    with open_folder(tmp_path / "out", planned) as folder:
        assert record_files(folder.path) == []
    assert not leftover.exists()


def test_records_are_found_by_their_keys(planned: Plan, tmp_path: Path) -> None:
    with open_folder(tmp_path / "out", planned) as folder:
        path = write_record(folder.records, recorded("b000001-r0"))
        (folder.records / "b000002-r0.match").write_bytes(b"garbage")
        assert [file.stem for file in record_files(folder.path)] == ["b000001-r0", "b000002-r0"]
        assert folder.path_of("b000001-r0") == path
        assert [record.key for record in folder.read_all(["b000001-r0", "b000002-r0", "b000003-r0"])] == ["b000001-r0"]


def test_records_voided_repeatedly_are_all_kept_separately(planned: Plan, tmp_path: Path) -> None:
    with open_folder(tmp_path / "out", planned) as folder:
        for seed in (1, 2):
            write_record(folder.records, recorded("b000001-r0", seed))
            folder.void(["b000001-r0", "b000001-r1"])
            assert not list(folder.records.iterdir())
        kept = sorted((tmp_path / "out" / VOIDED).iterdir())
    assert [path.name for path in kept] == ["b000001-r0.2.match", "b000001-r0.match"]
    assert [read_record(path).seed for path in kept] == [2, 1]


def test_a_block_whose_voiding_was_interrupted_is_void(planned: Plan, tmp_path: Path) -> None:
    with open_folder(tmp_path / "out", planned) as folder:
        for key in ("b000001-r0", "b000001-r1", "b000002-r0"):
            write_record(folder.records, recorded(key))
        folder.void(["b000001-r0"])
        (folder.path / VOIDING).write_text("b000001-r0\nb000001-r1")  # as if killed between the two
    with open_folder(tmp_path / "out", planned) as folder:
        assert [path.name for path in folder.records.iterdir()] == ["b000002-r0.match"]
        assert not (folder.path / VOIDING).exists()


def test_a_record_of_another_match_with_the_same_key_is_refused(planned: Plan, tmp_path: Path) -> None:
    with (
        open_folder(tmp_path / "out", planned) as folder,
        pytest.raises(FolderError, match=r"b000001-r0\.match is the record of another match"),
    ):
        write_record(folder.records, recorded("b000001-r0"))
        matches = [match for due in planned.course().upcoming() for match in planned.playable(due)]
        folder.read(next(match.spec for match in matches if match.key == "b000001-r0"))


def test_a_folder_that_cannot_be_created_is_refused(planned: Plan, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(FolderError, match=r"cannot (use|make)"),
        open_folder(tmp_path / "file" / "out", planned),
    ):
        pass


def test_nothing_is_written_where_the_folder_was_once_it_is_moved(planned: Plan, tmp_path: Path) -> None:
    out, moved = tmp_path / "out", tmp_path / "moved"
    for take_away in (lambda: out.rename(moved), lambda: shutil.rmtree(out)):
        with open_folder(out, planned) as folder:
            folder.add(recorded("b000001-r0"))
            take_away()
            with pytest.raises(ArenaError, match=r"out was moved or removed while its tournament was played"):
                folder.add(recorded("b000002-r0"))
        assert not out.exists()
    assert [file.name for file in (moved / "records").iterdir()] == ["b000001-r0.match"]


def test_a_file_system_without_locks_is_named_as_the_reason(
    planned: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.lockf", refuse)
    with (
        pytest.raises(
            FolderError, match=r"cannot lock .*out: No locks available; choose an output folder on a file sy"
        ),
        open_folder(tmp_path / "out", planned),
    ):
        pass


def test_an_empty_manifest_is_damaged(planned: Plan, tmp_path: Path) -> None:
    with open_folder(tmp_path / "out", planned):
        pass
    (tmp_path / "out" / MANIFEST).write_text("")
    with (
        pytest.raises(FolderError, match=r"tournament\.toml is damaged \(it is empty\); restore it"),
        open_folder(tmp_path / "out", planned),
    ):
        pass


def test_a_fifo_in_place_of_a_record_is_played_again(planned: Plan, tmp_path: Path) -> None:
    matches = [match for due in planned.course().upcoming() for match in planned.playable(due)]
    with open_folder(tmp_path / "out", planned) as folder:
        os.mkfifo(folder.path_of(matches[0].key))
        with pytest.raises(RecordError, match="it is not a regular file"):
            folder.read(matches[0].spec)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write to any folder")
def test_a_folder_that_cannot_be_written_to_is_refused(planned: Plan, tmp_path: Path) -> None:
    with open_folder(tmp_path / "out", planned):
        pass
    (tmp_path / "out").chmod(0o555)
    with pytest.raises(FolderError, match=r"cannot write to .*out: Permission denied"), hold(tmp_path / "out"):
        pass
