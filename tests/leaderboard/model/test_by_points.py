"""Points beside places: who is ahead, given whom it met, and where that contradicts the ranks."""

from dataclasses import replace

import numpy as np
import pytest

from ballcourt.leaderboard.model.arrays import columns_of
from ballcourt.leaderboard.model.by_points import points_fit
from ballcourt.leaderboard.model.results import MatchResult
from ballcourt.leaderboard.show.explanation import explanation
from ballcourt.leaderboard.show.terminal import columns, to_json
from tests.leaderboard.made import alone, board, match


def scored(key: str, **scores: float) -> MatchResult:
    """Return a match with these points, which decide the places."""
    played = match(key, *sorted(scores, key=lambda name: -scores[name]))
    return replace(played, seats=tuple(replace(seat, score=scores[seat.entrant.name]) for seat in played.seats))


def ahead(matches: list[MatchResult]) -> dict[str, float]:
    found = columns_of(matches)
    return {one.name: float(value) for one, value in zip(found.entrants, points_fit(found).ahead, strict=True)}


def test_who_never_met_is_compared_through_others() -> None:
    chain = [one for n in range(8) for one in (scored(f"a{n}", ann=30, bob=20), scored(f"b{n}", bob=50, cid=35))]
    assert ahead(chain) == pytest.approx({"ann": 35 / 3, "bob": 5 / 3, "cid": -40 / 3})


def test_groups_that_never_met_have_a_mean_each_and_lost_seats_do_not_count() -> None:
    apart = [one for n in range(8) for one in (scored(f"a{n}", ann=30, bob=20), scored(f"b{n}", cid=9, dan=5))]
    lost = scored("lost", ann=90, bob=0)
    crashed = replace(lost, seats=(replace(lost.seats[0], termination="CRASH"), lost.seats[1]))
    assert ahead([*apart, crashed]) == pytest.approx({"ann": 5, "bob": -5, "cid": 2, "dan": -2})


def test_alone_those_who_played_the_same_deal_are_compared() -> None:
    played = [alone(f"d{n}", name, points + 9 * n) for n in range(7) for name, points in (("ann", 8.0), ("bob", 5.0))]
    assert ahead(played) == pytest.approx({"ann": 1.5, "bob": -1.5})


def test_the_interval_holds_what_is_true_in_95_percent() -> None:
    chance, inside = np.random.default_rng(4), []
    for _ in range(25):
        played = []
        for block in range(25):
            luck = chance.normal(0, 6, 3)
            for turn in range(3):
                points = np.array([8.0, 0.0, -8.0]) + luck + chance.normal(0, 10, 3) + chance.normal(0, 20)
                played.append(scored(f"b{block}-r{turn}", **dict(zip(("ann", "bob", "cid"), points, strict=True))))
        fit = points_fit(columns_of(played))
        inside += [abs(fit.ahead[row] - true) < 1.96 * fit.error(row) for row, true in enumerate((8.0, 0.0, -8.0))]
    assert 0.85 <= np.mean(inside) < 1


def test_a_bot_that_wins_often_but_by_little_is_marked_where_points_contradict_its_rank() -> None:
    chance = np.random.default_rng(1)
    played = [
        scored(f"m{n}", often=50, rich=49 - float(chance.random()) if n % 5 else 120 + float(chance.random()))
        for n in range(200)
    ]
    found = board(played)
    assert [row.entrant.name for row in found.rows] == ["often", "rich"]
    first, second = columns(found.rows)["by points"]
    assert (first[0], second[0], first[-1] == "!", second[-1]) == ("-", "+", False, "!")
    assert any('"!": ahead of the next better rank' in line for line in explanation(found, None))
    (ladder,) = to_json({played[0].ladder: found}).ladders
    assert [row.points_overtake for row in ladder.standings] == [False, True]


def test_a_version_that_met_only_itself_is_not_ahead() -> None:
    assert np.isnan(points_fit(columns_of([match(f"m{n}", "ann", "ann") for n in range(9)])).ahead).all()


def test_with_few_blocks_nothing_is_said() -> None:
    found = board([scored(f"m{n}", ann=3, bob=2) for n in range(5)])
    assert "by points" not in columns(found.rows)
    (ladder,) = to_json({match("m", "a").ladder: found}).ladders
    assert [row.points_ahead for row in ladder.standings] == [None, None]
