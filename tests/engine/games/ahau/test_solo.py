"""The solo game against King Pakal (RULES §15)."""

from typing import Any

import pytest

from ballcourt.engine.games.ahau import GAME
from ballcourt.engine.games.ahau.automata.pakal.goods import gain_resources
from ballcourt.engine.games.ahau.state import AhauState
from tests.engine.games.ahau.decisions import apply, legal
from tests.engine.games.ahau.playing import (
    CITY_GODS,
    SITES,
    at_table,
    expected,
    next_round,
    plainest,
    player,
    select,
    step,
    until,
)
from tests.engine.games.ahau.positions import dump

RANKS = {
    "merchant": ["trade", "rain", "chief", "sun", "jaguar"],
    "war_captain": ["jaguar", "sun", "rain", "chief", "trade"],
    "queen": ["sun", "chief", "jaguar", "trade", "rain"],
    "dancer": ["sun", "jaguar", "chief", "rain", "trade"],
}
MARK = 2
"""The Fame of the first marker in a Temple."""


def pakal(deck: list[Any], role: str = "merchant", **changes: Any) -> dict[str, Any]:  # noqa: ANN401
    """Describe Pakal with the cards he draws next; the others are discarded."""
    cards = [1, 2, 3, 4, 5, 6, role]
    workers = {city: [0, 0] for city in CITY_GODS} | changes.pop("workers", {})
    plain = {
        "kind": "pakal",
        "pool": 12 - sum(map(sum, workers.values())),
        "weapons": 0,
        "workers": workers,
        "ruler": 0,
        "discard": [card for card in cards if card not in deck],
        "gods": RANKS[role],
        "deck": deck,
        "fame": 0,
        "reserve": [],
        "pyramid": {},
        "buildings": [],
        "role": role,
        "resources": 3,
        "items_done": 0,
    }
    return plain | changes


def against(who: dict[str, Any], human: dict[str, Any] | None = None, **given: Any) -> AhauState:  # noqa: ANN401
    might = given.pop("might", [[0, 1], *[[] for _ in range(10)]])
    return at_table(1, seat={0: human or {}, 1: who}, mode="solo", might=might, **given)


def his_turn(who: dict[str, Any], human: dict[str, Any] | None = None, **given: Any) -> dict[str, Any]:  # noqa: ANN401
    """Play Pakal's turn in the region of his first card, with the human in region 5; describe him afterwards."""
    state = against(who, human, **given)
    select(state, {0: (5, 6)})
    return player(state, 1)


def deck(region: int, *others: int) -> list[Any]:
    return [region, *(others or [card for card in (1, 2, 3, 4) if card != region])]


@pytest.mark.parametrize("seed", range(5))
def test_the_setup_against_pakal(seed: int) -> None:
    """§15.1, §15.2"""
    want = expected("setup-solo")
    state = GAME.initial_state(1, seed, {"difficulty": "hard", "personality": "merchant"})
    assert isinstance(state, AhauState)
    table = dump(state)
    who = table["player"]["1"]
    assert who["weapons"] == want["pakal_weapons"]
    assert who["resources"] == want["pakal_resources"]
    assert len(who["deck"]) == want["pakal_deck_size"]
    assert len(table["role_deck"]) == want["role_deck"]
    assert who["role"] == "merchant"
    assert who["role"] not in table["role_deck"]
    assert len(table["building_stack"]) == want["building_stack"]
    buildings = [*table["building_stack"], *table["offer"], *(part["building"] for part in table["regions"].values())]
    assert ("bt21" in buildings) is want["royal_palace_in_game"]
    assert table["might"][0] == [0, 1]
    marked = [god for god in who["gods"] if table["temples"][god] == [None, None, 1, None, None]]
    assert marked == who["gods"][-3:]
    assert sorted(marked) == sorted(want["pakal_middle_markers"])
    assert who["gods"][0] == want["pakal_start_tile_god"]
    assert who["reserve"] == ["pt03"]


def test_overflow_buys_a_building() -> None:
    """§15.10, R-53, R-34"""
    want = expected("solo-overflow-example")
    workers = {"edzna": [2, 0]}
    gone = {"s04": None, "s07": None, "s01": None, "s02": None}
    who = pakal(deck(1), resources=11, buildings=["bt02"], workers=workers)
    sites = dict.fromkeys(SITES) | {"s03": "ps07"} | {"s04": None}
    state = against(who, city_gods={"chichen_itza": "trade"}, offer=[None, "bt22", None], sites=sites | gone)
    select(state, {0: (5, 6)})
    after = player(state, 1)
    assert after["resources"] == want["pakal_resources"]
    assert after["fame"] == want["fame_gain"]
    assert after["weapons"] == 1
    assert len(after["buildings"]) == 2
    assert "ps07" in dump(state)["calendar"]


def test_an_overflow_that_can_buy_nothing_gains_nothing() -> None:
    """R-34: the rulebook says that he gains no resources, whether or not there is a building to buy."""
    state = against(pakal(deck(1), resources=11), offer=[None, None, None])
    gain_resources(state, 3)
    assert player(state, 1)["resources"] == 11
    gain_resources(state, 1)
    assert player(state, 1)["resources"] == 12


def test_trade_completes_a_region() -> None:
    """§15.8, R-28, §15.10, §15.11"""
    want = expected("solo-trade-example")
    built = {"1,0": ["pt10", "yellow"], "1,1": ["pt11", "yellow"]}
    who = pakal(deck(1), pyramid=built, workers={"uxmal": [1, 0], "lamanai": [1, 0]})
    gone = {"s03": None, "s04": None, "s07": None}
    after = his_turn(who, buildings={1: "bt22"}, sites=gone, difficulty="moderate")
    assert {city for city, (standing, _) in after["workers"].items() if standing} == {"uxmal", "edzna", "chichen_itza"}
    assert after["fame"] == want["difficulty_fame"] + MARK
    assert after["resources"] == 3 + want["resources_gain"] + want["counter_gain_from_building_space_0"]
    assert len(after["buildings"]) == 1


def test_he_places_a_worker_by_rank_and_height() -> None:
    """§15.7"""
    want = expected("solo-place-option-III-top")
    gods = {"uxmal": "sun", "chichen_itza": "sun", "edzna": "rain"}
    after = his_turn(pakal(deck(1), "dancer"), city_gods=gods)
    assert after["workers"][want["city"]] == [1, 0]


def test_two_sixes_are_shuffled_back() -> None:
    """§15.3"""
    assert "redraw" in expected("solo-both-six")["action"]
    after = his_turn(pakal([6, "dancer", 1, 2, 3], "dancer"))
    assert {after["left"], after["right"]} != {6, "dancer"}
    assert after["left"] in (1, 2, 3)
    cards = [after["left"], after["right"], *after["deck"]]
    assert sorted(cards, key=str) == [1, 2, 3, 6, "dancer"]


def test_he_takes_the_better_ranked_tile() -> None:
    """§15.6"""
    names = {"pt34": "black jaguar", "pt16": "blue chief"}
    state = against(pakal(deck(1)), tiles={1: [*names]}, sites=dict.fromkeys(("s01", "s03", "s04")))
    select(state, {0: (5, 6)})
    left = dump(state)["regions"]["1"]["tiles"]
    assert [name for tile, name in names.items() if tile not in left] == [expected("solo-tile-rank")["tile"]]
    who = player(state, 1)
    assert "pt16" in [*who["reserve"], *(tile for tile, _ in who["pyramid"].values())]


def test_he_discards_a_third_of_his_reserve_wilds_last() -> None:
    """§15.8, R-48: the strength shows in his resources, which are too few for level 4."""
    want = expected("solo-summon-discard-order")
    spaces = [f"1,{place}" for place in range(4)] + [f"2,{place}" for place in range(3)] + ["3,0", "3,1"]
    built = {space: ["pt41", "brown"] for space in spaces} | {"1,0": ["pt08", "yellow"]}
    who = pakal(deck(1), pyramid=built, reserve=["pt18", "pt57", "pt40", "pt42"], resources=0, items_done=11)
    gods = {"uxmal": "rain", "chichen_itza": "jaguar", "edzna": "jaguar"}
    state = against(who, city_gods=gods, sites=dict.fromkeys(SITES) | {"s11": "ps03"})
    select(state, {0: (5, 6)})
    assert dump(state)["tile_discard"] == ["pt18"]
    assert player(state, 1)["resources"] == want["AS"]


def test_without_a_built_tile_he_does_not_summon() -> None:
    """§15.8"""
    assert expected("solo-no-summon")["summoned"] is False
    reserve = ["pt18", "pt19", "pt57", "pt40", "pt41", "pt42", "pt43", "pt44", "pt45"]
    state = against(pakal(deck(1), reserve=reserve, resources=0))
    select(state, {0: (5, 6)})
    assert dump(state)["tile_discard"] == []


@pytest.mark.parametrize(
    ("name", "before"),
    [
        ("solo-middle-marker", [None, None, 1, None, None]),
        ("solo-middle-marker-second", [0, None, 1, None, None]),
    ],
)
def test_a_middle_marker_moves_to_the_left(name: str, before: list[int | None]) -> None:
    """§15.8, R-27"""
    want = expected(name)
    who = pakal(deck(1), "dancer", pyramid={"1,0": ["pt12", "yellow"]}, resources=0)
    gone = {"s01": None, "s02": None, "s03": None}
    state = against(who, temples={"sun": before}, sites=gone)
    select(state, {0: (5, 6)})
    assert dump(state)["temples"]["sun"] == [{"pakal": 1, "human": 0, "empty": None}[name] for name in want["spaces"]]
    assert player(state, 1)["fame"] == want["fame_gain"]


def test_items_that_he_cannot_build_give_fame() -> None:
    """§15.9, R-51, R-30"""
    want = expected("solo-build-short")
    built = {"1,0": ["pt26", "black"], "1,1": ["pt18", "blue"]}
    workers = {"chichen_itza": [2, 0]}
    who = pakal(deck(1), "dancer", pyramid=built, reserve=["pt48"], resources=5, items_done=2, workers=workers)
    after = his_turn(who, city_gods={"chichen_itza": "sun", "edzna": "trade", "uxmal": "trade"})
    assert sum(after["workers"]["chichen_itza"]) == 3
    assert after["pyramid"]["1,2"] == ["pt48", "white"]
    assert after["fame"] == want["adjacency_fame"] + want["unbuilt_fame"]
    assert after["resources"] == want["resources"]


@pytest.mark.parametrize(("difficulty", "first", "later"), [("easy", 1, 0), ("moderate", 2, 1), ("hard", 3, 2)])
def test_middle_markers_are_placed_again_after_a_celebration(difficulty: str, first: int, later: int) -> None:
    """§15.12"""
    if difficulty == "easy":
        want = expected("solo-markers-after-katun")
        assert [len(want["after_katun_1"]), len(want["after_katun_2"])] == [first, later]
    for katun, count in ((1, first), (2, later)):
        calendar = ["ps09", "ps03", "ps06", "ps08", "ps14", "ps15"]
        sites = {link: None for link, site in SITES.items() if site in calendar and link != "s13"}
        state = against(
            pakal(deck(1)), calendar=calendar[:5], sites=sites | {"s15": None}, katun=katun, difficulty=difficulty
        )
        select(state, {0: (5, 6)})
        while legal(state) and dump(state)["katun"] == katun:
            apply(state, plainest(legal(state)))
        marked = [god for god in RANKS["merchant"] if dump(state)["temples"][god][2] == 1]
        assert marked == RANKS["merchant"][5 - count :]


def test_by_night_he_wins_ties() -> None:
    """§15.2, R-33"""
    assert expected("solo-night-conflict-tie")["winner"] == "pakal"
    might = [[1], [], [], [0], *[[] for _ in range(7)]]
    state = against(pakal(deck(3, 6, 1, 2)), solo_board="night", might=might)
    select(state, {0: (3, 6)})
    assert {words[1] for words in legal(state)} == {"relocate"}
    assert step(state, 1) == 1


def test_his_deck_lasts_three_rounds() -> None:
    """§15.15"""
    assert expected("solo-deck")["rounds"] == 3
    state = against(pakal([1, 2, 3, 4, 5, 6, "merchant"]))
    sizes = []
    for number in range(3):
        until(state, 0, "select_cards")
        sizes.append(len(player(state, 1)["deck"]))
        next_round(select(state, {0: (5 - number, 6 if number == 0 else None)}))
    assert sizes == [7, 5, 3]
    assert len(player(state, 1)["deck"]) == 7


def test_his_queen_lays_a_worker_down() -> None:
    """§15.14, R-49"""
    want = expected("solo-queen")
    gods = {"tikal": "sun"} | dict.fromkeys(("tulum", "lamanai", "quirigua"), "rain")
    after = his_turn(pakal([4, "queen", 2, 3], "queen"), city_gods=gods, sites=dict.fromkeys(SITES))
    assert after["resources"] == want["resources"]
    assert after["workers"]["tikal"] == [0, want["tikal_lying"]]


@pytest.mark.parametrize(
    ("his", "mine", "placements"),
    [
        ({"fame": 9}, {"fame": 10}, [[0], [1]]),
        ({"fame": 11}, {"fame": 10}, [[1], [0]]),
        ({"fame": 10}, {"fame": 10}, [[0, 1]]),
        ({"fame": 10, "pyramid": {"1,0": ["pt41", "brown"]}}, {"fame": 10}, [[1], [0]]),
        ({"fame": 10}, {"fame": 10, "buildings": ["bt02"]}, [[0], [1]]),
    ],
)
def test_he_wins_and_loses_like_a_player(
    his: dict[str, Any], mine: dict[str, Any], placements: list[list[int]]
) -> None:
    """§15.13, §11.5"""
    state = against(pakal(deck(2), **his), mine)
    assert state.placements() == placements
    assert [(rival.name, rival.score) for rival in state.rivals()] == [("King Pakal", his["fame"])]


def test_the_printed_palace_counts_among_his_tiles() -> None:
    """R-33, §11.5"""
    assert against(pakal(deck(2)), solo_board="night").placements() == [[1], [0]]
