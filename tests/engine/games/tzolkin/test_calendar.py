"""Advancing the calendar (RULES §9)."""

import pytest

from ballcourt.engine.games.tzolkin.state import TzolkinState
from tests.engine.games.tzolkin.playing import at_table, board, offered, play, seat, standing
from tests.engine.games.tzolkin.procedures import PROCEDURES

SMALL = ("palenque", "yaxchilan", "tikal", "uxmal")


def round_over(**given: object) -> TzolkinState:
    """End the last turn of a round with a worker picked up from Uxmal 1."""
    gears = {"uxmal": {1: 3}, **given.pop("gears", {})}  # type: ignore[dict-item]
    state = at_table(**{"turn": 3, "gears": gears, **given})
    play(state, "pick uxmal 1", "none", "end")
    return state


def test_an_unclaimed_round_adds_a_corn_to_the_pot_and_a_day() -> None:
    """§9.1"""
    state = round_over(pot=2)
    assert (board(state)["pot"], board(state)["day"], board(state)["start_player"]) == (3, 2, 0)
    assert (board(state)["phase"], board(state)["turn"]) == ("turn", 0)


@pytest.mark.parametrize("who", [1, 2, 3])
def test_the_player_on_the_space_becomes_starting_player(who: int) -> None:
    """§9.2: the worker comes home, the pot gets no corn."""
    state = round_over(sp=who, pot=0)
    assert (board(state)["phase"], board(state)["turn"]) == ("advance", who)
    play(state, "advance 1")
    assert (board(state)["start_player"], board(state)["turn"], board(state)["pot"]) == (who, who, 0)
    assert board(state)["sp"] is None
    assert seat(state, who)["available"] == 3


@pytest.mark.parametrize(("start", "following"), [(0, 1), (2, 3), (3, 0)])
def test_a_starting_player_on_the_space_passes_the_marker_to_the_left(start: int, following: int) -> None:
    """§9.2"""
    last = (start + 3) % 4
    state = at_table(start_player=start, turn=last, sp=start, gears={"uxmal": {1: last}})
    play(state, "pick uxmal 1", "none", "end")
    assert board(state)["turn"] == start
    play(state, "advance 1")
    assert (board(state)["start_player"], board(state)["turn"]) == (following, following)


def test_two_days_turn_the_light_side_down() -> None:
    """§9.2"""
    state = round_over(sp=1, gears={"tikal": {2: 0, 5: 2}})
    assert offered(state) == {"advance 1", "advance 2"}
    other = state.clone()
    play(state, "advance 2")
    assert (board(state)["day"], seat(state, 1)["light"]) == (3, False)
    assert standing(state, "tikal") == {4: 0, 7: 2}
    play(other, "advance 1")
    assert (board(other)["day"], seat(other, 1)["light"]) == (2, True)
    assert standing(other, "tikal") == {3: 0, 6: 2}


def test_the_dark_side_allows_one_day_only() -> None:
    """§9.2: whichever side the boards of others show."""
    assert offered(round_over(sp=1, player={1: {"light": False}})) == {"advance 1"}
    assert len(offered(round_over(sp=1, player={2: {"light": False}}))) == 2


@pytest.mark.parametrize(
    ("gear", "space", "blocks"),
    [
        *((gear, space, space == 6) for gear in SMALL for space in (5, 6, 7)),
        *(("chichen_itza", space, space == 9) for space in (6, 7, 8, 9, 10)),
    ],
)
@pytest.mark.parametrize("owner", [0, 1])
def test_a_worker_that_only_the_second_day_would_push_off_blocks_it(
    gear: str, space: int, blocks: bool, owner: int
) -> None:
    """§9.2, R-19: also the advancing player's own."""
    state = round_over(sp=1, gears={gear: {space: owner, **({1: 3} if gear == "uxmal" else {})}})
    assert ("advance 2" in offered(state)) is not blocks


@pytest.mark.parametrize(("gear", "space"), [*((gear, 6) for gear in SMALL), ("chichen_itza", 9)])
def test_a_dummy_never_blocks_two_days(gear: str, space: int) -> None:
    """R-19"""
    gears = {"uxmal": {1: 1}, gear: {space: "D", **({1: 1} if gear == "uxmal" else {})}}
    state = at_table(players=2, turn=1, sp=0, gears=gears)
    play(state, "pick uxmal 1", "none", "end")
    assert offered(state) == {"advance 1", "advance 2"}


@pytest.mark.parametrize("gear", [*SMALL, "chichen_itza"])
def test_workers_move_on_and_come_home_from_the_last_space(gear: str) -> None:
    """§9.3"""
    last = 10 if gear == "chichen_itza" else 7
    workers = {last: 0, last - 1: 1, 0: 2}
    state = round_over(gears={gear: {**workers, **({1: 3} if gear == "uxmal" else {})}})
    assert standing(state, gear) == {last: 1, 1: 2}
    assert [seat(state, number)["available"] for number in (0, 1, 2)] == [3, 2, 2]
    assert seat(state, 0)["corn"] == 0


@pytest.mark.parametrize(("gear", "slots"), [*((gear, 10) for gear in SMALL), ("chichen_itza", 13)])
def test_a_dummy_comes_round_again(gear: str, slots: int) -> None:
    """§9.3, §1.2: through the slots out of sight."""
    state = at_table(players=2, gears={gear: {0: "D"}})
    places = []
    for _ in range(slots):
        PROCEDURES["advance_1"](state, {})
        places += list(standing(state, gear))
    assert places == [*range(1, slots), 0]


def test_day_26_may_be_advanced_by_two_days() -> None:
    """R-20: the last Food Day is held on day 28, and the match ends there."""
    state = round_over(day=26, age=2, sp=1)
    assert "advance 2" in offered(state)
    play(state, "advance 2")
    assert (board(state)["day"], board(state)["next_food_day_index"]) == (28, 3)
    for gear in ("palenque", "tikal", "uxmal", "yaxchilan"):
        play(state, f"place {gear}", "end")
    assert (board(state)["over"], board(state)["next_food_day_index"]) == (True, 4)


def test_the_last_advance_asks_no_seat() -> None:
    """R-25, §10.1"""
    state = round_over(day=27, age=2, sp=1, gears={"tikal": {3: 0}})
    assert board(state)["over"]
    assert (board(state)["day"], board(state)["sp"], board(state)["start_player"]) == (28, None, 0)
    assert standing(state, "tikal") == {4: 0}
    assert seat(state, 1)["light"] is True
