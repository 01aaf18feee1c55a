"""Food Days: feeding, the change of age, the temples' rewards (RULES §8)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ballcourt.engine.games.tzolkin.state import TzolkinState
from tests.engine.games.tzolkin.playing import ALL_USED, BOTTOM, at_table, board, gained, play, seat
from tests.engine.games.tzolkin.procedures import PROCEDURES

POINTS = {
    "chaac": (-1, 0, 2, 4, 6, 7, 8),
    "quetzalcoatl": (-2, 0, 1, 2, 4, 6, 9, 12, 13),
    "kukulcan": (-3, 0, 1, 3, 5, 7, 9, 10),
}
BONUS = {1: {"chaac": 6, "quetzalcoatl": 2, "kukulcan": 4}, 2: {"chaac": 2, "quetzalcoatl": 6, "kukulcan": 4}}
GOODS = {
    "chaac": {2: "stone", 4: "stone"},
    "quetzalcoatl": {3: "gold", 5: "gold"},
    "kukulcan": {2: "wood", 4: "wood", 5: "skull"},
}


def after(procedure: str, **given: Any) -> TzolkinState:  # noqa: ANN401
    """Run one part of a Food Day."""
    state = at_table(**given)
    PROCEDURES[procedure](state, {})
    return state


@pytest.mark.parametrize(
    ("player", "corn", "points"),
    [
        ({"corn": 6}, 0, 0),
        ({"corn": 9}, 3, 0),
        ({"corn": 5}, 1, -3),
        ({"corn": 1}, 1, -9),
        ({"corn": 20, "workers": 6}, 8, 0),
        ({"corn": 4, "free_food": 1}, 0, 0),
        ({"corn": 4, "free_food": 3}, 4, 0),
        ({"corn": 4, "free_food": 7}, 4, 0),
        ({"corn": 3, "food_discount": 1}, 0, 0),
        ({"corn": 2, "food_discount": 1}, 0, -3),
        ({"corn": 0, "food_discount": 2}, 0, 0),
        ({"corn": 9, "workers": 5, "free_food": 2, "food_discount": 1}, 6, 0),
        ({"corn": 1, "workers": 4, "free_food": 1}, 1, -9),
    ],
)
def test_workers_are_fed_in_full_or_go_hungry(player: dict[str, int], corn: int, points: int) -> None:
    """§8.1"""
    state = after("feed_all", player={0: player})
    assert (seat(state)["corn"], seat(state)["vp"]) == (corn, points)


def test_points_fall_below_zero() -> None:
    """R-31: and may be there already."""
    assert seat(after("feed_all", player={0: {"vp": -4}}))["vp"] == -13


def test_workers_everywhere_eat() -> None:
    """R-30: on gears, at hand and on the Starting Player Space."""
    state = after("feed_all", sp=0, gears={"tikal": {3: 0}}, player={0: {"corn": 10, "workers": 4}})
    assert seat(state)["corn"] == 2


@given(
    corn=st.integers(0, 20),
    workers=st.integers(3, 6),
    free=st.integers(0, 7),
    discount=st.integers(0, 2),
)
def test_as_many_workers_are_fed_as_the_corn_allows(corn: int, workers: int, free: int, discount: int) -> None:
    """§8.1: the hungry cost 3 points each, and too little corn is left to feed any of them."""
    player = {"corn": corn, "workers": workers, "free_food": free, "food_discount": discount}
    fed = seat(after("feed_all", player={0: player}))
    hungry, price = -fed["vp"] // 3, 2 - discount
    assert hungry == 0 or fed["corn"] < price
    assert corn - fed["corn"] == price * (max(0, workers - free) - hungry)


@pytest.mark.parametrize(
    ("temple", "step"), [(temple, step) for temple in POINTS for step in range(len(POINTS[temple]))]
)
def test_every_step_up_to_the_marker_gives_its_goods(temple: str, step: int) -> None:
    """§8.3"""
    people = {0: {"temples": {temple: step}}}
    before = seat(at_table(player=people))
    reached = [goods for at, goods in GOODS[temple].items() if at <= step]
    assert gained(before, seat(after("mid_rewards", player=people))) == {
        goods: reached.count(goods) for goods in set(reached)
    }


@pytest.mark.parametrize(("bank", "skulls"), [(2, 1), (1, 0), (0, 0)])
def test_skulls_go_to_all_who_earn_one_or_to_none(bank: int, skulls: int) -> None:
    """R-23, §8.3: the other goods are still given."""
    people = {
        0: {"temples": {"kukulcan": 5}},
        1: {"temples": {"kukulcan": 7}},
        2: {"skull": 4 - bank, "temples": {"kukulcan": 4}},
    }
    state = after("mid_rewards", skull_bank=bank, chichen_used=ALL_USED, player=people)
    assert [seat(state, number)["skull"] for number in (0, 1)] == [skulls, skulls]
    assert [seat(state, number)["wood"] for number in (0, 1, 2)] == [2, 2, 2]
    assert board(state)["skull_bank"] == bank - 2 * skulls


@pytest.mark.parametrize("age", [1, 2])
@pytest.mark.parametrize(
    ("temple", "step"), [(temple, step) for temple in POINTS for step in range(len(POINTS[temple]))]
)
def test_a_marker_scores_its_own_step_only(age: int, temple: str, step: int) -> None:
    """§8.4: without a bonus, because another player stands higher or on the same step."""
    others = {1: {"temples": {name: len(POINTS[name]) - 1 for name in POINTS}}}
    below = dict.fromkeys(POINTS, 1)
    state = after(f"end_rewards_age{age}", player={0: {"temples": {**below, temple: step}}, **others})
    top = step == len(POINTS[temple]) - 1
    assert seat(state)["vp"] == POINTS[temple][step] + (BONUS[age][temple] // 2 if top else 0)


@pytest.mark.parametrize("age", [1, 2])
@pytest.mark.parametrize("temple", POINTS)
def test_the_highest_on_a_temple_scores_the_bonus_of_the_age(age: int, temple: str) -> None:
    """§8.4: a single leader gets all of it; the two other temples are shared by all."""
    others = sum(points for name, points in BONUS[age].items() if name != temple) // 2
    state = after(f"end_rewards_age{age}", player={0: {"temples": {temple: 2}}})
    assert seat(state, 0)["vp"] == POINTS[temple][2] + BONUS[age][temple] + others
    assert seat(state, 1)["vp"] == others


@pytest.mark.parametrize("tied", [2, 3, 4])
def test_any_number_of_tied_players_scores_half_each(tied: int) -> None:
    """R-24"""
    people = {number: {"temples": {"chaac": 3}} for number in range(tied)}
    state = after("end_rewards_age1", player=people)
    shared = BONUS[1]["quetzalcoatl"] // 2 + BONUS[1]["kukulcan"] // 2
    assert [seat(state, number)["vp"] - shared for number in range(4)] == [4 + 3] * tied + [0] * (4 - tied)


def test_the_bonus_is_scored_even_from_the_bottom() -> None:
    """R-24: a leader need not have climbed."""
    state = after("end_rewards_age2", players=2, player={0: {"temples": BOTTOM}, 1: {"temples": BOTTOM}})
    assert seat(state)["vp"] == -1 - 2 - 3 + (2 + 6 + 4) // 2


def ending(day: int, **given: Any) -> TzolkinState:  # noqa: ANN401
    """Play the last turn of a day; every player has enough corn for a Food Day."""
    people = {number: {"corn": 6} for number in range(4)}
    state = at_table(**{"day": day, "turn": 3, "player": people, "age": 2 if day > 14 else 1, **given})
    play(state, "place palenque", "end")
    return state


@pytest.mark.parametrize(("day", "materials"), [(8, True), (14, False), (21, True)])
def test_food_days_give_materials_and_points_in_turn(day: int, materials: bool) -> None:
    """§8.3, §8.4, §3.2"""
    people = {number: {"corn": 6} for number in range(4)}
    people[0]["temples"] = {"chaac": 2}  # type: ignore[assignment]
    state = ending(day, player=people)
    assert (seat(state)["stone"], seat(state)["vp"] > 0) == (1 if materials else 0, not materials)
    assert seat(state)["corn"] == 0


def test_the_second_food_day_opens_age_2() -> None:
    """§8.2: the remaining tiles of Age 1 leave the game."""
    state = ending(14, row=[1, 2, 3, 4, 5, 6], deck=[7, 8], deck_age2=list(range(15, 33)))
    assert board(state)["age"] == 2
    assert board(state)["row"] == [15, 16, 17, 18, 19, 20]
    assert (board(state)["deck"], board(state)["deck_age2"]) == ([], list(range(21, 33)))


@pytest.mark.parametrize("day", [8, 21])
def test_the_other_food_days_change_no_building(day: int) -> None:
    """§8.2"""
    rows: dict[str, Any] = {"row": [15, 16, 17, 18, 19, 20] if day == 21 else [1, 2, 3, 4, 5, 6]}
    state = ending(day, **rows, deck_age2=[32, 31])
    assert (board(state)["row"], board(state)["deck_age2"]) == (rows["row"], [32, 31])


def test_the_bonus_of_day_14_is_that_of_age_1() -> None:
    """§8.4, §8.2: although the buildings of Age 2 are already on display."""
    people: dict[int, dict[str, Any]] = {number: {"corn": 6} for number in range(4)}
    people[0]["temples"] = {"chaac": 2}
    state = ending(14, player=people)
    assert seat(state)["vp"] == 2 + 6 + 1 + 2


def test_the_pot_taken_in_the_same_round_feeds() -> None:
    """R-29, §8.1"""
    state = at_table(day=8, turn=3, pot=6, player={number: {"corn": 6} for number in range(3)})
    play(state, "place sp", "end")
    assert (seat(state, 3)["corn"], seat(state, 3)["vp"]) == (0, 0)


def test_goods_come_after_feeding() -> None:
    """§8.1, §8.3: rewards of the gods feed no worker, and only a player's own skulls count."""
    state = ending(8, player={0: {"corn": 0, "temples": {"kukulcan": 5}}})
    assert (seat(state)["vp"], seat(state)["wood"], seat(state)["skull"]) == (-9, 2, 1)
