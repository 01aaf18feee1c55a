"""Constructing buildings (RULES §6): prices, the architecture track and the effects of every tile."""

from typing import Any

import pytest

from ballcourt.engine.games.tzolkin.state import TzolkinState
from tests.engine.games.tzolkin.playing import ALL_USED, TEMPLE_CHOICES, at_table, board, gained, offered, play, seat

TECH_CHOICES = {f"tech {tech}" for tech in ("agriculture", "extraction", "architecture", "theology")}

# building: price in wood, stone, gold; the decisions its effects ask for; what it gives
TILES: dict[int, tuple[tuple[int, int, int], list[str], dict[str, int]]] = {
    1: ((1, 0, 0), [], {"free_food": 1}),
    2: ((1, 0, 0), [], {"free_food": 1}),
    3: ((1, 0, 0), [], {"free_food": 1}),
    4: ((4, 0, 0), [], {"food_discount": 1}),
    5: ((4, 0, 0), [], {"food_discount": 1}),
    6: ((2, 0, 0), [], {"agriculture": 1}),
    7: ((3, 0, 0), [], {"agriculture": 1, "stone": 1}),
    8: ((1, 1, 0), [], {"extraction": 1, "corn": 1}),
    9: ((2, 1, 0), [], {"extraction": 1, "gold": 1}),
    10: ((2, 1, 0), [], {"chaac": 1, "quetzalcoatl": 1}),
    11: ((1, 2, 0), [], {"chaac": 1, "kukulcan": 1}),
    12: ((1, 0, 1), ["temple chaac", "stop"], {"chaac": 1}),
    13: ((0, 0, 1), [], {"architecture": 1}),
    14: ((0, 1, 1), [], {"theology": 1, "kukulcan": 1}),
    15: ((2, 0, 0), [], {"free_food": 3}),
    16: ((2, 0, 0), [], {"free_food": 3}),
    17: ((2, 0, 0), [], {"free_food": 3}),
    18: ((3, 0, 0), ["tech theology"], {"theology": 1, "stone": 1}),
    19: ((2, 1, 0), ["tech extraction"], {"extraction": 1, "gold": 1}),
    20: ((3, 1, 0), ["tech agriculture"], {"agriculture": 1, "corn": 6}),
    21: ((2, 2, 0), ["tech architecture"], {"architecture": 1, "skull": 1}),
    22: ((0, 3, 0), ["stop"], {"vp": 6}),
    23: ((1, 1, 1), [], {"workers": 1, "available": 1, "vp": 6}),
    24: ((1, 0, 2), [], {"vp": 8}),
    25: ((2, 1, 1), ["stop"], {"vp": 2}),
    26: ((1, 2, 1), [], {"chaac": 1, "quetzalcoatl": 1, "kukulcan": 1, "vp": 3}),
    27: ((0, 2, 0), [], {"chaac": 2, "vp": 2}),
    28: ((0, 0, 2), [], {"kukulcan": 2, "vp": 3}),
    29: ((0, 0, 3), [], {"quetzalcoatl": 2, "vp": 4}),
    30: ((0, 1, 1), [], {"architecture": 1, "vp": 3}),
    31: ((0, 2, 1), [], {"theology": 1, "chaac": 1, "kukulcan": 1}),
    32: ((0, 1, 2), ["tech theology", "tech agriculture"], {"theology": 1, "agriculture": 1}),
}


def constructing(action: int, row: list[int], gear: str = "tikal", **player: Any) -> TzolkinState:  # noqa: ANN401
    """Return a position with the choice of what to construct."""
    state = at_table(gears={gear: {action: 0}}, row=row, player={0: player})
    play(state, f"pick {gear} {action}", f"do {action} 0")
    return state


def priced(blocks: tuple[int, int, int]) -> dict[str, Any]:
    return dict(zip(("wood", "stone", "gold"), blocks, strict=True))


@pytest.mark.parametrize("building", TILES)
def test_a_building_costs_exactly_its_price_and_does_what_it_shows(building: int) -> None:
    """§6.1, §6.2, §6.4, R-28: the last block of every price is spent."""
    price, decisions, gives = TILES[building]
    state = constructing(2, [building], **priced(price))
    before = {**seat(state), **priced((0, 0, 0))}
    assert offered(state) == {f"build {building} false null"}
    play(state, f"build {building} false null", *decisions)
    assert gained(before, seat(state)) == {**gives, "buildings": [building]}
    assert offered(state) == {"end"}


@pytest.mark.parametrize("building", TILES)
def test_one_block_too_few_is_not_enough_whatever_else_is_owned(building: int) -> None:
    """§6.1"""
    price = TILES[building][0]
    for kind in range(3):
        if price[kind]:
            short = {**dict.fromkeys(("corn", "wood", "stone", "gold"), 9)}
            short[("wood", "stone", "gold")[kind]] = price[kind] - 1
            state = at_table(gears={"tikal": {2: 0}}, row=[building], player={0: short})
            play(state, "pick tikal 2")
            assert "do 2 0" not in offered(state)


@pytest.mark.parametrize("building", TILES)
def test_at_uxmal_a_building_costs_two_corn_a_block(building: int) -> None:
    """§6.1, §5.4: two less on level 3, of which the one corn of the track comes back."""
    corn = 2 * sum(TILES[building][0])
    assert offered(constructing(4, [building], "uxmal", corn=corn)) == {f"build {building} false null"}
    for level, price in ((1, corn), (2, corn), (3, corn - 2)):
        state = constructing(4, [building], "uxmal", corn=max(price, 2), tech={"architecture": level})
        assert offered(state) == {f"build {building} true null"}


def test_the_tile_leaves_a_blank_until_the_end_of_the_turn() -> None:
    """§6.2, §4.5"""
    state = at_table(gears={"tikal": {2: 0, 1: 0}}, row=[1, 2, 3], deck=[9, 8], player={0: {"wood": 1}})
    play(state, "pick tikal 2", "do 2 0", "build 1 false null")
    assert board(state)["row"] == [2, 3]
    play(state, "pick tikal 1", "none", "end")
    assert board(state)["row"] == [9, 2, 3, 8]


@pytest.mark.parametrize(("level", "corn", "points"), [(1, 1, 0), (2, 1, 2)])
def test_the_track_gives_corn_and_points(level: int, corn: int, points: int) -> None:
    """§6.3, R-15: it is used whenever it can be."""
    state = constructing(2, [1], wood=1, tech={"architecture": level})
    assert offered(state) == {"build 1 true null"}
    play(state, "build 1 true null")
    assert (seat(state)["corn"], seat(state)["vp"], seat(state)["wood"]) == (corn, points, 0)


def test_level_3_leaves_out_one_block_of_the_players_choice() -> None:
    """§6.3"""
    state = constructing(2, [11], wood=1, stone=2, tech={"architecture": 3})
    assert offered(state) == {"build 11 true wood", "build 11 true stone"}
    play(state, "build 11 true stone")
    assert (seat(state)["wood"], seat(state)["stone"], seat(state)["corn"], seat(state)["vp"]) == (0, 1, 1, 2)


def test_level_3_leaves_out_a_block_that_is_not_there() -> None:
    """§6.3: only one, and only of a kind in the price."""
    assert offered(constructing(2, [11], stone=2, tech={"architecture": 3})) == {"build 11 true wood"}
    assert offered(constructing(2, [11, 1], wood=1, stone=1, tech={"architecture": 3})) == {
        "build 11 true stone",
        "build 1 true wood",
    }


def test_level_3_saves_two_corn_at_uxmal() -> None:
    """§6.3"""
    state = constructing(4, [11], "uxmal", corn=4, tech={"architecture": 3})
    play(state, "build 11 true null")
    assert (seat(state)["corn"], seat(state)["vp"]) == (1, 2)


def test_one_use_of_the_track_serves_one_of_two_buildings() -> None:
    """R-15, §6.3, §6.5: the first may leave it to the second, then it has to be used."""
    state = constructing(4, [1, 2], wood=2, tech={"architecture": 1})
    assert offered(state) == {f"build {tile} {used} null" for tile in (1, 2) for used in ("true", "false")}
    play(state, "build 1 true null")
    assert offered(state) == {"build 2 false null", "stop"}
    state = constructing(4, [1, 2], wood=2, tech={"architecture": 1})
    play(state, "build 1 false null")
    assert offered(state) == {"build 2 true null", "stop"}


def test_without_the_track_it_is_not_mentioned() -> None:
    """R-15"""
    assert offered(constructing(4, [1, 2], wood=2)) == {"build 1 false null", "build 2 false null"}


def test_the_second_building_may_be_declined() -> None:
    """§6.5"""
    state = constructing(4, [1, 2], wood=2)
    play(state, "build 1 false null")
    assert offered(state) == {"build 2 false null", "stop"}
    play(state, "stop")
    assert offered(state) == {"end"}


def test_there_is_no_third_building() -> None:
    """§6.5, §5.3"""
    state = constructing(4, [1, 2, 3], wood=3)
    play(state, "build 1 false null", "build 2 false null")
    assert offered(state) == {"end"}


def test_a_level_gained_from_the_first_building_serves_the_second() -> None:
    """R-15, §6.5"""
    state = constructing(4, [13, 1], wood=1, gold=1)
    play(state, "build 13 false null")
    assert offered(state) == {"build 1 true null", "stop"}
    play(state, "build 1 true null")
    assert seat(state)["corn"] == 1


def test_the_reward_counts_the_level_held_before_the_effects() -> None:
    """R-15: architecture 1 becomes 2 only after the building was rewarded."""
    state = constructing(2, [13], gold=1, tech={"architecture": 1})
    play(state, "build 13 true null")
    assert (seat(state)["corn"], seat(state)["vp"], seat(state)["tech"]["architecture"]) == (1, 0, 2)


def test_the_corn_of_the_reward_is_there_for_the_effects() -> None:
    """R-15: it pays for the any-action of building 25."""
    state = constructing(2, [25], wood=2, stone=1, gold=1, tech={"architecture": 1})
    play(state, "build 25 true null")
    assert "go palenque 1" in offered(state)


def test_a_construction_granted_by_a_tile_has_its_own_use_of_the_track() -> None:
    """R-15, §6.4"""
    state = constructing(2, [12, 1], wood=2, gold=1, tech={"architecture": 2})
    play(state, "build 12 true null")
    assert offered(state) == TEMPLE_CHOICES
    play(state, "temple chaac")
    assert offered(state) == {"build 1 true null", "stop"}
    play(state, "build 1 true null")
    assert (seat(state)["corn"], seat(state)["vp"]) == (2, 4)


def test_a_construction_granted_within_tikal_4_leaves_the_second_building_open() -> None:
    """R-15, §6.5: three buildings in one action, the granted one before the second."""
    state = constructing(4, [12, 1, 2], wood=3, gold=1)
    play(state, "build 12 false null", "temple chaac", "build 1 false null")
    assert offered(state) == {"build 2 false null", "stop"}


def test_a_granted_construction_is_paid_in_blocks_and_builds_no_monument() -> None:
    """§6.4: also when the granting building was paid in corn."""
    player = {"corn": 4, "wood": 9, "stone": 9, "gold": 9}
    state = at_table(gears={"uxmal": {4: 0}}, row=[12, 7], monuments_displayed=[1], player={0: player})
    play(state, "pick uxmal 4", "do 4 0", "build 12 false null", "temple chaac")
    assert offered(state) == {"build 7 false null", "stop"}


def test_the_market_of_a_tile_works_like_uxmal_2() -> None:
    """§6.4, R-26"""
    state = constructing(2, [22], stone=4, gold=1)
    play(state, "build 22 false null")
    assert offered(state) == {"sell stone", "sell gold", "stop"}
    play(state, "sell gold", "buy wood")
    assert offered(state) == {"buy wood", "stop"}
    play(state, "stop")
    assert (seat(state)["wood"], seat(state)["corn"], seat(state)["vp"]) == (1, 2, 6)


def test_the_action_of_a_tile_works_like_uxmal_5_and_costs_a_corn() -> None:
    """§6.4, R-18"""
    state = constructing(2, [25], wood=2, stone=1, gold=1, corn=2)
    play(state, "build 25 false null")
    assert not any(text == "go uxmal 5" or "chichen" in text for text in offered(state))
    play(state, "go uxmal 3")
    assert (seat(state)["corn"], seat(state)["workers"], seat(state)["vp"]) == (1, 4, 2)


def test_the_action_of_a_tile_needs_its_corn() -> None:
    """§6.4"""
    state = constructing(2, [25], wood=2, stone=1, gold=1)
    play(state, "build 25 false null")
    assert offered(state) == {"stop"}


def test_effects_of_one_tile_happen_in_the_listed_order() -> None:
    """R-28: the market of building 22 before its points, the choice of building 21 before its skull."""
    state = constructing(2, [22], stone=4)
    play(state, "build 22 false null")
    assert seat(state)["vp"] == 0
    state = constructing(2, [21], wood=2, stone=2)
    play(state, "build 21 false null")
    assert (seat(state)["skull"], offered(state)) == (0, TECH_CHOICES)


def test_extraction_and_theology_add_nothing_to_what_a_tile_gives() -> None:
    """§6.4"""
    for building, goods in ((18, "stone"), (19, "gold"), (21, "skull")):
        state = constructing(2, [building], **priced(TILES[building][0]), tech={"extraction": 3, "theology": 3})
        play(state, f"build {building} false null", "tech agriculture")
        assert seat(state)[goods] == 1


@pytest.mark.parametrize("tech", ["agriculture", "extraction", "architecture", "theology"])
def test_a_free_level_beyond_3_gives_the_bonus_for_nothing(tech: str) -> None:
    """R-27"""
    state = constructing(2, [18], wood=3, tech={tech: 3})
    use = "true wood" if tech == "architecture" else "false null"
    play(state, f"build 18 {use}", f"tech {tech}")
    if tech == "agriculture":
        play(state, "temple chaac")
    elif tech == "extraction":
        play(state, "block gold", "block gold")
    rewards = {
        "agriculture": seat(state)["temples"]["chaac"] - 1,
        "extraction": seat(state)["gold"] // 2,
        "architecture": (seat(state)["vp"] - 2) // 3,
        "theology": seat(state)["skull"],
    }
    assert rewards[tech] == 1
    assert seat(state)["stone"] == 1


def test_a_named_technology_beyond_3_gives_the_bonus_too() -> None:
    """R-27: building 6 raises agriculture."""
    state = constructing(2, [6], wood=2, tech={"agriculture": 3})
    play(state, "build 6 false null")
    assert offered(state) == TEMPLE_CHOICES


def test_two_free_levels_may_be_two_of_one_technology() -> None:
    """R-27: building 32; both have to be taken."""
    state = constructing(2, [32], stone=1, gold=2)
    play(state, "build 32 false null", "tech theology")
    assert offered(state) == TECH_CHOICES
    play(state, "tech theology")
    assert seat(state)["tech"]["theology"] == 2
    assert offered(state) == {"end"}


def test_a_worker_beyond_six_is_lost() -> None:
    """§6.4, §5.4: building 23 still scores."""
    state = constructing(2, [23], wood=1, stone=1, gold=1, workers=6)
    play(state, "build 23 false null")
    assert (seat(state)["workers"], seat(state)["vp"]) == (6, 6)


def test_a_skull_that_the_bank_lacks_is_lost() -> None:
    """§6.4, §1.5: building 21"""
    people = {0: {"wood": 2, "stone": 2}, 1: {"skull": 4}}
    given: dict[str, Any] = {"skull_bank": 0, "chichen_used": ALL_USED, "row": [21], "player": people}
    state = at_table(gears={"tikal": {2: 0}}, **given)
    play(state, "pick tikal 2", "do 2 0", "build 21 false null", "tech theology")
    assert seat(state)["skull"] == 0


def test_a_step_of_choice_may_be_taken_where_it_is_lost() -> None:
    """R-14: building 12"""
    state = constructing(2, [12], wood=1, gold=1, temples={"chaac": 6})
    play(state, "build 12 false null")
    assert offered(state) == TEMPLE_CHOICES


def test_blanks_stay_when_the_stack_is_empty() -> None:
    """§4.5"""
    state = constructing(2, [1, 2], wood=1)
    play(state, "build 1 false null", "end")
    assert board(state)["row"] == [2]


def test_age_2_refills_from_its_own_stack() -> None:
    """§4.5, §1.6"""
    given: dict[str, Any] = {"age": 2, "day": 16, "row": [15, 16], "deck_age2": [30, 29], "player": {0: {"wood": 2}}}
    state = at_table(gears={"tikal": {2: 0}}, **given)
    play(state, "pick tikal 2", "do 2 0", "build 16 false null", "end")
    assert board(state)["row"] == [15, 30, 29]
