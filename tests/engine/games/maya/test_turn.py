"""The choices of a turn, and passing (RULES §3, §8.1, §8.3)."""

import pytest

from tests.engine.games.maya.decisions import step_of
from tests.engine.games.maya.playing import (
    HEMMED_IN,
    TIKAL_AROUND,
    answer,
    at_table,
    new_match,
    offered,
    play,
    possible,
    seen,
    walk,
)


def test_turns_go_round_in_the_order_of_the_seats() -> None:
    """§2.6, §8.1, §8.3"""
    state = at_table(players=3, rack={seat: ["corn:1", "corn:1"] for seat in range(3)})
    order = []
    for move in ("plant corn:1 E7", "expand corn:1 G8", "plant corn:1 E8", "plant corn:1 D8"):
        order.append(seen(state, "turn"))
        play(state, move)
    assert order == [0, 1, 2, 0]
    assert seen(state, "turns") == [2, 1, 1]


def test_both_actions_are_legal_with_a_tile_on_the_rack() -> None:
    """§3.1, R-N1: and no passing."""
    assert offered(at_table(rack={0: ["corn:1"]})) == {"plant", "expand"}


def test_without_a_space_to_expand_there_is_only_planting() -> None:
    """§3.1, R-N1"""
    assert offered(at_table(tiles=HEMMED_IN, rack={0: ["corn:1"]}, supply={0: 3})) == {"plant"}


def test_with_an_empty_rack_there_is_only_expanding() -> None:
    """§3.1, R-N1"""
    assert offered(at_table(supply={0: 3})) == {"expand"}


def test_passing_needs_an_empty_rack_and_no_space_to_expand() -> None:
    """§3.1, R-N1"""
    assert offered(at_table(tiles=HEMMED_IN, supply={0: 3})) == {"pass"}


def test_planting_asks_for_tile_space_and_more() -> None:
    """§3.2: the tile is chosen before its space; stopping is possible from the second tile on."""
    state = at_table(rack={0: ["corn:1", "corn:2", "corn:2", "pepper:1"], 1: ["corn:1"]})
    answer(state, "plant")
    assert (step_of(state), offered(state)) == ("plant_tile", {"corn:1", "corn:2", "pepper:1"})
    answer(state, "corn:2")
    assert (step_of(state), offered(state)) == ("plant_cell", set(TIKAL_AROUND))
    answer(state, "E7")
    assert (step_of(state), offered(state)) == ("plant_more", {"stop", "corn:1", "corn:2"})
    answer(state, "corn:2")
    assert (step_of(state), seen(state, "tile")) == ("plant_cell", "corn:2")
    answer(state, "E8")
    assert (step_of(state), offered(state)) == ("plant_more", {"stop", "corn:1"})
    assert seen(state, "planted") == [["corn:2", "E7"], ["corn:2", "E8"]]
    answer(state, "stop")
    assert (seen(state, "turn"), step_of(state), seen(state, "planted")) == (1, "action", [])


def test_planting_goes_on_only_with_a_tile_of_the_crop() -> None:
    """§3.2, §4.2"""
    state = at_table(rack={0: ["corn:1", "pepper:1"], 1: ["corn:1"]})
    answer(state, "plant", "corn:1", "E7")
    assert (seen(state, "turn"), step_of(state)) == (1, "action")


def test_planting_goes_on_only_where_the_group_has_room() -> None:
    """§3.2, §4.2: A1 has three spaces around it."""
    tiles = {"A2": "1 pepper:1", "B1": "1 pepper:1"}
    state = at_table(
        areas=["blue", "green"], temples=["tikal", "edzna"], tiles=tiles, rack={0: ["corn:1"] * 3, 1: ["corn:1"]}
    )
    answer(state, "plant", "corn:1", "A1")
    assert (seen(state, "turn"), step_of(state)) == (1, "action")


def test_expanding_asks_for_tile_and_space() -> None:
    """§3.3"""
    state = at_table(rack={0: ["corn:2", "pepper:1", "pepper:1"], 1: ["corn:1"]})
    answer(state, "expand")
    assert (step_of(state), offered(state)) == ("expand_tile", {"corn:2", "pepper:1"})
    answer(state, "pepper:1")
    assert (step_of(state), offered(state), seen(state, "tile")) == ("expand_cell", set(TIKAL_AROUND), "pepper:1")
    assert seen(state, "rack")["0"] == ["pepper:1", "pepper:1", "corn:2"]
    answer(state, "G7")
    assert (seen(state, "turn"), step_of(state), seen(state, "tile")) == (1, "action", None)


def test_expanding_with_an_empty_rack_asks_only_for_the_space() -> None:
    """§3.3, §6.1"""
    state = at_table(supply={0: 3})
    answer(state, "expand")
    assert (step_of(state), offered(state)) == ("expand_cell", set(TIKAL_AROUND))


def test_a_pass_counts_as_a_turn() -> None:
    """R-N2, §8.1, §8.3"""
    state = at_table(tiles=HEMMED_IN, rack={1: ["corn:1", "corn:1"]}, supply={0: 3})
    play(state, "pass")
    assert (seen(state, "turn"), seen(state, "turns"), seen(state, "passes_in_row")) == (1, [1, 0], 1)


def test_an_action_ends_a_row_of_passes() -> None:
    """R-N2"""
    state = at_table(tiles=HEMMED_IN, rack={1: ["corn:1", "corn:1"]}, supply={0: 3})
    play(state, "pass", "plant corn:1 D7", "pass")
    assert (seen(state, "over"), seen(state, "passes_in_row")) == (None, 1)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_game_is_over_when_all_have_passed_in_succession(seats: int) -> None:
    """R-N2: not one pass earlier."""
    state = at_table(players=seats, tiles=HEMMED_IN, supply=dict.fromkeys(range(seats), 3))
    play(state, *["pass"] * (seats - 1))
    assert possible(state, "pass")
    play(state, "pass")
    assert (seen(state, "over"), seen(state, "turn"), seen(state, "turns")) == ("all-pass", None, [1] * seats)
    assert state.pending_seats() == []


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_player_with_a_tile_on_the_rack_can_always_plant(seats: int) -> None:
    """R-N1, §11.6: in every position of whole matches; no player who passes has a tile on the rack."""
    for seed in range(3):
        for state in walk(new_match(seats, seed), seed):
            if step_of(state) == "action":
                assert ("plant" in offered(state)) == bool(seen(state, "rack")[str(seen(state, "turn"))])
