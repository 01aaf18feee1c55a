"""Ahau Family (RULES §14.2)."""

from typing import Any

import pytest

from ballcourt.engine.core import InvalidOption
from ballcourt.engine.games.ahau import GAME
from ballcourt.engine.games.ahau.columns import GIFT
from ballcourt.engine.games.ahau.setup import region_gifts
from ballcourt.engine.games.ahau.state import AhauState
from ballcourt.engine.games.ahau.tables import COLOUR_NAMES, TILE_COLOUR
from tests.engine.games.ahau.decisions import NotLegal
from tests.engine.games.ahau.playing import (
    COLOURS,
    VECTORS,
    asked,
    at_table,
    expected,
    fame,
    offered,
    owned,
    play,
    player,
    step,
    turn,
    until,
)
from tests.engine.games.ahau.positions import dump

FAMILY: dict[str, Any] = {"mode": "family", "personal": True}


def placed(city: str, region: int, seat: dict[str, Any], **given: Any) -> AhauState:  # noqa: ANN401
    state = turn(region, seat={0: seat}, **FAMILY, **given)
    play(state, f"place_worker {city}")
    return state


def new_match(seats: int, seed: int = 1) -> dict[str, Any]:
    state = GAME.initial_state(seats, seed, {"mode": "family"})
    assert isinstance(state, AhauState)
    return dump(state)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_cards_are_dealt_and_there_are_no_buildings(seats: int) -> None:
    """§14.2, §14.1"""
    table = new_match(seats)
    assert table["phase"] == "round"
    assert table["pending"] == list(range(seats))
    assert table["might"][0] == list(range(seats))
    assert "buildings" not in table["scoring"].values()
    assert (table["offer"], table["building_stack"], table["role_deck"]) == ([None] * 3, [], [])
    assert table["personal"] is True
    for who in table["player"].values():
        assert len(who["reserve"]) == 1
        assert sum(who["resources"].values()) == 3


def test_regions_start_with_resources_in_the_colours_of_their_tiles() -> None:
    """§14.2"""
    wilds = 0
    for seed in range(12):
        table = new_match(4, seed)
        assert len(table["bag"]) == 55 - 12
        for region in table["regions"].values():
            colours = [TILE_COLOUR[int(tile[2:])] for tile in region["tiles"]]
            assert len(region["resources"]) == 2
            for colour, cube in zip(colours, region["resources"], strict=True):
                assert cube == COLOUR_NAMES[colour] if colour < 5 else cube in COLOURS
                wilds += colour == 5
    assert wilds


def test_a_wild_tile_takes_the_next_colour_drawn() -> None:
    """§14.2: the tiles drawn for it go back into the bag."""
    want, situation = expected("setup-family-wild"), VECTORS["setup-family-wild"]["situation"]
    tiles = {"blue rain": 18, "wild sun": 59, "wild trade": 58, "black chief": 26}
    regions = [*(tiles[name] for name in situation["region_tiles"]), 0, 0, 0]
    rest = [40, 41]
    bag = region_gifts(regions, [*rest, *(tiles[name] for name in reversed(situation["bag_draw_order"]))])
    assert [COLOUR_NAMES[gift - 1] for gift in regions[GIFT:]] == want["region_resources"]
    assert sorted(bag) == sorted([*rest, *(tiles[name] for name in want["returned_to_bag"])])


def test_reserve_tiles_do_not_summon() -> None:
    """§14.2"""
    assert expected("family-no-discard")["legal"] is False
    state = placed("chichen_itza", 1, {"reserve": ["pt12", "pt13", "pt22"]})
    with pytest.raises(NotLegal):
        play(state, "summon sun")


def test_jaguar_gives_only_fame() -> None:
    """§14.2"""
    want = expected("family-jaguar")
    state = placed("tikal", 4, {"pyramid": {"1,0": ["pt34", "black"], "1,1": ["pt35", "black"]}})
    play(state, "summon jaguar")
    assert fame(state)[0] == want["fame_gain"] + 2
    assert asked(state) == {"main"}
    assert (player(state)["workers"]["tikal"], step(state)) == ([1, 0], want["might_change"])
    assert want["worker_removed"] is False


def test_trade_moves_back_and_forth_without_swaps() -> None:
    """§14.2, R-22"""
    assert expected("family-trade-revisit")["legal"]
    built = {"1,0": ["pt10", "yellow"], "1,1": ["pt11", "yellow"]}
    seat = {"pyramid": built, "workers": {"uxmal": [1, 0], "tikal": [0, 1]}, "resources": {"blue": 1}}
    state = placed("edzna", 1, seat)
    play(state, "summon trade")
    if "trade_colour" in asked(state):
        play(state, "trade_colour yellow")
    assert {tuple(move[:2]) for move in offered(state, "trade_move") if move[0] == "tikal"} == set()
    assert all(path == [] for *_, path in offered(state, "trade_move"))
    play(state, "trade_move uxmal chichen_itza")
    assert asked(state) == {"trade_move", "trade_stop"}
    play(state, "trade_move chichen_itza uxmal")
    assert player(state)["workers"]["uxmal"] == [1, 0]


def test_chief_draws_twice_the_strength() -> None:
    """§14.2"""
    state = placed("tulum", 2, {"pyramid": {"1,0": ["pt06", "yellow"]}})
    play(state, "summon chief")
    assert player(state)["reserve"] == ["pt16", "pt17"]


def test_rain_gives_the_colours_drawn() -> None:
    """§14.2, R-64"""
    built = {"1,0": ["pt08", "yellow"], "1,1": ["pt09", "yellow"]}
    state = placed("uxmal", 1, {"pyramid": built}, bag=["pt16", "pt57", "pt26"])
    play(state, "summon rain")
    assert offered(state, "reward_resource") == sorted(COLOURS)
    play(state, "reward_resource white")
    assert owned(state) == {"blue": 1, "white": 1}
    assert sorted(dump(state)["bag"]) == ["pt16", "pt26", "pt57"]
    assert dump(state)["sites"]["s04"] == "ps10"


def test_sun_only_takes_cards_back() -> None:
    """§14.2"""
    seat = {"pyramid": {"1,0": ["pt12", "yellow"]}, "hand": [1, 2, 3, 4], "discard": [5, 6]}
    state = placed("calakmul", 2, seat)
    play(state, "summon sun", "sun_take 6")
    assert 6 in player(state)["hand"]
    assert asked(state) == {"main"}


def test_the_region_bonus_is_both_resources() -> None:
    """§14.2, R-38"""
    want = expected("family-region-bonus")
    seat = {"workers": {"chichen_itza": [1, 0], "edzna": [1, 0]}}
    state = placed("uxmal", 1, seat, cubes={1: ["blue", "black"]})
    play(state, "region_bonus true")
    assert owned(state) == want["gain"]
    assert dump(state)["regions"]["1"]["resources"] == want["region_resources"]


def test_a_role_reward_takes_a_card_back() -> None:
    """§14.2, §8.5"""
    assert expected("family-role-reward")["may_take_back"] == 1
    level_1 = {f"1,{place}": ["pt40", "brown"] for place in range(4)}
    seat = {
        "pyramid": level_1,
        "hand": [1, 3, 4, 6],
        "discard": [2, 5],
        "reserve": ["pt20"],
        "resources": dict.fromkeys(COLOURS, 2),
    }
    state = turn(1, 3, seat={0: seat}, **FAMILY)
    play(state, "place_worker uxmal")
    until(state, 0, "main")
    play(state, "main build", "build_tile pt20 2 1", "pay blue white")
    assert offered(state, "role_back") == [1, 2, 3, 5, None]
    play(state, "role_back 5")
    assert player(state)["hand"] == [4, 5, 6]


@pytest.mark.parametrize("options", [{"board": "night"}, {"shadow": "yes"}, {"mode": "family", "shadow": "yes"}])
def test_options_unknown_to_ahau_family_are_refused(options: dict[str, str]) -> None:
    """§14.2"""
    with pytest.raises(InvalidOption):
        GAME.initial_state(2, 1, {"mode": "family", **options})


def test_a_family_turn_offers_no_buildings() -> None:
    """§14.2"""
    state = at_table(2, **FAMILY)
    assert dump(state)["mode"] == "family"


def test_the_board_has_no_offer_and_no_text_speaks_of_one() -> None:
    standard, family = (GAME.scenery(GAME.initial_state(2, 1, {"mode": mode})) for mode in ("standard", "family"))
    assert [name for name in (*family["places"], *family["texts"]) if name.startswith(("offer", "building"))] == []
    assert family["places"]["calendar.0"]["y"] < standard["places"]["calendar.0"]["y"]


def test_a_role_reward_asks_even_if_no_card_can_come_back() -> None:
    """§14.2, §8.5"""
    pyramid = {
        "1,0": ["pt12", "yellow"],
        "1,1": ["pt13", "yellow"],
        "1,2": ["pt18", "blue"],
    }
    seat = {"pyramid": pyramid, "reserve": ["pt20"], "resources": {"blue": 3, "white": 1}}
    state = placed("chichen_itza", 1, seat)
    play(state, "summon sun", "sun_take 1", "sun_take 2", "main build")
    play(state, "build_tile pt20 2 1", "pay blue white")
    assert offered(state, "role_back") == [None]
