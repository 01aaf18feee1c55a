"""Tikal: technologies and offerings (RULES §5.3); test_construct tests construction."""

from typing import Any

import pytest

from ballcourt.engine.games.tzolkin.state import TzolkinState
from tests.engine.games.tzolkin.playing import (
    ALL_USED,
    BLOCK_CHOICES,
    TEMPLE_CHOICES,
    at_table,
    gained,
    offered,
    play,
    seat,
)

TECHS = ("agriculture", "extraction", "architecture", "theology")
LEARN = {f"tech {tech}" for tech in TECHS}


def learning(action: int, **given: Any) -> TzolkinState:  # noqa: ANN401
    """Stand before the choice of a technology."""
    state = at_table(gears={"tikal": {action: 0}}, **given)
    play(state, f"pick tikal {action}", f"do {action} 0")
    return state


@pytest.mark.parametrize("tech", TECHS)
@pytest.mark.parametrize("level", [0, 1, 2])
def test_a_level_costs_as_many_blocks_as_its_number(tech: str, level: int) -> None:
    """§5.3"""
    state = learning(1, player={0: {"wood": 3, "tech": {tech: level}}})
    before = seat(state)
    play(state, f"tech {tech}")
    assert offered(state) == {f"pay {level + 1} 0 0"}
    play(state, f"pay {level + 1} 0 0")
    assert gained(before, seat(state)) == {"wood": -level - 1, tech: 1}
    assert offered(state) == {"end"}


@pytest.mark.parametrize(
    ("level", "payments"),
    [
        (0, {"1 0 0", "0 1 0", "0 0 1"}),
        (1, {"2 0 0", "1 1 0", "1 0 1", "0 1 1"}),
        (2, {"2 1 0", "2 0 1", "1 1 1"}),
        (3, {"1 0 0", "0 1 0", "0 0 1"}),
    ],
)
def test_any_blocks_pay_for_a_level(level: int, payments: set[str]) -> None:
    """§5.3: 2 wood, 1 stone and 1 gold are owned."""
    state = learning(1, player={0: {"wood": 2, "stone": 1, "gold": 1, "tech": {"theology": level}}})
    play(state, "tech theology")
    assert offered(state) == {f"pay {payment}" for payment in payments}


def test_only_levels_that_can_be_paid_are_offered() -> None:
    """§5.3, §5.0"""
    levels = {"agriculture": 1, "extraction": 2, "theology": 3}
    assert offered(learning(1, player={0: {"gold": 1, "tech": levels}})) == {"tech architecture", "tech theology"}
    assert offered(learning(1, player={0: {"gold": 2, "tech": levels}})) == LEARN - {"tech extraction"}
    assert offered(learning(1, player={0: {"gold": 3, "tech": levels}})) == LEARN


def beyond(tech: str, **given: Any) -> TzolkinState:  # noqa: ANN401
    """Pay for the bonus of a technology on level 3."""
    state = learning(1, **{"player": {0: {"wood": 1, "tech": {tech: 3}}}, **given})
    play(state, f"tech {tech}", "pay 1 0 0")
    assert seat(state)["tech"][tech] == 3
    return state


def test_beyond_level_3_agriculture_gives_a_temple_step() -> None:
    """§5.3"""
    state = beyond("agriculture")
    assert offered(state) == TEMPLE_CHOICES
    play(state, "temple kukulcan")
    assert seat(state)["temples"] == {"chaac": 1, "quetzalcoatl": 1, "kukulcan": 2}


def test_beyond_level_3_extraction_gives_two_blocks() -> None:
    """§5.3"""
    state = beyond("extraction")
    assert offered(state) == BLOCK_CHOICES
    play(state, "block gold")
    assert offered(state) == BLOCK_CHOICES
    play(state, "block wood")
    assert (seat(state)["wood"], seat(state)["stone"], seat(state)["gold"]) == (1, 0, 1)
    assert offered(state) == {"end"}


def test_beyond_level_3_architecture_scores_three_points() -> None:
    """§5.3"""
    assert seat(beyond("architecture"))["vp"] == 3


def test_beyond_level_3_theology_gives_a_skull_if_there_is_one() -> None:
    """§5.3, §1.5: theology 3 does not double it."""
    assert seat(beyond("theology"))["skull"] == 1
    people = {0: {"wood": 1, "tech": {"theology": 3}}, 1: {"skull": 4}}
    assert seat(beyond("theology", skull_bank=0, chichen_used=ALL_USED, player=people))["skull"] == 0


def test_the_second_level_of_tikal_3_may_be_declined() -> None:
    """R-13, §5.3"""
    state = learning(3, player={0: {"wood": 3}})
    assert offered(state) == LEARN
    play(state, "tech theology", "pay 1 0 0")
    assert offered(state) == LEARN | {"stop"}
    play(state, "stop")
    assert offered(state) == {"end"}


def test_both_levels_of_tikal_3_may_be_of_the_same_technology() -> None:
    """R-13"""
    state = learning(3, player={0: {"wood": 3}})
    play(state, "tech theology", "pay 1 0 0", "tech theology", "pay 2 0 0")
    assert seat(state)["tech"]["theology"] == 2
    assert offered(state) == {"end"}


def test_the_second_level_may_be_paid_with_what_the_first_brought() -> None:
    """R-13: one wood becomes two gold and a level."""
    state = learning(3, player={0: {"wood": 1, "tech": {"extraction": 3}}})
    play(state, "tech extraction", "pay 1 0 0", "block gold", "block gold")
    assert offered(state) == {"tech extraction", "tech agriculture", "tech architecture", "tech theology", "stop"}
    play(state, "tech theology", "pay 0 0 1")
    assert (seat(state)["gold"], seat(state)["tech"]["theology"]) == (1, 1)


def test_tikal_1_teaches_exactly_one_level() -> None:
    """§5.3"""
    state = learning(1, player={0: {"wood": 3}})
    play(state, "tech theology", "pay 1 0 0")
    assert offered(state) == {"end"}


@pytest.mark.parametrize("block", ["wood", "stone", "gold"])
def test_tikal_5_trades_a_block_for_a_step_on_two_temples(block: str) -> None:
    """§5.3"""
    state = at_table(gears={"tikal": {5: 0}}, player={0: {block: 2}})
    before = seat(state)
    play(state, "pick tikal 5", "do 5 0", *offered_payment(block), "temples chaac quetzalcoatl")
    assert gained(before, seat(state)) == {block: -1, "chaac": 1, "quetzalcoatl": 1, "available": 1}


def offered_payment(block: str) -> list[str]:
    return ["pay " + " ".join("1" if kind == block else "0" for kind in ("wood", "stone", "gold"))]


def test_the_two_temples_differ_even_where_a_step_is_lost() -> None:
    """R-14"""
    temples = {"chaac": 6, "quetzalcoatl": 8}
    state = at_table(gears={"tikal": {5: 0}}, player={0: {"wood": 1, "temples": temples}})
    play(state, "pick tikal 5", "do 5 0", "pay 1 0 0")
    assert offered(state) == {
        "temples chaac quetzalcoatl",
        "temples chaac kukulcan",
        "temples quetzalcoatl kukulcan",
    }
    play(state, "temples chaac quetzalcoatl")
    assert seat(state)["temples"] == {**temples, "kukulcan": 1}
