"""Packs of matches: what is read from them is what the rows say, whatever came and went."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ballcourt.leaderboard.model.results import LeaderboardError, MatchResult
from ballcourt.leaderboard.store import packs, writer
from ballcourt.leaderboard.store import tables as rows
from ballcourt.leaderboard.store.database import Database, open_database
from ballcourt.leaderboard.store.packs import SEATED, packed, unpacked
from tests.leaderboard.made import alone, match, owned, random_tables

MATCHES = [
    *random_tables(np.random.default_rng(1), bots=5, seats=3, blocks=4),
    *(alone(f"deal {deal}", name, deal + 0.5) for deal in range(2) for name in ("ann", "faulty")),
    owned(match("k1", "ann", "bob cid"), ann="zoe"),
]
"""As many as four packs have, and one more."""


@pytest.fixture(autouse=True)
def small_packs(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (rows, packs, writer):
        monkeypatch.setattr(module, "PACK", 4)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "leaderboard.sqlite"
    with open_database(path, create=True) as database:
        database.add(MATCHES)
    return path


def numbers(file: Path) -> list[int]:
    """Return the numbers of the packs that a database has."""
    with closing(sqlite3.connect(file)) as connection:
        return [number for (number,) in connection.execute("SELECT number FROM packs ORDER BY number")]


def execute(file: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(statement, values)
        connection.commit()


def in_order(matches: list[MatchResult]) -> list[MatchResult]:
    return sorted(matches, key=lambda one: one.order)


def test_matches_are_packed_as_soon_as_their_numbers_are_given_away(file: Path) -> None:
    assert numbers(file) == [0, 1, 2, 3]  # numbers begin with 1
    with open_database(file) as database:
        database.add([match("k2", "ann", "bob"), match("k3", "ann", "bob")])
        assert numbers(file) == [0, 1, 2, 3, 4]
        assert database.results() == in_order([*MATCHES, match("k2", "ann", "bob"), match("k3", "ann", "bob")])


def test_what_is_packed_is_read_without_its_rows(file: Path) -> None:
    with open_database(file) as database:
        before = database.contents()
    execute(file, "DELETE FROM seats WHERE match < 16")
    with open_database(file) as database:
        after = database.contents()
    assert [*after.ladders] == [*before.ladders]
    for one, other in zip(after.ladders.values(), before.ladders.values(), strict=True):
        assert one.entrants == other.entrants
        assert np.array_equal(one.entrant, other.entrant) and np.array_equal(one.place, other.place)
        assert np.array_equal(one.score, other.score) and np.array_equal(one.vacated, other.vacated)


def forget(database: Database) -> list[MatchResult]:
    database.forget([MATCHES[1].identity, MATCHES[6].identity])
    return [one for one in MATCHES if one not in (MATCHES[1], MATCHES[6])]


def forget_the_last_and_add_others(database: Database) -> list[MatchResult]:
    database.forget([one.identity for one in MATCHES[-4:]])
    database.add([match("k2", "ann", "bob"), match("k3", "bob", "ann")])  # which get the numbers of those
    return [*MATCHES[:-4], match("k2", "ann", "bob"), match("k3", "bob", "ann")]


def replace_one(database: Database) -> list[MatchResult]:
    other = replace(MATCHES[2], checksum="another record")
    database.add([other])
    return [*MATCHES[:2], other, *MATCHES[3:]]


def replace_all(database: Database) -> list[MatchResult]:
    database.replace(MATCHES[5:10])
    return MATCHES[5:10]


@pytest.mark.slow
@pytest.mark.parametrize("change", [forget, forget_the_last_and_add_others, replace_one, replace_all])
def test_packs_follow_every_change(file: Path, change: Callable[[Database], list[MatchResult]]) -> None:
    with open_database(file) as database:
        expected = in_order(change(database))
        assert database.results() == expected
        digest = database.contents().digest
    execute(file, "DELETE FROM packs")
    with open_database(file) as database:
        assert database.results() == expected
        assert database.contents().digest == digest


@pytest.mark.parametrize("harm", [b"", b"\n", b"4 9\n", b"4 9 OOOOOOOOOOO\n", b"-1 -1 bbbbbbbbbbb\n", "4 9 b\n"])
def test_a_damaged_pack_is_refused(file: Path, harm: bytes | str) -> None:
    execute(file, "UPDATE packs SET content = ? WHERE number = 2", harm)
    with open_database(file) as database, pytest.raises(LeaderboardError, match=r"is damaged or no leaderboard"):
        database.contents()


def test_a_pack_with_another_result_is_refused(file: Path) -> None:
    execute(file, "UPDATE packs SET content = (SELECT content FROM packs WHERE number = 1) WHERE number = 2")
    with open_database(file) as database, pytest.raises(LeaderboardError, match="matches are missing"):
        database.contents()


@given(st.lists(st.integers(-(2**63), 2**63 - 1)), st.lists(st.floats(allow_nan=False)))
def test_any_numbers_survive_being_packed(integers: list[int], floats: list[float]) -> None:
    arrays = (
        np.resize(np.array(integers, np.int64), (len(integers), 5)),
        np.resize(np.array(floats), (len(floats), len(SEATED))),
    )
    for found, wanted in zip(unpacked(packed(arrays)), arrays, strict=True):
        assert found.dtype == wanted.dtype
        assert np.array_equal(found, wanted)
