"""The output folder of a tournament."""

import subprocess
import sys
from pathlib import Path

import pytest

from ballcourt.arena.records.store import read_record, write_record
from ballcourt.arena.tournament.folder import VOIDED, VOIDING, open_folder
from ballcourt.arena.tournament.manifest import FolderError, kept_seed
from ballcourt.arena.tournament.plan import Tournament
from tests.arena.recorded import recorded


def test_a_tournament_is_resumed_in_its_folder(planned: Tournament, tmp_path: Path) -> None:
    for _ in range(2):
        with open_folder(tmp_path / "out", planned) as folder:
            assert folder.keys() == set()
    assert kept_seed(tmp_path / "out") == 5
    assert kept_seed(tmp_path / "elsewhere") is None


HOLD = """
import pathlib, sys
from ballcourt.arena.tournament.folder import hold
with hold(pathlib.Path(sys.argv[1])):
    print("held", flush=True)
    input()
"""


def test_a_folder_locked_by_another_process_is_refused(planned: Tournament, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    command = [sys.executable, "-c", HOLD, str(out)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
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


def test_half_written_files_of_a_killed_run_are_removed(planned: Tournament, tmp_path: Path) -> None:
    (tmp_path / "out" / "records").mkdir(parents=True)
    leftover = tmp_path / "out" / "records" / ".b000000-r0.match.123.ballcourt-tmp"
    leftover.write_bytes(b"half")
    with open_folder(tmp_path / "out", planned) as folder:
        assert folder.keys() == set()
    assert not leftover.exists()


def test_records_are_found_by_their_keys(planned: Tournament, tmp_path: Path) -> None:
    with open_folder(tmp_path / "out", planned) as folder:
        path = write_record(folder.records, recorded("b000001-r0"))
        (folder.records / "b000002-r0.match").write_bytes(b"garbage")
        assert folder.keys() == {"b000001-r0", "b000002-r0"}
        assert folder.path_of("b000001-r0") == path
        assert [record.key for record in folder.read_all(["b000001-r0", "b000002-r0", "b000003-r0"])] == ["b000001-r0"]


def test_records_voided_repeatedly_are_all_kept_separately(planned: Tournament, tmp_path: Path) -> None:
    with open_folder(tmp_path / "out", planned) as folder:
        for seed in (1, 2):
            write_record(folder.records, recorded("b000001-r0", seed))
            folder.void(["b000001-r0", "b000001-r1"])
            assert not list(folder.records.iterdir())
        kept = sorted((tmp_path / "out" / VOIDED).iterdir())
    assert [path.name for path in kept] == ["b000001-r0.2.match", "b000001-r0.match"]
    assert [read_record(path).seed for path in kept] == [2, 1]


def test_a_block_whose_voiding_was_interrupted_is_void(planned: Tournament, tmp_path: Path) -> None:
    with open_folder(tmp_path / "out", planned) as folder:
        for key in ("b000001-r0", "b000001-r1", "b000002-r0"):
            write_record(folder.records, recorded(key))
        folder.void(["b000001-r0"])
        (folder.path / VOIDING).write_text("b000001-r0\nb000001-r1")  # as if killed between the two
    with open_folder(tmp_path / "out", planned) as folder:
        assert [path.name for path in folder.records.iterdir()] == ["b000002-r0.match"]
        assert not (folder.path / VOIDING).exists()


def test_a_record_of_another_match_with_the_same_key_is_refused(planned: Tournament, tmp_path: Path) -> None:
    with (
        open_folder(tmp_path / "out", planned) as folder,
        pytest.raises(FolderError, match=r"b000001-r0\.match is the record of another match"),
    ):
        write_record(folder.records, recorded("b000001-r0"))
        matches = [match for due in planned.course().upcoming() for match in planned.playable(due)]
        folder.read(next(match.spec for match in matches if match.key == "b000001-r0"))


def test_a_folder_that_cannot_be_created_is_refused(planned: Tournament, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(FolderError, match=r"cannot (use|make)"),
        open_folder(tmp_path / "file" / "out", planned),
    ):
        pass
