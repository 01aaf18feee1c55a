"""Uxmal: temple, market, workers, building with corn, any action (RULES §5.4)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ballcourt.engine.games.tzolkin.state import TzolkinState
from tests.engine.games.tzolkin.playing import TEMPLE_CHOICES, at_table, gained, offered, play, seat

RATES = {"wood": 2, "stone": 3, "gold": 4}


def at_uxmal(action: int, **given: Any) -> TzolkinState:  # noqa: ANN401
    """Begin an action."""
    state = at_table(gears={"uxmal": {action: 0}}, **given)
    play(state, f"pick uxmal {action}", f"do {action} 0")
    return state


def test_three_corn_are_a_temple_step() -> None:
    """§5.4, R-14: also on a temple where it is lost."""
    state = at_uxmal(1, player={0: {"corn": 4, "temples": {"chaac": 6}}})
    assert offered(state) == TEMPLE_CHOICES
    play(state, "temple chaac")
    assert (seat(state)["corn"], seat(state)["temples"]["chaac"]) == (1, 6)


@pytest.mark.parametrize("block", RATES)
def test_the_market_buys_and_sells_at_one_rate(block: str) -> None:
    """§5.4"""
    state = at_uxmal(2, player={0: {block: 1}})
    play(state, f"sell {block}")
    assert (seat(state)["corn"], seat(state)[block]) == (RATES[block], 0)
    play(state, f"buy {block}")
    assert (seat(state)["corn"], seat(state)[block]) == (0, 1)
    assert offered(state) == {"stop"}


def test_the_market_only_offers_owned_and_affordable_goods() -> None:
    """§5.4"""
    state = at_uxmal(2, player={0: {"corn": 3, "gold": 1}})
    assert offered(state) == {"sell gold", "buy wood", "buy stone", "stop"}


def test_skulls_are_never_traded() -> None:
    """§5.4, §1.5: a skull is not a block."""
    state = at_table(gears={"uxmal": {2: 0}}, skull_bank=10, player={0: {"skull": 3}})
    play(state, "pick uxmal 2")
    assert offered(state) == {"none"}


def test_after_the_first_purchase_nothing_is_sold() -> None:
    """R-26"""
    state = at_uxmal(2, player={0: {"corn": 9, "wood": 2}})
    play(state, "sell wood")
    assert {"sell wood", "buy gold"} < offered(state)
    play(state, "buy gold")
    assert offered(state) == {"buy wood", "buy stone", "buy gold", "stop"}
    play(state, "stop")
    assert offered(state) == {"end"}


def worth(player: dict[str, Any]) -> int:
    return int(player["corn"]) + sum(rate * int(player[block]) for block, rate in RATES.items())


counts = st.integers(0, 3)


@given(corn=st.integers(2, 12), wood=counts, stone=counts, gold=counts, data=st.data())
def test_every_holding_of_the_same_worth_can_be_reached(
    corn: int, wood: int, stone: int, gold: int, data: st.DataObject
) -> None:
    """R-26: all sales, then all purchases, reach whatever trading in any order could."""
    state = at_uxmal(2, player={0: {"corn": corn, "wood": wood, "stone": stone, "gold": gold}})
    total = worth(seat(state))
    wanted = {"gold": data.draw(st.integers(0, total // 4))}
    wanted["stone"] = data.draw(st.integers(0, (total - 4 * wanted["gold"]) // 3))
    wanted["wood"] = data.draw(st.integers(0, (total - 4 * wanted["gold"] - 3 * wanted["stone"]) // 2))
    for word, sign in (("sell", 1), ("buy", -1)):
        for block, count in wanted.items():
            play(state, *[f"{word} {block}"] * max(0, sign * (seat(state)[block] - count)))
    play(state, "stop")
    assert {block: seat(state)[block] for block in wanted} == wanted
    assert worth(seat(state)) == total


@pytest.mark.parametrize("workers", [3, 4, 5])
def test_a_new_worker_comes_from_the_bank(workers: int) -> None:
    """§5.4"""
    state = at_uxmal(3, player={0: {"workers": workers}})
    assert (seat(state)["workers"], seat(state)["available"]) == (workers + 1, workers + 1)


def test_there_are_no_more_than_six_workers() -> None:
    """§5.4, §5.0"""
    state = at_table(gears={"uxmal": {3: 0}}, player={0: {"workers": 6, "corn": 9}})
    play(state, "pick uxmal 3")
    assert "do 3 0" not in offered(state)


def test_a_building_costs_two_corn_a_block() -> None:
    """§5.4, §6.1: blocks neither help nor are needed, and monuments are not for sale."""
    everything = {"row": [1, 7, 9, 13, 14], "monuments_displayed": [3]}
    state = at_uxmal(4, **everything, player={0: {"corn": 5, "wood": 9, "stone": 9, "gold": 9}})
    assert offered(state) == {"build 1 false null", "build 13 false null", "build 14 false null"}
    before = seat(state)
    play(state, "build 13 false null")
    assert gained(before, seat(state)) == {"corn": -2, "architecture": 1, "buildings": [13]}
    assert offered(state) == {"end"}


EVERY_ACTION = {
    *(f"go {gear} {action}" for gear in ("palenque", "yaxchilan", "tikal") for action in range(1, 6)),
    *(f"go uxmal {action}" for action in range(1, 5)),
}


def test_one_corn_buys_any_action_of_a_small_gear_but_this_one() -> None:
    """R-18, §5.4"""
    player = {"corn": 9, "wood": 3, "stone": 3, "gold": 3, "skull": 1}
    assert offered(at_uxmal(5, row=[1], skull_bank=12, player={0: player})) == EVERY_ACTION


def test_any_action_has_to_be_performable_with_the_corn_that_is_left() -> None:
    """R-18, §5.0: the one corn is paid first."""
    state = at_uxmal(5, player={0: {"corn": 3}})
    assert {"go uxmal 2", "go uxmal 3"} < offered(state)
    assert "go uxmal 1" not in offered(state)
    assert offered(at_uxmal(5, player={0: {"corn": 1}})) >= {"go palenque 1", "go yaxchilan 4"}
    assert "go tikal 1" not in offered(state)


def test_any_action_uses_technologies_and_pays_its_own_price() -> None:
    """R-18, §5.4"""
    state = at_uxmal(5, player={0: {"corn": 1, "tech": {"extraction": 3}}})
    play(state, "go yaxchilan 5")
    assert (seat(state)["corn"], seat(state)["gold"], seat(state)["stone"]) == (2, 2, 2)
    state = at_uxmal(5, player={0: {"corn": 4}})
    play(state, "go uxmal 1", "temple chaac")
    assert seat(state)["corn"] == 0


def test_any_action_may_harvest_build_and_learn() -> None:
    """R-18"""
    state = at_uxmal(5, player={0: {"corn": 1}})
    play(state, "go palenque 5", "wood")
    assert (seat(state)["wood"], seat(state)["corn"]) == (4, 0)
    state = at_uxmal(5, row=[1, 2], player={0: {"corn": 1, "wood": 2}})
    play(state, "go tikal 4", "build 1 false null", "build 2 false null")
    assert seat(state)["free_food"] == 2
    state = at_uxmal(5, row=[1, 2], player={0: {"corn": 3}})
    play(state, "go uxmal 4", "build 2 false null")
    assert (seat(state)["free_food"], seat(state)["corn"]) == (1, 0)
