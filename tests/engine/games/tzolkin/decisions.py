"""The vectors' decision language: legal decisions as lists of words and numbers, and how to play one.

The language is described under `conventions` in vectors.json, e.g. ["place", "tikal"] or ["pay", 1, 0, 0].
"""

from typing import TypeAlias

from ballcourt.engine.games.tzolkin import actions
from ballcourt.engine.games.tzolkin.actions import KEEP, KEPT_PAIRS, NONE, USE
from ballcourt.engine.games.tzolkin.gears.spaces import UseAction
from ballcourt.engine.games.tzolkin.state import TzolkinState
from ballcourt.engine.games.tzolkin.tables import (
    BLOCK_NAMES,
    BUILDING_TILES,
    GEAR_NAMES,
    MONUMENT_TILES,
    TECH_NAMES,
    TEMPLE_NAMES,
)

Word: TypeAlias = str | int | bool | None
Decision: TypeAlias = list[Word]


class NotLegal(ValueError):
    """A decision that is not legal; the message lists the legal ones."""


def seat_in_turn(state: TzolkinState) -> int:
    """Return the seat whose decision comes next; in the draft, where all choose at once, seats go in order."""
    pending = state.pending_seats()
    return pending[0] if pending else -1


def legal(state: TzolkinState) -> list[Decision]:
    """List the legal decisions of the seat in turn; empty when the game is over."""
    seat = seat_in_turn(state)
    return [] if seat < 0 else [decision_of(state, seat, action) for action in state.legal_actions(seat)]


def apply(state: TzolkinState, decision: Decision) -> None:
    """Play a decision for the seat in turn. Raises NotLegal and leaves the position unchanged if it is not legal."""
    seat = seat_in_turn(state)
    wanted = normal(decision)
    for action in state.legal_actions(seat) if seat >= 0 else []:
        if normal(decision_of(state, seat, action)) == wanted:
            state.apply(seat, action)
            return
    raise NotLegal(f"{decision} is not legal; legal decisions: {legal(state)}")


def normal(decision: Decision) -> str:
    """Return the same decision for all spellings with the same meaning: kept or climbed pairs have no order."""
    if decision[:1] in (["keep"], ["temples"]):
        decision = [decision[0], *sorted(decision[1:], key=str)]
    return repr(decision)


def decision_of(state: TzolkinState, seat: int, action: int) -> Decision:
    """Return the words for an action of a pending seat."""
    if KEEP <= action < KEEP + len(KEPT_PAIRS):
        offer = state.offers[seat]
        return ["keep", *(offer[place] for place in KEPT_PAIRS[action - KEEP])]
    if USE <= action < NONE:
        used = state.frames[-1]
        assert isinstance(used, UseAction)
        number = action - USE + 1
        return ["do", number, used.price(number, used.sees_ahead(state, seat))]
    return list(FIXED[action])


def _fixed() -> dict[int, Decision]:
    """Return the words for actions that mean the same in every position."""
    words: dict[int, Decision] = {
        actions.PLACE_START: ["place", "sp"],
        actions.NONE: ["none"],
        actions.HARVEST_CORN: ["corn"],
        actions.HARVEST_WOOD: ["wood"],
        actions.TILELESS: ["tileless"],
        actions.STOP: ["stop"],
        actions.END: ["end"],
    }
    for base, word, names in (
        (actions.BEG, "beg", TEMPLE_NAMES),
        (actions.PLACE, "place", GEAR_NAMES),
        (actions.PITY, "pity", GEAR_NAMES),
        (actions.BURN, "burn", TEMPLE_NAMES),
        (actions.LEARN, "tech", TECH_NAMES),
        (actions.CLIMB, "temple", TEMPLE_NAMES),
        (actions.TAKE, "block", BLOCK_NAMES),
        (actions.SELL, "sell", BLOCK_NAMES),
        (actions.BUY, "buy", BLOCK_NAMES),
    ):
        words |= {base + index: [word, name] for index, name in enumerate(names)}
    return words | _numbered() | _building()


def _numbered() -> dict[int, Decision]:
    """Return the words for actions with numbers."""
    words: dict[int, Decision] = {}
    for gear, name in enumerate(GEAR_NAMES):
        spaces = 11 if name == "chichen_itza" else actions.PICK_STRIDE
        words |= {actions.PICK + actions.PICK_STRIDE * gear + space: ["pick", name, space] for space in range(spaces)}
        if name != "chichen_itza":
            words |= {
                actions.GO + actions.GO_STRIDE * gear + index: ["go", name, index + 1]
                for index in range(4 if name == "uxmal" else 5)
            }
    for index, paid in enumerate(actions.PAYMENTS):
        words[actions.PAY + index] = ["pay", *paid]
    for index, pair in enumerate(actions.TEMPLE_PAIRS):
        words[actions.CLIMB_TWO + index] = ["temples", *(TEMPLE_NAMES[temple] for temple in pair)]
    for kind, block in enumerate(BLOCK_NAMES):
        words |= {
            actions.OFFER + len(TEMPLE_NAMES) * kind + index: ["offer", block, temple]
            for index, temple in enumerate(TEMPLE_NAMES)
        }
    words[actions.ADVANCE] = ["advance", 1]
    words[actions.ADVANCE + 1] = ["advance", 2]
    return words


def _building() -> dict[int, Decision]:
    """Return the words for actions that construct something."""
    words: dict[int, Decision] = {}
    for monument in range(1, len(MONUMENT_TILES)):
        words[actions.MONUMENT + monument - 1] = ["monument", monument]
    for building in range(1, len(BUILDING_TILES)):
        words[actions.BUILD + building - 1] = ["build", building, False, None]
        words[actions.BUILD_WITH_TRACK + building - 1] = ["build", building, True, None]
    for index, (building, kind) in enumerate(actions.WAIVERS):
        words[actions.WAIVE + index] = ["build", building, True, BLOCK_NAMES[kind]]
    return words


FIXED = _fixed()
