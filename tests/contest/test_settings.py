"""The file of a contest: what is wrong in it is said in a sentence, and what `contest new` writes is right."""

import re
from pathlib import Path

import pytest

from ballcourt.arena.ladder.model import read_ladder
from ballcourt.arena.match.policy import Disqualification
from ballcourt.arena.tournament.schedules.stop import Within
from ballcourt.contest.create import make_contest
from ballcourt.contest.refusals import ContestFileError
from ballcourt.contest.settings import read_contest_file
from ballcourt.contest.store.contest import open_contest
from ballcourt.contest.store.opening import open_store
from ballcourt.contest.store.schema import CONTEST_ABOUT

PHASE = '[[phase]]\nname = "one"\nopens = 2030-01-01T00:00:00Z\ncloses = 2030-02-01T00:00:00Z\n'
BASE = 'name = "cup"\nurl = "https://cup.example.org"\nladder = "ladder.toml"\n'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (BASE, "lacks 'phase'; give tables, [[phase]] each"),
        (BASE.replace("https", "ftp") + PHASE, "url is 'ftp://cup.example.org'; it must be an address without a path"),
        (BASE + "nmae = 1\n" + PHASE, "has the unknown key 'nmae'.*did you mean name?"),
        (
            BASE + PHASE.replace("2030-01-01T00:00:00Z", "2030-01-01T00:00:00"),
            "opens is 2030-01-01 00:00:00; it has no offset",
        ),
        (
            BASE + PHASE.replace("2030-02-01T00:00:00Z", "2030-02-01"),
            "closes is 2030-02-01; it must have a time of day too, such as 2030-02-01T",
        ),
        (BASE + PHASE + "freeze = 2030-01-15\n", "freeze is 2030-01-15; it must have a time of day too"),
        (
            BASE + PHASE.replace("2030-02-01T00:00:00Z", "12:00:00"),
            "closes is 12:00:00; it must be a time with its offset",
        ),
        (
            BASE + PHASE.replace("2030-02-01T00:00:00Z", '"tomorrow"'),
            "closes is 'tomorrow'; it must be a time with its offset",
        ),
        (
            BASE + PHASE.replace("2030-02-01T00:00:00Z", "1800000000"),
            "closes is 1800000000; it must be a time with its offset",
        ),
        (BASE + PHASE.replace("2030-02", "2029-02"), "which is not after it opens"),
        (BASE + PHASE + PHASE, "two phases are called one"),
        (BASE + PHASE + PHASE.replace('"one"', '"two"'), "phases must not overlap"),
        (BASE + PHASE + "freeze = 2031-01-01T00:00:00Z\n", "must be between the times"),
        (BASE + PHASE + "reveal = 2031-01-01T00:00:00Z\n", "it has reveal and hides nothing"),
        (BASE + PHASE + 'board = "hidden"\nreveal = 2020-01-01T00:00:00Z\n', "it must not be before it closes"),
        (BASE + PHASE + "accepted = -1\n", "accepted is -1; it must be a whole number from 0 to 100000"),
        (BASE + PHASE + "[upload]\nmb = 3000\n", "upload.team_mb is 2000; it must be at least upload.mb"),
        (BASE + 'entry = "all"\n' + PHASE, 'entry is \'all\'; it must be "invited" or "open" or "closed"'),
        (BASE + "x", "is not valid TOML"),
    ],
)
def test_a_wrong_file_is_explained(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "contest.toml"
    file.write_text(text)
    with pytest.raises(ContestFileError, match=sentence.replace("[[phase]]", r"\[\[phase\]\]")):
        read_contest_file(file)


def test_places_that_a_contest_does_not_name_are_beside_its_file_too(tmp_path: Path) -> None:
    make_contest(tmp_path / "cup", "cup", "https://cup.example.org", "maya", 2, unconfined=True)
    file = tmp_path / "cup" / "contest.toml"
    lines = [line for line in file.read_text().splitlines() if not line.startswith("files")]
    file.write_text("\n".join([*lines, "[remote]", 'address = "cup.example.org:7433"']))
    read = read_contest_file(file)
    assert read.remote
    assert (read.files, read.remote.tokens) == (tmp_path / "cup/files", tmp_path / "cup/tokens.json")


def test_a_new_contest_can_be_opened_and_is_not_made_twice(tmp_path: Path) -> None:
    make_contest(tmp_path / "cup", 'The "cup"', "https://cup.example.org", "maya", unconfined=True)
    with open_contest(tmp_path / "cup" / "contest.toml") as contest:
        assert (contest.settings.name, contest.ladder.game) == ('The "cup"', ("maya",))
        assert contest.ladder.logs, "authors read what their bots print"
        assert (contest.ladder.stop, contest.ladder.pace) == ((Within(1.0),), 600), "its play is bounded"
    with pytest.raises(ContestFileError, match="exists and is not empty"):
        make_contest(tmp_path / "cup", "cup", "https://cup.example.org", "maya", unconfined=True)


def test_a_contest_for_strangers_bounds_builds_play_and_records_and_retires_what_crashes(tmp_path: Path) -> None:
    make_contest(tmp_path / "cup", "cup", "https://cup.example.org", "maya", unconfined=True)
    file = tmp_path / "cup" / "ladder.toml"
    ladder = read_ladder(file)
    build = ladder.sandbox.sandbox().build
    bounds = (build.time_s, build.processes, build.memory_mb, build.disk_mb, build.fetch_mb, build.hosts)
    assert bounds == (300, 512, 2048, 1024, 500, ())
    assert ladder.faults.policy().disqualify == Disqualification(percent=50, matches=20, of_last=True)
    assert (ladder.stop, ladder.pace, ladder.retention) == ((Within(points=1.0),), 600, 30 * 86_400)


@pytest.mark.parametrize(("named", "hosts"), [("", ()), ("\nhosts = ['one.example']", ("one.example",))])
def test_builds_of_a_contest_reach_no_host_that_its_organiser_does_not_name(
    tmp_path: Path, named: str, hosts: tuple[str, ...]
) -> None:
    make_contest(tmp_path / "cup", "cup", "https://cup.example.org", "maya", unconfined=True)
    ladder = tmp_path / "cup" / "ladder.toml"
    before, _, _ = ladder.read_text().partition("[sandbox]")
    ladder.write_text(f"{before}[sandbox]\ntier = 1\n[sandbox.build]{named}\n")
    with open_contest(tmp_path / "cup" / "contest.toml") as contest:
        assert contest.ladder.sandbox.sandbox().build.hosts == hosts
        assert contest.ladder.sandbox.to_table()["build"] == {"hosts": [*hosts]}


def test_a_contest_whose_file_is_wrong_leaves_no_folder(tmp_path: Path) -> None:
    with pytest.raises(ContestFileError, match="must be an address"):
        make_contest(tmp_path / "cup", "cup", "cup", "maya", unconfined=True)
    assert list(tmp_path.iterdir()) == []


def test_a_contest_is_made_in_the_database_that_is_named(tmp_path: Path) -> None:
    def make(database: str) -> None:
        make_contest(tmp_path / "cup", "cup", "http://x", "maya", database=database, unconfined=True)

    with pytest.raises(
        ContestFileError, match=r"database is mysql://host/cup; it must be like sqlite:///contest.sqlite"
    ):
        make("mysql://host/cup")
    assert list(tmp_path.iterdir()) == []
    make("sqlite:///people.sqlite")
    assert (tmp_path / "cup" / "people.sqlite").is_file()
    with open_contest(tmp_path / "cup" / "contest.toml"):
        pass


def test_another_schema_is_refused(tmp_path: Path) -> None:
    store = open_store("sqlite:///c.sqlite", tmp_path, create=True)
    with store.writing() as connection:
        connection.execute(CONTEST_ABOUT.update().values(schema="0"))
    store.close()
    with pytest.raises(ContestFileError, match="has schema 0, and this Ballcourt reads schema"):
        open_store("sqlite:///c.sqlite", tmp_path)
    with pytest.raises(ContestFileError, match=re.escape("there is no database")):
        open_store("sqlite:///d.sqlite", tmp_path)
