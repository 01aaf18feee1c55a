"""Decisions as lists [seat, step, value], e.g. [0, "plant_cell", "E7"]: the legal ones, and how to play one.

A value is a word, a tile kind ("corn:2"), a cell ("E7") or, for `start_temples`, a list of temple ids. The question
whether to plant more is taken automatically when the only answer is to stop.
"""

from typing import Any, TypeAlias

from ballcourt.engine.core.frames import Frame
from ballcourt.engine.games.maya.actions import ACT_EXPAND, ACT_PLANT, ACTIONS, CELL, HIDE, PASS, STOP, TEMPLE, TILE
from ballcourt.engine.games.maya.columns import KINDS
from ballcourt.engine.games.maya.setup import FirstTemple, MarkedTemple
from ballcourt.engine.games.maya.state import MayaState
from ballcourt.engine.games.maya.tables import CELL_NAMES, KIND_NAMES, TEMPLE_IDS
from ballcourt.engine.games.maya.turns.expanding import ExpandCell, ExpandTile
from ballcourt.engine.games.maya.turns.planting import PlantCell, PlantMore, PlantTile
from ballcourt.engine.games.maya.turns.turn import Act

Decision: TypeAlias = list[Any]

STEPS: dict[type[Frame[Any]], str] = {
    FirstTemple: "start_temples",
    MarkedTemple: "start_temples",
    Act: "action",
    PlantTile: "plant_tile",
    PlantCell: "plant_cell",
    PlantMore: "plant_more",
    ExpandTile: "expand_tile",
    ExpandCell: "expand_cell",
}


class NotLegal(ValueError):
    """A decision that is not legal; the message lists the legal ones."""


def step_of(state: MayaState) -> str | None:
    """Return the step that the seat in turn has to decide; None when the game is over."""
    return STEPS[type(state.frames[-1])] if state.frames else None


def legal(state: MayaState) -> list[Decision]:
    """List the legal decisions of the seat in turn; empty when the game is over."""
    return [[*state.pending_seats(), step_of(state), value] for value in values(state)]


def values(state: MayaState) -> list[Any]:
    """List the legal values of the current step."""
    if not state.frames:
        return []
    if step_of(state) == "start_temples":
        return [[VALUES[action] for action in actions] for actions in start_actions(state)]
    return [VALUES[action] for action in state.legal_actions(state.pending_seats()[0])]


def start_actions(state: MayaState) -> list[list[int]]:
    """List the ways to answer all questions for start temples, each a list of actions in the order asked."""
    found = []
    for action in state.legal_actions(state.seats - 1):
        after = state.clone()
        after.apply(state.seats - 1, action)
        rest = start_actions(after) if step_of(after) == "start_temples" else [[]]
        found += [[action, *actions] for actions in rest]
    return found


def apply(state: MayaState, decision: Decision) -> None:
    """Play a decision. Raises NotLegal and leaves the position unchanged if it is not legal."""
    for other, actions in zip(legal(state), _actions(state), strict=True):
        if normal(decision) == normal(other):
            for action in actions:
                state.apply(other[0], action)
            skip_stop(state)
            return
    raise NotLegal(f"{decision} is not legal; legal decisions: {legal(state)}")


def _actions(state: MayaState) -> list[list[int]]:
    """List the actions that each of the legal decisions stands for."""
    if step_of(state) == "start_temples":
        return start_actions(state)
    return [[action] for seat in state.pending_seats() for action in state.legal_actions(seat)]


def skip_stop(state: MayaState) -> None:
    """Stop planting if that is the only choice, which the engine asks to keep the rack secret."""
    if step_of(state) == "plant_more" and values(state) == ["stop"]:
        state.apply(state.pending_seats()[0], STOP)


def normal(decision: Decision) -> str:
    """Return the same decision for all spellings with the same meaning: temples have no order."""
    return repr([sorted(part) if isinstance(part, list | tuple) else part for part in decision])


def _values() -> dict[int, str]:
    """Return the words for every action."""
    words = {ACT_PLANT: "plant", ACT_EXPAND: "expand", PASS: "pass", STOP: "stop"}
    for base, names in ((TILE, KIND_NAMES), (HIDE, KIND_NAMES), (CELL, CELL_NAMES), (TEMPLE, TEMPLE_IDS)):
        words |= {base + index: name for index, name in enumerate(names)}
    return words


VALUES = _values()
assert sorted(VALUES) == list(range(1, ACTIONS)) and len(KIND_NAMES) == KINDS
