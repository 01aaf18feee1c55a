"""The frame of a turn: begging, pity, picking up, ending it (RULES §3, §4)."""

import pytest

from tests.engine.games.tzolkin.playing import BEGS, BOTTOM, at_table, board, offered, play, seat, standing

NO_ROOM_AT_0 = {gear: {0: 1} for gear in ("palenque", "yaxchilan", "tikal", "uxmal", "chichen_itza")}


def test_everybody_takes_one_turn_clockwise_from_the_starting_player() -> None:
    """§3.1, §3.3"""
    state = at_table(start_player=2, turn=2)
    order = []
    for gear in ("palenque", "tikal", "uxmal", "yaxchilan"):
        order.append(board(state)["turn"])
        play(state, f"place {gear}", "end")
    assert order == [2, 3, 0, 1]
    assert (board(state)["day"], board(state)["turn"]) == (2, 2)


@pytest.mark.parametrize(("corn", "begging"), [(0, True), (2, True), (3, False), (9, False)])
def test_begging_takes_at_most_two_corn(corn: int, begging: bool) -> None:
    """§4.1, R-04"""
    state = at_table(player={0: {"corn": corn}})
    assert offered(state) & BEGS == (BEGS if begging else set())


def test_begging_makes_three_corn_and_costs_a_step() -> None:
    """§4.1, §7.2: the corn owned before is given up."""
    state = at_table(player={0: {"corn": 2, "temples": {"quetzalcoatl": 4}}})
    play(state, "beg quetzalcoatl")
    assert seat(state)["corn"] == 3
    assert seat(state)["temples"] == {"chaac": 1, "quetzalcoatl": 3, "kukulcan": 1}


def test_begging_is_possible_without_need_but_once_and_first() -> None:
    """R-04"""
    state = at_table(gears={"tikal": {1: 0}}, player={0: {"corn": 1}})
    assert {"place tikal", "pick tikal 1"} < offered(state)
    play(state, "beg chaac")
    assert not offered(state) & BEGS
    state = at_table(gears={"tikal": {1: 0, 2: 0}}, player={0: {"corn": 1}})
    play(state, "pick tikal 1", "none")
    assert not offered(state) & BEGS


def test_begging_needs_a_temple_to_step_down_on() -> None:
    """§7.2, §4.1"""
    state = at_table(player={0: {"temples": {"chaac": 0, "kukulcan": 0}}})
    assert offered(state) & BEGS == {"beg quetzalcoatl"}


def test_a_player_who_begged_may_place_or_pick_up() -> None:
    """R-05"""
    state = at_table(gears={"tikal": {1: 0}})
    play(state, "beg chaac")
    assert {"pick tikal 1", "place tikal"} < offered(state)


def test_a_player_who_can_afford_nothing_has_to_beg_first() -> None:
    """§4.1"""
    state = at_table(start_player=1, sp=1, gears=NO_ROOM_AT_0, player={1: {"workers": 6}})
    assert offered(state) == BEGS


def test_pity_takes_all_corn_and_gives_one_placement() -> None:
    """§4.1, R-06: on the lowest free space of all, then the turn is over."""
    gears = {**NO_ROOM_AT_0, "uxmal": {0: 1, 1: 2}, "palenque": {0: 1, 1: 2, 2: 2}}
    state = at_table(start_player=1, sp=1, gears=gears, player={0: {"temples": BOTTOM}, 1: {"workers": 6}})
    assert offered(state) == {"pity yaxchilan", "pity tikal", "pity chichen_itza"}
    play(state, "pity tikal")
    assert standing(state, "tikal") == {0: 1, 1: 0}
    assert offered(state) == {"end"}


@pytest.mark.parametrize("corn", [0, 1])
def test_pity_gives_up_the_corn_that_is_left(corn: int) -> None:
    """R-06"""
    gears = {gear: {0: 1, 1: 2} for gear in NO_ROOM_AT_0}
    people = {0: {"corn": corn, "temples": BOTTOM}, 1: {"workers": 6}, 2: {"workers": 5}}
    state = at_table(start_player=1, sp=1, gears=gears, player=people)
    play(state, "pity palenque", "end")
    assert seat(state)["corn"] == 0


@pytest.mark.parametrize(
    ("change", "instead"),
    [
        ({"sp": None}, {"place sp"}),
        ({"gears": {**NO_ROOM_AT_0, "tikal": {1: 0}}}, {"pick tikal 1", "place tikal"}),
        ({"player": {0: {"temples": {**BOTTOM, "chaac": 1}}, 1: {"workers": 6}}}, {"beg chaac"}),
        (
            {"player": {0: {"corn": 1, "temples": BOTTOM}, 1: {"workers": 6}}},
            {f"place {gear}" for gear in NO_ROOM_AT_0},
        ),
    ],
    ids=["Starting Player Space free", "worker on a gear", "temple to beg with", "space 1 affordable"],
)
def test_there_is_no_pity_while_anything_else_is_possible(change: dict[str, object], instead: set[str]) -> None:
    """R-06"""
    people = {0: {"temples": BOTTOM}, 1: {"workers": 6}}
    given = {"start_player": 1, "sp": 1, "gears": NO_ROOM_AT_0, "player": people}
    assert offered(at_table(**{**given, **change})) == instead


def test_picking_up_takes_workers_one_after_the_other_and_at_least_one() -> None:
    """§4.3"""
    state = at_table(gears={"tikal": {0: 0}, "uxmal": {0: 0}, "palenque": {0: 1}}, player={0: {"corn": 3}})
    assert "end" not in offered(state)
    play(state, "pick tikal 0", "none")
    assert offered(state) == {"pick uxmal 0", "end"}
    play(state, "pick uxmal 0", "none")
    assert offered(state) == {"end"}


def test_a_worker_picked_up_is_at_hand_but_not_placed_in_the_same_turn() -> None:
    """R-07"""
    state = at_table(gears={"tikal": {0: 0}, "uxmal": {0: 0}}, player={0: {"corn": 3}})
    play(state, "pick tikal 0", "none")
    assert seat(state)["available"] == 2
    assert not any(text.startswith("place") for text in offered(state))


def test_a_worker_gained_is_at_hand_but_not_placed_in_the_same_turn() -> None:
    """R-07, §5.4"""
    state = at_table(gears={"uxmal": {3: 0, 0: 0}}, player={0: {"corn": 3}})
    play(state, "pick uxmal 3", "do 3 0")
    assert (seat(state)["workers"], seat(state)["available"]) == (4, 3)
    assert offered(state) == {"pick uxmal 0", "end"}


def test_the_turn_ends_with_the_refill_and_the_pot() -> None:
    """§4.5, R-29: the pot is there to feed the workers of the same round."""
    state = at_table(day=3, row=[1, 2, 3, 4, 5], deck=[9, 8], pot=4)
    play(state, "place sp", "end")
    assert board(state)["row"] == [1, 2, 3, 4, 5, 9]
    assert board(state)["deck"] == [8]
    assert (seat(state)["corn"], board(state)["pot"]) == (4, 0)


def test_the_pot_stays_when_the_starting_player_space_is_empty() -> None:
    """§4.5"""
    state = at_table(pot=4)
    play(state, "place palenque", "end")
    assert (seat(state)["corn"], board(state)["pot"]) == (0, 4)
    assert board(state)["turn"] == 1


def test_a_food_day_is_held_after_the_last_turn_of_its_day() -> None:
    """§3.2"""
    state = at_table(day=8, turn=2, player={seat: {"corn": 9} for seat in range(4)})
    play(state, "place palenque", "end")
    assert board(state)["next_food_day_index"] == 0
    play(state, "place palenque", "end")
    assert board(state)["next_food_day_index"] == 1
    assert seat(state, 0)["corn"] == 3


@pytest.mark.parametrize("day", [7, 9, 13, 15, 20, 22])
def test_other_days_feed_no_worker(day: int) -> None:
    """§3.2"""
    state = at_table(day=day, turn=3, age=2 if day > 14 else 1, player={0: {"corn": 9}})
    play(state, "place palenque", "end")
    assert (seat(state, 0)["corn"], board(state)["day"]) == (9, day + 1)


def test_a_food_day_that_was_jumped_over_is_held_on_the_next_day() -> None:
    """§3.2, §9.2"""
    state = at_table(day=7, turn=3, player={0: {"corn": 9}})
    play(state, "place sp", "end", "advance 2")
    assert (board(state)["day"], board(state)["next_food_day_index"], seat(state, 0)["corn"]) == (9, 0, 9)
    for gear in ("uxmal", "tikal", "yaxchilan", "chichen_itza"):
        play(state, f"place {gear}", "end")
    assert (board(state)["next_food_day_index"], seat(state, 0)["corn"]) == (1, 3)
    assert board(state)["day"] == 10
