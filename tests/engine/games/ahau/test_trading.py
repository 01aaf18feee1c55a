"""Trading and trading windows (RULES §9)."""

import pytest

from tests.engine.games.ahau.decisions import NotLegal, apply, legal
from tests.engine.games.ahau.playing import (
    COLOURS,
    WINDOWS,
    asked,
    at_table,
    expected,
    fame,
    next_round,
    offered,
    owned,
    plainest,
    play,
    player,
    select,
    turn,
    until,
)
from tests.engine.games.ahau.positions import dump


def test_two_resources_of_a_colour_buy_one_of_another() -> None:
    """§9.1, §5.2"""
    assert expected("trade-same-colour")["legal"] is False
    state = turn(1, seat={0: {"resources": {"yellow": 2}}})
    assert offered(state, "trade_resources") == [["yellow", colour] for colour in ("black", "blue", "brown", "white")]
    with pytest.raises(NotLegal):
        play(state, "trade_resources yellow yellow")
    play(state, "trade_resources yellow blue")
    assert owned(state) == {"blue": 1}
    assert asked(state) == {"place_worker"}


def test_two_tiles_of_a_colour_buy_a_resource() -> None:
    """§9.2"""
    want = expected("trade-tiles-wild")
    state = turn(1, seat={0: {"reserve": ["pt18", "pt59"]}})
    play(state, "trade_tiles pt18 pt59 blue")
    assert owned(state) == want["resources"]
    assert player(state)["reserve"] == want["reserve"]
    assert len(dump(state)["tile_discard"]) == want["tile_discard_gain"]


def test_tiles_of_two_colours_cannot_be_traded() -> None:
    """§9.2"""
    assert expected("trade-tiles-mixed")["legal"] is False
    state = turn(1, seat={0: {"reserve": ["pt12", "pt18"]}})
    assert offered(state, "trade_tiles") == []


def test_two_wilds_buy_any_colour() -> None:
    """§9.2"""
    state = turn(1, seat={0: {"reserve": ["pt57", "pt59"]}})
    assert [words[2] for words in offered(state, "trade_tiles")] == sorted(COLOURS)


def test_trading_ends() -> None:
    """§9.4"""
    seat = {"resources": {"yellow": 5}, "reserve": ["pt18", "pt19", "pt57", "pt59"]}
    state = turn(1, seat={0: seat})
    trades = 0
    while windows := [words for words in legal(state) if words[1] in WINDOWS]:
        play(state, " ".join(map(str, windows[-1][1:])))
        trades += 1
    assert 0 < trades <= expected("trade-finite")["at_most"]


def test_no_seat_trades_outside_a_window() -> None:
    """R-16, §9.3, R-42"""
    rich = {"resources": dict.fromkeys(COLOURS, 3), "reserve": ["pt20"], "pyramid": {"1,0": ["pt18", "blue"]}}
    state = at_table(2, seat={0: rich, 1: rich | {"reserve": ["pt21"]}}, tiles={1: ["pt06", "pt07"]})
    assert offered(state, "trade_resources") == []
    select(state, {0: (1, 6), 1: (1, 5)})
    assert offered(state, "trade_resources") == []
    until(state, 0, "take_tile")
    assert offered(state, "trade_resources") == []
    until(state, 0, "place_worker")
    play(state, "place_worker uxmal")
    assert offered(state, "trade_resources")
    until(state, 0, "main")
    play(state, "main build", "build_tile pt20 1 3")
    if asked(state) == {"pay"}:
        assert offered(state, "trade_resources") == []


def test_everybody_trades_before_a_celebration() -> None:
    """§11.0, R-16, R-40"""
    seat = {"resources": {"blue": 3}, "workers": {"tikal": [1, 0]}, "role": "queen", "hand": [1, 2, 3, "queen"]}
    full = ["ps09", "ps03", "ps06", "ps08", "ps14"]
    state = turn(1, "queen", seat={0: seat, 1: {"resources": {"white": 2}}}, calendar=full, katun=3)
    play(state, "place_worker uxmal")
    until(state, 0, "main")
    play(state, "main produce", "produce_site s01")
    until(state, 0, "katun_done")
    assert offered(state, "queen")
    play(state, "trade_resources blue white", "queen tikal blue", "katun_done")
    assert state.pending_seats() == [1]
    assert offered(state, "trade_resources")


def test_the_queen_needs_a_worker_and_a_resource() -> None:
    """§13.6"""
    for seat in ({"resources": {"blue": 1}}, {"workers": {"tikal": [1, 0]}}, {"workers": {"tikal": [0, 1]}}):
        given = {"role": "queen", "hand": [1, 2, "queen"]} | seat
        assert offered(turn(1, "queen", seat={0: given}), "queen") == []


def test_a_forced_discard_allows_tile_trades() -> None:
    """§10.3, R-17, R-46, R-61"""
    seat = {"reserve": ["pt18", "pt19", "pt57", "pt59"]}
    state = at_table(2, seat={0: seat}, bag=["pt40", "pt41", "pt42", "pt43", "pt44"], tile_discard=["pt45"])
    select(state, {0: (1, 2), 1: (5, 2)})
    until(state, 0, "forced_discard")
    assert offered(state, "forced_discard") == ["pt18", "pt19", "pt57", "pt59"]
    assert offered(state, "trade_resources") == []
    play(state, "trade_tiles pt18 pt19 blue")
    assert owned(state) == {"blue": 1}
    assert player(state)["reserve"] == ["pt57", "pt59"]
    until(state, 0, "select_cards")
    kept = [tile for region in dump(state)["regions"].values() for tile in region["tiles"] if tile]
    assert len(kept) + len(player(state)["reserve"]) + len(dump(state)["bag"]) == 10
    assert fame(state) == [0, 0]


def test_the_largest_reserve_gives_first() -> None:
    """R-17, §10.3: ties are broken by turn order."""
    seats = {0: {"reserve": ["pt18"]}, 1: {"reserve": ["pt19", "pt57"]}}
    state = at_table(2, seat=seats, bag=[f"pt{number}" for number in range(40, 48)])
    select(state, {0: (1, 2), 1: (5, 2)})
    while asked(state) != {"forced_discard"}:
        apply(state, plainest(legal(state)))
    assert state.pending_seats() == [1]
    play(state, "forced_discard pt19")
    assert state.pending_seats() == [0]


def test_a_round_passes() -> None:
    """§3.1"""
    state = next_round(select(at_table(2), {0: (1, 2), 1: (5, 2)}))
    assert dump(state)["round"] == 2
