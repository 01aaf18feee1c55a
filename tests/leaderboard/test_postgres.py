"""Results in PostgreSQL: the same promises as in SQLite, kept by a real server."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import pytest

from ballcourt.leaderboard.model.results import LeaderboardError, from_record
from ballcourt.leaderboard.model.standings import by_ladder
from ballcourt.leaderboard.store import feed, snapshot
from ballcourt.leaderboard.store.database import open_database
from ballcourt.leaderboard.store.feed import DatabaseFeed
from ballcourt.leaderboard.store.snapshot import boards_in
from tests.arena.conftest import PATIENCE_S
from tests.leaderboard.made import alone, board, match
from tests.leaderboard.postgres import Server, psycopg, running_server
from tests.leaderboard.recorded import played, record

pytestmark = pytest.mark.slow

MATCHES = [match(f"m{number:04}", "ann", "bob cid") for number in range(3)]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running_server() as running:
        yield running


@pytest.fixture
def url(server: Server, request: pytest.FixtureRequest) -> str:
    return server.database(request.node.name[:60])


@pytest.mark.gate
def test_results_are_read_back_unchanged(url: str) -> None:
    results = [*MATCHES, from_record(record()), alone("d", "ann", 2.5), alone("d", "bob", 0.1)]
    with open_database(url, create=True) as database:
        assert database.add(reversed(results)) == 6
    with open_database(url) as database:
        assert database.results() == sorted(results, key=lambda result: result.order)


def test_a_database_of_an_older_schema_is_refused_until_it_is_rebuilt(url: str) -> None:
    with open_database(url, create=True) as database:
        database.add(MATCHES)
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE ballcourt SET schema = '11'")
        connection.execute("CREATE TABLE records (match integer REFERENCES matches)")
        connection.execute("CREATE TABLE songs (name text)")
    with pytest.raises(LeaderboardError, match="leaderboard FOLDER --rebuild --database"), open_database(url):
        pass
    with open_database(url, create=True, rebuild=True) as database:
        assert database.results() == []
        assert database.add(MATCHES) == 3
    with psycopg.connect(url) as connection:
        connection.execute("SELECT name FROM songs")


def test_a_match_added_repeatedly_is_counted_once(url: str) -> None:
    with open_database(url, create=True) as database:
        assert [database.add(matches) for matches in (MATCHES[:2], MATCHES, MATCHES + MATCHES)] == [2, 1, 0]
        assert database.results() == MATCHES


def test_a_match_with_another_record_replaces_the_old_one(url: str) -> None:
    other = replace(MATCHES[1], seats=match("m0001", "cid", "bob ann").seats, checksum="another record")
    with open_database(url, create=True) as database:
        database.add(MATCHES)
        assert database.add([other]) == 1
        database.forget([MATCHES[0].identity])
        assert database.results() == [other, MATCHES[2]]


@pytest.mark.gate
def test_arenas_that_write_the_same_matches_at_the_same_time_count_each_once(url: str) -> None:
    many = [match(f"m{number:04}", "ann", "bob") for number in range(400)]
    start = Barrier(4, timeout=PATIENCE_S)

    def write(arena: int) -> int:
        with open_database(url, create=True) as database:
            start.wait()
            return database.add(many if arena % 2 else many[::-1])

    with ThreadPoolExecutor(4) as arenas:
        assert sum(arenas.map(write, range(4))) == 400
    with open_database(url) as database:
        assert database.results() == many


def test_tables_are_kept_by_those_who_may_write_and_shown_to_those_who_may_not(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = {ladder: board(found) for ladder, found in by_ladder(MATCHES).items()}
    with open_database(url, create=True) as database:
        database.add(MATCHES)
    for place in (f"{url}&options=-c default_transaction_read_only=on", url):
        with open_database(place) as database:
            assert boards_in(database) == expected
    monkeypatch.setattr(snapshot, "fitted", lambda *_: pytest.fail("the table was fitted again"))
    for place in (f"{url}&options=-c default_transaction_read_only=on", url):
        with open_database(place) as database:
            assert boards_in(database) == expected


def test_a_server_that_stops_during_a_run_gets_everything_later(
    server: Server, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "BEHIND_S", 0.0)
    monkeypatch.setattr(feed, "LONGEST_WAIT_S", 0.0)
    warnings: list[str] = []
    with open_database(url, create=True) as database, DatabaseFeed([database], warnings.append) as subscriber:
        subscriber(played(record("m0")))
        server.stop()
        try:
            subscriber(played(record("m1")))
            subscriber(played(record("m2")))
        finally:
            server.start()
        subscriber(played(record("m3")))
        assert [result.key for result in database.results()] == ["m0", "m1", "m2", "m3"]
    [warning] = warnings
    assert warning.endswith("the tournament goes on, and its results will be written later")
    assert "secret" not in warning


def test_a_session_that_does_not_end_its_transaction_is_blamed(url: str) -> None:
    with (
        open_database(f"{url}&options=-c lock_timeout=10", create=True) as database,
        psycopg.connect(url) as other,
        other.cursor() as cursor,
    ):
        cursor.execute("UPDATE ballcourt SET digest = digest")
        with pytest.raises(LeaderboardError, match=r"another session of the server is writing to it .*; wait until it"):
            database.add(MATCHES)


def test_a_server_that_restarts_between_two_writes_is_not_noticed(server: Server, url: str) -> None:
    with open_database(url, create=True) as database:
        database.add(MATCHES[:1])
        server.stop()
        server.start()
        assert database.add(MATCHES) == 2


def test_a_database_without_tables_is_not_a_leaderboard_to_read(url: str) -> None:
    with pytest.raises(LeaderboardError, match="is a database, but not a ballcourt leaderboard"), open_database(url):
        pass


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("host=", "host=/nowhere"), "No such file"),
        (("/postgres?", "/nothing_of_the_kind?"), 'database "nothing_of_the_kind" does not exist'),
        (("ballcourt:", "stranger:"), 'role "stranger" does not exist'),
        (("?", "?nosuch=1&"), "nosuch"),
        (("?", "?connect_timeout=soon&"), "soon|connect_timeout"),
        (("@/", "@nowhere.invalid/"), "nowhere.invalid|resolve"),
    ],
)
def test_a_wrong_url_is_explained_in_one_sentence_without_its_password(
    server: Server, change: tuple[str, str], sentence: str
) -> None:
    wrong = server.url("postgres").replace(*change)
    if "nowhere.invalid" in wrong:
        wrong = wrong.partition("?")[0]
    with pytest.raises(LeaderboardError, match=sentence) as raised, open_database(wrong, create=True):
        pass
    assert str(raised.value).startswith("cannot use postgresql://")
    assert "secret" not in str(raised.value) and "\n" not in str(raised.value)
