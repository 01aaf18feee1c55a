"""The process that keeps the tables of databases up to date while a tournament fills them."""

import multiprocessing
import time
from pathlib import Path

import pytest

from ballcourt.arena.tournament.folder.events import Finished
from ballcourt.leaderboard.store import refresh as refreshing
from ballcourt.leaderboard.store.database import open_database
from ballcourt.leaderboard.store.kept import LONGEST_PROMISE_S
from ballcourt.leaderboard.store.refresh import Refresher
from ballcourt.leaderboard.store.snapshot import boards_in, kept_boards, refresh
from tests.arena.conftest import wait_until
from tests.leaderboard.made import match

FIRST, SECOND = match("m1", "ann", "bob"), match("m2", "bob", "ann")
EVENT = Finished(0, Path(), ())


def matches(file: Path) -> int:
    """Return how many matches the kept tables are made of; 0 without any."""
    return max((row.matches for board in (kept_boards(str(file)) or {}).values() for row in board.rows), default=0)


@pytest.mark.slow
def test_tables_are_kept_up_to_date_while_matches_come(tmp_path: Path) -> None:
    file = tmp_path / "all.sqlite"
    with open_database(file, create=True) as database, Refresher([f"sqlite:///{file}"], first_s=0) as refresher:
        database.add([FIRST])
        refresher(EVENT)
        assert wait_until(lambda: matches(file) == 1)
        database.add([SECOND])
        refresher(EVENT)
        assert wait_until(lambda: matches(file) == 2)


def test_the_process_ends_with_its_context(tmp_path: Path) -> None:
    with Refresher([f"sqlite:///{tmp_path}/all.sqlite"], first_s=0) as refresher:
        refresher(EVENT)
        (process,) = multiprocessing.active_children()
        assert process.is_alive()
    assert not process.is_alive()


@pytest.mark.parametrize("urls", [[], ["sqlite:///all.sqlite"]])
def test_a_short_run_starts_no_process(urls: list[str]) -> None:
    with Refresher(urls, first_s=60) as refresher:
        refresher(EVENT)
        assert not refresher.is_running


def test_of_two_arenas_that_share_a_database_one_keeps_its_tables_until_it_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, one, other = tmp_path / "all.sqlite", dict[str, str | None](), dict[str, str | None]()
    with open_database(file, create=True) as database:
        database.add([FIRST])
        refreshing.refreshed(f"sqlite:///{file}", one)
        database.add([SECOND])
        refreshing.refreshed(f"sqlite:///{file}", other)
        assert matches(file) == 1
        refreshing.refreshed(f"sqlite:///{file}", one)
        assert matches(file) == 2
        database.add([match("m3", "ann", "bob")])
        later = time.time() + LONGEST_PROMISE_S + 1
        monkeypatch.setattr(time, "time", lambda: later)
        refreshing.refreshed(f"sqlite:///{file}", other)
        assert matches(file) == 3


def test_promised_tables_are_shown_until_newer_ones_are_made(tmp_path: Path) -> None:
    file = tmp_path / "all.sqlite"
    with open_database(file, create=True) as database:
        database.add([FIRST])
        refresh(database, lambda: 60)
        promised = kept_boards(str(file))
        database.add([SECOND])
        assert promised and kept_boards(str(file)) == boards_in(database) == promised
        refresh(database)
        assert matches(file) == 2


def test_a_broken_promise_is_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "all.sqlite"
    with open_database(file, create=True) as database:
        database.add([FIRST])
        refresh(database, lambda: 60)
        database.add([SECOND])
        made = time.time()
        for seconds in (61, -1_000_000):  # later; with a clock that is far behind
            monkeypatch.setattr(time, "time", lambda: made + seconds)  # noqa: B023 - it is called in this turn
            assert kept_boards(str(file)) is None


def test_a_long_fit_is_followed_by_a_long_rest() -> None:
    assert refreshing.rest_s(0.1) == refreshing.SHORTEST_REST_S
    assert refreshing.rest_s(20) == 60
