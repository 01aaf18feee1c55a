"""The end of the match (RULES §10)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ballcourt.engine.games.tzolkin.state import TzolkinState
from tests.engine.games.tzolkin.playing import at_table, board, offered, play, seat
from tests.engine.games.tzolkin.procedures import PROCEDURES


def scored(**given: Any) -> TzolkinState:  # noqa: ANN401
    """Run the final scoring of a position."""
    state = at_table(**given)
    PROCEDURES["final_scoring"](state, {})
    return state


@pytest.mark.parametrize(
    ("goods", "points"),
    [
        ({}, 0),
        ({"corn": 4}, 1),
        ({"corn": 1}, 0.25),
        ({"wood": 1}, 0.5),
        ({"stone": 1}, 0.75),
        ({"gold": 1}, 1),
        ({"skull": 2}, 6),
        ({"corn": 3, "wood": 2, "stone": 1, "gold": 2, "skull": 1, "vp": -10}, -10 + (3 + 4 + 3 + 8) / 4 + 3),
        ({"monuments": [4, 9], "corn_tiles": 2}, 4 + 8),
    ],
)
def test_leftover_goods_score(goods: dict[str, Any], points: float) -> None:
    """§10.2, R-21, §10.3"""
    assert seat(scored(player={0: goods}))["vp"] == points


@given(corn=st.lists(st.integers(0, 50), min_size=4, max_size=4))
def test_quarters_are_never_rounded(corn: list[int]) -> None:
    """R-21: players rank by their corn."""
    state = scored(player={number: {"corn": count} for number, count in enumerate(corn)})
    assert state.scores() == [count / 4 for count in corn]
    assert board(state)["winners"] == [number for number in range(4) if corn[number] == max(corn)]


def test_most_points_win_then_most_workers_on_gears_then_the_place_is_shared() -> None:
    """§10.4"""
    people = {0: {"vp": 10}, 1: {"vp": 10}, 2: {"vp": 10}, 3: {"vp": 12}}
    gears = {"tikal": {1: 0, 2: 1, 3: 2}, "uxmal": {5: 1}}
    state = scored(gears=gears, player=people)
    assert state.placements() == [[3], [1], [0, 2]]
    assert board(state)["winners"] == [3]


def test_workers_at_hand_break_no_tie() -> None:
    """§10.4, R-25: neither do dummies, nor a worker that stood on the Starting Player Space."""
    people = {0: {"corn": 6, "workers": 3}, 1: {"corn": 6, "workers": 3}}
    gears = {"tikal": {1: 1, 3: "D"}}
    state = at_table(players=2, day=27, age=2, turn=1, sp=0, gears=gears, player=people)
    play(state, "pick tikal 1", "none", "end")
    assert state.placements() == [[0, 1]]


def test_the_last_day_may_push_off_the_worker_that_broke_the_tie() -> None:
    """§10.1, R-25"""
    people = {0: {"corn": 6}, 1: {"corn": 6}}
    for space, places in ((6, [[0], [1]]), (7, [[0, 1]])):
        state = at_table(players=2, day=27, age=2, turn=1, gears={"tikal": {space: 0, 1: 1}}, player=people)
        play(state, "pick tikal 1", "none", "end")
        assert state.placements() == places


def test_the_last_food_day_comes_before_the_scoring() -> None:
    """§3.3, §8.4, §10.2: eaten corn scores nothing; the gods' last rewards score as points."""
    people: dict[int, dict[str, Any]] = {number: {"corn": 10} for number in range(4)}
    people[0] |= {"temples": {"quetzalcoatl": 3}, "monuments": [12]}
    state = at_table(day=27, age=2, turn=3, gears={"tikal": {1: 3}}, player=people)
    play(state, "pick tikal 1", "none", "end")
    steps, bonus, corn = 2, 6 + 1 + 2, 4 / 4
    assert seat(state)["vp"] == steps + bonus + corn + steps
    assert seat(state, 1)["vp"] == 1 + 2 + corn


def do_little(state: TzolkinState) -> None:
    """Do nothing and avoid the Starting Player Space."""
    options = offered(state)
    play(state, next(text for text in ("end", "none", *sorted(options - {"place sp"})) if text in options))


def test_a_match_without_speeding_lasts_27_days() -> None:
    """§3.3, §2.9, §3.2: the last advance leads to a day 28 that is not played."""
    state = at_table(players=2)
    days = [1]
    while not board(state)["over"]:
        do_little(state)
        days += [board(state)["day"]] if board(state)["day"] != days[-1] else []
    assert days == list(range(1, 29))


def test_everybody_is_placed_and_returns_follow() -> None:
    """§10.4"""
    state = scored(player={0: {"vp": 1}, 1: {"vp": 4}, 2: {"vp": 4}, 3: {"vp": -2}})
    assert state.placements() == [[1, 2], [0], [3]]
    assert state.returns() == pytest.approx([-1 / 3, 2 / 3, 2 / 3, -1])
