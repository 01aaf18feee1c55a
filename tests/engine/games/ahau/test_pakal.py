"""The choices of King Pakal in detail (RULES §15)."""

from typing import Any

import pytest

from tests.engine.games.ahau.decisions import apply, legal
from tests.engine.games.ahau.playing import CITY_GODS, SITES, expected, plainest, player, select
from tests.engine.games.ahau.positions import dump
from tests.engine.games.ahau.test_solo import MARK, against, deck, his_turn, pakal

BARE = dict.fromkeys(SITES)
LEVEL_1 = {f"1,{place}": [f"pt{40 + place}", "brown"] for place in range(4)}
LEVEL_2 = LEVEL_1 | {f"2,{place}": [f"pt{30 + place}", "black"] for place in range(3)}
FIVE = ["bt02", "bt03", "bt04", "bt05", "bt07"]


@pytest.mark.parametrize(
    ("name", "left", "tiles"),
    [
        ("solo-war-captain-II", 4, {2: ["pt06", "pt10"], 5: ["pt08", "pt09"]}),
        ("solo-war-captain-III", 2, {3: ["pt14", None], 5: ["pt15", None], 4: ["pt24", None]}),
    ],
)
def test_where_his_war_captain_goes(name: str, left: int, tiles: dict[int, list[Any]]) -> None:
    """§15.4, R-26: the human is in region 4."""
    state = against(pakal([left, "war_captain", 1, 3], "war_captain"), tiles=tiles)
    select(state, {0: (4, 6)})
    assert player(state, 1)["ruler"] == expected(name)["pakal_region"]


def test_after_a_loss_he_goes_to_the_best_tile() -> None:
    """§15.5"""
    state = against(pakal([4, 1, 2, 3], "war_captain"), tiles={2: ["pt06", "pt10"], 5: ["pt08", "pt09"]})
    select(state, {0: (4, 6)})
    apply(state, plainest(legal(state)))
    assert (player(state, 1)["ruler"], player(state, 1)["weapons"]) == (5, 1)


def test_which_site_his_rain_takes() -> None:
    """§15.8: most human workers, then fewest of his own."""
    assert expected("solo-rain-site")["site"] == "s08"
    sites = BARE | {"s03": "ps04", "s08": "ps05", "s14": "ps06", "s13": None}
    who = pakal(
        deck(1), pyramid={"1,0": ["pt18", "blue"], "1,1": ["pt19", "blue"]}, resources=4, workers={"edzna": [1, 0]}
    )
    human = {"workers": {"chichen_itza": [2, 0], "lamanai": [2, 0], "palenque": [1, 0]}}
    gods = {"chichen_itza": "jaguar", "edzna": "jaguar"}
    state = against(who, human, sites=sites, city_gods=gods)
    select(state, {0: (5, 6)})
    assert dump(state)["sites"]["s08"] is None
    assert player(state, 1)["resources"] == expected("solo-rain-site")["pakal_resources"]


def test_which_worker_his_jaguar_takes() -> None:
    """§15.8: with equal margins and counts, that of the least-preferred god."""
    want = expected("solo-jaguar")
    who = pakal(deck(1), pyramid={"1,0": ["pt14", "yellow"]}, workers={"tikal": [1, 0], "tulum": [1, 0]})
    human = {"workers": {"tikal": [3, 0], "tulum": [3, 0]}}
    gods = {"uxmal": "jaguar", "chichen_itza": "chief", "edzna": "chief", "tikal": "rain", "tulum": "sun"}
    sites = BARE | {"s11": "ps01", "s02": "ps02"}
    after = his_turn(who, human, city_gods=gods, sites=sites)
    assert after["workers"][want["removed_from"]] == [0, 0]
    assert after["fame"] == want["fame_gain"] + MARK


def test_his_jaguar_needs_no_site() -> None:
    """§15.8: only the human needs a worker that touches a site."""
    who = pakal(deck(1), pyramid={"1,0": ["pt14", "yellow"]}, workers={"tulum": [1, 0]})
    gods = {"uxmal": "jaguar", "chichen_itza": "chief", "edzna": "chief"}
    after = his_turn(who, city_gods=gods, sites=BARE)
    assert after["workers"]["tulum"] == [0, 0]
    assert after["fame"] == 1 + MARK


@pytest.mark.parametrize(
    ("name", "done", "pyramid", "kept"),
    [
        ("solo-build-order", 4, LEVEL_1, False),
        ("solo-build-order-2", 8, LEVEL_2, False),
        ("solo-build-order-3", 11, LEVEL_2 | {"3,0": ["pt54", "white"], "3,1": ["pt55", "white"]}, True),
    ],
)
def test_the_sequence_of_items(name: str, done: int, pyramid: dict[str, Any], kept: bool) -> None:
    """§15.9: buildings gained otherwise do not count."""
    assert expected(name)["item"] == ("level 4" if kept else "building")
    who = pakal(deck(1), pyramid=pyramid, reserve=["pt18"], resources=4, items_done=done, buildings=["bt02"])
    after = his_turn(who, city_gods=dict.fromkeys(CITY_GODS, "jaguar"), offer=[None, "bt22", None], sites=BARE)
    assert len(after["buildings"]) == (1 if kept else 2)
    assert ("4,0" in after["pyramid"]) == kept
    assert after["items_done"] == done + 1


def test_he_trades_in_tiles_but_never_the_one_he_builds() -> None:
    """§15.9, R-31, R-56"""
    want = expected("solo-level3-trade")
    who = pakal(deck(1), pyramid=LEVEL_2, reserve=["pt18", "pt19", "pt20"], resources=2, items_done=9)
    after = his_turn(who, city_gods=dict.fromkeys(CITY_GODS, "jaguar"), sites=BARE)
    assert after["resources"] == want["resources"]
    assert len(after["reserve"]) == want["reserve"]
    assert after["pyramid"]["3,0"][0] in ("pt18", "pt19", "pt20")


@pytest.mark.parametrize(
    ("name", "pyramid", "done", "resources", "built"),
    [
        ("solo-merchant-exception", LEVEL_2 | {"3,0": ["pt54", "white"]}, 10, 4, True),
        ("solo-merchant", LEVEL_1, 5, 4, False),
    ],
)
def test_the_merchant_produces_unless_he_finishes(
    name: str, pyramid: dict[str, Any], done: int, resources: int, built: bool
) -> None:
    """R-39, §15.14"""
    want = expected(name)
    assert (want["action"] == "build") == built
    who = pakal([1, "merchant", 2, 3], pyramid=pyramid, reserve=["pt18", "pt20"], resources=resources, items_done=done)
    who["workers"]["chichen_itza"] = who["workers"]["uxmal"] = who["workers"]["edzna"] = [1, 0]
    who["pool"] = 9
    human = {"workers": {city: [2, 0] for city in CITY_GODS if city not in ("tikal",)}, "pool": 12}
    gods = dict.fromkeys(CITY_GODS, "jaguar")
    after = his_turn(who, human, city_gods=gods)
    assert (after["items_done"] > done) == built
    if not built:
        assert after["resources"] == resources + 3 + 2


def test_without_a_site_his_merchant_builds() -> None:
    """R-43"""
    who = pakal([1, "merchant", 2, 3], reserve=["pt18"], resources=3)
    after = his_turn(who, city_gods=dict.fromkeys(CITY_GODS, "jaguar"), sites=BARE)
    assert after["items_done"] == 1


def test_by_night_a_tie_in_a_city_is_his() -> None:
    """§15.2, §15.13, R-33"""
    want = expected("solo-night-city-tie")
    fames = []
    for workers in ([1, 0], [0, 0]):
        who = pakal(deck(1), workers={"quirigua": workers})
        human = {"workers": {"quirigua": workers}, "pool": 1}
        state = against(who, human, solo_board="night", sites=BARE)
        select(state, {0: (3, 6)})
        while legal(state):
            apply(state, plainest(legal(state)))
        fames.append((player(state, 1)["fame"], player(state)["fame"]))
    assert [one - other for one, other in zip(*fames, strict=True)] == [want["pakal"], want["human"]]


def test_where_a_reward_lays_his_worker_down() -> None:
    """§15.11"""
    want = expected("solo-lay-down-reward")
    who = pakal(deck(1), pyramid=LEVEL_1, reserve=["pt18"], resources=4, items_done=5)
    who["workers"] |= {"tikal": [1, 0], "tulum": [2, 0]}
    who["pool"] = 9
    gods = dict.fromkeys(CITY_GODS, "chief") | {"tikal": "rain", "tulum": "jaguar"}
    human = {"workers": {"tikal": [1, 0], "uxmal": [3, 0], "chichen_itza": [3, 0], "edzna": [3, 0]}, "pool": 2}
    after = his_turn(who, human, city_gods=gods, sites=BARE)
    assert after["workers"][want["city"]] == [0, 1]


def test_a_temple_reward_goes_where_it_scores_most() -> None:
    """§15.11, R-52: "temples" counts the marker as if it were placed."""
    who = pakal(deck(1), buildings=["bt02", "bt03"], resources=3, items_done=4, pyramid=LEVEL_1)
    scoring = dict(
        zip(
            ("chief", "rain", "trade", "sun", "jaguar"),
            ("might", "symbols", "temples", "resource_colours", "buildings"),
            strict=True,
        )
    )
    state = against(
        who, offer=[None, "bt22", None], sites=BARE, scoring=scoring, city_gods=dict.fromkeys(CITY_GODS, "chief")
    )
    select(state, {0: (5, 6)})
    assert [god for god, spaces in dump(state)["temples"].items() if 1 in spaces] == ["jaguar"]


def test_his_sixth_building_replaces_the_leftmost() -> None:
    """R-32, §15.10"""
    who = pakal(deck(1), buildings=FIVE, resources=3, items_done=4, pyramid=LEVEL_1)
    after = his_turn(who, offer=[None, "bt22", None], sites=BARE, city_gods=dict.fromkeys(CITY_GODS, "chief"))
    assert after["buildings"] == ["bt22", *FIVE[1:]]


def test_trade_makes_majorities_with_few_workers() -> None:
    """R-29, R-50, §15.8: each from the best source at that moment; unused strength is Fame."""
    built = {"1,0": ["pt10", "yellow"], "1,1": ["pt11", "yellow"]}
    who = pakal(deck(1), pyramid=built, workers={"tikal": [4, 0]})
    human = {"workers": {"lamanai": [1, 0]}}
    gods = dict.fromkeys(CITY_GODS, "jaguar") | {"edzna": "trade"}
    after = his_turn(who, human, city_gods=gods, sites=BARE)
    assert (after["workers"]["tikal"], after["workers"]["tulum"]) == ([3, 0], [1, 0])
    assert after["fame"] == MARK


def test_his_high_priestess_tries_one_god_after_the_other() -> None:
    """R-55, R-65: rain is impossible without sites, chief is next."""
    built = {"1,0": ["pt08", "yellow"], "1,1": ["pt06", "yellow"]}
    after = his_turn(pakal([1, "high_priestess", 2, 3], pyramid=built, resources=0), sites=BARE)
    assert len(after["reserve"]) == 2


def test_he_returns_a_random_tile() -> None:
    """R-47, §10.3"""
    who = pakal(deck(1), reserve=["pt18", "pt19", "pt20", "pt21"], resources=0)
    state = against(who, bag=[f"pt{number}" for number in range(40, 48)], sites=BARE)
    select(state, {0: (5, 6)})
    while legal(state) and dump(state)["round"] == 1:
        apply(state, plainest(legal(state)))
    assert len(player(state, 1)["reserve"]) == 2
    assert dump(state)["bag"] == []
