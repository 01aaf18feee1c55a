"""The end of the game and the places (RULES §8)."""

from typing import Any

import pytest

from ballcourt.engine.games.maya.state import MayaState
from tests.engine.games.maya.playing import at_table, between_turns, new_match, play, points, seen, sizes, walk

NEARLY_CLOSED = {
    "temples": ["tikal", "uxmal"],
    "city": {"D4": "uxmal"},
    "tiles": {"C4": "1 corn:1", "C5": "1 pepper:1", "D6": "1 squash:1", "E4": "0 corn:2"},
}
"""E5 closes Uxmal's city of two: 3 crops of seat 1 against 2 of seat 0."""


def finished(**given: Any) -> MayaState:  # noqa: ANN401
    """A game that is over."""
    return at_table(players=len(given["score"]), turn=None, **given)


def test_the_last_tile_ends_the_game_after_the_scoring_of_that_turn() -> None:
    """§8.2, §8.1"""
    state = at_table(**NEARLY_CLOSED, rack={0: ["corn:1"], 1: ["corn:1"]}, supply={1: 9}, turns=[20, 20])
    play(state, "plant corn:1 E5")
    assert (seen(state, "over"), seen(state, "turn"), seen(state, "turns")) == ("out", None, [21, 20])
    assert points(state) == [3 + 5, 5]
    assert state.pending_seats() == []


def test_the_others_get_no_further_turn() -> None:
    """§8.2: whichever seat it is that runs out."""
    state = at_table(players=3, rack={1: ["corn:1"], 2: ["corn:1"]}, supply={0: 5, 2: 9}, turn=1)
    play(state, "plant corn:1 E7")
    assert (seen(state, "over"), seen(state, "turns")) == ("out", [0, 1, 0])


@pytest.mark.parametrize(("rack", "supply", "move"), [(["corn:1"], 0, "corn:1"), ([], 1, "blind")])
def test_the_last_tile_may_go_face_down(rack: list[str], supply: int, move: str) -> None:
    """§8.2, §6.1: also unseen from the supply."""
    state = at_table(rack={0: rack, 1: ["corn:1"]}, supply={0: supply, 1: 9})
    play(state, f"expand {move} G7")
    assert (seen(state, "over"), points(state)) == ("out", [0, 0])


def test_an_empty_rack_alone_does_not_end_the_game() -> None:
    """§8.2, §8.3"""
    state = at_table(rack={0: ["corn:1"], 1: ["corn:1"]}, supply={0: 1, 1: 9})
    play(state, "plant corn:1 E7")
    assert (seen(state, "over"), seen(state, "turn"), sizes(state, "rack")) == (None, 1, [0, 1])


def test_open_cities_score_nothing_at_the_end() -> None:
    """§8.4"""
    state = at_table(**NEARLY_CLOSED, rack={0: ["corn:1"], 1: ["corn:1"]}, supply={1: 9})
    play(state, "plant corn:1 E6")
    assert (seen(state, "over"), seen(state, "scored"), points(state)) == ("out", {}, [1, 0])


@pytest.mark.parametrize(
    ("score", "left", "turns", "places"),
    [
        ([90, 91], [9, 0], [1, 30], [[1], [0]]),
        ([90, 90, 80], [0, 3, 9], [20, 21, 19], [[1], [0], [2]]),
        ([90, 90], [2, 2], [21, 20], [[1], [0]]),
        ([90, 90, 90], [2, 2, 1], [20, 20, 19], [[0, 1], [2]]),
        ([7, 7, 7, 7], [1, 1, 1, 1], [5, 5, 5, 5], [[0, 1, 2, 3]]),
        ([0, 0, 0, 1], [0, 2, 2, 0], [9, 9, 8, 9], [[3], [2], [1], [0]]),
    ],
)
def test_places_go_by_points_then_tiles_left_then_fewest_turns(
    score: list[int], left: list[int], turns: list[int], places: list[list[int]]
) -> None:
    """§8.5, R-E2"""
    state = finished(score=score, turns=turns, supply=dict(enumerate(left)))
    assert state.placements() == places
    assert seen(state, "winners") == places[0]


def test_tiles_left_are_those_on_the_rack_and_in_the_supply() -> None:
    """§8.5"""
    state = finished(score=[9, 9], rack={0: ["corn:1"] * 3}, supply={0: 1, 1: 3})
    assert state.placements() == [[0], [1]]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_turn_but_a_pass_uses_up_a_tile(seats: int) -> None:
    """§8.6, §8.1: so no player can act more than 32 times."""
    seat = left = turns = 0
    for number, state in enumerate(between_turns(walk(new_match(seats, seats), seats))):
        if number and not seen(state, "passes_in_row"):
            assert sizes(state, "rack")[seat] + sizes(state, "supply")[seat] < left
            assert seen(state, "turns")[seat] == turns + 1
        if (seat := seen(state, "turn")) is not None:
            left, turns = sizes(state, "rack")[seat] + sizes(state, "supply")[seat], seen(state, "turns")[seat]
    assert max(seen(state, "turns")) <= 32
