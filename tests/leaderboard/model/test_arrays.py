"""Matches as arrays: the same tables and sums as those made match by match."""

from itertools import pairwise

import numpy as np
import pytest

from ballcourt.arena.bots.version import BotVersion
from ballcourt.leaderboard.model.arrays import columns_of
from ballcourt.leaderboard.model.comparisons import comparisons
from ballcourt.leaderboard.model.fit.arrays import inverted
from ballcourt.leaderboard.model.results import MatchResult
from ballcourt.leaderboard.model.sums import plain
from tests.leaderboard.made import alone, match, random_tables

Line = list[tuple[BotVersion, int]]


def test_a_matrix_without_rows_has_an_inverse_and_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    assert inverted(np.zeros((0, 0))).shape == (0, 0)
    assert "".join(capfd.readouterr()) == ""
    with pytest.raises(np.linalg.LinAlgError, match="not positive definite"):
        inverted(np.zeros((2, 2)))


def solo() -> list[MatchResult]:
    """Matches of one seat: deals with ties, lost seats, and bots that played twice or did not play."""
    chance = np.random.default_rng(2)
    names = ["ann", "bob", "cid", "faulty", "faulty too"]
    once = [
        alone(f"deal {deal}", name, float(chance.integers(0, 6)))
        for deal in range(20)
        for name in names
        if chance.random() < 0.7
    ]
    return [*once, alone("deal 0", "ann", 9.0, tournament="another"), alone("deal 99", "ann", 1.0)]


LEAGUES = {
    "tables": random_tables(np.random.default_rng(3), bots=5, seats=4, blocks=12),
    "copies": [match("k1", "ann", "ann bob"), match("k2", "bob", "bob", "ann"), match("k3", "ann", "ann ann")],
    "solo": solo(),
    "none": [],
}


@pytest.mark.parametrize("league", LEAGUES)
def test_tables_have_the_seats_and_places_of_the_comparisons(league: str) -> None:
    columns = columns_of(LEAGUES[league])
    tables = columns.tables
    found: list[Line] = [
        [(columns.entrants[who], place) for who, place in zip(tables.entrant[a:b], tables.place[a:b], strict=True)]
        for a, b in pairwise(tables.starts.tolist())
    ]
    expected = [
        sorted(((seat.entrant, seat.placement) for seat in table.seats), key=lambda one: (one[1], one[0]))
        for table in comparisons(LEAGUES[league])
        if len(table.seats) > 1
    ]
    assert sorted(sorted(line, key=lambda one: (one[1], one[0])) for line in found) == sorted(expected)


def share(own: int, places: list[int]) -> float:
    """Return the share of the others that are placed below, a tie counting half."""
    below, level = sum(place > own for place in places), places.count(own) - 1
    return (below + level / 2) / (len(places) - 1)


@pytest.mark.parametrize("league", LEAGUES)
def test_sums_are_those_of_each_match(league: str) -> None:
    matches = LEAGUES[league]
    columns = columns_of(matches)
    found = plain(columns)
    for row, entrant in enumerate(columns.entrants):
        own = [(seat, played) for played in matches for seat in played.seats if seat.entrant == entrant]
        assert found.matches[row] == len(own)
        assert found.faults[row] == sum(seat.fault for seat, _ in own)
        counted = columns.counted[columns.entrant == row]
        assert found.score[row] == pytest.approx(
            np.nanmean(counted) if not np.isnan(counted).all() else np.nan, nan_ok=True
        )
        places = [[*(s.placement for s in played.seats), *(r.placement for r in played.rivals)] for _, played in own]
        firsts = [1 / line.count(1) if seat.placement == 1 else 0 for (seat, _), line in zip(own, places, strict=True)]
        assert found.wins[row] == pytest.approx(np.mean(firsts))
        shares = [
            (
                sum(o.placement > s.placement for o in t.seats)
                + sum(o.placement == s.placement for o in t.seats) / 2
                - 0.5
            )
            / (len(t.seats) - 1)
            for t in comparisons(matches)
            for s in t.seats
            if s.entrant == entrant and len(t.seats) > 1
        ]
        assert found.beaten[row] == pytest.approx(np.mean(shares))


def test_the_mean_points_of_a_rival_are_those_of_the_matches_with_it() -> None:
    played = [alone("d1", "ann", 1.0, house=4.0), alone("d2", "ann", 1.0, house=7.0), alone("d1", "bob", 3.0)]
    columns = columns_of(played)
    assert columns.rivals.names == ["the house"]
    assert plain(columns).rivals.tolist() == [[5.5], [3.0]]
