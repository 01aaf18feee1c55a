"""How greedy and planner value positions of Maya."""

from typing import cast

import pytest

from ballcourt.bots.greedy import maya as greedy
from ballcourt.bots.planner import maya as planner
from ballcourt.engine.core.chance import Stream
from ballcourt.engine.core.observation import observe
from ballcourt.engine.core.playout import playout
from ballcourt.engine.games.maya import GAME
from ballcourt.engine.games.maya.actions import ACT_EXPAND, ACT_PLANT
from ballcourt.engine.games.maya.columns import CITY, CROPS, PLANTATION
from ballcourt.engine.games.maya.state import MayaState
from ballcourt.engine.games.maya.tables import TIKAL
from tests.bots_sdk.positions import position
from tests.engine.games.maya.playing import HEMMED_IN, answer, at_table, play

AROUND_CORN = ("D6", "D7", "E5", "E7", "F6")
"""The cells around E6 except F7, which is also adjacent to Tikal."""


def some_position(seed: int, decisions: int) -> tuple[MayaState, int]:
    """A position of a random match, and the seat in turn."""
    state, seat = position("maya", seed, decisions)
    return cast(MayaState, state), seat


def some_turn(seed: int, decisions: int) -> tuple[MayaState, int]:
    """The start of a turn with both actions possible, in a random match, and the seat in turn."""
    state, seat = some_position(seed, decisions)
    while state.legal_actions(seat) != [ACT_PLANT, ACT_EXPAND]:
        state.apply(seat, state.legal_actions(seat)[-1])
        (seat,) = state.pending_seats()
    return state, seat


def test_an_unfinished_planting_is_worth_what_it_will_score() -> None:
    state = at_table(rack={0: ["corn:1", "corn:2", "pepper:1"]}, supply={0: 5, 1: 5})
    planting = state.clone()
    answer(planting, "plant", "corn:2", "E7")
    stopped = planting.clone()
    answer(stopped, "stop")
    for seat in range(2):
        appraise = planner.appraiser(state, seat)
        assert appraise(planting) == appraise(stopped)
    assert greedy.value(planting, 0) == greedy.value(stopped, 0)


def test_planner_values_a_finished_match_by_the_lead_and_the_places() -> None:
    state, _ = some_position(1, 0)
    appraisers = [planner.appraiser(state, each) for each in range(3)]
    playout(state, min)
    for each, appraise in enumerate(appraisers):
        mine, others = state.scores()[each], sum(state.scores()) - state.scores()[each]
        assert appraise(state) == pytest.approx(mine - others / 2 + planner.WIN * state.returns()[each])


def test_a_group_with_less_room_is_worth_less() -> None:
    tiles = {"E6": "0 corn:1"}
    worths = []
    for name in ("", *AROUND_CORN):
        if name:
            tiles[name] = "1 pepper:1"
        cells = at_table(tiles=tiles).cells
        worths.append(planner.growth(planner.groups_of(cells, 0), [1.0] * CROPS))
    assert worths == sorted(worths, reverse=True)
    assert worths[0] > worths[-1]


@pytest.mark.parametrize("seed", range(4))
def test_groups_updated_after_a_planting_match_the_new_board(seed: int) -> None:
    state, seat = some_turn(seed, 60)
    before = state.cells[:]
    groups = planner.groups_of(before, seat)
    state.apply(seat, ACT_PLANT)
    while state.pending_seats() == [seat]:
        state.apply(seat, state.legal_actions(seat)[0])
    laid = [cell for cell, content in enumerate(state.cells) if content >= PLANTATION > before[cell]]
    planted = [cell for cell in laid if state.cells[cell] < CITY]
    updated = planner.after_planting(state.cells, groups, planted, frozenset(laid))
    assert planted
    assert sorted(updated, key=lambda group: min(group.cells)) == planner.groups_of(state.cells, seat)


def test_planner_crowds_groups_of_others_rather_than_its_own() -> None:
    west = {"E6": "1 corn:2", "D7": "0 potato:1"}
    east = {"E9": "0 corn:2", "D9": "1 potato:1"}
    state = at_table(tiles=west | east, rack={0: ["pepper:1", "corn:1"], 1: ["corn:1"]}, supply={0: 9, 1: 9})
    appraise = planner.appraiser(state, 0)
    beside_theirs, beside_mine = state.clone(), state.clone()
    play(beside_theirs, "plant pepper:1 E5")
    play(beside_mine, "plant pepper:1 E10")
    assert appraise(beside_theirs) > appraise(beside_mine)


def lead_in_tikal(tiles: dict[str, str], *city: str) -> float:
    """Return planner's estimate of Tikal for seat 0."""
    state = at_table(
        tiles=tiles, city=dict.fromkeys(city, "tikal"), rack={0: ["corn:1"], 1: ["corn:1"]}, supply={0: 20, 1: 20}
    )
    return float(planner.Appraiser(state, 0).city(state, TIKAL))


def test_an_open_city_is_worth_most_to_the_seat_with_most_crops_around_it() -> None:
    tied = lead_in_tikal({"E7": "0 corn:1", "G7": "1 corn:1"})
    ahead = lead_in_tikal({"E7": "0 corn:2", "G7": "1 corn:1"})
    behind = lead_in_tikal({"E7": "0 corn:1", "G7": "1 corn:2"})
    assert tied == pytest.approx(0)
    assert ahead > 0 > behind
    assert ahead == pytest.approx(-behind)


def test_a_lead_in_a_larger_city_is_worth_more() -> None:
    small = lead_in_tikal({"E7": "0 corn:2", "G7": "1 corn:1"})
    large = lead_in_tikal({"E7": "0 corn:2", "G7": "1 corn:1"}, "F9", "F7")
    assert large > small


def test_a_closed_city_is_worth_nothing() -> None:
    assert lead_in_tikal(HEMMED_IN) == 0


@pytest.mark.parametrize("seed", range(4))
def test_planner_does_not_foresee_what_it_draws(seed: int) -> None:
    state, seat = some_turn(seed, 30)
    worths = set()
    for number in range(8):
        drawn = cast(MayaState, GAME.sample(observe(state, seat), Stream(number)))
        appraise = planner.appraiser(drawn, seat)
        drawn.apply(seat, ACT_EXPAND)
        while drawn.pending_seats() == [seat]:
            drawn.apply(seat, drawn.legal_actions(seat)[0])
        worths.add(round(appraise(drawn), 9))
    assert len(worths) == 1


def test_the_order_of_planting_does_not_matter_but_the_tile_placed_face_down_does() -> None:
    state = at_table(rack={0: ["corn:1", "corn:2"]}, supply={0: 5, 1: 5})
    ends = []
    for first, second in (("corn:1 E7", "corn:2 E8"), ("corn:2 E8", "corn:1 E7")):
        planted = state.clone()
        play(planted, f"plant {first} {second}")
        ends.append(planner.fingerprint(planted, 0))
    assert ends[0] == ends[1]
    for kind in ("corn:1", "corn:2"):
        expanded = state.clone()
        answer(expanded, "expand", kind)
        ends.append(planner.fingerprint(expanded, 0))
    assert ends[2] != ends[3]
