"""Chichen Itza: carrying skulls (RULES §5.5); test_picking_up tests which actions are within reach."""

from typing import Any

import pytest

from ballcourt.engine.games.tzolkin.state import TzolkinState
from tests.engine.games.tzolkin.playing import BLOCK_CHOICES, at_table, board, gained, offered, play, seat

REWARDS = {
    1: (4, "chaac", False),
    2: (5, "chaac", False),
    3: (6, "chaac", False),
    4: (7, "kukulcan", False),
    5: (8, "kukulcan", False),
    6: (8, "kukulcan", True),
    7: (10, "quetzalcoatl", False),
    8: (11, "quetzalcoatl", True),
    9: (13, "quetzalcoatl", True),
}


def carrying(action: int, **player: Any) -> TzolkinState:  # noqa: ANN401
    """Perform an action with the one skull that left the bank."""
    state = at_table(gears={"chichen_itza": {action: 0}}, skull_bank=12, player={0: {"skull": 1, **player}})
    play(state, f"pick chichen_itza {action}", f"do {action} 0")
    return state


@pytest.mark.parametrize("action", REWARDS)
def test_an_action_scores_its_points_and_a_step_and_perhaps_a_block(action: int) -> None:
    """§5.5"""
    points, temple, block = REWARDS[action]
    state = carrying(action)
    if block:
        assert offered(state) == BLOCK_CHOICES
        play(state, "block stone")
    assert offered(state) == {"end"}
    before = seat(at_table(skull_bank=12, player={0: {"skull": 1}}))
    assert gained(before, seat(state)) == {"skull": -1, "vp": points, temple: 1} | ({"stone": 1} if block else {})


def test_the_skull_stays_forever_and_the_action_is_used_up() -> None:
    """§5.5, §1.5: for all players."""
    state = carrying(4)
    assert (board(state)["chichen_used"], board(state)["skull_bank"]) == ([4], 12)
    gears = {"chichen_itza": {4: 1}}
    state = at_table(turn=1, gears=gears, chichen_used=[4], skull_bank=11, player={1: {"skull": 1, "corn": 1}})
    play(state, "pick chichen_itza 4")
    assert offered(state) == {"do 3 1", "none"}


def test_the_points_are_scored_although_the_step_is_lost() -> None:
    """§5.5, §7.1"""
    state = carrying(9, temples={"quetzalcoatl": 8})
    assert (seat(state)["vp"], seat(state)["temples"]["quetzalcoatl"]) == (13, 8)


@pytest.mark.parametrize(("level", "asked"), [(0, False), (1, False), (2, True), (3, True)])
def test_theology_2_turns_one_block_into_a_step(level: int, asked: bool) -> None:
    """§5.5"""
    state = carrying(1, wood=1, gold=2, tech={"theology": level})
    if not asked:
        assert offered(state) == {"end"}
        return
    temples = ("chaac", "quetzalcoatl", "kukulcan")
    assert offered(state) == {f"offer {block} {temple}" for block in ("wood", "gold") for temple in temples} | {"stop"}
    play(state, "offer gold kukulcan")
    assert (seat(state)["gold"], seat(state)["temples"]["kukulcan"]) == (1, 2)
    assert offered(state) == {"end"}


def test_the_block_just_gained_may_be_offered() -> None:
    """§5.5"""
    state = carrying(8, tech={"theology": 2})
    play(state, "block wood", "offer wood quetzalcoatl")
    assert (seat(state)["wood"], seat(state)["temples"]["quetzalcoatl"]) == (0, 3)


def test_an_offering_may_be_declined() -> None:
    """§5.5"""
    state = carrying(1, wood=1, tech={"theology": 2})
    play(state, "stop")
    assert (seat(state)["wood"], offered(state)) == (1, {"end"})


def test_every_skull_carried_may_bring_its_own_offering() -> None:
    """§5.5: once per action, not once per turn."""
    people = {0: {"skull": 2, "wood": 2, "tech": {"theology": 2}}}
    state = at_table(gears={"chichen_itza": {1: 0, 2: 0}}, skull_bank=11, player=people)
    for space in (1, 2):
        play(state, f"pick chichen_itza {space}", f"do {space} 0", "offer wood chaac")
    assert seat(state)["temples"]["chaac"] == 5
    assert seat(state)["skull"] == 0


def test_the_step_back_price_is_paid_for_a_lower_action() -> None:
    """§4.4, §5.5"""
    state = at_table(gears={"chichen_itza": {7: 0}}, skull_bank=12, player={0: {"skull": 1, "corn": 3}})
    play(state, "pick chichen_itza 7", "do 5 2")
    assert (seat(state)["corn"], seat(state)["vp"], board(state)["chichen_used"]) == (1, 8, [5])


def test_from_space_9_theology_offers_every_unused_action_for_nothing() -> None:
    """R-17"""
    people = {0: {"skull": 1, "tech": {"theology": 1}}}
    state = at_table(gears={"chichen_itza": {9: 0}}, chichen_used=[2, 9], skull_bank=10, player=people)
    play(state, "pick chichen_itza 9")
    assert offered(state) == {f"do {action} 0" for action in (1, 3, 4, 5, 6, 7, 8)} | {"none"}


def test_the_space_ahead_is_reached_in_spite_of_a_used_action() -> None:
    """R-17: from space 2 with 2 used, 3 is free and 1 costs its step."""
    people = {0: {"skull": 1, "corn": 1, "tech": {"theology": 1}}}
    state = at_table(gears={"chichen_itza": {2: 0}}, chichen_used=[2], skull_bank=11, player=people)
    play(state, "pick chichen_itza 2")
    assert offered(state) == {"do 3 0", "do 1 1", "none"}
