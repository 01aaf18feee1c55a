"""Yaxchilan: blocks and skulls (RULES §5.2, §1.5)."""

from typing import Any

import pytest

from tests.engine.games.tzolkin.playing import ALL_USED, at_table, board, gained, offered, play, seat


def gain(action: int, **given: Any) -> dict[str, Any]:  # noqa: ANN401
    """Perform an action and return what it gained."""
    state = at_table(gears={"yaxchilan": {action: 0}}, **given)
    before = seat(state)
    play(state, f"pick yaxchilan {action}", f"do {action} 0")
    assert offered(state) == {"end"}
    changed = gained(before, seat(state))
    assert changed.pop("available") == 1
    return changed


@pytest.mark.parametrize(
    ("action", "goods"),
    [
        (1, {"wood": 1}),
        (2, {"stone": 1, "corn": 1}),
        (3, {"gold": 1, "corn": 2}),
        (4, {"skull": 1}),
        (5, {"gold": 1, "stone": 1, "corn": 2}),
    ],
)
def test_an_action_gives_what_it_shows(action: int, goods: dict[str, int]) -> None:
    """§5.2"""
    assert gain(action) == goods


@pytest.mark.parametrize(
    ("level", "goods"),
    [
        (1, {1: {"wood": 2}, 2: {"stone": 1}, 3: {"gold": 1}, 5: {"gold": 1, "stone": 1}}),
        (2, {1: {"wood": 2}, 2: {"stone": 2}, 3: {"gold": 1}, 5: {"gold": 1, "stone": 2}}),
        (3, {1: {"wood": 2}, 2: {"stone": 2}, 3: {"gold": 2}, 5: {"gold": 2, "stone": 2}}),
    ],
)
def test_extraction_adds_one_of_each_kind_gained(level: int, goods: dict[int, dict[str, int]]) -> None:
    """§5.2: never more corn or skulls."""
    corn = {1: {}, 2: {"corn": 1}, 3: {"corn": 2}, 5: {"corn": 2}}
    for action, blocks in goods.items():
        assert gain(action, player={0: {"tech": {"extraction": level}}}) == {**blocks, **corn[action]}
    assert gain(4, player={0: {"tech": {"extraction": level}}}) == {"skull": 1}


@pytest.mark.parametrize(("theology", "bank", "skulls"), [(2, 13, 1), (3, 13, 2), (3, 2, 2), (3, 1, 1)])
def test_theology_3_gives_a_second_skull_while_the_bank_has_one(theology: int, bank: int, skulls: int) -> None:
    """§5.2, §1.5"""
    assert gain(4, skull_bank=bank, player={0: {"tech": {"theology": theology}}}) == {"skull": skulls}


def test_a_skull_taken_leaves_the_bank() -> None:
    """§1.5"""
    state = at_table(gears={"yaxchilan": {4: 0}})
    play(state, "pick yaxchilan 4", "do 4 0")
    assert board(state)["skull_bank"] == 12


def test_without_a_skull_in_the_bank_the_others_steps_are_still_open() -> None:
    """§5.0, R-09"""
    people = {0: {"corn": 9}, 1: {"skull": 4}}
    state = at_table(gears={"yaxchilan": {4: 0}}, skull_bank=0, chichen_used=ALL_USED, player=people)
    play(state, "pick yaxchilan 4")
    assert offered(state) == {"do 3 1", "do 2 2", "do 1 3", "none"}
