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


def crashed(played: MatchResult, *names: str) -> MatchResult:
    """Return a match in which some lost their seats."""
    seats = (replace(one, termination="CRASH") if one.entrant.name in names else one for one in played.seats)
    return replace(played, seats=tuple(seats))


def test_groups_that_never_met_have_a_mean_each() -> None:
    apart = [one for n in range(8) for one in (scored(f"a{n}", ann=30, bob=20), scored(f"b{n}", cid=9, dan=5))]
    assert ahead(apart) == pytest.approx({"ann": 5, "bob": -5, "cid": 2, "dan": -2})


def test_a_lost_seat_counts_two_deviations_of_a_margin_below_the_lowest_that_was_kept() -> None:
    played = [scored(f"m{n}", ann=30, bob=20, cid=10) for n in range(4)]
    found = columns_of([*played, crashed(scored("lost", ann=90, bob=25, cid=5), "ann")])
    squares = 4 * (10.0**2 + 10.0**2) + 10.0**2 + 10.0**2
    spread = (2 * squares / (4 * 2 + 1)) ** 0.5
    assert sorted(found.counted[found.vacated.any(axis=1)][0]) == pytest.approx([5 - 2 * spread, 5, 25])
    assert np.isnan(columns_of([crashed(scored("all", ann=9, bob=3), "ann", "bob")]).counted).all()


def test_alone_a_lost_seat_counts_below_those_that_played_the_same_deal() -> None:
    fair = [alone(f"d{n}", name, points) for n in range(7) for name, points in (("ann", 8.0), ("bob", 5.0))]
    gave_up = [crashed(alone(f"e{n}", "ann", 90.0), "ann") for n in range(7)] + [
        alone(f"e{n}", "bob", 5.0) for n in range(7)
    ]
    assert ahead(fair)["ann"] > 0 > ahead([*fair, *gave_up])["ann"]


def test_a_bot_that_gives_up_when_it_is_behind_gains_no_points() -> None:
    chance, names, played = np.random.default_rng(2), "abcdef", []
    for n in range(240):
        points = chance.normal(100, 20, len(names))
        gives_up = points[0] < np.median(points)
        points[0] = 0 if gives_up else points[0]  # its seat is placed last
        table = scored(f"m{n}", **dict(zip(names, points, strict=True)))
        played.append(crashed(table, "a") if gives_up else table)
    found = board(played)
    ranks = {row.entrant.name: row for row in found.rows}
    assert found.rows[-1].entrant.name == "a"
    assert ranks["a"].by_points is not None
    assert ranks["a"].by_points.ahead < min(
        row.by_points.ahead for name, row in ranks.items() if name != "a" and row.by_points
    )
    assert not ranks["a"].by_points.overtakes
    assert ranks["a"].score == min(row.score for row in found.rows if row.score is not None)


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
    assert "by points" in columns(board([scored(f"m{n}", ann=3, bob=2) for n in range(6)]).rows)
