"""Placing workers (RULES §4.2)."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.games.tzolkin.playing import at_table, board, offered, play, seat, standing

GEARS = ["palenque", "yaxchilan", "tikal", "uxmal", "chichen_itza"]
ANYWHERE = {f"place {place}" for place in (*GEARS, "sp")}


def test_the_first_turn_can_go_anywhere() -> None:
    """§4.2"""
    assert offered(at_table(player={0: {"corn": 5}})) == ANYWHERE


@pytest.mark.parametrize(("workers", "corn"), [(1, 0), (2, 1), (3, 3), (4, 6), (5, 10), (6, 15)])
def test_each_further_worker_of_a_turn_costs_one_corn_more(workers: int, corn: int) -> None:
    """§4.2: 0, 1, 3, 6, 10, 15 corn for one to six workers on spaces 0."""
    state = at_table(player={0: {"corn": 20, "workers": 6}})
    play(state, *[f"place {place}" for place in (*GEARS, "sp")[:workers]])
    assert seat(state)["corn"] == 20 - corn
    assert seat(state)["available"] == 6 - workers


def test_a_worker_goes_to_the_lowest_free_space_and_pays_its_number() -> None:
    """§4.2: other workers and dummies block alike."""
    state = at_table(players=3, gears={"uxmal": {0: 1, 1: "D", 2: 2, 4: 1}}, player={0: {"corn": 9}})
    play(state, "place uxmal", "place uxmal")
    assert standing(state, "uxmal") == {0: 1, 1: "D", 2: 2, 3: 0, 4: 1, 5: 0}
    assert seat(state)["corn"] == 9 - 3 - (5 + 1)


def test_a_space_that_cannot_be_paid_is_not_offered() -> None:
    """§4.2: the price includes the surcharge for the workers placed before."""
    state = at_table(gears={"tikal": {0: 1, 1: 1}}, player={0: {"corn": 2}})
    assert "place tikal" in offered(state)
    play(state, "place uxmal")
    assert "place tikal" not in offered(state)
    assert "place palenque" in offered(state)


def test_a_gear_without_a_free_space_in_use_is_not_offered() -> None:
    """§4.2, §1.2: the slots out of sight cannot be reached by placing."""
    full = dict.fromkeys(range(8), "D")
    blue = dict.fromkeys(range(11), "D")
    state = at_table(players=2, gears={"palenque": full, "chichen_itza": blue}, player={0: {"corn": 50}})
    assert offered(state) == ANYWHERE - {"place palenque", "place chichen_itza"}


def test_the_last_space_in_use_can_be_reached() -> None:
    """§4.2: 7 on a small gear, 10 on Chichen Itza."""
    gears = {"palenque": dict.fromkeys(range(7), "D"), "chichen_itza": dict.fromkeys(range(10), "D")}
    state = at_table(players=2, gears=gears, player={0: {"corn": 18}})
    play(state, "place chichen_itza", "place palenque")
    assert standing(state, "chichen_itza")[10] == 0 == standing(state, "palenque")[7]
    assert seat(state)["corn"] == 0


def test_the_starting_player_space_costs_like_a_space_0_and_holds_one() -> None:
    """§4.2, §1.3"""
    state = at_table(player={0: {"corn": 1}})
    play(state, "place tikal", "place sp")
    assert (seat(state)["corn"], board(state)["sp"]) == (0, 0)
    play(state, "end")
    assert "place sp" not in offered(state)


def test_at_least_one_worker_is_placed_and_then_the_turn_may_end() -> None:
    """§4.2, §4.1"""
    state = at_table(player={0: {"corn": 9}})
    assert "end" not in offered(state)
    play(state, "place tikal")
    assert offered(state) == ANYWHERE | {"end"}


def test_nothing_can_be_picked_up_after_placing() -> None:
    """§4.1"""
    state = at_table(gears={"tikal": {3: 0}}, player={0: {"corn": 9}})
    play(state, "place tikal")
    assert not any(text.startswith("pick") for text in offered(state))


def test_without_a_worker_at_hand_nothing_can_be_placed() -> None:
    """§4.2: workers on the Starting Player Space are not at hand either."""
    state = at_table(start_player=1, sp=0, gears={"tikal": {3: 0, 4: 0}}, player={0: {"corn": 9}})
    assert offered(state) == {"pick tikal 3", "pick tikal 4"}


@given(places=st.lists(st.sampled_from([*GEARS, "sp"]), min_size=1, max_size=4), data=st.data())
def test_the_price_of_a_turn_does_not_depend_on_the_order_of_placing(places: list[str], data: st.DataObject) -> None:
    """R-03, §4.2"""
    places = [place for index, place in enumerate(places) if place != "sp" or "sp" not in places[:index]]
    order = data.draw(st.sampled_from(list(permutations(places))))
    taken = {gear: dict.fromkeys(data.draw(st.sets(st.integers(0, 4), max_size=1)), 1) for gear in GEARS}
    ends = []
    for sequence in (places, order):
        state = at_table(gears=taken, player={0: {"corn": 40, "workers": 6}, 1: {"workers": 6}})
        play(state, *[f"place {place}" for place in sequence])
        ends.append((seat(state), board(state)))
    assert ends[0] == ends[1]


def test_the_same_places_are_reached_in_any_order() -> None:
    """R-03: no order of placing is forbidden."""
    for first, second in permutations(GEARS[:3], 2):
        play(at_table(player={0: {"corn": 9}}), f"place {first}", f"place {second}", f"place {first}")
