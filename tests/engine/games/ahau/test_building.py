"""Building pyramids and buildings (RULES §7.5-§7.11), effects of buildings, and rewards (§8)."""

from typing import Any

import pytest

from ballcourt.engine.games.ahau.state import AhauState
from tests.engine.games.ahau.decisions import NotLegal
from tests.engine.games.ahau.playing import (
    COLOURS,
    asked,
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

EACH = dict.fromkeys(COLOURS, 1)
MANY = dict.fromkeys(COLOURS, 9)
LEVEL_1 = {"1,0": ["pt40", "brown"], "1,1": ["pt12", "yellow"], "1,2": ["pt18", "blue"], "1,3": ["pt48", "white"]}
FIVE = ["bt01", "bt07", "bt11", "bt19", "bt04"]


def building(seat: dict[str, Any], city: str = "uxmal", right: Any = None, **given: Any) -> AhauState:  # noqa: ANN401
    """Place the worker in a city of region 1 and choose to build."""
    state = turn(1, right, seat={0: seat}, **given)
    play(state, f"place_worker {city}")
    until(state, 0, "main")
    play(state, "main build")
    return state


def test_the_example_of_building() -> None:
    """§7.5, §7.6, §7.7, §8.1"""
    want = expected("build-example")
    seat = {
        "pyramid": LEVEL_1 | {"2,1": ["pt40", "brown"], "2,2": ["pt42", "brown"], "1,0": ["pt08", "yellow"]},
        "reserve": ["pt43"],
        "resources": {"brown": 2, "yellow": 1, "white": 2},
        "workers": {"uxmal": [1, 0]},
    }
    state = building(seat, offer=[None, "bt15", None])
    play(state, "build_offer 1", "pay brown white", "reward_resource blue")
    before = fame(state)[0]
    play(state, "build_tile pt43 3 1", "pay brown yellow white")
    assert fame(state)[0] - before == want["pyramid_adjacency_fame"] + want["pyramid_space_fame"]
    assert ("build_tile" in asked(state)) == want["third_build_allowed"]
    assert player(state)["pyramid"]["3,1"] == ["pt43", "brown"]
    assert owned(state) == {"blue": 1}


def test_a_space_needs_both_spaces_below_it() -> None:
    """§7.6"""
    assert expected("build-unsupported")["legal"] is False
    two = {name: LEVEL_1[name] for name in ("1,0", "1,1")}
    state = building({"pyramid": two, "reserve": ["pt20"], "resources": EACH})
    assert offered(state, "build_tile") == [["pt20", 1, 2], ["pt20", 1, 3], ["pt20", 2, 0]]
    with pytest.raises(NotLegal):
        play(state, "build_tile pt20 2 1")


def test_a_wild_tile_takes_the_colour_of_a_token_paid() -> None:
    """§7.6, §8.1"""
    want = expected("build-wild")
    seat = {
        "pyramid": {"1,0": ["pt48", "white"], "1,1": ["pt22", "blue"]},
        "reserve": ["pt59"],
        "resources": {"blue": 1, "white": 1},
    }
    state = building(seat)
    play(state, "build_tile pt59 2 0", "pay blue white")
    assert offered(state, "wild_colour") == ["blue", "white"]
    play(state, "wild_colour white")
    assert player(state)["pyramid"]["2,0"] == ["pt59", want["tile_colour"]]
    assert (fame(state)[0], player(state)["weapons"]) == (want["adjacency_fame"], 1)
    assert owned(state) == {}


def test_a_tile_costs_different_colours_including_its_own() -> None:
    """§7.6"""
    state = building({"pyramid": LEVEL_1, "reserve": ["pt20"], "resources": MANY})
    play(state, "build_tile pt20 2 0")
    assert offered(state, "pay") == [["black", "blue"], ["blue", "brown"], ["blue", "white"], ["yellow", "blue"]] or {
        frozenset(paid) for paid in offered(state, "pay")
    } == {frozenset(("blue", other)) for other in COLOURS if other != "blue"}


def test_a_monument_doubles_the_neighbours() -> None:
    """§12.6"""
    seat = {
        "buildings": ["bt19"],
        "pyramid": {"1,0": ["pt18", "blue"], "1,1": ["pt22", "blue"]},
        "reserve": ["pt19"],
        "resources": MANY,
    }
    state = building(seat)
    play(state, "build_tile pt19 2 0", "pay blue white")
    assert fame(state)[0] == expected("build-monument")["adjacency_fame"]


def test_slot_space_plaza_and_ball_court_reward_a_building_in_order() -> None:
    """§7.7, §12.2, §12.6, R-54, §8.5"""
    want = expected("build-offer-right-chain")
    seat = {"buildings": ["bt02", "bt13"], "resources": {"blue": 1, "black": 1}}
    state = building(seat, offer=[None, None, "bt05"], role_deck=["queen", "dancer"])
    play(state, "build_offer 2", "pay blue black")
    assert fame(state)[0] == want["slot_fame"]
    assert offered(state, "role_pick") == ["dancer", "queen"]
    play(state, "role_pick dancer")
    assert fame(state)[0] == want["slot_fame"] + want["plaza_fame"]
    assert step(state) == want["might_step"]
    assert offered(state, "reward_resource") == sorted(COLOURS)
    play(state, "reward_resource white")
    assert player(state)["buildings"].index("bt05") == want["building_space"]
    assert player(state)["hand"][-1] == "dancer"
    assert dump(state)["role_deck"] == ["queen"]
    assert dump(state)["offer"] == [None, None, None]


def test_a_ball_court_counts_itself() -> None:
    """§12.2, §12.9"""
    state = building({"resources": EACH}, offer=[None, "bt02", None])
    play(state, "build_offer 1", "pay blue black brown white", "reward_resource blue")
    assert step(state) == expected("build-ball-court-itself")["might_advances"]


def test_two_ball_courts_give_two_steps() -> None:
    """§12.2, §12.9, §8.6"""
    state = building({"resources": EACH, "buildings": ["bt02", "bt03"]}, offer=[None, "bt07", None])
    play(state, "build_offer 1", "pay black brown")
    play(state, "reward_resource blue")
    assert step(state) == 2
    assert len(player(state)["reserve"]) == 2


def test_a_sixth_building_replaces_one() -> None:
    """§7.8, §12.9"""
    want = expected("build-sixth")
    state = building({"buildings": FIVE, "resources": EACH}, offer=[None, "bt22", None])
    play(state, "build_offer 1", "pay yellow white")
    assert offered(state, "replace") == [0, 1, 2, 3, 4]
    play(state, "replace 0")
    assert player(state)["buildings"] == ["bt22", *FIVE[1:]]
    assert len(player(state)["buildings"]) == want["buildings_built"]
    assert fame(state)[0] == want["slot_fame"]
    assert asked(state) == {"build_stop"} or asked(state) == {"place_worker"}
    assert not any("bt01" in str(part) for name, part in dump(state).items() if name != "player")


def test_a_market_lets_two_tokens_count_as_any_colour() -> None:
    """§7.11, R-15"""
    want = expected("build-market")
    seat = {
        "buildings": ["bt08"],
        "resources": {"blue": 2, "black": 1},
        "workers": {"uxmal": [1, 0]},
        "reserve": ["pt40"],
    }
    state = building(seat, offer=[None, "bt22", None])
    assert offered(state, "build_tile") == [["pt40", 1, place] for place in range(4)]
    assert want["legal"] is True
    play(state, "build_offer 1", "pay blue blue", "reward_resource black") if False else play(
        state, "build_offer 1", "pay blue blue"
    )
    until(state, 0, "build_stop")
    assert offered(state, "build_tile") == []
    assert want["market_uses_left_this_step"] == 0


def test_a_workshop_adds_one_to_the_limit() -> None:
    """§7.5, R-12, §12.8"""
    seat = {"buildings": ["bt24"], "reserve": ["pt20", "pt21", "pt22"], "resources": MANY}
    state = building(seat)
    built = 0
    while "build_tile" in asked(state):
        play(state, f"build_tile {player(state)['reserve'][0]} 1 {(0, 3, 1)[built]}", "pay blue")
        built += 1
    assert built == expected("build-workshop")["limit"]


def test_a_lying_worker_allows_two_tiles() -> None:
    """§7.5, §1.7, §8.4, R-12: laying down while building counts at once."""
    pyramid = LEVEL_1 | {"2,0": ["pt41", "brown"]}
    seat = {"pyramid": pyramid, "reserve": ["pt20", "pt21"], "resources": MANY}
    state = building(seat)
    play(state, "build_tile pt20 2 2", "pay blue white", "reward_lay_down uxmal")
    assert "build_tile" in asked(state)


def test_the_master_builder_discounts_two_tiles() -> None:
    """§7.10, R-13, R-14, §13.4"""
    want = expected("build-master-builder")["tokens_paid"]
    seat = {
        "role": "master_builder",
        "hand": [1, 2, 3, "master_builder"],
        "pyramid": {name: LEVEL_1[name] for name in ("1,0", "1,1", "1,2")},
        "reserve": ["pt20", "pt60"],
        "resources": MANY,
        "workers": {"uxmal": [3, 0]},
    }
    state = building(seat, right="master_builder", offer=["bt08", None, None])
    play(state, "build_tile pt20 2 0")
    assert {len(paid) for paid in offered(state, "pay")} == {want[0]}
    assert len(offered(state, "pay")) == 5
    play(state, "pay black", "build_offer 0")
    assert {len(paid) for paid in offered(state, "pay")} == {want[1]}
    play(state, "pay white", "reward_resource black", "build_tile pt60 1 3")
    assert {len(paid) for paid in offered(state, "pay")} == {want[2]}
    assert player(state)["discounts_used"] == 2


def test_a_wild_tile_built_at_no_cost_takes_any_colour() -> None:
    """R-14, §7.10"""
    seat = {"role": "master_builder", "hand": [1, 2, 3, "master_builder"], "reserve": ["pt60"]}
    state = building(seat, right="master_builder")
    play(state, "build_tile pt60 1 0")
    if asked(state) == {"pay"}:
        assert offered(state, "pay") == [[]]
        play(state, "pay")
    assert offered(state, "wild_colour") == sorted(COLOURS)
    play(state, "wild_colour black")
    assert player(state)["pyramid"] == {"1,0": ["pt60", "black"]}


def test_the_left_slot_costs_one_resource_less() -> None:
    """§7.7, §7.10"""
    state = building({"resources": EACH}, offer=["bt22", None, None])
    play(state, "build_offer 0")
    assert offered(state, "pay") == [["white"], ["yellow"]]
    play(state, "pay white")
    assert fame(state)[0] == 0


def test_level_4_triggers_the_end() -> None:
    """§7.6, §3.2"""
    full = LEVEL_1 | {f"{level},{place}": ["pt41", "brown"] for level in (2, 3) for place in range(4 - level + 1)}
    state = building({"pyramid": full, "reserve": ["pt20"], "resources": MANY})
    assert not dump(state)["end_triggered"]
    play(state, "build_tile pt20 4 0", "pay blue black brown white")
    assert dump(state)["end_triggered"]


def test_the_region_bonus_is_free() -> None:
    """§5.3, §7.9, R-38, R-13"""
    seat = {"workers": {"chichen_itza": [1, 0], "edzna": [0, 1]}, "buildings": ["bt02", "bt13"]}
    state = turn(1, seat={0: seat}, buildings={1: "bt22"}, role_deck=[])
    play(state, "place_worker uxmal")
    assert offered(state, "region_bonus") == [False, True]
    play(state, "region_bonus true", "reward_resource blue")
    assert fame(state)[0] == 3
    assert step(state) == 1
    assert dump(state)["regions"]["1"]["building"] is None


def test_the_region_bonus_is_that_of_the_rulers_region() -> None:
    """§5.3"""
    seat = {"workers": {"chichen_itza": [1, 0], "uxmal": [1, 0]}}
    state = turn(2, seat={0: seat}, buildings={1: "bt22"})
    play(state, "place_worker edzna")
    assert ("region_bonus" in asked(state)) == expected("region-bonus-needs-ruler")["region_bonus_offered"]


# -- rewards


@pytest.mark.parametrize(
    ("board", "place", "kind", "gained"),
    [
        ("day", 1, "reward_resource blue", {"resources": {"blue": 1}}),
        ("day", 2, None, {"reserve": 1}),
        ("night", 0, None, {"weapons": 1}),
        ("night", 3, "reward_resource blue", {"resources": {"blue": 1}}),
        ("night", 1, None, {}),
    ],
)
def test_a_space_gives_its_reward(board: str, place: int, kind: str | None, gained: dict[str, Any]) -> None:
    """§8.1, §8.2, §7.6, R-01, R-62"""
    state = building({"reserve": ["pt20"], "resources": {"blue": 1}}, board=board)
    play(state, f"build_tile pt20 1 {place}", "pay blue")
    if kind:
        play(state, kind)
    who = player(state)
    assert who["weapons"] == gained.get("weapons", 0)
    assert len(who["reserve"]) == gained.get("reserve", 0)
    assert owned(state) == gained.get("resources", {})


def test_a_temple_reward_goes_to_a_temple_without_a_marker_of_the_player() -> None:
    """§8.2"""
    pyramid = LEVEL_1 | {"2,0": ["pt41", "brown"], "2,1": ["pt41", "brown"]}
    temples = {"rain": [0, None, None, None, None], "sun": [1, None, None, None, None]}
    state = building({"pyramid": pyramid, "reserve": ["pt54"], "resources": MANY}, temples=temples)
    play(state, "build_tile pt54 3 0", "pay blue black white")
    assert offered(state, "reward_temple") == ["chief", "jaguar", "sun", "trade"]
    play(state, "reward_temple sun")
    assert dump(state)["temples"]["sun"] == [1, 0, None, None, None]
    assert fame(state)[0] == 1


def test_the_top_of_might_gives_fame() -> None:
    """§8.3: the marker also goes to the top of the stack."""
    seat = {"resources": EACH, "buildings": ["bt02"]}
    state = building(seat, offer=[None, "bt07", None], might=[*[[] for _ in range(10)], [0, 1]])
    play(state, "build_offer 1", "pay black brown")
    assert fame(state)[0] == 1 + 3
    assert dump(state)["might"][10] == [1, 0]


def test_a_later_role_reward_takes_the_card_back() -> None:
    """§8.5, R-01"""
    hand = [1, 2, 3, 4, 5, 6]
    seat = {"role": "queen", "discard": ["queen"], "hand": hand, "resources": EACH, "buildings": ["bt07", "bt11"]}
    state = building(seat, offer=[None, "bt22", None])
    play(state, "build_offer 1", "pay yellow white")
    assert offered(state, "role_back") == ["queen", None]
    play(state, "role_back queen")
    assert "queen" in player(state)["hand"]


def test_a_reward_without_an_option_lapses() -> None:
    """R-42, R-01: there is no Role card left and no standing worker."""
    seat = {"resources": EACH, "buildings": ["bt07", "bt11"]}
    state = building(seat, offer=[None, "bt22", None], role_deck=[])
    play(state, "build_offer 1", "pay yellow white")
    assert asked(state) <= {"build_stop", "place_worker"}


def test_after_a_used_market_is_replaced_only_exact_payments_are_offered() -> None:
    """§7.8, §7.11, §12.9"""
    seat = {
        "buildings": ["bt08", *FIVE[1:]],
        "resources": {"blue": 3},
        "reserve": ["pt20"],
        "workers": {"uxmal": [1, 0]},
    }
    state = building(seat, offer=[None, "bt22", None])
    play(state, "build_offer 1", "pay blue blue", "replace 0")
    play(state, "build_tile pt20 1 0", "pay blue")
    assert player(state)["pyramid"]["1,0"] == ["pt20", "blue"]
