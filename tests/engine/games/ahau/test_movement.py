"""The Movement Phase: cards, conflicts, tiles (RULES §4)."""

from typing import Any

import pytest

from ballcourt.engine.games.ahau.state import AhauState
from tests.engine.games.ahau.decisions import NotLegal, apply, legal
from tests.engine.games.ahau.playing import (
    asked,
    at_table,
    expected,
    fame,
    offered,
    play,
    player,
    select,
    step,
    turn,
    until,
)
from tests.engine.games.ahau.positions import dump


def pairs(state: AhauState, seat: int = 0) -> list[list[Any]]:
    return [words[2:] for words in legal(state) if words[:2] == [seat, "select_cards"]]


@pytest.mark.parametrize(
    ("name", "players", "cards"),
    [
        ("select-six-left-side-a", 2, [6, 2]),
        ("select-six-right-side-a", 2, [2, 6]),
        ("select-six-left-side-b", 4, [6, 2]),
        ("select-role-six-side-a", 2, ["dancer", 4]),
    ],
)
def test_on_side_a_the_left_card_is_at_most_5(name: str, players: int, cards: list[Any]) -> None:
    """§4.1, §1.6, §13.1"""
    hand = [4, "dancer"] if "dancer" in cards else [1, 2, 6]
    state = at_table(players, seat={0: {"hand": hand, "role": "dancer" if "dancer" in cards else None}})
    assert (cards in pairs(state)) == expected(name)["legal"]
    if "region" in expected(name):
        select(state, {0: (6, 2), 1: (1, 2), 2: (2, 1), 3: (3, 1)})
        assert player(state)["ruler"] == expected(name)["region"]


def test_a_selection_is_two_different_cards_in_order() -> None:
    """§4.1, §1.4: six cards give 25 pairs on side a, 30 on side b."""
    assert len(pairs(at_table(2))) == 25
    assert len(pairs(at_table(5), 4)) == 30


def test_all_select_at_once_and_reveal_together() -> None:
    """§4.1, §4.2, §1.3, R-03"""
    state = at_table(3)
    assert state.pending_seats() == [0, 1, 2]
    apply(state, [1, "select_cards", 2, 6])
    assert state.pending_seats() == [0, 2]
    assert (player(state, 1)["left"], player(state, 1)["ruler"]) == (None, 0)
    apply(state, [0, "select_cards", 3, 6])
    apply(state, [2, "select_cards", 4, 6])
    assert [player(state, seat)["ruler"] for seat in range(3)] == [3, 2, 4]
    assert (player(state, 1)["left"], player(state, 1)["right"]) == (2, 6)
    assert player(state, 1)["hand"] == [1, 3, 4, 5]


def test_the_example_of_a_conflict_of_three() -> None:
    """§4.3"""
    want = expected("conflict-example")
    green, red, purple, other = 0, 1, 2, 3
    state = at_table(
        4,
        might=[[3, purple, red, green], *[[] for _ in range(10)]],
        seat={red: {"weapons": 1}, purple: {"role": "queen", "hand": [1, 2, 3, 4, 5, 6, "queen"]}},
    )
    select(state, {green: (3, 6), red: (3, 2), purple: (3, "queen"), other: (5, 1)})
    assert state.pending_seats() == [green]
    play(state, "might_advance false")
    assert want["loser_order"] == ["red", "purple"]
    assert offered(state, "relocate") == want["relocate_options"]["red"]
    assert state.pending_seats() == [red]
    play(state, "relocate 4")
    assert offered(state, "relocate") == want["relocate_options"]["purple"]
    play(state, "relocate 6")
    assert {name: player(state, seat)["ruler"] for name, seat in (("green", 0), ("red", 1), ("purple", 2))} == want[
        "regions"
    ]
    assert {name: player(state, seat)["weapons"] for name, seat in (("green", 0), ("red", 1), ("purple", 2))} == want[
        "weapons"
    ]
    assert [player(state, seat)["lost_region"] for seat in range(4)] == [0, 3, 3, 0]


@pytest.mark.parametrize(
    ("name", "steps"),
    [("conflict-tie-stack", [[], [], [0, 1]]), ("conflict-tie-step", [[], [], [1], [0]])],
)
def test_ties_are_broken_on_the_might_track(name: str, steps: list[list[int]]) -> None:
    """§4.3"""
    state = at_table(2, might=[*steps, *[[] for _ in range(11 - len(steps))]])
    select(state, {0: (3, 5), 1: (3, 5)})
    assert state.pending_seats() == ["AB".index(expected(name)["winner"])]


def test_losers_are_ordered_by_strength() -> None:
    """§4.3"""
    want = expected("conflict-three-way-order")
    state = at_table(3, seat={1: {"weapons": 4}, 2: {"weapons": 1}})
    select(state, {0: (3, 4), 1: (3, 5), 2: (3, 5)})
    assert state.pending_seats() == ["ABC".index(want["winner"])]
    play(state, "might_advance true", "reward_resource blue")
    losers = []
    while "relocate" in asked(state):
        losers.append("ABC"[state.pending_seats()[0]])
        apply(state, legal(state)[0])
    assert losers == want["loser_order"]


def test_conflicts_are_resolved_in_ascending_order() -> None:
    """§4.3: a ruler that waits for a later conflict still occupies its region."""
    assert expected("conflict-two-regions")["order"] == [2, 5]
    state = at_table(4)
    select(state, {0: (2, 6), 1: (2, 1), 2: (5, 6), 3: (5, 1)})
    play(state, "might_advance false")
    assert (state.pending_seats(), offered(state, "relocate")) == ([1], [1, 3, 4])
    play(state, "relocate 4")
    assert state.pending_seats() == [2]


def test_a_loser_without_a_free_adjacent_region_goes_to_any_free_region() -> None:
    """§4.3"""
    state = at_table(5)
    select(state, {0: (1, 6), 1: (1, 2), 2: (2, 1), 3: (3, 1), 4: (4, 1)})
    play(state, "might_advance false")
    assert offered(state, "relocate") == expected("relocate-fallback")["options"]


def test_five_rulers_in_a_conflict_all_find_a_region() -> None:
    """§4.3: the last loser has two regions left."""
    state = at_table(5)
    select(state, {seat: (1, seat + 2) for seat in range(5)})
    play(state, "might_advance false")
    while "relocate" in asked(state):
        apply(state, legal(state)[0])
    assert len({player(state, seat)["ruler"] for seat in range(5)}) == 5
    assert [player(state, seat)["weapons"] for seat in range(5)] == [1, 1, 1, 1, 0]


def test_a_loser_gains_a_weapon_up_to_ten() -> None:
    """§4.3, §8.1, R-37"""
    state = at_table(2, seat={1: {"weapons": 10}, 0: {"weapons": 10}})
    select(state, {0: (3, 6), 1: (3, 5)})
    play(state, "might_advance false")
    assert player(state, 1)["weapons"] == expected("weapon-cap")["weapons"]


@pytest.mark.parametrize(("advance", "after"), [("true", 2), ("false", 1)])
def test_the_winner_may_advance(advance: str, after: int) -> None:
    """§4.3, R-36, §8.3: the second step draws two tiles."""
    assert expected("might-middle") == {"might_step": 2, "reward": "draw 2"}
    state = at_table(2, might=[[1], [0], *[[] for _ in range(9)]])
    select(state, {0: (3, 6), 1: (3, 5)})
    play(state, f"might_advance {advance}")
    assert step(state) == after
    assert player(state)["reserve"] == (["pt16", "pt17"] if after == 2 else [])


def test_city_walls_let_a_loser_stay() -> None:
    """§12.3, §4.3, §5.1, §5.3"""
    want = expected("city-walls-stay")
    state = at_table(
        4,
        seat={1: {"buildings": ["bt04"]}},
        might=[[2, 3], [0], [], [1], *[[] for _ in range(7)]],
    )
    select(state, {0: (4, 6), 1: (4, 1), 2: (1, 2), 3: (2, 1)})
    play(state, "might_advance false")
    assert want["B_region"] in offered(state, "relocate")
    play(state, "relocate 4")
    assert (player(state, 1)["weapons"], player(state, 1)["ruler"]) == (want["B_weapons_gain"], want["B_region"])
    until(state, 1, "place_worker")
    assert player(state, 0)["pool"] == 12
    assert offered(state, "place_worker") == ["calakmul", "lamanai", "tikal", "yaxchilan"]
    assert want["take_and_action_order_in_region_4"] == ["B", "A"]
    assert want["B_may_place_next_to_lost_region"]


def test_a_giant_stele_rewards_the_winner() -> None:
    """§12.5"""
    want = expected("giant-stele")
    state = at_table(2, seat={0: {"buildings": ["bt07"]}})
    select(state, {0: (3, 6), 1: (3, 5)})
    assert (fame(state)[0], player(state)["weapons"]) == (want["fame_gain"], want["weapons_gain"])
    play(state, "might_advance false")
    assert step(state) == want["might_change"]


def test_the_royal_palace_wins_ties() -> None:
    """§12.7"""
    state = at_table(2, seat={0: {"buildings": ["bt21"]}})
    select(state, {0: (3, 5), 1: (3, 5)})
    assert state.pending_seats() == [0]


def captain() -> AhauState:
    hand = [1, 2, 3, 4, 5, 6, "war_captain"]
    state = at_table(4, seat={0: {"role": "war_captain", "hand": hand}})
    return select(state, {0: (5, "war_captain"), **{seat: (seat, None) for seat in (1, 2, 3)}})


def test_the_war_captain_moves_to_an_adjacent_region() -> None:
    """§13.5"""
    assert expected("war-captain-not-adjacent")["legal"] is False
    state = captain()
    assert offered(state, "war_captain") == [2, 4, 6, None]
    with pytest.raises(NotLegal):
        play(state, "war_captain 3")
    play(state, "war_captain 2")
    assert player(state)["ruler"] == 2
    assert asked(state) == {"relocate"} or asked(state) == {"might_advance"}


def test_the_war_captain_may_stay() -> None:
    """§13.5"""
    state = captain()
    play(state, "war_captain null")
    assert player(state)["ruler"] == 5


# -- tiles


def picks(tiles: dict[int, list[str | None]], *buildings: str, players: int = 2) -> list[Any]:
    state = at_table(players, tiles=tiles, seat={0: {"buildings": list(buildings)}})
    select(state, {0: (1, 6), **{seat: (6 - seat, 1) for seat in range(1, players)}})
    return [words[2] for words in legal(state) if words[:2] == [0, "take_tile"]]


OWN: dict[int, list[str | None]] = {1: ["pt06", "pt07"]}
AROUND: dict[int, list[str | None]] = OWN | {2: ["pt08", None], 3: [None, "pt09"]}


def test_one_tile_of_the_rulers_region_is_taken() -> None:
    """§4.4, R-05"""
    assert sorted(picks(AROUND)) == [[[1, 0]], [[1, 1]]]
    state = at_table(2, tiles=OWN)
    select(state, {0: (1, 6), 1: (5, 6)})
    play(state, "take_tile 1,1")
    assert player(state)["reserve"] == ["pt07"]
    assert dump(state)["regions"]["1"]["tiles"] == ["pt06", None]


def test_in_an_empty_region_nothing_is_taken() -> None:
    """§4.4, R-05"""
    assert picks({2: ["pt06", "pt07"]}) == []


def test_a_gateway_adds_adjacent_regions() -> None:
    """§4.4, §12.4"""
    assert sorted(picks(AROUND, "bt05")) == [[[1, 0]], [[1, 1]], [[2, 0]], [[3, 1]]]
    assert picks({2: [None, "pt07"], 4: ["pt08", None]}, "bt05") == [[[2, 1]]]


def test_an_observation_tower_takes_both_tiles() -> None:
    """§4.4, §12.4"""
    assert sorted(map(sorted, picks(AROUND, "bt10"))) == [[[1, 0]], [[1, 0], [1, 1]], [[1, 1]]]


@pytest.mark.parametrize(
    ("name", "gateways", "most"), [("tower-gateway", ["bt05"], 1), ("tower-two-gateways", ["bt05", "bt06"], 2)]
)
def test_an_observation_tower_combines_with_gateways(name: str, gateways: list[str], most: int) -> None:
    """§4.4, §12.4, §12.9"""
    found = picks(AROUND, "bt10", *gateways, players=5)
    assert max(map(len, found)) == expected(name)["total"]
    assert max(sum(region != 1 for region, _ in pick) for pick in found) == most
    assert max(sum(region == 1 for region, _ in pick) for pick in found) == 2


def test_the_acropolis_pays_for_most_workers() -> None:
    """§4.5, §12.1"""
    want = expected("acropolis-win")["A_fame_gain"]
    here = {"workers": {"uxmal": [1, 1]}, "buildings": ["bt01"]}
    for others, gain in (([2, 0], want), ([3, 0], 0), ([0, 2], 0)):
        state = at_table(4, seat={0: here, 1: {"workers": {"edzna": others}}})
        select(state, {0: (1, 6), 1: (2, 6), 2: (4, 6), 3: (5, 6)})
        assert fame(state)[0] == gain


def test_a_tie_does_not_count_for_the_acropolis() -> None:
    """R-20"""
    state = at_table(
        2, seat={0: {"workers": {"uxmal": [1, 0]}, "buildings": ["bt01"]}, 1: {"workers": {"edzna": [1, 0]}}}
    )
    select(state, {0: (1, 6), 1: (4, 6)})
    assert fame(state)[0] == 0


# -- turn order and placing


def test_turns_are_taken_in_order_of_regions() -> None:
    """§5.1, R-06"""
    state = at_table(3)
    select(state, {0: (4, 1), 1: (2, 1), 2: (3, 1)})
    seats = []
    while "select_cards" not in asked(state):
        seats += state.pending_seats()
        apply(state, legal(state)[0]) if asked(state) == {"place_worker"} else until_turn_ends(state)
    assert list(dict.fromkeys(seats)) == [1, 2, 0]


def until_turn_ends(state: AhauState) -> None:
    play(state, "summon null") if "summon" in asked(state) else play(state, "main pass")


def test_a_loser_may_not_place_next_to_the_lost_region() -> None:
    """§5.3"""
    state = at_table(4)
    select(state, {0: (3, 1), 1: (3, 6), 2: (1, 2), 3: (6, 2)})
    play(state, "might_advance false", "relocate 4")
    until(state, 0, "place_worker")
    assert offered(state, "place_worker") == expected("place-after-loss-4")["cities"]


def test_placing_takes_a_worker_from_the_pool() -> None:
    """§5.3, §2.6"""
    state = turn(region=1)
    assert offered(state, "place_worker") == ["chichen_itza", "edzna", "uxmal"]
    play(state, "place_worker edzna")
    assert (player(state)["pool"], player(state)["workers"]["edzna"]) == (11, [1, 0])
