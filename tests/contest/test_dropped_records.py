"""A contest whose ladder has dropped old records: it is whole as long as their results are, also in its backup."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ballcourt.arena.replays.beside import write_packed
from ballcourt.arena.tournament.folder.dropped import dropped_files, read_dropped
from ballcourt.arena.tournament.folder.output import record_files
from ballcourt.arena.tournament.organiser.decide import Organiser
from ballcourt.contest.backup import back_up
from ballcourt.contest.decisions.verifying import complaints
from ballcourt.contest.store.contest import Contest
from ballcourt.leaderboard.store.folder import results_in
from ballcourt.leaderboard.store.retention import drop
from tests.arena.ladder.in_process import begun_in, play
from tests.bluff.installed import bluff_installed
from tests.contest.made import made_in


@pytest.fixture
def contest(tmp_path: Path) -> Iterator[Contest]:
    """A contest with a ladder of which half of the records were dropped."""
    with bluff_installed():
        made = made_in(tmp_path / "cup")
        settings = begun_in(tmp_path / "cup", matches=12)
        drop(settings.output, record_files(settings.output)[:6])
        yield replace(made.contest, ladder=settings)


def test_it_is_whole_without_the_records(contest: Contest) -> None:
    assert [*complaints(contest)] == []
    assert len(record_files(contest.ladder.output)) == 6


def test_it_is_whole_after_a_decision_about_a_dropped_match(contest: Contest) -> None:
    Organiser(contest.ladder.output, "power failure").void("b000001")
    assert [*complaints(contest)] == []
    for _ in play(contest.ladder, matches=14):
        pass
    assert [*complaints(contest)] == []


def test_a_result_that_was_changed_or_lost_is_told(contest: Contest) -> None:
    (file,) = dropped_files(contest.ladder.output)
    found = read_dropped(file)
    key = min(found)
    for seat in found[key]["seats"]:
        seat["placement"] = 3 - seat["placement"]
    write_packed(file, found)
    assert [*complaints(contest)] == [f"of the ladder's results 1 were changed, such as that of match {key}"]
    del found[key]
    write_packed(file, found)
    assert [*complaints(contest)] == [f"of the ladder's results 1 were lost, such as that of match {key}"]
    file.unlink()
    assert [*complaints(contest)] == [f"of the ladder's results 6 were lost, such as that of match {key}"]


def test_a_damaged_file_of_results_is_told(contest: Contest) -> None:
    (file,) = dropped_files(contest.ladder.output)
    file.write_bytes(file.read_bytes()[:-5])
    assert [f"{file} is damaged" in sentence for sentence in complaints(contest)] == [True]


def test_a_backup_has_the_results_of_records_that_are_dropped_while_it_is_made(
    contest: Contest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, copy = results_in(contest.ladder.output).matches, shutil.copytree

    def copied(source: Path, *given: Any, **more: Any) -> object:  # noqa: ANN401
        """Copy the results, then drop more, then copy the records."""
        if Path(source) == contest.ladder.output.absolute():
            copy(source, *given, **more | {"ignore": lambda *_: ["records"]})
            drop(contest.ladder.output, record_files(contest.ladder.output)[:3])
        return copy(source, *given, **more)

    monkeypatch.setattr("ballcourt.contest.backup.shutil.copytree", copied)
    back_up(contest, tmp_path / "copy")
    found = results_in(tmp_path / "copy" / contest.ladder.output.relative_to(contest.path.parent)).matches
    assert [match.key for match in found] == [match.key for match in before]


def test_new_contests_drop_records_after_a_month(tmp_path: Path) -> None:
    assert made_in(tmp_path / "cup").contest.ladder.retention == 30 * 86_400
