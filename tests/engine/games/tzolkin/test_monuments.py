"""Monuments: buying them and what they score (RULES §6.6, §10.3)."""

from typing import Any

import pytest

from tests.engine.games.tzolkin.playing import ALL_USED, at_table, board, gained, offered, play, seat
from tests.engine.games.tzolkin.procedures import PROCEDURES

PRICES = {
    1: (3, 2, 1),
    2: (2, 3, 1),
    3: (0, 2, 3),
    4: (1, 3, 2),
    5: (2, 2, 2),
    6: (3, 0, 3),
    7: (2, 1, 3),
    8: (1, 1, 3),
    9: (1, 1, 4),
    10: (1, 0, 4),
    11: (0, 3, 3),
    12: (0, 4, 3),
    13: (0, 0, 4),
}
BLOCKS = ("wood", "stone", "gold")


def owning(price: tuple[int, int, int], **more: int) -> dict[str, int]:
    return {**dict(zip(BLOCKS, price, strict=True)), **more}


@pytest.mark.parametrize("monument", PRICES)
def test_a_monument_costs_exactly_its_price_and_does_nothing_yet(monument: int) -> None:
    """§6.6: monument 13 also costs a skull."""
    price = owning(PRICES[monument], **({"skull": 1} if monument == 13 else {}))
    state = at_table(gears={"tikal": {4: 0}}, skull_bank=12, monuments_displayed=[monument], player={0: price})
    play(state, "pick tikal 4", "do 4 0")
    before = {**seat(state), **dict.fromkeys((*BLOCKS, "skull"), 0)}
    assert offered(state) == {f"monument {monument}"}
    play(state, f"monument {monument}")
    assert gained(before, seat(state)) == {"monuments": [monument]}
    assert offered(state) == {"end"}


@pytest.mark.parametrize("monument", PRICES)
def test_no_technology_makes_a_monument_cheaper(monument: int) -> None:
    """§6.6"""
    for kind, block in enumerate(BLOCKS):
        if PRICES[monument][kind]:
            short = {**dict.fromkeys(BLOCKS, 9), "skull": 1, block: PRICES[monument][kind] - 1}
            player = {**short, "corn": 9, "tech": {"architecture": 3}}
            state = at_table(gears={"tikal": {4: 0}}, monuments_displayed=[monument], player={0: player})
            play(state, "pick tikal 4")
            assert "do 4 0" not in offered(state)


def test_a_monument_uses_no_track() -> None:
    """§6.6"""
    player = owning(PRICES[5], corn=0)
    state = at_table(
        gears={"tikal": {4: 0}}, monuments_displayed=[5], player={0: {**player, "tech": {"architecture": 2}}}
    )
    play(state, "pick tikal 4", "do 4 0", "monument 5")
    assert (seat(state)["corn"], seat(state)["vp"]) == (0, 0)


def test_a_monument_is_not_replaced() -> None:
    """§6.6, §1.6"""
    state = at_table(gears={"tikal": {4: 0}}, monuments_displayed=[5, 7], player={0: owning(PRICES[5])})
    play(state, "pick tikal 4", "do 4 0", "monument 5", "end")
    assert board(state)["monuments_displayed"] == [7]


def test_tikal_4_builds_either_one_monument_or_buildings() -> None:
    """§5.3, §6.6"""
    player = dict.fromkeys(BLOCKS, 9)
    state = at_table(gears={"tikal": {4: 0}}, row=[1, 2], monuments_displayed=[5, 7], player={0: player})
    play(state, "pick tikal 4", "do 4 0")
    assert offered(state) == {"build 1 false null", "build 2 false null", "monument 5", "monument 7"}
    other = state.clone()
    play(state, "monument 5")
    assert offered(state) == {"end"}
    play(other, "build 1 false null")
    assert offered(other) == {"build 2 false null", "stop"}


@pytest.mark.parametrize(("gear", "action"), [("tikal", 2), ("uxmal", 4)])
def test_only_tikal_4_builds_monuments(gear: str, action: int) -> None:
    """§6.6, §5.3"""
    player = {**dict.fromkeys(BLOCKS, 9), "corn": 20}
    state = at_table(gears={gear: {action: 0}}, monuments_displayed=[5], player={0: player})
    play(state, f"pick {gear} {action}")
    assert f"do {action} 0" not in offered(state)


def test_the_skull_of_monument_13_returns_to_the_bank() -> None:
    """R-16: and may be taken again."""
    given: dict[str, Any] = {"skull_bank": 0, "chichen_used": ALL_USED, "monuments_displayed": [13]}
    people = {0: owning(PRICES[13], skull=4)}
    state = at_table(gears={"tikal": {4: 0}, "yaxchilan": {4: 0}}, **given, player=people)
    play(state, "pick tikal 4", "do 4 0", "monument 13")
    assert (board(state)["skull_bank"], seat(state)["skull"]) == (1, 3)
    play(state, "pick yaxchilan 4", "do 4 0")
    assert (board(state)["skull_bank"], seat(state)["skull"]) == (0, 4)


def test_a_skull_on_chichen_itza_does_not_return() -> None:
    """R-16, §5.5"""
    state = at_table(gears={"chichen_itza": {1: 0}}, skull_bank=12, player={0: {"skull": 1}})
    play(state, "pick chichen_itza 1", "do 1 0", "end")
    assert board(state)["skull_bank"] == 12


@pytest.mark.parametrize(
    ("monument", "player", "points"),
    [
        # tombs 10 11 12 22-26, monuments 1 4 5 9 10; civic 6-9 18-21, monuments 2 6 7 8; shrines 13 14 27-32, 3 11-13
        (1, {"buildings": list(range(1, 33))}, 4 * (8 + 1)),
        (2, {"buildings": list(range(1, 33))}, 4 * (8 + 1)),
        (3, {"buildings": list(range(1, 33))}, 4 * (8 + 1)),
        (1, {"monuments": [1, 4, 5, 9, 10, 2, 3]}, 4 * 5),
        (2, {"monuments": [2, 6, 7, 8, 1, 3]}, 4 * 4),
        (3, {"monuments": [3, 11, 12, 13, 1, 2]}, 4 * 4),
        (1, {"buildings": [6, 13, 1]}, 4),
        (2, {"buildings": [10, 13, 1]}, 4),
        (3, {"buildings": [10, 6, 1]}, 4),
        (4, {}, 2),
        (4, {"buildings": [1, 15, 6, 10, 13], "monuments": [4, 9]}, 14),
        (6, {"workers": 3}, 0),
        (6, {"workers": 4}, 6),
        (6, {"workers": 5}, 12),
        (6, {"workers": 6}, 18),
        (7, {"tech": {"agriculture": 1, "extraction": 2, "architecture": 3}}, 18),
        (7, {}, 0),
        (8, {"tech": {"agriculture": 2, "theology": 2}}, 0),
        (8, {"tech": {"agriculture": 3}}, 9),
        (8, {"tech": {"agriculture": 3, "theology": 3, "extraction": 1}}, 20),
        (8, {"tech": {"agriculture": 3, "theology": 3, "extraction": 3}}, 33),
        (8, {"tech": {"agriculture": 3, "theology": 3, "extraction": 3, "architecture": 3}}, 33),
        (9, {"corn_tiles": 3, "wood_tiles": 7}, 12),
        (10, {"wood_tiles": 3, "corn_tiles": 7}, 12),
        (11, {"temples": {"chaac": 6, "quetzalcoatl": 8, "kukulcan": 7}}, 21),
        (11, {"temples": {"chaac": 2, "quetzalcoatl": 0, "kukulcan": 0}}, 3),
        (11, {"temples": {"chaac": 1, "quetzalcoatl": 0, "kukulcan": 0}}, 0),
        (12, {"temples": {"chaac": 6, "quetzalcoatl": 8, "kukulcan": 7}}, 8 + 13 + 10),
        (12, {"temples": {"chaac": 3, "quetzalcoatl": 4, "kukulcan": 2}}, 4 + 4 + 1),
        (13, {"skull": 2}, 3 * 4),
    ],
)
def test_a_monument_scores(monument: int, player: dict[str, Any], points: int) -> None:
    """§10.3"""
    monuments = player.get("monuments", [monument])
    state = at_table(chichen_used=[1, 2, 5, 9], player={0: {**player, "monuments": monuments}})
    assert PROCEDURES["monument_vp"](state, {"player": 0, "monument": monument, "equals": points}) == ""


@pytest.mark.parametrize(("seats", "points"), [(2, 6), (3, 5), (4, 4)])
def test_monument_5_counts_the_monuments_of_all_players(seats: int, points: int) -> None:
    """§10.3"""
    state = at_table(players=seats, player={0: {"monuments": [5]}, 1: {"monuments": [1, 2]}})
    assert PROCEDURES["monument_vp"](state, {"player": 0, "monument": 5, "equals": 3 * points}) == ""


def test_monument_6_counts_a_worker_on_the_starting_player_space() -> None:
    """R-30"""
    state = at_table(sp=0, player={0: {"workers": 5, "monuments": [6]}})
    assert PROCEDURES["monument_vp"](state, {"player": 0, "monument": 6, "equals": 12}) == ""


def test_monument_11_never_counts_below_zero_and_monument_12_may() -> None:
    """R-22"""
    bottom = dict.fromkeys(("chaac", "quetzalcoatl", "kukulcan"), 0)
    state = at_table(player={0: {"monuments": [11, 12], "temples": bottom}})
    assert PROCEDURES["monument_vp"](state, {"player": 0, "monument": 11, "equals": 0}) == ""
    assert PROCEDURES["monument_vp"](state, {"player": 0, "monument": 12, "equals": -6}) == ""


def test_burned_wood_counts_for_corn_and_a_harvest_without_a_tile_for_nothing() -> None:
    """§10.3, R-10, R-12"""
    people = {0: {"tech": {"agriculture": 2}}}
    state = at_table(gears={"palenque": {2: 0, 5: 0}}, jungle_corn={2: 0}, player=people)
    play(state, "pick palenque 2", "do 2 0", "tileless", "pick palenque 5", "do 5 0", "burn chaac")
    assert (seat(state)["corn_tiles"], seat(state)["wood_tiles"]) == (1, 0)
