"""Summoning and the powers of the gods (RULES §5.4, §6)."""

from typing import Any

import pytest

from ballcourt.engine.games.ahau.state import AhauState
from tests.engine.games.ahau.decisions import NotLegal
from tests.engine.games.ahau.playing import (
    asked,
    at_table,
    expected,
    fame,
    offered,
    owned,
    play,
    player,
    select,
    step,
    turn,
)
from tests.engine.games.ahau.positions import dump

RAIN_BUILT = {"1,0": ["pt38", "brown"]}


def summoning(city: str, region: int = 1, seat: dict[str, Any] | None = None, **given: Any) -> AhauState:  # noqa: ANN401
    """Place the worker in a city and run to the summoning."""
    state = turn(region, seat={0: seat or {}}, **given)
    play(state, f"place_worker {city}")
    return state


def test_a_god_without_tiles_cannot_be_summoned() -> None:
    """§5.4"""
    state = summoning("chichen_itza")
    assert offered(state, "summon") == [None]
    assert expected("summon-none")["legal"] is False
    with pytest.raises(NotLegal):
        play(state, "summon sun")


def test_the_example_of_rain() -> None:
    """§6.2, §5.4, §7.4"""
    want = expected("summon-rain-example")
    temples = {"rain": [1, None, None, None, None]}
    state = summoning("uxmal", seat={"pyramid": RAIN_BUILT, "reserve": ["pt39"]}, temples=temples)
    play(state, "summon rain", "summon_discard pt39 brown", "summon_discard null null")
    assert offered(state, "rain_site") == ["s04", "s09", "s14"]
    assert dump(state)["temples"]["rain"].index(0) == want["temple_space"]
    assert fame(state)[0] == want["fame_gain"]
    play(state, "rain_site s09")
    assert owned(state) == {"brown": want["brown_gain"]}
    assert dump(state)["sites"]["s09"] is None
    assert "ps11" in dump(state)["calendar"]
    assert dump(state)["tile_discard"] == ["pt39"]


def test_rain_needs_a_site() -> None:
    """§6.2, R-57: the summoning is not offered."""
    state = summoning("uxmal", seat={"pyramid": RAIN_BUILT}, sites={"s04": None, "s09": None, "s14": None})
    assert offered(state, "summon") == [None]


def test_discarding_alone_places_no_marker() -> None:
    """§5.4, §6.5: the worker returns to the pool, so that nothing can be built (§6.6)."""
    want = expected("summon-discard-only")
    state = summoning("tikal", 4, seat={"reserve": ["pt34"]}, sites={"s11": "ps07", "s08": "ps03"})
    play(state, "summon jaguar")
    assert offered(state, "summon_discard") == [["pt34", "black"]]
    play(state, "summon_discard pt34 black", "summon_discard null null")
    assert (0 in dump(state)["temples"]["jaguar"]) == want["marker_placed"]
    play(state, "jaguar_remove tikal")
    assert fame(state)[0] == want["AS"]


def test_the_second_summoning_places_no_marker() -> None:
    """§5.4"""
    want = expected("summon-second-time")
    built = {"1,0": ["pt06", "yellow"], "1,1": ["pt07", "yellow"]}
    temples = {"chief": [1, None, 0, None, None]}
    state = summoning("tulum", 2, seat={"pyramid": built}, temples=temples)
    play(state, "summon chief")
    assert dump(state)["temples"]["chief"] == temples["chief"]
    assert fame(state)[0] == want["temple_fame"]
    play(state, "chief_colour yellow", "chief_draw", "chief_draw")
    assert len(player(state)["reserve"]) == want["AS"]
    assert want["marker_placed"] is False


def test_discards_are_asked_in_ascending_order() -> None:
    """R-57: every subset has one sequence; a wild may be any colour."""
    state = summoning("uxmal", seat={"reserve": ["pt57", "pt08", "pt18"]})
    play(state, "summon rain")
    wild = [["pt57", colour] for colour in ("black", "blue", "brown", "white", "yellow")]
    assert offered(state, "summon_discard") == [["pt08", "yellow"], ["pt18", "blue"], *wild]
    play(state, "summon_discard pt18 blue")
    assert offered(state, "summon_discard") == [*wild, [None, None]]
    assert set(player(state)["reserve"]) == {"pt57", "pt08", "pt18"}


CHIEFS = {"1,0": ["pt06", "yellow"], "1,1": ["pt36", "brown"], "1,2": ["pt37", "brown"]}


def test_the_example_of_the_chief() -> None:
    """§6.1"""
    assert expected("summon-chief-example")["AS"] == 3
    tiles = {1: ["pt10", "pt20"], 4: ["pt58", None]}
    state = summoning("tulum", 2, seat={"pyramid": CHIEFS}, tiles=tiles, bag=["pt21"])
    play(state, "summon chief")
    assert offered(state, "chief_colour") == ["brown", "yellow"]
    play(state, "chief_colour yellow")
    assert offered(state, "chief_take") == [[1, 0], [4, 0]]
    play(state, "chief_take 1 0", "chief_take 4 0", "chief_draw")
    assert sorted(player(state)["reserve"]) == ["pt10", "pt21", "pt58"]


def test_the_chief_takes_only_tiles_of_the_colour() -> None:
    """§6.1"""
    assert expected("summon-chief-wrong-colour")["legal"] is False
    state = summoning("tulum", 2, seat={"pyramid": CHIEFS}, tiles={1: ["pt40", None]})
    play(state, "summon chief", "chief_colour yellow")
    with pytest.raises(NotLegal):
        play(state, "chief_take 1 0")


def test_what_the_chief_cannot_do_lapses() -> None:
    """§6.1, R-42"""
    state = summoning("tulum", 2, seat={"pyramid": CHIEFS}, tiles={1: ["pt10", None]}, bag=[])
    play(state, "summon chief", "chief_colour yellow", "chief_take 1 0")
    assert asked(state) == {"main"}
    assert player(state)["reserve"] == ["pt10"]


def test_the_example_of_trade() -> None:
    """§6.3"""
    want = expected("summon-trade-example")
    seat = {
        "pyramid": {"1,0": ["pt20", "blue"], "1,1": ["pt50", "white"]},
        "workers": {"uxmal": [1, 0], "quirigua": [1, 0]},
        "resources": {"black": 1},
    }
    state = summoning("tikal", 4, seat=seat, city_gods={"tikal": "trade"})
    play(state, "summon trade", "trade_colour white", "trade_move uxmal chichen_itza")
    assert offered(state, "trade_swap") == [["black", "white"], [None, None]]
    play(state, "trade_swap black white", "trade_move quirigua tikal")
    assert len(offered(state, "trade_swap")) == 5
    play(state, "trade_swap white yellow")
    assert asked(state) <= {"trade_stop", "main"}
    assert player(state)["resources"] == {"blue": 0, "brown": 0} | want["resources"]
    assert [player(state)["workers"][city][0] for city in ("chichen_itza", "tikal", "uxmal", "quirigua")] == [
        1,
        2,
        0,
        0,
    ]


def test_a_worker_never_returns_during_trade() -> None:
    """§6.3"""
    seat = {"pyramid": {"1,0": ["pt20", "blue"], "1,1": ["pt50", "white"]}}
    state = summoning("edzna", 1, seat=seat)
    play(state, "summon trade", "trade_colour white", "trade_move edzna uxmal")
    assert offered(state, "trade_move") == [
        ["uxmal", "chichen_itza", ["edzna", "uxmal"]],
        ["uxmal", "palenque", ["edzna", "uxmal"]],
    ]


def test_trade_may_earn_the_region_bonus() -> None:
    """§6.3, §5.3, §7.9"""
    assert expected("summon-trade-region-bonus")["building_built_free"]
    seat = {"pyramid": {"1,0": ["pt20", "blue"]}, "workers": {"uxmal": [1, 0], "tulum": [1, 0]}}
    state = summoning("edzna", 1, seat=seat, buildings={1: "bt22"})
    play(state, "summon trade", "trade_colour blue", "trade_move tulum chichen_itza")
    if "trade_stop" in asked(state):
        play(state, "trade_stop")
    play(state, "region_bonus true")
    assert player(state)["buildings"] == ["bt22"]
    assert dump(state)["regions"]["1"]["building"] is None


def test_a_declined_bonus_is_offered_again_after_trade() -> None:
    """R-58, R-38"""
    seat = {"pyramid": {"1,0": ["pt20", "blue"]}, "workers": {"uxmal": [1, 0], "chichen_itza": [1, 0]}}
    state = summoning("edzna", 1, seat=seat, buildings={1: "bt22"})
    assert asked(state) == {"region_bonus"}
    play(state, "region_bonus false", "summon trade", "trade_colour blue", "trade_stop")
    assert offered(state, "region_bonus") == [False, True]


def test_the_example_of_jaguar() -> None:
    """§6.5, §8.3"""
    want = expected("summon-jaguar-example")
    seat = {
        "pyramid": {"1,0": ["pt44", "brown"]},
        "reserve": ["pt45", "pt60"],
        "workers": {"chichen_itza": [1, 0]},
    }
    state = summoning(
        "uxmal",
        seat=seat,
        city_gods={"uxmal": "jaguar", "tikal": "rain"},
        sites={"s01": "ps10", "s04": "ps01"},
        might=[[1], [0], *[[] for _ in range(9)]],
    )
    play(state, "summon jaguar", "summon_discard pt45 brown", "summon_discard pt60 brown", "summon_discard null null")
    before = fame(state)[0]
    assert offered(state, "jaguar_remove") == ["chichen_itza", "uxmal"]
    pool = player(state)["pool"]
    play(state, "jaguar_remove chichen_itza")
    assert fame(state)[0] - before == want["fame_gain"]
    play(state, "might_advance true")
    assert step(state) == want["might_step"]
    assert len(player(state)["reserve"]) == 2
    assert {city: player(state)["workers"][city][0] for city in ("chichen_itza", "uxmal")} == want["workers"]
    assert player(state)["pool"] - pool == want["pool_change"]
    assert dump(state)["temples"]["jaguar"][0] == 0


def test_jaguar_needs_a_worker_to_remove() -> None:
    """§6.5"""
    assert expected("summon-jaguar-impossible")["legal"] is False
    state = summoning("tikal", 4, seat={"pyramid": {"1,0": ["pt54", "white"]}}, sites={"s15": None})
    assert offered(state, "summon") == [None]


def test_jaguar_stands_a_worker_up_anywhere() -> None:
    """§6.5, R-10, R-44"""
    want = expected("summon-jaguar-stand-up")
    built = {"1,0": ["pt54", "white"], "1,1": ["pt55", "white"]}
    gone = {"s15": None, "s02": None, "s05": None, "s09": None}
    state = summoning("tikal", 4, seat={"pyramid": built, "workers": {"tulum": [0, 1]}}, sites=gone)
    play(state, "summon jaguar")
    before = fame(state)[0]
    assert asked(state) == {"jaguar_stand"}
    play(state, "jaguar_stand tulum")
    assert fame(state)[0] - before == want["fame_gain"]
    assert player(state)["workers"]["tulum"] == [1, 0]


def test_without_a_worker_in_the_city_nothing_is_built() -> None:
    """§6.6, §7.5, §7.1"""
    want = expected("jaguar-removes-placed-worker")
    seat = {"pyramid": {"1,0": ["pt34", "black"]}, "workers": {"lamanai": [1, 0]}}
    state = summoning("calakmul", 5, seat=seat, city_gods={"calakmul": "jaguar", "tikal": "sun"})
    play(state, "summon jaguar", "jaguar_remove calakmul", "might_advance false")
    assert ("build" in offered(state, "main")) == want["may_build"]
    assert expected("build-limit-after-trade-god")["legal"] is False
    play(state, "main produce")
    assert offered(state, "produce_site") in (["s08"], [])


def test_the_example_of_sun() -> None:
    """§6.4, R-09, §5.6"""
    want = expected("summon-sun-example")
    seat = {
        "pyramid": {"1,0": ["pt22", "blue"], "1,1": ["pt23", "blue"]},
        "reserve": ["pt59"],
        "hand": [1, 2, 4, 5, 6],
        "role": "merchant",
        "discard": [3, "merchant"],
    }
    state = turn(2, 5, seat={0: seat})
    play(state, "place_worker calakmul", "summon sun", "summon_discard pt59 black", "summon_discard null null")
    assert offered(state, "sun_take") == sorted([2, 5, 3, "merchant", None], key=repr)
    play(state, "sun_take 2", "sun_take 5", "sun_take merchant")
    assert set(want["hand_gains"]) == {2, 5, "role"}
    assert sorted(player(state)["hand"], key=str) == [1, 2, 4, 5, 6, "merchant"]
    assert offered(state, "sun_lay") == ["calakmul", None]
    play(state, "sun_lay calakmul")
    assert player(state)["workers"]["calakmul"] == [0, want["calakmul_lying"]]
    play(state, "main pass")
    assert len(player(state)["discard"]) == 1 + want["cards_discarded_in_step_4"]


def test_a_marker_comes_before_the_power() -> None:
    """R-08, §5.4"""
    state = summoning("uxmal", seat={"pyramid": RAIN_BUILT})
    play(state, "summon rain")
    assert fame(state)[0] == 2 or asked(state) == {"summon_discard"}


# -- roles that summon


def with_role(role: str, region: int, seat: dict[str, Any], **given: Any) -> AhauState:  # noqa: ANN401
    hand = [1, 2, 3, 4, 5, 6, role]
    return turn(region, role, seat={0: {"role": role, "hand": hand} | seat}, **given)


def test_the_dancer_summons_another_god() -> None:
    """§13.2"""
    want = expected("dancer")
    built = {"1,0": ["pt06", "yellow"], "1,1": ["pt12", "yellow"]}
    state = with_role("dancer", 2, {"pyramid": built})
    play(state, "place_worker tulum", "summon chief", "chief_colour yellow", "chief_draw")
    assert offered(state, "dancer") == want["options"]
    play(state, "dancer sun", "sun_take null", "sun_lay null")
    assert state.pending_seats() == [1]
    assert want["produce_or_build_allowed"] is False


def test_the_high_priestess_summons_any_god_with_more_strength() -> None:
    """§13.3, R-21"""
    state = with_role("high_priestess", 2, {"pyramid": {"1,0": ["pt06", "yellow"]}})
    play(state, "place_worker edzna")
    assert offered(state, "summon") == ["chief", None]
    play(state, "summon chief", "chief_colour yellow", "chief_draw", "chief_draw")
    assert len(player(state)["reserve"]) == 2


def test_the_queen_lays_a_worker_down() -> None:
    """§13.6, §9.3"""
    state = with_role("queen", 1, {"workers": {"tikal": [1, 0]}, "resources": {"blue": 1}})
    assert offered(state, "queen") == [["tikal", "blue"]]
    play(state, "queen tikal blue")
    assert player(state)["workers"]["tikal"] == [0, 1]
    assert (owned(state), player(state)["queen_used"]) == ({}, True)
    play(state, "place_worker uxmal")
    assert offered(state, "queen") == []


def test_the_queen_is_offered_before_the_acropolis_is_scored() -> None:
    """R-40, R-60"""
    seat = {"workers": {"uxmal": [1, 0]}, "resources": {"blue": 2}, "buildings": ["bt01"]}
    hand = [1, 2, 3, 4, 5, 6, "queen"]
    state = at_table(seat={0: seat | {"role": "queen", "hand": hand}, 1: {"workers": {"edzna": [1, 0]}}})
    select(state, {0: (1, "queen"), 1: (5, 1)})
    assert asked(state) == {"queen_pass"}
    assert offered(state, "trade_resources") == []
    play(state, "queen uxmal blue")
    assert fame(state)[0] == 2
    assert owned(state) == {"blue": 1}


def test_laying_down_during_trade_takes_a_worker_that_has_not_moved() -> None:
    """R-45, §6.3: or else the one that moved last."""
    built = {"1,0": ["pt20", "blue"], "1,1": ["pt50", "white"], "1,2": ["pt51", "white"]}
    state = with_role("queen", 1, {"pyramid": built, "workers": {"uxmal": [1, 0]}, "resources": {"blue": 1}})
    play(state, "place_worker edzna", "summon trade", "trade_colour white", "trade_move edzna uxmal")
    play(state, "trade_swap null null")
    assert [path for city, _, path in offered(state, "trade_move") if city == "uxmal"].count([]) == 3
    play(state, "queen uxmal blue")
    assert all(path == ["edzna", "uxmal"] for _, _, path in offered(state, "trade_move"))
    assert player(state)["workers"]["uxmal"] == [1, 1]
