"""Old records are dropped, and their results stay: in tables, in databases, for decisions and on pages."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ballcourt.arena.ladder.model import LadderFile
from ballcourt.arena.records.bundle import FAULTS, LOGS
from ballcourt.arena.records.store import RecordError
from ballcourt.arena.tournament.event.model import SettingsError
from ballcourt.arena.tournament.event.stages import read_stages
from ballcourt.arena.tournament.folder.dropped import RESULTS, dropped_files, dropped_keys, read_dropped
from ballcourt.arena.tournament.folder.output import DATABASE, RECORDS, record_files
from ballcourt.arena.tournament.organiser.decide import Organiser
from ballcourt.leaderboard.model.results import MatchResult
from ballcourt.leaderboard.store import retention
from ballcourt.leaderboard.store.database import open_database
from ballcourt.leaderboard.store.feed import DatabaseFeed
from ballcourt.leaderboard.store.folder import add_missing, results_in
from ballcourt.leaderboard.store.retention import Retention, drop
from tests.arena.ladder.in_process import begun_in, play
from tests.bluff.installed import bluff_installed

DAY_S = 86_400.0
FAR = 10**12
"""A block that no ladder reaches."""


@pytest.fixture(scope="module", autouse=True)
def _bluff() -> Iterator[None]:
    with bluff_installed():
        yield


@pytest.fixture
def settings(tmp_path: Path) -> LadderFile:
    return begun_in(tmp_path, matches=24)


def later(folder: Path, days: float = 31) -> float:
    """Return a moment after the newest record was written."""
    return max(file.stat().st_mtime for file in record_files(folder)) + days * DAY_S


def dropped(folder: Path, before: int = FAR) -> None:
    """Drop the records of a folder that are older than a month, at a moment when all are."""
    Retention(folder, 30 * DAY_S, lambda: later(folder))(before)


def results(folder: Path) -> list[MatchResult]:
    found = results_in(folder)
    assert found.left_out == []
    return found.matches


def test_results_are_the_same_whether_records_were_dropped_or_not(settings: LadderFile) -> None:
    before = results(settings.output)
    dropped(settings.output, before=6)
    assert 0 < len(record_files(settings.output)) < len(before)
    assert results(settings.output) == before
    dropped(settings.output)
    assert record_files(settings.output) == []
    assert results(settings.output) == before
    assert len(before) >= 24


def test_only_old_records_of_blocks_that_are_over_are_dropped(settings: LadderFile) -> None:
    young = Retention(settings.output, 30 * DAY_S, lambda: later(settings.output, days=29))
    young(FAR)
    assert not (settings.output / RESULTS).exists()
    dropped(settings.output, before=3)
    assert dropped_keys(settings.output) == {f"b{block:06}-r{seat}" for block in range(3) for seat in range(2)}


def test_without_a_time_nothing_is_dropped(settings: LadderFile) -> None:
    Retention(settings.output, None, lambda: later(settings.output, 10_000))(FAR)
    assert dropped_keys(settings.output) == set()


def test_a_ladder_goes_on_after_its_records_were_dropped(settings: LadderFile) -> None:
    dropped(settings.output)
    for _ in play(settings, matches=40):
        pass
    assert len(results(settings.output)) >= 40


def test_a_ladder_offers_only_blocks_whose_stage_has_been_settled(settings: LadderFile) -> None:
    offered: list[tuple[int, int]] = []

    def note(before: int) -> None:
        settled = [stage.end for stage, found in read_stages(settings.output) if found is not None]
        offered.append((before, max(settled, default=0)))

    for _ in play(settings, matches=40, drop=note):
        pass
    assert offered
    assert all(before == settled for before, settled in offered)


def test_a_drop_that_was_killed_halfway_loses_and_doubles_nothing(
    settings: LadderFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = results(settings.output)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(retention, "remove_bundles_and_logs", killed)
        dropped(settings.output)
    assert len(record_files(settings.output)) == len(before)
    assert results(settings.output) == before
    kept = [file.read_bytes() for file in dropped_files(settings.output)]
    dropped(settings.output)
    assert [file.read_bytes() for file in dropped_files(settings.output)] == kept
    assert results(settings.output) == before


def test_many_old_records_are_dropped_a_few_at_a_time(settings: LadderFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "AT_ONCE", 5)
    before, moment = results(settings.output), [later(settings.output)]
    drops = Retention(settings.output, 30 * DAY_S, lambda: moment[0])
    left = []
    while record_files(settings.output):
        drops(FAR)
        left.append(len(record_files(settings.output)))
    assert left == [*range(len(before) - 5, 0, -5), 0]
    assert results(settings.output) == before


def test_the_files_of_results_are_read_once_and_again_after_a_drop_that_failed(
    settings: LadderFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, moment, reads = results(settings.output), [later(settings.output)], 0

    def counted(folder: Path) -> set[str]:
        nonlocal reads
        reads += 1
        return dropped_keys(folder)

    def full(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(retention, "AT_ONCE", 5)
    monkeypatch.setattr(retention, "dropped_keys", counted)
    drops = Retention(settings.output, 30 * DAY_S, lambda: moment[0])
    with monkeypatch.context() as patched, pytest.raises(OSError):
        patched.setattr(retention, "remove_bundles_and_logs", full)
        drops(FAR)
    while record_files(settings.output):
        drops(FAR)
    assert reads == 2
    kept = [key for file in dropped_files(settings.output) for key in read_dropped(file)]
    assert len(kept) == len(set(kept)) == len(before)
    assert results(settings.output) == before


def test_it_looks_once_an_hour(settings: LadderFile) -> None:
    moment = [later(settings.output)]
    drops = Retention(settings.output, 30 * DAY_S, lambda: moment[0])
    drops(1)
    first = dropped_keys(settings.output)
    drops(2)
    assert dropped_keys(settings.output) == first
    moment[0] += retention.LOOK_S
    drops(2)
    assert len(dropped_keys(settings.output)) == 2 * len(first)


def test_a_database_that_was_removed_gets_dropped_results_again(settings: LadderFile, tmp_path: Path) -> None:
    before = results(settings.output)
    dropped(settings.output)
    with open_database(tmp_path / "new.sqlite", create=True) as database:
        assert add_missing(database, settings.output, 0) == len(before)
        assert database.results() == before
        assert add_missing(database, settings.output, 0) == 0


def test_dropped_matches_can_be_voided_and_leave_tables_and_databases(settings: LadderFile) -> None:
    before = results(settings.output)
    with open_database(settings.output / DATABASE, create=True) as database:
        database.add(before)
        dropped(settings.output)
        Organiser(settings.output, "power failure").void("b000001")
        with DatabaseFeed([database], complete=lambda _: None) as feed:
            for event in play(settings, matches=30):
                feed(event)
        expected = {match.key for match in before} - {"b000001-r0", "b000001-r1"}
        assert expected < {match.key for match in results(settings.output)}
        assert "b000001-r0" not in {match.key for match in results(settings.output)}
        assert database.results() == results(settings.output)
    assert dropped_keys(settings.output) == expected


def test_what_was_written_for_authors_goes_with_the_record(settings: LadderFile) -> None:
    first = results(settings.output)[0]
    seat = [one.entrant.name for one in first.seats].index("ann")
    log = settings.output / LOGS / "ann@1" / f"{first.key}-seat{seat}.txt"
    log.parent.mkdir(parents=True)
    other = log.with_name("b000001-r0-seat0.txt")
    bundle = settings.output / FAULTS / f"{first.key}-seat{seat}-ann"
    bundle.mkdir(parents=True)
    for file in (log, other, bundle / "README.txt", settings.output / RECORDS / f"{first.key}.judged"):
        file.write_text("x")
    drop(settings.output, record_files(settings.output)[:1])
    assert [file.name for file in log.parent.iterdir()] == [other.name]
    assert [*(settings.output / FAULTS).iterdir()] == []
    assert not [*(settings.output / RECORDS).glob("*.judged")]


def test_voided_records_go_too(settings: LadderFile) -> None:
    Organiser(settings.output, "power failure").void("b000001")
    for _ in play(settings, matches=26):
        pass
    assert [*(settings.output / "voided").iterdir()]
    dropped(settings.output)
    assert [*(settings.output / "voided").iterdir()] == []


def test_a_damaged_record_stays_and_its_result_is_missed(settings: LadderFile) -> None:
    file = record_files(settings.output)[0]
    file.write_bytes(file.read_bytes()[:-1])
    dropped(settings.output)
    assert record_files(settings.output) == [file]
    assert len(results_in(settings.output).left_out) == 1


@pytest.mark.parametrize("damage", [lambda data: data[:-9], lambda data: data[:40] + b"\0" + data[41:]])
def test_damaged_results_are_told_and_never_read(settings: LadderFile, damage: object) -> None:
    assert callable(damage)
    dropped(settings.output)
    (file,) = dropped_files(settings.output)
    file.write_bytes(damage(file.read_bytes()))
    found = results_in(settings.output)
    assert found.matches == []
    assert [f"{file} is damaged" in sentence for sentence in found.left_out] == [True]
    with pytest.raises(RecordError, match="is damaged"):
        Organiser(settings.output, "power failure").void("b000001")


def test_results_of_another_ladder_are_told(settings: LadderFile, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = begun_in(tmp_path / "other", matches=24, seed=6)
    dropped(other.output)
    dropped(settings.output)
    shutil.rmtree(settings.output / RESULTS)
    shutil.copytree(other.output / RESULTS, settings.output / RESULTS)
    found = results_in(settings.output)
    assert found.matches == []
    assert f"{settings.output / RESULTS}/b000000-r0 is the record of another match" in found.left_out


@pytest.mark.parametrize("value", ["30", "0 d", "-1 d", "for ever"])
def test_a_retention_that_is_no_time_is_refused(tmp_path: Path, value: str) -> None:
    with pytest.raises(SettingsError, match=r"retention is '.*'; it must be a time, such as '12 h' or '7 d'"):
        LadderFile.read(
            {"game": "bluff", "bots": "bots", "retention": value}, "ladder.toml", SettingsError, base=tmp_path
        )


def test_a_result_takes_few_bytes(settings: LadderFile) -> None:
    kept = results(settings.output)
    dropped(settings.output)
    size = sum(file.stat().st_size for file in dropped_files(settings.output))
    assert size < 250 * len(kept)


def test_results_keep_the_paths_of_records_so_that_blocks_stay_together(settings: LadderFile) -> None:
    dropped(settings.output)
    assert {Path(match.record).parent for match in results(settings.output)} == {settings.output / RECORDS}
