"""The start of a round: selecting and revealing cards, moving rulers (RULES §3.1, §4.1, §4.2, §13.5)."""

from functools import cache
from typing import ClassVar, Final

from ballcourt.engine.core.bits import members
from ballcourt.engine.core.frames import EVERYBODY, Frame, Step
from ballcourt.engine.games.ahau import columns as at
from ballcourt.engine.games.ahau.actions import CAPTAIN, CAPTAIN_STAY, CARD_PAIR, CARD_PAIRS, SELECT
from ballcourt.engine.games.ahau.automata import automaton
from ballcourt.engine.games.ahau.movement.conflicts import Conflicts
from ballcourt.engine.games.ahau.movement.ending import MovementEnd
from ballcourt.engine.games.ahau.movement.tiles import TakeTiles
from ballcourt.engine.games.ahau.pieces.people import hand, number, plays
from ballcourt.engine.games.ahau.rounds.turn import clear_turn
from ballcourt.engine.games.ahau.state import AhauState, replaced
from ballcourt.engine.games.ahau.tables import ADJACENT_REGIONS, REGION_COUNT


class RoundStart(Step[AhauState]):
    """The start of every round until the match is over (§3.1)."""

    kind: ClassVar[int] = 10

    def run(self, state: AhauState) -> None:
        """Reset what lasts for a round and ask for cards; stay on the stack for the next round."""
        if state.table[at.CELEBRATED]:
            return
        for actor in range(len(state.actors)):
            row = state.changing(actor)
            row[at.LOST] = row[at.LEFT] = row[at.RIGHT] = row[at.QUEEN_USED] = row[at.DISCOUNTS] = 0
        clear_turn(state)
        state.table[at.ROUND] += 1
        state.frames += (self, SELECT_CARDS)


@cache
def selections(cards: int, highest: int) -> list[int]:
    """List the ways to select two cards of a set; the left one must name a region up to `highest` (§4.1)."""
    held = members(cards)
    return [
        SELECT + CARD_PAIR[left, right] for left in held if number(left) <= highest for right in held if left != right
    ]


MOVEMENT: Final = (MovementEnd(), TakeTiles(), Conflicts(1))
"""The steps that follow the War Captains, the first on top. Frames never change, so that one of each is enough."""


class SelectCards(Frame[AhauState]):
    """The secret selection of a destination and a strength by all seats at once (§4.1, §4.2)."""

    kind: ClassVar[int] = 11
    fields: ClassVar[tuple[str, ...]] = ()

    def __init__(self) -> None:
        super().__init__(EVERYBODY)

    def pending(self, state: AhauState) -> list[int]:
        return [seat for seat in range(state.seats) if not state.answers[seat]]

    def options(self, state: AhauState, seat: int) -> list[int]:
        """List the pairs of cards in the hand whose left card has the number of a region."""
        return selections(hand(state, seat), REGION_COUNT[state.table[at.SIDE]])

    def answer(self, state: AhauState, seat: int, action: int) -> None:
        """Record the selection; after the last, reveal all, the Shadow Player before any War Captain (R-24)."""
        state.answers = replaced(state.answers, seat, action)
        if 0 in state.answers:
            state.frames.append(self)
            return
        for owner in range(state.seats):
            left, right = CARD_PAIRS[state.answers[owner] - SELECT]
            reveal_cards(state, owner, left, right)
        state.answers = [0] * state.seats
        automaton.reveal(state)
        state.frames += MOVEMENT
        for owner in range(state.seats - 1, -1, -1):
            if plays(state.actors[owner], at.WAR_CAPTAIN):
                state.frames.append(WarCaptain(owner))


SELECT_CARDS: Final = SelectCards()


def reveal_cards(state: AhauState, actor: int, left: int, right: int) -> None:
    """Play an actor's two cards and move its ruler."""
    row = state.changing(actor)
    row[at.LEFT] = left
    row[at.RIGHT] = right
    row[at.PLAYED] = 1 << left | 1 << right
    row[at.RULER] = number(left)
    highest = max(left, right)
    if highest > at.ROLE:
        row[at.ROLE_SEEN] = highest


class WarCaptain(Frame[AhauState]):
    """Where the War Captain leads the ruler, before the conflicts (§13.5)."""

    kind: ClassVar[int] = 12

    def options(self, state: AhauState, seat: int) -> list[int]:
        adjacent = ADJACENT_REGIONS[state.table[at.SIDE]][state.actors[seat][at.RULER]]
        return [CAPTAIN_STAY, *[CAPTAIN + region - 1 for region in adjacent]]

    def answer(self, state: AhauState, seat: int, action: int) -> None:
        if action != CAPTAIN_STAY:
            state.changing(seat)[at.RULER] = action - CAPTAIN + 1
