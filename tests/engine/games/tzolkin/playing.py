"""Helpers for the rule tests: positions by keyword, decisions as text.

state = at_table(gears={"tikal": {1: 0}}, player={0: {"wood": 1}})
play(state, "pick tikal 1", "do 1 0", "tech theology", "pay 1 0 0")
assert offered(state) == {"end"}
assert seat(state, 0)["tech"]["theology"] == 1
"""

import json
from typing import Any

from ballcourt.engine.games.tzolkin.state import TzolkinState
from tests.engine.games.tzolkin.decisions import Decision, Word, apply, legal
from tests.engine.games.tzolkin.positions import dump, state_from

ALL_USED = [1, 2, 3, 4, 5, 6, 7, 8, 9]
BOTTOM = {"chaac": 0, "quetzalcoatl": 0, "kukulcan": 0}
BURNS = {"burn chaac", "burn quetzalcoatl", "burn kukulcan"}
BEGS = {"beg chaac", "beg quetzalcoatl", "beg kukulcan"}
TEMPLE_CHOICES = {"temple chaac", "temple quetzalcoatl", "temple kukulcan"}
BLOCK_CHOICES = {"block wood", "block stone", "block gold"}


def at_table(**given: Any) -> TzolkinState:  # noqa: ANN401
    """Build a position from the fields of the vectors; seats and spaces may be numbers."""
    return state_from(given)


def play(state: TzolkinState, *decisions: str) -> None:
    """Play decisions one after the other, each for the seat in turn. Raises NotLegal."""
    for text in decisions:
        apply(state, decision(text))


def decision(text: str) -> Decision:
    """Parse a decision, e.g. "build 14 true stone" or "build 1 false null"."""
    return [_word(word) for word in text.split()]


def _word(word: str) -> Word:
    try:
        value: Word = json.loads(word)
    except ValueError:
        return word
    return value


def offered(state: TzolkinState) -> set[str]:
    """Return the legal decisions of the seat in turn as strings."""
    return {" ".join(word if isinstance(word, str) else json.dumps(word) for word in words) for words in legal(state)}


def seat(state: TzolkinState, number: int = 0) -> dict[str, Any]:
    """Return the fields of one player."""
    described: dict[str, Any] = dump(state)["player"][str(number)]
    return described


def board(state: TzolkinState) -> dict[str, Any]:
    """Return all fields except the players."""
    return {name: value for name, value in dump(state).items() if name != "player"}


def standing(state: TzolkinState, gear: str) -> dict[int, int | str]:
    """Return who stands on a gear, by slot, without empty slots."""
    return {int(space): who for space, who in dump(state)["gears"][gear].items() if who is not None}


def gained(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a player that changed: counts as differences, everything else as it is now."""
    flat_before, flat_after = _flat(before), _flat(after)
    return {
        name: value - flat_before[name] if isinstance(value, int | float) else value
        for name, value in flat_after.items()
        if value != flat_before[name]
    }


def _flat(described: dict[str, Any]) -> dict[str, Any]:
    flat = {name: value for name, value in described.items() if not isinstance(value, dict)}
    for group in ("temples", "tech"):
        flat |= described[group]
    return flat
