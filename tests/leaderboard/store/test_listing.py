"""Lists of matches: every combination of conditions finds what a scan would, along an index."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, create_engine, event

from ballcourt.leaderboard.model.results import LeaderboardError, MatchResult
from ballcourt.leaderboard.store import listing
from ballcourt.leaderboard.store.database import Database, open_database
from ballcourt.leaderboard.store.listing import Wanted, matches_listed, parse_place
from tests.leaderboard.made import alone, entrant, match, random_tables

BOTS = st.none() | st.sampled_from([entrant("bot00"), entrant("bot01"), entrant("nobody")])
DAYS = st.none() | st.dates(date(2026, 11, 1), date(2026, 11, 4))
WANTED = st.builds(
    Wanted,
    bot=BOTS,
    rival=BOTS,
    game=st.sampled_from(["", "bluff", "chess"]),
    seats=st.sampled_from([None, 1, 3, 4]),
    ended=st.sampled_from(["", "fault", "CRASH", "TIMEOUT"]),
    since=DAYS,
    until=DAYS,
)


def played() -> list[MatchResult]:
    """Matches of three ladders, whose times do not go with their order."""
    made = [*random_tables(np.random.default_rng(2), bots=6, seats=4, blocks=20), match("z", "bot00", "faulty bot01")]
    made += [alone(f"d{number}", name, 2.0) for number in range(5) for name in ("bot00", "faulty")]
    return [replace(one, started=f"2026-11-0{1 + 7 * index % 3}T12:00:00Z") for index, one in enumerate(made)]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with open_database(tmp_path_factory.mktemp("listing") / "all.sqlite", create=True) as made:
        made.add(played())
        yield made


def is_wanted(one: MatchResult, wanted: Wanted) -> bool:
    bots = [seat.entrant for seat in one.seats]
    ends = [seat for seat in one.seats if wanted.bot in (None, seat.entrant)]
    return all(
        (
            wanted.bot is None or wanted.bot in bots,
            wanted.rival is None or wanted.rival in bots,
            wanted.game in ("", one.ladder.game),
            wanted.seats in (None, one.ladder.seats),
            not wanted.ended
            or any(seat.fault if wanted.ended == "fault" else seat.termination == wanted.ended for seat in ends),
            wanted.since is None or one.started[:10] >= str(wanted.since),
            wanted.until is None or one.started[:10] <= str(wanted.until),
        )
    )


def pages(database: Database, wanted: Wanted, count: int) -> Iterator[list[MatchResult]]:
    place = None
    while True:
        found, end = database.listed(wanted, place, count)
        yield found
        if end is None:
            return
        assert end != place
        place = parse_place(str(end))


@pytest.mark.slow
@given(WANTED, st.integers(1, 60), st.integers(1, 40))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
def test_all_pages_together_have_each_wanted_match_once(
    database: Database, wanted: Wanted, count: int, window: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(listing, "WINDOW", window)
        found = [*pages(database, wanted, count)]
    assert all(len(page) <= count for page in found)
    listed = [one.identity for page in found for one in page]
    assert sorted(listed) == sorted(one.identity for one in played() if is_wanted(one, wanted))


def test_a_list_goes_on_after_each_window_that_is_full(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "WINDOW", 1)
    first = played()[0]
    wanted = Wanted(bot=first.seats[0].entrant, game=first.ladder.game)
    expected = sorted(one.identity for one in played() if is_wanted(one, wanted))
    assert len(expected) > 1
    assert sorted(one.identity for page in pages(database, wanted, 5) for one in page) == expected


@given(WANTED.filter(lambda wanted: wanted != Wanted() and (wanted != Wanted(rival=wanted.rival))))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15)
def test_a_page_never_scans_a_table(tmp_path_factory: pytest.TempPathFactory, wanted: Wanted) -> None:
    file = tmp_path_factory.getbasetemp() / "plans.sqlite"
    with open_database(file, create=True) as made:
        made.add(played()[:1])
    engine = create_engine(f"sqlite:///{file}")
    with engine.connect() as connection:
        plans = [line for plan in plans_of(connection, wanted) for line in plan]
    engine.dispose()
    tables = ("matches", "records", "seats")
    scans = [line for line in plans if line.startswith(tuple(f"SCAN {table}" for table in tables))]
    assert [line for line in scans if "USING INDEX seats_with_faults" not in line] == []


def plans_of(connection: Connection, wanted: Wanted) -> list[list[str]]:
    """Return the query plans of a page, a sentence for each step."""
    asked: list[tuple[str, object]] = []

    def note(_: object, __: object, statement: str, parameters: object, *___: object) -> None:
        asked.append((statement, parameters))

    event.listen(connection, "before_cursor_execute", note)
    matches_listed(connection, wanted, None, 10)
    event.remove(connection, "before_cursor_execute", note)
    return [
        [str(row[3]) for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)]  # type: ignore[arg-type]
        for statement, parameters in asked
    ]


def test_a_match_is_found_by_its_identity_before_its_key(database: Database) -> None:
    assert database.match("id z") == database.match("z")
    assert database.match("nothing") is None


def test_of_some_keys_those_of_matches_are_known(database: Database) -> None:
    assert database.known({"z", "nothing"}) == {"z"}
    assert database.known(()) == frozenset()


@pytest.mark.parametrize("text", ["", "x", "1", ".", "2026.", "2026-11-22T18:30:05Z.99999999999999999999"])
def test_a_wrong_place_is_refused(text: str) -> None:
    with pytest.raises(LeaderboardError, match="does not name a place in a list"):
        parse_place(text)
