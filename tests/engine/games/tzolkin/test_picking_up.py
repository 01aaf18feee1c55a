"""Which actions a worker offers when it is picked up (RULES §4.4, §5.0)."""

import pytest

from tests.engine.games.tzolkin.playing import ALL_USED, at_table, offered, play, seat

RICH = {
    "corn": 20,
    "wood": 5,
    "stone": 5,
    "gold": 5,
    "skull": 1,
}


@pytest.mark.parametrize("gear", ["palenque", "yaxchilan", "tikal", "uxmal"])
@pytest.mark.parametrize("space", range(8))
def test_lower_actions_cost_one_corn_a_step(gear: str, space: int) -> None:
    """§4.4, R-08: spaces 6 and 7 are a free choice, space 0 gives nothing."""
    state = at_table(gears={gear: {space: 0}}, row=[1], player={0: RICH})
    play(state, f"pick {gear} {space}")
    if space >= 6:
        assert offered(state) == {f"do {action} 0" for action in range(1, 6)} | {"none"}
    else:
        assert offered(state) == {f"do {action} {space - action}" for action in range(1, space + 1)} | {"none"}


@pytest.mark.parametrize("space", range(11))
def test_lower_actions_of_chichen_itza_cost_one_corn_a_step(space: int) -> None:
    """§4.4, R-08: space 10 is a free choice of all nine."""
    state = at_table(gears={"chichen_itza": {space: 0}}, skull_bank=12, player={0: RICH})
    play(state, f"pick chichen_itza {space}")
    if space == 10:
        assert offered(state) == {f"do {action} 0" for action in range(1, 10)} | {"none"}
    else:
        assert offered(state) == {f"do {action} {space - action}" for action in range(1, space + 1)} | {"none"}


def test_stepping_back_is_limited_by_the_corn() -> None:
    """§4.4"""
    state = at_table(gears={"yaxchilan": {5: 0}}, player={0: {"corn": 2}})
    play(state, "pick yaxchilan 5")
    assert offered(state) == {"do 5 0", "do 4 1", "do 3 2", "none"}
    play(state, "do 3 2")
    assert (seat(state)["corn"], seat(state)["gold"]) == (2, 1)


def test_a_lower_action_is_open_although_its_space_is_taken() -> None:
    """§4.4"""
    state = at_table(gears={"yaxchilan": {2: 0, 1: 1}}, player={0: {"corn": 1}})
    play(state, "pick yaxchilan 2")
    assert "do 1 1" in offered(state)


def test_doing_nothing_is_always_possible_and_changes_nothing() -> None:
    """§4.4"""
    state = at_table(gears={"uxmal": {5: 0}}, player={0: RICH})
    play(state, "pick uxmal 5")
    before = seat(state)
    play(state, "none")
    assert seat(state) == before
    assert offered(state) == {"end"}


def test_the_corn_for_stepping_back_is_gone_when_the_action_begins() -> None:
    """§5.0: three corn are enough for Uxmal 1 from space 1, not from space 2."""
    for space, possible in ((1, True), (2, False)):
        state = at_table(gears={"uxmal": {space: 0}}, player={0: {"corn": 3}})
        play(state, f"pick uxmal {space}")
        assert (f"do 1 {space - 1}" in offered(state)) is possible


def all_on(level: int) -> dict[str, int]:
    """Return one level for every technology."""
    return dict.fromkeys(("agriculture", "extraction", "architecture", "theology"), level)


FULL = {"workers": 6}
NO_WOOD = {"jungle_wood": {4: 0}}
NO_CORN = {**NO_WOOD, "jungle_corn": {4: 0}}
NO_SKULLS = {"skull_bank": 0, "chichen_used": ALL_USED, "player": {1: {"skull": 4}}}


@pytest.mark.parametrize(
    ("gear", "action", "given", "player", "possible"),
    [
        ("palenque", 1, {}, {}, True),
        ("palenque", 4, {}, {}, True),
        ("palenque", 4, NO_WOOD, {}, True),
        ("palenque", 4, NO_CORN, {}, False),
        ("palenque", 4, NO_CORN, {"tech": {"agriculture": 1}}, False),
        ("palenque", 4, NO_CORN, {"tech": {"agriculture": 2}}, True),
        ("yaxchilan", 1, {}, {}, True),
        ("yaxchilan", 4, {}, {}, True),
        ("yaxchilan", 4, NO_SKULLS, {}, False),
        ("yaxchilan", 5, {}, {}, True),
        ("tikal", 1, {}, {}, False),
        ("tikal", 1, {}, {"gold": 1}, True),
        ("tikal", 1, {}, {"gold": 1, "tech": {**all_on(1), "theology": 0}}, True),
        ("tikal", 1, {}, {"gold": 1, "tech": all_on(1)}, False),
        ("tikal", 3, {}, {"wood": 1, "stone": 1, "tech": all_on(2)}, False),
        ("tikal", 3, {}, {"wood": 1, "stone": 2, "tech": all_on(2)}, True),
        ("tikal", 3, {}, {"wood": 1, "tech": all_on(3)}, True),
        ("tikal", 2, {}, {"wood": 9}, False),
        ("tikal", 2, {"row": [4]}, {"wood": 3}, False),
        ("tikal", 2, {"row": [4]}, {"wood": 4}, True),
        ("tikal", 2, {"row": [4]}, {"wood": 3, "tech": {"architecture": 3}}, True),
        ("tikal", 2, {"row": [4]}, {"wood": 3, "stone": 5, "gold": 5}, False),
        ("tikal", 2, {"monuments_displayed": [1]}, {"wood": 9, "stone": 9, "gold": 9}, False),
        ("tikal", 4, {"monuments_displayed": [1]}, {"wood": 9, "stone": 9, "gold": 9}, True),
        ("tikal", 4, {"monuments_displayed": [1]}, {"wood": 2, "stone": 9, "gold": 9}, False),
        ("tikal", 4, {"monuments_displayed": [13]}, {"gold": 4}, False),
        ("tikal", 4, {"monuments_displayed": [13]}, {"gold": 4, "skull": 1}, True),
        ("tikal", 4, {"row": [1]}, {"wood": 1}, True),
        ("tikal", 5, {}, {}, False),
        ("tikal", 5, {}, {"stone": 1}, True),
        ("uxmal", 1, {}, {"corn": 2}, False),
        ("uxmal", 1, {}, {"corn": 3}, True),
        ("uxmal", 2, {}, {"corn": 1}, False),
        ("uxmal", 2, {}, {"corn": 2}, True),
        ("uxmal", 2, {}, {"wood": 1}, True),
        ("uxmal", 3, {}, {}, True),
        ("uxmal", 3, {}, FULL, False),
        ("uxmal", 4, {"row": [1]}, {"corn": 1, "wood": 1}, False),
        ("uxmal", 4, {"row": [1]}, {"corn": 2}, True),
        ("uxmal", 4, {"row": [8]}, {"corn": 2}, False),
        ("uxmal", 4, {"row": [8]}, {"corn": 2, "tech": {"architecture": 3}}, True),
        ("uxmal", 4, {"row": [8]}, {"corn": 2, "tech": {"architecture": 2}}, False),
        ("uxmal", 5, {}, {}, False),
        ("uxmal", 5, {}, {"corn": 1}, True),
        ("chichen_itza", 5, {}, {}, False),
        ("chichen_itza", 5, {}, {"skull": 1}, True),
        ("chichen_itza", 5, {"chichen_used": [5]}, {"skull": 1}, False),
        ("chichen_itza", 5, {"chichen_used": [4, 6]}, {"skull": 1}, True),
    ],
)
def test_only_an_action_with_an_effect_is_offered(
    gear: str, action: int, given: dict[str, object], player: dict[str, object], possible: bool
) -> None:
    """§5.0, R-09"""
    players = {**given.get("player", {}), 0: player}  # type: ignore[dict-item]
    state = at_table(**{**given, "gears": {gear: {action: 0}}, "player": players})
    play(state, f"pick {gear} {action}")
    assert (f"do {action} 0" in offered(state)) is possible
    assert "none" in offered(state)


@pytest.mark.parametrize(
    ("space", "level", "expected"),
    [
        (0, 0, {"none"}),
        (0, 1, {"do 1 0", "none"}),
        (3, 1, {"do 4 0", "do 3 0", "do 2 1", "do 1 2", "none"}),
        (8, 1, {"do 9 0", "do 8 0", *(f"do {8 - steps} {steps}" for steps in range(1, 8)), "none"}),
        (9, 0, {"do 9 0", *(f"do {9 - steps} {steps}" for steps in range(1, 9)), "none"}),
        (9, 1, {*(f"do {action} 0" for action in range(1, 10)), "none"}),
        (10, 3, {*(f"do {action} 0" for action in range(1, 10)), "none"}),
    ],
)
def test_theology_looks_one_space_ahead(space: int, level: int, expected: set[str]) -> None:
    """R-17, §4.4"""
    player = {**RICH, "tech": {"theology": level}}
    state = at_table(gears={"chichen_itza": {space: 0}}, skull_bank=12, player={0: player})
    play(state, f"pick chichen_itza {space}")
    assert offered(state) == expected


def test_theology_looks_ahead_on_chichen_itza_only() -> None:
    """R-17"""
    state = at_table(gears={"yaxchilan": {0: 0}}, player={0: {"tech": {"theology": 3}}})
    play(state, "pick yaxchilan 0")
    assert offered(state) == {"none"}
