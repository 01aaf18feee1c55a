"""The results in a tournament's folder: what its records say, whatever is in its database."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ballcourt import Session
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.arena.records.store import read_record, write_record
from ballcourt.arena.tournament.event.model import Event
from ballcourt.arena.tournament.folder.events import Finished
from ballcourt.arena.tournament.folder.output import DATABASE, open_folder
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.folder.planning import plan
from ballcourt.leaderboard.model.results import MatchResult, from_record
from ballcourt.leaderboard.pages.tournament import about
from ballcourt.leaderboard.store.database import open_database
from ballcourt.leaderboard.store.folder import results_in
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.recorded import Highest, Lowest
from tests.arena.tournament import in_process
from tests.arena.tournament.conftest import write_bot
from tests.bluff.installed import bluff_installed


@pytest.fixture(scope="module", autouse=True)
def bluff_is_installed() -> Iterator[None]:
    with bluff_installed():
        yield


def tournament(bots: Path, seed: int) -> Plan:
    names = tuple(write_bot(bots / name, name) for name in ("lowest", "highest"))
    return plan(Event().replaced(game="bluff", bots=names, seats=2, seed=seed, rounds=3))


def records_of(planned: Plan) -> Iterator[MatchRecord]:
    """Play the matches of a tournament in this process, as its folder has them."""
    players = {"lowest": Lowest, "highest": Highest}
    for due in planned.course().upcoming():
        for match in planned.playable(due):
            bots = [Session(players[entrant.bot.name]()) for entrant in match.spec.entrants]
            record = play_in_process("bluff", bots, seed=match.spec.seed, key=match.key)
            for recorded, entrant in zip(record.entrants, match.spec.entrants, strict=True):
                recorded.version, recorded.content_hash = entrant.bot.version, entrant.bot.content_hash
            yield record


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """The folders of two tournaments of the same bots, by their seeds."""
    made = {}
    for seed in (1, 2):
        place = tmp_path_factory.mktemp(f"seed{seed}")
        planned = tournament(place / "bots", seed)
        with (
            open_folder(place / "out", planned) as folder,
            open_database(place / "out" / DATABASE, create=True) as database,
        ):
            database.add([from_record(record, folder.add(record)) for record in records_of(planned)])
        made[seed] = place / "out"
    return made


def truth(folder: Path) -> list[MatchResult]:
    """Return what the records of a folder say."""
    found = [from_record(read_record(file), file) for file in sorted((folder / "records").glob("*.match"))]
    return sorted(found, key=lambda match: match.order)


@pytest.fixture
def out(folders: dict[int, Path], tmp_path: Path) -> Path:
    """A copy of the first folder, which a test may change."""
    return shutil.copytree(folders[1], tmp_path / "out")


def change(statement: str) -> Callable[[Path, Path], None]:
    def carry_out(database: Path, _other: Path) -> None:
        with closing(sqlite3.connect(database)) as connection:
            connection.executescript(statement)
            connection.commit()

    return carry_out


def mix(database: Path, other: Path) -> None:
    with open_database(other) as foreign, open_database(database) as own:
        own.add(foreign.results())


@pytest.mark.parametrize(
    ("harm", "used"),
    [
        (lambda *_: None, True),
        (lambda database, _: database.unlink(), False),
        (lambda database, _: database.write_bytes(b"garbage" * 1000), False),
        (lambda database, _: database.write_bytes(b""), False),
        (lambda database, other: shutil.copy(other, database), True),
        (mix, True),
        (change("UPDATE seats SET score = 77"), False),
        (change("UPDATE matches SET checksum = (SELECT max(checksum) FROM matches)"), False),
        (change("DELETE FROM seats; DELETE FROM matches"), False),
        (change("DELETE FROM packs"), False),
        (change("UPDATE ballcourt SET schema = '3'"), False),
        (change("DROP TABLE seats"), False),
    ],
)
def test_the_results_are_those_of_the_records_whatever_became_of_the_database(
    folders: dict[int, Path], out: Path, harm: Callable[[Path, Path], None], *, used: bool
) -> None:
    harm(out / DATABASE, folders[2] / DATABASE)
    found = results_in(out)
    assert (found.matches, found.left_out) == (truth(out), [])
    assert len(found.matches) == 6
    assert (found.unused == "") == used


@pytest.mark.slow
@settings(max_examples=40)
@given(bits=st.lists(st.integers(0, 8 * 200_000), min_size=1, max_size=4))
def test_flipped_bits_in_the_database_change_no_result(
    folders: dict[int, Path], tmp_path_factory: pytest.TempPathFactory, bits: list[int]
) -> None:
    out = tmp_path_factory.getbasetemp() / "flipped"
    if not out.exists():
        shutil.copytree(folders[1], out)
    data = bytearray((folders[1] / DATABASE).read_bytes())
    for bit in bits:
        data[bit // 8 % len(data)] ^= 1 << bit % 8
    (out / DATABASE).write_bytes(data)
    assert results_in(out).matches == truth(out)


def test_rows_of_the_database_are_believed_while_the_records_have_their_checksums(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = truth(out)
    monkeypatch.setattr("ballcourt.leaderboard.store.folder.read_record", None)  # no record is parsed
    assert results_in(out).matches == expected


def test_a_record_that_was_replaced_is_read_instead_of_its_row(out: Path) -> None:
    record = read_record(out / "records" / "b000001-r0.match")
    record.results[0].score += 5
    write_record(out / "records", record)
    found = results_in(out)
    assert found.matches == truth(out)
    assert max(seat.score for match in found.matches for seat in match.seats) >= 5


def test_a_record_of_the_same_bots_in_another_tournament_is_left_out(folders: dict[int, Path], out: Path) -> None:
    expected = truth(out)
    for name in ("b000001-r0.match", "b000002-r1.match"):
        shutil.copy(folders[2] / "records" / name, out / "records" / name)
    found = results_in(out)
    assert [match.key for match in found.matches] == ["b000000-r0", "b000000-r1", "b000001-r1", "b000002-r0"]
    assert all(match in expected for match in found.matches)
    assert found.left_out == [
        f"{out}/records/{name}.match is the record of another match" for name in ("b000001-r0", "b000002-r1")
    ]


def test_a_folder_without_a_manifest_counts_every_record_under_its_own_key(out: Path) -> None:
    (out / "tournament.toml").unlink()
    expected = truth(out)
    shutil.copy(out / "records" / "b000001-r0.match", out / "records" / "copy.match")
    found = results_in(out)
    assert (found.matches, found.left_out) == (
        expected,
        [f"{out}/records/copy.match is the record of another match"],
    )


def test_a_match_that_branched_off_does_not_count(out: Path) -> None:
    (out / "tournament.toml").unlink()
    record = read_record(out / "records" / "b000001-r0.match")
    record.branched_from.key, record.branched_from.decision, record.key = record.key, 2, "mine"
    write_record(out / "records", record)
    assert results_in(out).left_out == [
        f"{out}/records/mine.match branched off from match b000001-r0 at decision 2; it does not count"
    ]


def test_records_that_an_event_which_is_over_has_lost_are_reported_wherever_it_is_shown(tmp_path: Path) -> None:
    settings = Event().replaced(
        game="bluff", bots=tuple(write_bot(tmp_path / name, name) for name in ("ann", "bob")), seed=1, rounds=2
    )
    folder = tmp_path / "cup"
    for event in in_process.events(folder, settings):
        assert isinstance(event, Finished) or results_in(folder).left_out == [], "some are still to be played"
    found = results_in(folder)
    assert (len(found.matches), found.left_out) == (4, [])
    for key in (found.matches[0].key, found.matches[2].key):
        (folder / "records" / f"{key}.match").unlink()
    lost = "cup/records has 2 of 4 matches; put the missing records back, or run the command that played them again"
    assert results_in(folder).left_out == [lost]
    page = about(folder, results_in(folder).matches)
    assert page and page["certificate"][0] == lost
    in_process.play_all(folder, settings)
    assert results_in(folder).left_out == []
