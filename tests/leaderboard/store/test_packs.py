"""Packs of matches: ratings are made of them alone, whatever came and went, and damage does not go unnoticed."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ballcourt.leaderboard.model.filters import Filter
from ballcourt.leaderboard.model.results import LeaderboardError, MatchResult, RivalResult
from ballcourt.leaderboard.model.standings import by_ladder, fitted
from ballcourt.leaderboard.show.terminal import to_json
from ballcourt.leaderboard.store import packs, reading, writer
from ballcourt.leaderboard.store.database import Database, open_database
from tests.leaderboard.made import alone, board, match, owned, random_tables

RIVAL = RivalResult("the shadow", 2, 8.5)
MATCHES = [
    *random_tables(np.random.default_rng(1), bots=5, seats=3, blocks=4),
    *(alone(f"deal {deal}", name, deal + 0.5) for deal in range(2) for name in ("ann", "faulty")),
    owned(replace(match("k1", "ann", "bob cid"), rivals=(RIVAL,)), ann="zoe"),
]
"""12 matches of three seats, 4 of one, and one more of three, with the rival."""


@pytest.fixture(autouse=True)
def small_packs(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (packs, reading, writer):
        monkeypatch.setattr(module, "PACK", 4)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "leaderboard.sqlite"
    with open_database(path, create=True) as database:
        database.add(MATCHES)
    return path


def execute(file: Path, statement: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(statement)
        connection.commit()


def in_order(matches: list[MatchResult]) -> list[MatchResult]:
    return sorted(matches, key=lambda one: one.order)


def check(database: Database, expected: list[MatchResult]) -> None:
    """Check that a database has these matches, for ratings too."""
    assert database.results() == in_order(expected)
    wanted = {ladder: board(played) for ladder, played in by_ladder(expected).items()}
    assert to_json(fitted(database.contents()[0])) == to_json(wanted)  # the last digits depend on the order


def test_ratings_are_the_same_as_those_of_the_results(file: Path) -> None:
    with open_database(file) as database:
        check(database, MATCHES)


def test_each_ladder_has_packs_of_its_own(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        found = connection.execute("SELECT ladder, number FROM packs ORDER BY 1, 2").fetchall()
    assert found == [(1, 3), (1, 4), (2, 0), (2, 1), (2, 2), (2, 3), (2, 4)]  # numbers of matches begin with 1


def test_ratings_do_not_depend_on_rows_that_lists_show(file: Path) -> None:
    chosen = Filter(seats=3)
    with open_database(file) as database:
        before = fitted(database.contents(chosen)[0])
    execute(file, "DELETE FROM seats")
    execute(file, "UPDATE matches SET key = 'another'")
    with open_database(file) as database:
        assert fitted(database.contents(chosen)[0]) == before


def forget(database: Database) -> list[MatchResult]:
    database.forget([MATCHES[1].identity, MATCHES[6].identity, MATCHES[-1].identity])
    return [one for one in MATCHES if one not in (MATCHES[1], MATCHES[6], MATCHES[-1])]


def forget_the_last_and_add_others(database: Database) -> list[MatchResult]:
    database.forget([one.identity for one in MATCHES[-4:]])
    database.add([match("k2", "ann", "bob"), match("k3", "bob", "ann")])  # which get the numbers of those
    return [*MATCHES[:-4], match("k2", "ann", "bob"), match("k3", "bob", "ann")]


def replace_one(database: Database) -> list[MatchResult]:
    other = replace(MATCHES[2], seats=MATCHES[3].seats, checksum="another record")
    database.add([other])
    return [*MATCHES[:2], other, *MATCHES[3:]]


@pytest.mark.parametrize("change", [forget, forget_the_last_and_add_others, replace_one])
def test_packs_follow_every_change(file: Path, change: Callable[[Database], list[MatchResult]]) -> None:
    with open_database(file) as database:
        check(database, change(database))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE packs SET content = x'' WHERE number = 2",
        "UPDATE packs SET content = zeroblob(length(content)) WHERE number = 2",
        "UPDATE packs SET content = 'text' WHERE number = 2",
        "UPDATE packs SET rivals = '[1, \"the shadow\", 1, 99.0]' WHERE number = 4",
        "UPDATE packs SET checksum = 7 WHERE number = 2",
        "UPDATE packs SET (checksum, content) = (SELECT checksum, content FROM packs WHERE number = 1)"
        " WHERE number = 2",
        "DELETE FROM packs WHERE number = 2",
        "UPDATE entrants SET name = 'dan' WHERE name = 'ann'",
        "UPDATE ladders SET rules_version = '2'",
    ],
)
def test_ratings_of_changed_packs_are_refused_and_can_be_made_again(file: Path, statement: str) -> None:
    execute(file, statement)
    sentence = r"is damaged or no leaderboard \(.+\); .* --rebuild"
    with open_database(file) as database, pytest.raises(LeaderboardError, match=sentence):
        database.contents()
    with open_database(file, create=True, rebuild=True) as database:
        assert database.add(MATCHES) == len(MATCHES)
        check(database, MATCHES)


@pytest.mark.parametrize(
    "statement", ["UPDATE packs SET content = x'00' WHERE number = 4", "DELETE FROM packs WHERE number = 0"]
)
def test_no_match_is_added_to_changed_packs(file: Path, statement: str) -> None:
    execute(file, statement)
    with open_database(file) as database, pytest.raises(LeaderboardError, match="is damaged or no leaderboard"):
        database.add([match("k2", "ann", "bob cid")])
