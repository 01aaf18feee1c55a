"""The ladder of a contest plays no more once the last phase has closed."""

import os
from pathlib import Path

import pytest

from ballcourt.contest.closing import Closing
from ballcourt.contest.create import make_contest
from ballcourt.contest.refusals import ContestFileError
from tests.contest.made import Clock

PHASE = '[[phase]]\nname = "{}"\nopens = {}-01-01T00:00:00Z\ncloses = {}-02-01T00:00:00Z\n'
IN_2030, IN_MARCH_2030 = 1_895_000_000.0, 1_900_000_000.0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_contest(tmp_path / "cup", "cup", "https://cup.example.org", "maya", unconfined=True)
    _write(tmp_path / "cup", PHASE.format("one", 2029, 2029) + PHASE.format("two", 2030, 2030))
    return tmp_path / "cup"


def _write(folder: Path, phases: str) -> None:
    (folder / "contest.toml").write_text(
        f'name = "cup"\nurl = "https://cup.example.org"\nladder = "ladder.toml"\n{phases}'
    )
    os.utime(folder / "contest.toml", ns=(0, len(phases)))


def test_a_contest_is_over_when_its_last_phase_closes_and_goes_on_with_a_new_one(folder: Path) -> None:
    clock = Clock(IN_2030)
    closing = Closing(folder / "ladder.toml", clock)
    assert closing() == ""
    clock.now = IN_MARCH_2030
    assert closing() == (
        "the last phase, two, closed 2030-02-01 00:00 UTC; a later [[phase]] in contest.toml lets it go on"
    )
    _write(folder, PHASE.format("two", 2030, 2030) + PHASE.format("three", 2031, 2031))
    assert closing() == ""


def test_a_file_that_is_wrong_for_a_moment_changes_nothing_and_refuses_a_ladder_that_starts(folder: Path) -> None:
    closing = Closing(folder / "ladder.toml", Clock(IN_MARCH_2030))
    over = closing()
    _write(folder, "[[phase")
    assert closing() == over != ""
    with pytest.raises(ContestFileError, match="is not valid TOML"):
        Closing(folder / "ladder.toml")
    (folder / "contest.toml").unlink()
    assert closing() == over


def test_a_ladder_without_a_contest_is_never_over(folder: Path) -> None:
    (folder / "other.toml").write_bytes((folder / "ladder.toml").read_bytes())
    assert Closing(folder / "other.toml", Clock(IN_MARCH_2030))() == ""
    (folder / "contest.toml").unlink()
    assert Closing(folder / "ladder.toml", Clock(IN_MARCH_2030))() == ""
