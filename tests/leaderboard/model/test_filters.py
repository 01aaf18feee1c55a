"""Which results and rows a reader chooses, and the sentences for what does not exist."""

from dataclasses import replace
from pathlib import Path

import pytest

from ballcourt.leaderboard.model.filters import Filter, named, one_named
from ballcourt.leaderboard.model.results import LeaderboardError, MatchResult
from ballcourt.leaderboard.model.standings import Board, by_ladder, fitted
from ballcourt.leaderboard.show.terminal import to_json
from ballcourt.leaderboard.store.database import open_database
from tests.leaderboard.made import board, entrant, match, owned


def dated(key: str, started: str, *places: str, game: str = "bluff") -> MatchResult:
    played = match(key, *places)
    return replace(played, started=started, ladder=replace(played.ladder, game=game))


MATCHES = [
    dated("m1", "2026-11-20T23:59:59Z", "ann", "bob"),
    dated("m2", "2026-11-21T00:00:00Z", "ann", "bob", "cid"),
    dated("m3", "2026-11-22T18:30:05Z", "bob", "ann", game="maya"),
]


@pytest.mark.parametrize(
    ("wanted", "keys"),
    [
        (Filter(), ["m1", "m2", "m3"]),
        (Filter(game="bluff"), ["m1", "m2"]),
        (Filter(seats=2), ["m1", "m3"]),
        (Filter(game="bluff", seats=3), ["m2"]),
        (Filter(since="2026-11-21"), ["m2", "m3"]),
        (Filter(since="2026-11-22T18:30:05Z"), ["m3"]),
        (Filter(since="2026-11-22T20:30:05+02:00"), ["m3"]),
        (Filter(bots=("cid",), owners=("zoe",)), ["m1", "m2", "m3"]),
    ],
)
def test_game_seats_and_time_choose_matches_and_bots_and_owners_do_not(wanted: Filter, keys: list[str]) -> None:
    assert [played.key for played in wanted.matches(MATCHES)] == keys


@pytest.mark.parametrize("wanted", [Filter(game="bluff"), Filter(seats=2), Filter(since="2026-11-21"), Filter()])
def test_a_database_chooses_the_same_matches(wanted: Filter, tmp_path: Path) -> None:
    with open_database(tmp_path / "all.sqlite", create=True) as database:
        database.add(MATCHES)
        found = fitted(database.contents(wanted)[0])
    expected = {ladder: board(played) for ladder, played in by_ladder(wanted.matches(MATCHES)).items()}
    assert to_json(found) == to_json(expected)


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        (Filter(game="chess"), "there is no game 'chess' in these results; known: bluff, maya"),
        (Filter(seats=5), "no match with seats = 5 was played; known: 2, 3"),
        (Filter(game="maya", seats=3), "no match with seats = 3 was played; known: 2"),
        (Filter(since="soon"), "since is 'soon'; it must be a date such as 2026-11-22"),
        (Filter(since="2026-12-01"), "no match was played since 2026-12-01; the last began at 2026-11-22T18:30:05Z"),
    ],
)
def test_a_value_that_fits_no_match_is_explained(wanted: Filter, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(LeaderboardError, match=f"^{sentence}"):
        wanted.matches(MATCHES)
    with open_database(tmp_path / "all.sqlite", create=True) as database:
        database.add(MATCHES)
        with pytest.raises(LeaderboardError, match=f"^{sentence}"):  # it does not call the database damaged
            database.contents(wanted)


def test_matches_without_a_time_are_not_since_any_time() -> None:
    with pytest.raises(LeaderboardError, match="the results do not say when their matches began"):
        Filter(since="2026-11-21").matches([match("m", "ann", "bob")])


def test_chosen_rows_keep_the_ranks_and_ratings_of_the_whole_field() -> None:
    whole = board([match(f"m{n}", "ann", "bob", "cid") for n in range(9)])
    assert Filter(bots=("cid", "ann")).rows(whole).rows == [whole.rows[0], whole.rows[2]]
    assert Filter().rows(whole) == whole


def test_rows_are_chosen_by_owner_also_where_a_bot_has_several() -> None:
    first = match("m1", "ann", "bob", "cid")
    whole = board([owned(first, ann="zoe", bob="yan"), owned(replace(first, key="m2"), ann="xi")])
    assert [row.owners for row in whole.rows] == [("xi", "zoe"), ("yan",), ()]
    for owner, names in {"xi": ["ann"], "zoe": ["ann"], "yan": ["bob"]}.items():
        assert [row.entrant.name for row in Filter(owners=(owner,)).rows(whole).rows] == names
    assert not Filter(owners=("xi",), bots=("bob",)).rows(whole).rows
    with pytest.raises(LeaderboardError, match="no owner 'ann' in these results; known: xi, yan, zoe"):
        Filter(owners=("ann",)).check([whole])


def test_a_bot_is_named_by_its_name_its_version_or_the_beginning_of_its_hash() -> None:
    first, second, other = entrant("ann", "1", "aa11"), entrant("ann", "1", "ab22"), entrant("ann", "2", "cc")
    field = [first, second, other]
    assert named("ann", field) == field
    assert named("ann 1", field) == [first, second]
    assert one_named("ann 2", field) == other
    assert one_named("ann 1 ab", field) == second
    with pytest.raises(LeaderboardError, match="'ann 1' is the name of 2 bots; choose one of 'ann 1 aa11', 'ann 1 ab"):
        one_named("ann 1", field)


def test_an_unknown_bot_is_refused_with_some_of_those_that_exist() -> None:
    (row,) = board([match("m", "ann")]).rows
    rows = [replace(row, entrant=entrant(f"bot{number:03}")) for number in range(300)]
    with pytest.raises(LeaderboardError, match=r"no bot 'zoe' .* known: bot000, bot001, .*bot011 and 288 more$"):
        Filter(bots=("zoe",)).check([Board(rows)])
