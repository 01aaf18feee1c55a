"""Palenque: fishing and the jungle (RULES §5.1, §1.4)."""

from typing import Any

import pytest

from ballcourt.engine.games.tzolkin.state import TzolkinState
from tests.engine.games.tzolkin.playing import BOTTOM, BURNS, at_table, board, gained, offered, play, seat

GROUPS = (2, 3, 4, 5)
CORN = {2: 4, 3: 5, 4: 7, 5: 9}
WOOD = {3: 2, 4: 3, 5: 4}


def harvesting(group: int, **given: Any) -> TzolkinState:  # noqa: ANN401
    """Return a position with the choice of what to harvest in a group."""
    state = at_table(gears={"palenque": {group: 0}}, **given)
    play(state, f"pick palenque {group}", f"do {group} 0")
    return state


@pytest.mark.parametrize(("level", "corn"), [(0, 3), (1, 3), (2, 4), (3, 4)])
def test_fishing_gives_three_corn_and_one_more_from_agriculture_2(level: int, corn: int) -> None:
    """§5.1"""
    state = at_table(gears={"palenque": {1: 0}}, player={0: {"tech": {"agriculture": level}}})
    play(state, "pick palenque 1", "do 1 0")
    assert seat(state)["corn"] == corn
    assert offered(state) == {"end"}


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize(("level", "bonus"), [(0, 0), (1, 1), (2, 1), (3, 3)])
def test_a_visible_corn_tile_gives_its_corn_and_the_bonus_of_agriculture(group: int, level: int, bonus: int) -> None:
    """§5.1"""
    state = harvesting(group, jungle_wood={group: 0}, player={0: {"tech": {"agriculture": level}}})
    before = seat(state)
    assert offered(state) == {"corn"}
    play(state, "corn")
    assert gained(before, seat(state)) == {"corn": CORN[group] + bonus, "corn_tiles": 1}
    assert board(state)["jungle_corn"][str(group)] == 3


@pytest.mark.parametrize("group", WOOD)
@pytest.mark.parametrize(("level", "bonus"), [(0, 0), (1, 1), (2, 1), (3, 1)])
def test_a_wood_tile_gives_its_wood_and_one_more_with_extraction(group: int, level: int, bonus: int) -> None:
    """§5.1, §5.2"""
    state = harvesting(group, player={0: {"tech": {"extraction": level}}})
    before = seat(state)
    play(state, "wood")
    assert gained(before, seat(state)) == {"wood": WOOD[group] + bonus, "wood_tiles": 1}
    assert (board(state)["jungle_wood"][str(group)], board(state)["jungle_corn"][str(group)]) == (3, 4)


@pytest.mark.parametrize("group", WOOD)
@pytest.mark.parametrize(("level", "bonus"), [(0, 0), (1, 1), (3, 3)])
def test_burning_discards_the_wood_tile_and_takes_the_corn_tile(group: int, level: int, bonus: int) -> None:
    """R-12, §5.1: with the bonus of agriculture; the named temple is stepped down on."""
    state = harvesting(group, player={0: {"tech": {"agriculture": level}}})
    before = seat(state)
    play(state, "burn quetzalcoatl")
    assert gained(before, seat(state)) == {"corn": CORN[group] + bonus, "corn_tiles": 1, "quetzalcoatl": -1}
    assert (board(state)["jungle_wood"][str(group)], board(state)["jungle_corn"][str(group)]) == (3, 3)


def test_the_corn_under_wood_is_not_visible() -> None:
    """§1.4: until a wood tile is taken; then one corn tile is."""
    state = harvesting(4)
    assert offered(state) == {"wood", *BURNS}
    state = harvesting(4, jungle_wood={4: 3})
    assert offered(state) == {"corn", "wood", *BURNS}


def test_a_corn_tile_may_be_burned_free_although_another_is_visible() -> None:
    """R-11"""
    state = harvesting(3, jungle_wood={3: 1}, jungle_corn={3: 4})
    assert offered(state) >= BURNS
    play(state, "burn chaac")
    assert board(state)["jungle_wood"]["3"] == 0


def test_group_2_has_no_wood() -> None:
    """§1.4, §5.1"""
    assert offered(harvesting(2)) == {"corn"}


def test_burning_needs_a_temple_to_step_down_on() -> None:
    """§7.2, R-12: each god that can be angered is a choice."""
    state = harvesting(5, player={0: {"temples": {"chaac": 0, "kukulcan": 3}}})
    assert offered(state) == {"wood", "burn quetzalcoatl", "burn kukulcan"}
    assert offered(harvesting(5, player={0: {"temples": BOTTOM}})) == {"wood"}


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize(("level", "bonus"), [(2, 1), (3, 3)])
def test_agriculture_2_harvests_without_a_tile_where_none_is_left(group: int, level: int, bonus: int) -> None:
    """§5.1, R-10: no tile is kept and no god is angered."""
    nothing = {"jungle_wood": {group: 0}, "jungle_corn": {group: 0}}
    state = harvesting(group, **nothing, player={0: {"tech": {"agriculture": level}}})
    before = seat(state)
    assert offered(state) == {"tileless"}
    play(state, "tileless")
    assert gained(before, seat(state)) == {"corn": CORN[group] + bonus}
    assert board(state)["jungle_corn"][str(group)] == 0


@pytest.mark.parametrize(("level", "wood", "possible"), [(1, 4, False), (2, 4, True), (2, 3, False), (2, 0, False)])
def test_harvesting_without_a_tile_needs_a_group_without_visible_corn(level: int, wood: int, possible: bool) -> None:
    """R-10"""
    state = harvesting(4, jungle_wood={4: wood}, player={0: {"tech": {"agriculture": level}}})
    assert ("tileless" in offered(state)) is possible


def test_the_last_corn_tile_ends_the_group_for_those_without_agriculture() -> None:
    """§5.0, §5.1"""
    state = at_table(gears={"palenque": {2: 0, 3: 0}}, jungle_corn={2: 1}, player={0: {"corn": 1}})
    play(state, "pick palenque 2", "do 2 0", "corn", "pick palenque 3")
    assert "do 2 1" not in offered(state)
