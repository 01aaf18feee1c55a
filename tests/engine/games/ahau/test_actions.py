"""Decisions in several parts: a tile and its space, a worker and its goal, a trade tile by tile."""

from typing import Any

from ballcourt.engine.games.ahau.actions import ACTION_NAMES
from ballcourt.engine.games.ahau.state import AhauState
from tests.engine.games.ahau.playing import at_table, owned, play, player, select, turn, until

RICH = {"resources": {"yellow": 2, "blue": 2}}
"""Resources that let a seat trade in every trading window."""


def names(state: AhauState, seat: int = 0) -> list[str]:
    return [ACTION_NAMES[action] for action in state.legal_actions(seat)]


def answer(state: AhauState, *words: str) -> None:
    for word in words:
        state.apply(0, ACTION_NAMES.index(word))


def building(**seat: Any) -> AhauState:  # noqa: ANN401
    state = turn(1, seat={0: RICH | seat})
    play(state, "place_worker uxmal")
    until(state, 0, "main")
    play(state, "main build")
    return state


def test_there_are_fewer_than_a_thousand_actions() -> None:
    assert len(ACTION_NAMES) == len(set(ACTION_NAMES)) < 1000


def test_a_tile_is_built_in_parts() -> None:
    """§7.6, R-42: no window opens between tile, space and payment."""
    state = building(reserve=["pt06", "pt16"])
    assert {"BUILD_6", "BUILD_16", "TRADE_YELLOW_FOR_BLUE"} <= set(names(state))
    answer(state, "BUILD_16")
    assert names(state) == ["AT_LEVEL_1_1", "AT_LEVEL_1_2", "AT_LEVEL_1_3", "AT_LEVEL_1_4"]
    answer(state, "AT_LEVEL_1_4")
    assert names(state) == ["PAY_BLUE"]


def test_only_a_tile_that_can_be_paid_somewhere_is_offered() -> None:
    """§7.6: level 1 is full, and level 2 costs two colours including the tile's own."""
    full = {f"1,{place}": [tile, "white"] for place, tile in enumerate(("pt47", "pt48", "pt49", "pt50"))}
    state = building(reserve=["pt06", "pt16", "pt26"], pyramid=full)
    assert [name for name in names(state) if name.startswith("BUILD_")] == ["BUILD_6", "BUILD_16"]
    answer(state, "BUILD_16")
    assert names(state) == ["AT_LEVEL_2_1", "AT_LEVEL_2_2", "AT_LEVEL_2_3"]


def test_a_trade_that_has_begun_must_be_completed() -> None:
    """§9.2, R-42: it begins with the lower number; nothing moves before the second tile is named."""
    state = turn(1, seat={0: RICH | {"reserve": ["pt16", "pt18", "pt26", "pt57"]}})
    begun = [name for name in names(state) if name in ("TRADE_16", "TRADE_18", "TRADE_26", "TRADE_57")]
    assert begun == ["TRADE_16", "TRADE_18", "TRADE_26"]
    answer(state, "TRADE_16")
    assert names(state) == ["GIVE_18", "GIVE_57"]
    assert player(state)["reserve"] == ["pt16", "pt18", "pt26", "pt57"]
    answer(state, "GIVE_57")
    assert player(state)["reserve"] == ["pt18", "pt26"]
    assert owned(state) == {"yellow": 2, "blue": 3}
    assert "PLACE_UXMAL" in names(state)


def test_the_colour_of_two_wilds_is_asked_for_last() -> None:
    """§9.2"""
    state = turn(1, seat={0: {"reserve": ["pt57", "pt59"]}})
    answer(state, "TRADE_57", "GIVE_59")
    assert names(state) == ["GAIN_YELLOW", "GAIN_BLUE", "GAIN_BLACK", "GAIN_BROWN", "GAIN_WHITE"]
    answer(state, "GAIN_WHITE")
    assert owned(state) == {"white": 1}
    assert player(state)["reserve"] == []


def test_a_wild_tile_discarded_for_a_god_takes_a_colour_that_keeps_the_power_possible() -> None:
    """§5.4, R-57: the last tile must have the colour of a site."""
    bare = {f"s{link:02}": None for link in range(1, 16)} | {"s01": "ps01", "s02": "ps04"}
    state = turn(1, seat={0: {"reserve": ["pt57"]}}, sites=bare)
    play(state, "place_worker uxmal", "summon rain")
    assert names(state) == ["GIVE_57"]
    answer(state, "GIVE_57")
    assert names(state) == ["COLOUR_YELLOW", "COLOUR_BLUE"]


def test_a_worker_is_named_before_its_goal() -> None:
    """§6.3, R-22: equal workers are listed once, each with the cities it has not been in."""
    tiles = {"1,0": ["pt10", "yellow"], "1,1": ["pt11", "yellow"]}
    state = turn(1, seat={0: RICH | {"pyramid": tiles, "workers": {"uxmal": [2, 0]}}}, city_gods={"uxmal": "trade"})
    play(state, "place_worker uxmal", "summon trade", "trade_colour yellow")
    assert names(state)[:2] == ["MOVE_FROM_UXMAL", "STOP_MOVING"]
    answer(state, "MOVE_FROM_UXMAL")
    assert names(state) == ["MOVE_TO_CHICHEN_ITZA", "MOVE_TO_EDZNA", "MOVE_TO_PALENQUE"]
    answer(state, "MOVE_TO_EDZNA", "NO_SWAP")
    assert names(state)[:3] == ["MOVE_FROM_UXMAL", "MOVE_AGAIN_1", "STOP_MOVING"]
    answer(state, "MOVE_AGAIN_1")
    assert names(state) == ["MOVE_TO_CHICHEN_ITZA", "MOVE_TO_CALAKMUL"]


def test_the_second_tile_of_an_observation_tower_is_optional() -> None:
    """§4.4, R-05"""
    state = at_table(2, seat={0: {"buildings": ["bt10"]}}, tiles={1: ["pt06", "pt07"]})
    select(state, {0: (1, 2), 1: (5, 2)})
    until(state, 0, "take_tile")
    assert names(state) == ["TAKE_1_LEFT", "TAKE_1_RIGHT"]
    answer(state, "TAKE_1_RIGHT")
    assert names(state) == ["TAKE_1_LEFT", "ENOUGH"]
    answer(state, "ENOUGH")
    assert player(state)["reserve"] == ["pt07"]
