"""The Shadow Player (RULES §14.3)."""

from typing import Any

import pytest

from ballcourt.engine.core import InvalidOption
from ballcourt.engine.games.ahau import GAME
from ballcourt.engine.games.ahau.state import AhauState
from tests.engine.games.ahau.decisions import apply, legal
from tests.engine.games.ahau.playing import (
    CITY_GODS,
    VECTORS,
    asked,
    at_table,
    expected,
    fame,
    next_round,
    plainest,
    play,
    player,
    select,
    until,
)
from tests.engine.games.ahau.positions import dump

RAIN_FIRST = ["rain", "trade", "sun", "jaguar", "chief"]
TRADE_FIRST = ["trade", "rain", "chief", "sun", "jaguar"]


def shadow(deck: list[int], workers: dict[str, list[int]] | None = None, **changes: Any) -> dict[str, Any]:  # noqa: ANN401
    placed = {city: [0, 0] for city in CITY_GODS} | (workers or {})
    plain = {
        "kind": "shadow",
        "pool": 12 - sum(map(sum, placed.values())),
        "weapons": 1,
        "workers": placed,
        "ruler": 0,
        "discard": [card for card in range(1, 7) if card not in deck],
        "gods": RAIN_FIRST,
        "deck": deck,
    }
    return plain | changes


def with_shadow(who: dict[str, Any], players: int = 2, seat: dict[int, Any] | None = None, **given: Any) -> AhauState:  # noqa: ANN401
    might = given.pop("might", [[*range(players), players], *[[] for _ in range(10)]])
    return at_table(players, seat=(seat or {}) | {players: who}, shadow=True, might=might, **given)


@pytest.mark.parametrize(("name", "players"), [("shadow-swap-six", 2), ("shadow-no-swap-side-b", 4)])
def test_a_left_six_is_swapped_on_side_a(name: str, players: int) -> None:
    """§14.3"""
    state = with_shadow(shadow([6, 3, 1, 2]), players)
    select(state, {seat: (1 + seat, 6) if seat != 2 else (5, 6) for seat in range(players)})
    who = player(state, players)
    assert (who["left"], who["right"]) == (expected(name)["left"], expected(name)["right"])


def test_after_a_loss_the_shadow_goes_to_the_best_tile() -> None:
    """§14.3"""
    want = expected("shadow-relocate")
    tiles = {1: ["pt12", "pt08"], 2: ["pt06", "pt07"], 6: ["pt14", "pt16"]}
    state = with_shadow(shadow([3, 1, 2, 4]), 4, tiles=tiles)
    select(state, {0: (3, 6), 1: (4, 1), 2: (4, 2), 3: (5, 1)})
    while any(words[1] in ("might_advance", "relocate") for words in legal(state)) and player(state, 4)["ruler"] == 3:
        apply(state, plainest(legal(state)))
    assert player(state, 4)["ruler"] == want["region"]
    assert player(state, 4)["weapons"] == 1 + want["weapons_gain"]


@pytest.mark.parametrize(
    ("name", "tiles"), [("shadow-tile-wild", ["pt32", "pt59"]), ("shadow-tile-left", ["pt32", "pt52"])]
)
def test_the_shadow_discards_a_tile(name: str, tiles: list[str]) -> None:
    """§14.3"""
    names = {"pt32": "black sun", "pt59": "wild sun", "pt52": "white sun"}
    state = with_shadow(shadow([1, 2, 3, 4]), tiles={1: tiles})
    select(state, {0: (4, 6), 1: (5, 6)})
    assert [names[tile] for tile in dump(state)["tile_discard"]] == [expected(name)["discarded"]]


def test_the_shadow_places_where_it_has_fewest_workers() -> None:
    """§14.3: the god of the city breaks the tie; the cities of region 1, where it lost, are barred."""
    situation = VECTORS["shadow-place"]["situation"]
    workers = {city: [count, 0] for city, count in situation["shadow_workers"].items()}
    state = with_shadow(shadow([1, 2, 3, 4], workers), 4, city_gods=situation["gods"])
    assert player(state, 4)["gods"] == situation["personality"]
    select(state, {0: (1, 6), 1: (3, 1), 2: (4, 2), 3: (5, 1)})
    until(state, 1, "place_worker")
    who = player(state, 4)
    assert (who["ruler"], who["lost_region"]) == (situation["ruler"], situation["lost_region"])
    assert who["workers"][expected("shadow-place")["city"]] == [1, 0]
    assert who["pool"] == 12 - len(workers) - 1


def test_the_shadow_removes_the_building_of_a_covered_region() -> None:
    """§14.3"""
    state = with_shadow(shadow([1, 2, 3, 4], {"chichen_itza": [1, 0], "edzna": [1, 0]}), buildings={1: "bt22"})
    select(state, {0: (4, 6), 1: (5, 6)})
    assert dump(state)["regions"]["1"]["building"] is None
    assert dump(state)["building_discard"] == []


def test_the_shadow_wins_ties_at_first_and_gains_no_reward() -> None:
    """§14.3: its marker is on top of the stack."""
    assert expected("shadow-might-ties")["winner"] == "shadow"
    state = with_shadow(shadow([3, 3 + 2, 1, 2]), seat={1: {}})
    select(state, {0: (3, 6), 1: (4, 1)})
    assert asked(state) == {"relocate"}
    assert 2 in dump(state)["might"][1]
    assert player(state, 2)["weapons"] == 1


def test_the_deck_is_reshuffled_when_empty() -> None:
    """§14.3"""
    state = with_shadow(shadow([1, 2]), round=3)
    next_round(select(state, {0: (4, 6), 1: (5, 6)}))
    assert len(player(state, 2)["deck"]) == expected("shadow-deck")["deck"]
    assert player(state, 2)["discard"] == []


def city_fame(workers: dict[int, list[int]]) -> list[int]:
    """Play a last round; return the Fame for Quiriguá, where no one places a worker."""
    gains = []
    for filled in (True, False):
        seats: dict[int, Any] = {
            seat: {"workers": {"quirigua": workers.get(seat, [0, 0]) if filled else [0, 0]}} for seat in (0, 1)
        }
        seats[0]["pool"] = 1
        other = shadow([1, 2, 3, 4], {"quirigua": workers.get(2, [0, 0])} if filled else {})
        state = with_shadow(other, seat=seats)
        select(state, {0: (3, 6), 1: (2, 6)})
        while legal(state):
            apply(state, plainest(legal(state)))
        gains.append(fame(state))
    return [one - other for one, other in zip(*gains, strict=True)]


@pytest.mark.parametrize(
    ("name", "workers"),
    [
        ("shadow-majority", {0: [2, 0], 1: [1, 0], 2: [3, 0]}),
        ("shadow-majority-tie", {0: [2, 0], 1: [1, 0], 2: [2, 0]}),
    ],
)
def test_the_shadow_takes_part_in_majorities(name: str, workers: dict[int, list[int]]) -> None:
    """§14.3, R-25"""
    assert city_fame(workers) == [expected(name)["A"], expected(name)["B"]]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_shadow_does_not_count_as_a_player_in_the_setup(seats: int) -> None:
    """R-23, §14.3"""
    state = GAME.initial_state(seats, 1, {"shadow": "yes"})
    assert isinstance(state, AhauState)
    table = dump(state)
    assert len(table["regions"]) == (6 if seats == 4 else 5)
    assert len(table["role_deck"]) == seats + 1
    assert table["might"][0][-1] == seats
    assert (table["player"][str(seats)]["weapons"], len(table["player"][str(seats)]["deck"])) == (1, 6)


def test_the_shadow_does_not_join_five_players() -> None:
    """§14.3"""
    with pytest.raises(InvalidOption):
        GAME.initial_state(5, 1, {"shadow": "yes"})


def test_the_war_captain_decides_after_the_shadow_is_placed() -> None:
    """R-24"""
    seat = {0: {"role": "war_captain", "hand": [1, 2, "war_captain"]}}
    state = with_shadow(shadow([3, 1, 2, 4]), seat=seat)
    select(state, {0: (1, "war_captain"), 1: (5, 6)})
    assert asked(state) == {"war_captain"}
    assert player(state, 2)["ruler"] == 3
    play(state, "war_captain null")
    assert player(state, 2)["ruler"] == 3
