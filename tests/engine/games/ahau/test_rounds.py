"""The end of a turn, of a round, of a K'atun and of the game (RULES §5.6, §10, §11)."""

from typing import Any

import pytest

from ballcourt.engine.games.ahau.state import AhauState
from tests.engine.games.ahau.decisions import apply, legal
from tests.engine.games.ahau.playing import (
    GODS,
    SITES,
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
    turn,
    until,
)
from tests.engine.games.ahau.positions import dump

NOBODY = [None] * 5


def after_turn(players: int, hand: list[Any], discard: list[Any], cards: tuple[int, int]) -> dict[str, Any]:
    """Play one turn and return the player."""
    role = next((card for card in (*hand, *discard) if isinstance(card, str)), None)
    seat = {"hand": [*hand, *cards], "discard": discard, "role": role}
    state = at_table(players, seat={0: seat})
    select(state, {0: cards} | {number: (5 - number, 1) for number in range(1, players)})
    until(state, 0, "main")
    play(state, "main pass")
    return player(state)


@pytest.mark.parametrize(
    ("name", "players", "hand", "discard", "cards"),
    [
        ("redraw-one-card", 4, [4], [2, 3, 5], (1, 6)),
        ("no-redraw-two-cards", 4, [4, 6], [3, 5], (1, 2)),
        ("redraw-two-sixes-side-a", 2, [6, "dancer"], [3, 4, 5], (1, 2)),
        ("no-redraw-two-sixes-side-b", 4, [6, "dancer"], [3, 4, 5], (1, 2)),
    ],
)
def test_a_small_hand_takes_the_discards_back(
    name: str, players: int, hand: list[Any], discard: list[Any], cards: tuple[int, int]
) -> None:
    """§5.6"""
    who = after_turn(players, hand, discard, cards)
    wanted = ["dancer" if card == "role numbered 6" else card for card in expected(name)["hand"]]
    assert sorted(who["hand"], key=str) == sorted(wanted, key=str)
    assert who["discard"] == expected(name).get("discard", who["discard"])
    assert who["table"] == []


def test_regions_are_refilled() -> None:
    """§10.1: ascending, left before right; tiles not taken stay."""
    state = at_table(2, tiles={2: [None, "pt06"]})
    next_round(select(state, {0: (1, 2), 1: (5, 2)}))
    regions = dump(state)["regions"]
    assert [regions[str(number)]["tiles"] for number in (1, 2, 3)] == [
        ["pt16", "pt17"],
        ["pt18", "pt06"],
        ["pt19", "pt20"],
    ]
    assert dump(state)["bag"][0] == "pt25"


def test_the_offer_moves_left() -> None:
    """§10.2"""
    want = expected("offer-first-round")
    state = at_table(2, offer=[None, "bt01", "bt02"], building_stack=["bt03"])
    next_round(select(state, {0: (1, 2), 1: (5, 2)}))
    assert dump(state)["offer"] == [{"A": "bt01", "B": "bt02", "P": "bt03"}[name] for name in want["offer"]]
    assert dump(state)["building_discard"] == want["building_discard"]


def test_an_empty_stack_is_reshuffled_from_the_discards() -> None:
    """§10.2: the discards already include the building of the left slot."""
    state = at_table(2, offer=["bt01", "bt02", None], building_stack=[], building_discard=["bt03"])
    next_round(select(state, {0: (1, 2), 1: (5, 2)}))
    offer, stack = dump(state)["offer"], dump(state)["building_stack"]
    assert offer[0] == "bt02"
    assert sorted(part for part in [*offer[1:], *stack] if part) == ["bt01", "bt03"]
    assert dump(state)["building_discard"] == []


def test_buildings_of_regions_are_not_replaced() -> None:
    """§10.2"""
    state = at_table(2, building_stack=["bt03"] * 1, offer=["bt04", "bt05", "bt07"])
    next_round(select(state, {0: (1, 2), 1: (5, 2)}))
    assert [region["building"] for region in dump(state)["regions"].values()] == [None] * 5


# -- celebrations


def celebration(
    players: int = 2,
    seat: dict[int, dict[str, Any]] | None = None,
    keep: bool = False,
    **given: Any,  # noqa: ANN401
) -> AhauState:
    """Fill the calendar, so that the next round ends with a celebration, and play to its end."""
    last = {2: 6, 3: 8, 4: 10, 5: 12}[players]
    spare = [site for link, site in SITES.items() if site != "ps01"]
    calendar = ([] if players > 3 else ["ps09"]) + [site for site in spare if site != "ps09"]
    calendar = calendar[: last - 1]
    sites = {link: None for link, site in SITES.items() if site in calendar and (players > 3 or link != "s13")}
    state = turn(1, seat=seat, players=players, calendar=calendar, sites=sites, **given)
    play(state, "place_worker uxmal")
    until(state, 0, "main")
    play(state, "main produce", "produce_site s01")
    katun = dump(state)["katun"]
    while legal(state) and dump(state)["katun"] == katun:
        apply(state, plainest(legal(state)))
    return state


def scored(god: str, tile: str, seats: dict[int, dict[str, Any]], marked: list[int], **given: Any) -> list[int]:  # noqa: ANN401
    """Play a celebration with one relevant God Scoring tile; return the Fame except that for cities."""
    blank = dict.fromkeys(GODS, "symbols") | {god: tile}
    temples = {god: [*marked, *[None] * (5 - len(marked))]}
    with_marks = fame(celebration(seat=seats, temples=temples, scoring=blank, **given))
    without = fame(celebration(seat=seats, scoring=blank, **given))
    return [one - other for one, other in zip(with_marks, without, strict=True)]


SYMBOLS = {
    0: {
        "pyramid": {
            "1,0": ["pt06", "yellow"],
            "1,1": ["pt08", "yellow"],
            "1,2": ["pt10", "yellow"],
            "1,3": ["pt12", "yellow"],
        }
    },
    1: {"pyramid": {"1,0": ["pt16", "blue"], "1,1": ["pt18", "blue"], "1,2": ["pt20", "blue"]}},
}


def test_the_example_of_a_celebration() -> None:
    """§11.1: beige is seat 0, red is seat 1; every player with a marker gains the highest value.

    The example states the steps on Might. Beige has three colours and produces the fourth before the celebration.
    """
    want, situation = expected("katun-example"), VECTORS["katun-example"]["situation"]
    might: list[list[int]] = [[] for _ in range(11)]
    might[situation["might"]["beige"]], might[situation["might"]["red"]] = [0], [1]
    colours = dict.fromkeys(("black", "blue", "brown"), 1)
    assert situation["resource_colours"] == {"beige": len(colours) + 1, "red": len(colours)}
    given: dict[str, Any] = {
        "might": might,
        "seat": {seat: symbols | {"resources": colours} for seat, symbols in SYMBOLS.items()},
        "scoring": situation["scoring"] | {"chief": "temples", "jaguar": "buildings"},
    }
    seats = {"beige": 0, "red": 1}
    marks = {god: [*(seats[name] for name in names), *NOBODY][:5] for god, names in situation["markers"].items()}
    with_marks, without = fame(celebration(temples=marks, **given)), fame(celebration(**given))
    assert [one - other for one, other in zip(with_marks, without, strict=True)] == [want["beige"], want["red"]]


def test_the_highest_value_counts_even_without_a_marker() -> None:
    """§11.1"""
    want = expected("katun-no-marker")
    five = {
        "1,0": ["pt06", "yellow"],
        "1,1": ["pt08", "yellow"],
        "1,2": ["pt10", "yellow"],
        "1,3": ["pt12", "yellow"],
        "2,0": ["pt14", "yellow"],
    }
    two = {"1,0": ["pt16", "blue"], "1,1": ["pt18", "blue"]}
    assert scored("sun", "symbols", {0: {"pyramid": five}, 1: {"pyramid": two}}, [1]) == [want["A"], want["B"]]


def test_personal_scoring_uses_the_own_value() -> None:
    """§14.1"""
    want = expected("katun-personal-example")
    might: list[list[int]] = [[] for _ in range(11)]
    might[3], might[4] = [0], [1]
    assert scored("sun", "might", {}, [0, 1], might=might, personal=True) == [want["purple"], want["red"]]


def test_the_temples_metric_counts_markers() -> None:
    """R-18, §11.1"""
    want = expected("katun-temples-metric")
    scoring = {
        "chief": "temples",
        "rain": "might",
        "trade": "buildings",
        "sun": "city_gods",
        "jaguar": "reserve_colours",
    }
    temples = {
        "chief": [0, 1, None, None, None],
        "rain": [0, 1, None, None, None],
        "trade": [1, *NOBODY[1:]],
        "sun": NOBODY,
        "jaguar": [1, *NOBODY[1:]],
    }
    base = {god: (NOBODY if god == "chief" else spaces) for god, spaces in temples.items()}
    bare = celebration(seat={}, temples=base, scoring=scoring)
    full = celebration(seat={}, temples=temples, scoring=scoring)
    assert [one - other for one, other in zip(fame(full), fame(bare), strict=True)] == [want["A"], want["B"]]


@pytest.mark.parametrize(
    ("tile", "seat", "value"),
    [
        ("reserve_colours", {"reserve": ["pt06", "pt07", "pt18", "pt57"]}, 2),
        ("buildings", {"buildings": ["bt01", "bt07", "bt11"]}, 3),
        ("city_gods", {"workers": {"edzna": [1, 0], "lamanai": [0, 1]}}, 2),
        ("resource_colours", {"resources": {"blue": 3, "white": 1}}, 3),
    ],
)
def test_what_the_god_scoring_tiles_count(tile: str, seat: dict[str, Any], value: int) -> None:
    """§11.1: in addition a worker has gone to Uxmal and one yellow resource was produced."""
    assert scored("jaguar", tile, {0: seat}, [0])[0] == value


def test_the_temple_building_pays_for_missing_markers() -> None:
    """§12.8, §11.1"""
    given: dict[str, Any] = {"temples": {"rain": [0, *NOBODY[1:]]}, "scoring": dict.fromkeys(GODS, "reserve_colours")}
    with_it = fame(celebration(seat={0: {"buildings": ["bt22", "bt23"]}}, **given))
    assert with_it[0] - fame(celebration(seat={}, **given))[0] == 8


def city_fame(seats: dict[int, dict[str, Any]], **given: Any) -> list[int]:  # noqa: ANN401
    """Return the Fame for Tikal: the difference between a match with and without workers there."""
    bare = {seat: {name: value for name, value in who.items() if name != "workers"} for seat, who in seats.items()}
    one, other = fame(celebration(seat=seats, **given)), fame(celebration(seat=bare, **given))
    return [a - b for a, b in zip(one, other, strict=True)]


TWO = {"workers": {"tikal": [2, 0]}}


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("katun-palace-tie", TWO | {"buildings": ["bt11"]}, TWO),
        ("katun-royal-palace", TWO | {"buildings": ["bt21", "bt11"]}, TWO | {"buildings": ["bt12"]}),
    ],
)
def test_palaces_and_ties_in_a_city(name: str, first: dict[str, Any], second: dict[str, Any]) -> None:
    """§11.2, §12.6, §12.7, R-19"""
    want = expected(name)
    assert city_fame({0: first, 1: second}) == [want["A"], want["B"]]


def test_the_majority_in_a_city_scores_two() -> None:
    """§11.2, §1.7"""
    assert city_fame({0: {"workers": {"tikal": [2, 0]}}, 1: {"workers": {"tikal": [1, 1]}}}) == [0, 2]


def test_after_a_celebration_the_table_is_cleared() -> None:
    """§11.3"""
    want = expected("katun-reset-2p")
    state = celebration(temples={"rain": [0, 1, None, None, None]})
    after = dump(state)
    assert after["katun"] == want["katun"]
    assert len(after["calendar"]) == want["calendar_filled"]
    assert sum(site is not None for site in after["sites"].values()) == 14
    assert want["sites_placed"] == 6 - want["calendar_filled"]
    assert all(spaces == NOBODY for spaces in after["temples"].values())
    assert (after["katun_triggered"], after["over"]) == (False, False)


def test_on_side_b_no_site_is_left_over() -> None:
    """§11.3"""
    after = dump(celebration(players=4))
    assert after["calendar"] == []
    assert sum(site is not None for site in after["sites"].values()) == 15


def test_the_third_celebration_is_the_last() -> None:
    """§11.4, §3.1, §10.4"""
    after = dump(celebration(katun=3))
    assert after["over"] is True
    assert after["katun"] == 3


def test_the_last_worker_ends_the_game() -> None:
    """§11.4, §3.2, R-04"""
    want = expected("end-by-workers")
    state = turn(1, seat={0: {"pool": 1}, 1: {"workers": {"tikal": [1, 0]}}})
    play(state, "place_worker uxmal")
    assert dump(state)["end_triggered"]
    while legal(state):
        apply(state, plainest(legal(state)))
    assert dump(state)["over"] == want["game_over"]
    assert fame(state)[0] >= 2
    assert want["celebrations_now"] == 1


def test_a_worker_that_returns_does_not_cancel_the_end() -> None:
    """R-04"""
    seat = {"pool": 1, "pyramid": {"1,0": ["pt34", "black"]}}
    state = turn(5, seat={0: seat}, city_gods={"calakmul": "jaguar", "tikal": "sun"})
    play(state, "place_worker calakmul", "summon jaguar", "jaguar_remove calakmul", "might_advance false", "main pass")
    while legal(state):
        apply(state, plainest(legal(state)))
    assert dump(state)["over"]


def test_without_workers_a_turn_only_discards_the_cards() -> None:
    """R-07"""
    state = at_table(2, seat={0: {"pool": 0}})
    select(state, {0: (1, 2), 1: (5, 2)})
    assert (state.pending_seats(), asked(state)) == ([1], {"place_worker"})
    assert player(state)["discard"] == [1, 2]


def test_round_40_is_the_last() -> None:
    """R-41, R-63"""
    state = at_table(2, round=39)
    next_round(select(state, {0: (1, 2), 1: (5, 2)}))
    assert not dump(state)["end_triggered"]
    next_round(select(state, {0: (3, 4), 1: (4, 3)}))
    assert dump(state)["over"]


def test_most_fame_wins_then_most_tiles() -> None:
    """§11.5"""
    want = expected("tiebreak-tiles")
    nine = {f"1,{place}": ["pt40", "brown"] for place in range(4)}
    seats = {
        0: {"fame": 80, "pool": 1, "pyramid": nine, "workers": {}},
        1: {"fame": 80, "pyramid": nine, "buildings": ["bt07"], "workers": {"chichen_itza": [1, 0]}},
    }
    state = turn(1, seat=seats)
    play(state, "place_worker uxmal")
    while legal(state):
        apply(state, plainest(legal(state)))
    end = dump(state)
    assert want["winners"] == ["B"]
    best = [end["player"][seat]["fame"] for seat in "01"]
    assert end["winners"] == ([1] if best[0] == best[1] else [best.index(max(best))])
