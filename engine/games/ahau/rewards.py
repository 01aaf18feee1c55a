"""Rewards of spaces and Might steps (RULES §8).

Every frame grants one thing, so chains of rewards resolve depth first (§8.6).
"""

from typing import ClassVar

from ballcourt.engine.core.bits import members
from ballcourt.engine.core.frames import ActorStep, Frame
from ballcourt.engine.games.ahau import columns as at
from ballcourt.engine.games.ahau import tables
from ballcourt.engine.games.ahau.actions import (
    ADVANCE,
    CARD_BACK,
    GAIN,
    LAY_DOWN,
    MARK,
    NO_CARD_BACK,
    ROLE_PICK,
    STAND_FAST,
)
from ballcourt.engine.games.ahau.pieces.people import lay_down, standing_cities
from ballcourt.engine.games.ahau.pieces.supply import draw_to_reserve
from ballcourt.engine.games.ahau.pieces.temples import has_marker, marker_space, put_marker
from ballcourt.engine.games.ahau.rounds.trading import Windowed
from ballcourt.engine.games.ahau.sources import MIGHT
from ballcourt.engine.games.ahau.state import AhauState, replaced


def gain_weapons(row: list[int], count: int) -> None:
    """Gain weapons; those above the limit are lost (R-37)."""
    row[at.WEAPONS] = min(tables.MAX_WEAPONS, row[at.WEAPONS] + count)


def gain_at_once(state: AhauState, actor: int, gained: tables.Reward, source: str) -> bool:
    """Grant a reward of Fame, weapons or tiles, which needs no choice; return False for any other reward."""
    kind, count = gained
    if kind == tables.GAIN_FAME:
        state.gain_fame(actor, count, source)
    elif kind == tables.GAIN_WEAPON:
        gain_weapons(state.changing(actor), count)
    elif kind == tables.GAIN_DRAW:
        draw_to_reserve(state, actor, count)
    else:
        return False
    return True


def give_reward(state: AhauState, seat: int, gained: tables.Reward, source: str) -> None:
    """Grant a player a reward of a source, or ask the choices it needs; it cannot be declined (§8.6, R-01)."""
    kind, count = gained
    if gain_at_once(state, seat, gained, source):
        return
    if kind == tables.GAIN_MIGHT:
        advance_on_might(state, seat)
    elif kind == tables.GAIN_RESOURCE:
        state.then(*[GainResource(seat) for _ in range(count)])
    elif kind == tables.GAIN_TEMPLE:
        state.then(ChooseTemple(seat))
    elif kind == tables.GAIN_LAY_DOWN:
        state.then(LayDown(seat))
    elif kind == tables.GAIN_ROLE:
        state.then(_role_question(state, seat))


def _role_question(state: AhauState, seat: int) -> Frame[AhauState]:
    """Return the question of a Role reward: the first shows the Role deck, later ones take cards back (§8.5, §1.3)."""
    if state.table[at.MODE] == at.FAMILY or state.actors[seat][at.ROLE_ORDER]:
        return CardBack(seat)
    seen = sum(1 << role for role in state.role_deck[: state.table[at.ROLE_DECK]])
    state.known = replaced(state.known, seat, seen)
    return PickRole(seat)


def climb(state: AhauState, actor: int) -> bool:
    """Move a marker one step up and onto the stack there; return True if it was on the top step already."""
    row = state.changing(actor)
    at_top = row[at.STEP] == tables.TOP_STEP
    if not at_top:
        row[at.STEP] += 1
    others = [other for other in state.might if other != actor]
    place = sum(1 for other in others if state.actors[other][at.STEP] <= row[at.STEP])
    state.might = [*others[:place], actor, *others[place:]]
    return at_top


def advance_on_might(state: AhauState, seat: int) -> None:
    """Advance on Might and grant the reward of the step; from the top step it is 3 Fame (§8.3)."""
    if climb(state, seat):
        state.gain_fame(seat, tables.BEYOND_TOP_FAME, MIGHT)
    else:
        give_reward(state, seat, tables.MIGHT_REWARDS[state.actors[seat][at.STEP]], MIGHT)


class GainResource(Windowed):
    """Which colour a gained resource has (§8.2)."""

    kind: ClassVar[int] = 1

    def own_options(self, state: AhauState, seat: int) -> list[int]:
        return [GAIN + colour for colour in range(at.COLOURS)]

    def own_answer(self, state: AhauState, seat: int, action: int) -> None:
        """Gain it."""
        state.changing(seat)[at.RESOURCES + action - GAIN] += 1


class ChooseTemple(Windowed):
    """At which Temple to put a marker (§8.2)."""

    kind: ClassVar[int] = 2

    def own_options(self, state: AhauState, seat: int) -> list[int]:
        """List the Temples with an empty space and no marker of the seat."""
        return [
            MARK + god
            for god in range(at.GODS)
            if not has_marker(state, seat, god) and marker_space(state, god) != at.NONE
        ]

    def own_answer(self, state: AhauState, seat: int, action: int) -> None:
        put_marker(state, seat, action - MARK)


class LayDown(Windowed):
    """Which standing worker to lay down (§8.4)."""

    kind: ClassVar[int] = 3

    def own_options(self, state: AhauState, seat: int) -> list[int]:
        """List the cities where the seat has a standing worker."""
        return [LAY_DOWN + city for city in standing_cities(state.actors[seat])]

    def own_answer(self, state: AhauState, seat: int, action: int) -> None:
        """Lay it down."""
        lay_down(state.changing(seat), action - LAY_DOWN)


class PickRole(Windowed):
    """Which Role card to take from the deck, in secret (§8.5)."""

    kind: ClassVar[int] = 4

    def own_options(self, state: AhauState, seat: int) -> list[int]:
        return [ROLE_PICK + role - 1 for role in sorted(state.role_deck[: state.table[at.ROLE_DECK]])]

    def own_answer(self, state: AhauState, seat: int, action: int) -> None:
        role = action - ROLE_PICK + 1
        rest = [other for other in state.role_deck[: state.table[at.ROLE_DECK]] if other != role]
        state.role_deck = rest
        state.table[at.ROLE_DECK] = len(rest)
        state.roles = replaced(state.roles, seat, at.ROLE + role)
        state.known = replaced(state.known, seat, sum(1 << other for other in rest))
        state.changing(seat)[at.ROLE_ORDER] = 1 + max([row[at.ROLE_ORDER] for row in state.actors])


class CardBack(Windowed):
    """Whether to take back the Role card, or any card in Ahau Family, from table or discard pile (§8.5, §14.2)."""

    kind: ClassVar[int] = 5

    def own_options(self, state: AhauState, seat: int) -> list[int]:
        """List the cards that can come back, and none; Ahau Family asks even if no card can."""
        row = state.actors[seat]
        family = state.table[at.MODE] == at.FAMILY
        cards = [card for card in members(row[at.PLAYED] | row[at.DISCARD]) if family or card > at.ROLE]
        return [*[CARD_BACK + card - 1 for card in cards], NO_CARD_BACK] if family or cards else []

    def own_answer(self, state: AhauState, seat: int, action: int) -> None:
        if action != NO_CARD_BACK:
            take_back(state.changing(seat), action - CARD_BACK + 1)


def take_back(row: list[int], card: int) -> None:
    """Return a card from the table or the discard pile to the hand."""
    row[at.PLAYED] &= ~(1 << card)
    row[at.DISCARD] &= ~(1 << card)


class ClimbMight(ActorStep[AhauState]):
    """A step up the Might track that cannot be declined."""

    kind: ClassVar[int] = 6

    def run(self, state: AhauState) -> None:
        advance_on_might(state, self.actor)


class MightAdvance(Windowed):
    """Whether to advance on Might: for the winner of a conflict, or after Jaguar (§4.3c, §6.5, R-36)."""

    kind: ClassVar[int] = 21

    def own_options(self, state: AhauState, seat: int) -> list[int]:
        return [ADVANCE, STAND_FAST]

    def own_answer(self, state: AhauState, seat: int, action: int) -> None:
        if action == ADVANCE:
            advance_on_might(state, seat)
