"""Producing and the calendar (RULES §7.1-§7.4)."""

from typing import Any

import pytest

from ballcourt.engine.games.ahau.state import AhauState
from tests.engine.games.ahau.playing import SITES, asked, expected, offered, owned, play, player, turn, until
from tests.engine.games.ahau.positions import dump


def producing(city: str, region: int = 1, seat: dict[str, Any] | None = None, **given: Any) -> AhauState:  # noqa: ANN401
    """Place the worker and run to the question for the site."""
    others = given.pop("others", {})
    state = turn(region, given.pop("right", None), seat={0: seat or {}, **others}, **given)
    play(state, f"place_worker {city}")
    until(state, 0, "main")
    play(state, "main produce")
    return state


def test_the_example_of_producing() -> None:
    """§7.1, §7.3: a site on a link that touches the city used."""
    want = expected("produce-example")
    state = producing("chichen_itza", seat={"workers": {"edzna": [2, 0]}})
    assert offered(state, "produce_site") == ["s01", "s02", "s03"]
    play(state, "produce_site s03")
    assert owned(state) == {"black": want["black_gain"]}
    assert dump(state)["sites"]["s03"] is None
    assert sorted(dump(state)["calendar"]) == ["ps07", "ps09"]


def test_a_lying_worker_counts_twice() -> None:
    """§7.1, §1.7"""
    state = producing("tulum", 2, seat={"workers": {"chichen_itza": [0, 1]}})
    play(state, "produce_site s02")
    assert owned(state) == {"blue": expected("produce-lying")["blue_gain"]}


def test_a_site_without_workers_of_the_player_is_not_offered() -> None:
    """§7.1"""
    assert expected("produce-no-worker")["legal"] is False
    seat = {"pyramid": {"1,0": ["pt34", "black"]}, "workers": {"lamanai": [1, 0]}}
    state = turn(5, seat={0: seat}, city_gods={"calakmul": "jaguar", "tikal": "sun"})
    play(
        state, "place_worker calakmul", "summon jaguar", "jaguar_remove calakmul", "might_advance false", "main produce"
    )
    assert "s07" not in offered(state, "produce_site")
    assert "s10" not in offered(state, "produce_site")


def test_farm_and_produce_market_add_to_the_yield() -> None:
    """§7.1, §12.6, R-59, R-62"""
    seat = {"workers": {"edzna": [1, 0]}, "buildings": ["bt17", "bt15"]}
    given: dict[str, Any] = {"sites": {"s03": "ps13", "s05": "ps07"}, "others": {1: {"workers": {"edzna": [1, 1]}}}}
    state = producing("chichen_itza", seat=seat, **given)
    play(state, "produce_site s03")
    assert owned(state) == {"white": 4}
    assert dump(state)["sites"]["s03"] == "ps13"
    assert offered(state, "produce_other") == [1, None]
    play(state, "produce_other 1")
    assert owned(state) == {"white": expected("produce-farm-market")["white_gain"]}
    assert dump(state)["sites"]["s03"] is None


def test_every_produce_market_adds_another_colour() -> None:
    """§7.1, R-59, §12.9"""
    others = {seat: {"workers": {"edzna": [1, 0]}} for seat in range(1, 5)}
    state = producing("chichen_itza", seat={"buildings": ["bt15", "bt16"]}, players=5, others=others)
    play(state, "produce_site s03")
    assert offered(state, "produce_other") == [1, 2, 3, 4, None]
    play(state, "produce_other 2")
    assert offered(state, "produce_other") == [1, 3, 4, None]


def test_a_produce_market_asks_even_if_there_is_no_player_to_name() -> None:
    """R-59: the resources can be traded before the site leaves the map."""
    state = producing("chichen_itza", seat={"buildings": ["bt15"], "workers": {"edzna": [1, 0]}})
    play(state, "produce_site s03")
    assert offered(state, "produce_other") == [None]
    play(state, "trade_resources black blue", "produce_other null")
    assert owned(state) == {"blue": 1}
    assert dump(state)["sites"]["s03"] is None


def test_the_merchant_produces_anywhere() -> None:
    """§7.2, R-11, R-62, §13.4"""
    seat = {"role": "merchant", "hand": [1, 2, 3, "merchant"], "workers": {"tikal": [2, 0]}}
    state = producing("uxmal", right="merchant", seat=seat)
    assert "s11" in offered(state, "produce_site")
    assert "s09" not in offered(state, "produce_site")
    play(state, "produce_site s11")
    assert "ps03" in dump(state)["calendar"]
    play(state, "reward_resource black", "reward_resource blue")
    assert owned(state) == expected("produce-merchant")["gain"]


def test_the_last_space_triggers_the_celebration() -> None:
    """§7.4, §3.2"""
    want = expected("calendar-trigger-2p")
    state = producing("chichen_itza", calendar=["ps09", "ps03", "ps06", "ps08", "ps14"])
    assert not dump(state)["katun_triggered"]
    play(state, "produce_site s03")
    assert dump(state)["katun_triggered"] == want["katun_triggered"]
    assert len(dump(state)["calendar"]) == want["calendar_filled"]


@pytest.mark.parametrize(("players", "last"), [(2, 6), (3, 8), (4, 10), (5, 12)])
def test_the_length_of_the_calendar_depends_on_the_number_of_players(players: int, last: int) -> None:
    """§7.4"""
    assert (
        last
        == {2: expected("setup-2p"), 4: expected("setup-4p"), 5: expected("setup-5p")}.get(
            players, {"calendar_last": 8}
        )["calendar_last"]
    )
    spare = [site for site in SITES.values() if site not in ("ps07", "ps01", "ps04")][: last - 1]
    kept = {link: None for link, site in SITES.items() if site in spare and (players > 3 or link != "s13")}
    for filled, triggered in ((last - 2, False), (last - 1, True)):
        state = producing("chichen_itza", players=players, calendar=spare[:filled], sites=kept)
        play(state, "produce_site s03")
        assert dump(state)["katun_triggered"] is triggered


def test_more_sites_are_stacked_on_the_last_space() -> None:
    """§7.4"""
    want = expected("calendar-overflow")
    full = ["ps09", "ps03", "ps06", "ps08", "ps14", "ps15"]
    state = producing("chichen_itza", calendar=full)
    play(state, "produce_site s03")
    assert dump(state)["katun_triggered"] == want["katun_triggered"]
    assert len(dump(state)["calendar"]) == want["stacked_on_space"] + 1


def test_producing_is_optional() -> None:
    """§5.5"""
    state = turn(1)
    play(state, "place_worker uxmal")
    until(state, 0, "main")
    assert offered(state, "main") == ["build", "pass", "produce"]
    play(state, "main pass")
    assert state.pending_seats() == [1]
    assert asked(state) == {"place_worker"}
    assert player(state)["discard"] == [1, 2]
