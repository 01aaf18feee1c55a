"""The automaton: an actor without a seat, the Shadow Player (RULES §14.3) or King Pakal (§15)."""

from typing import ClassVar

from ballcourt.engine.core.frames import Step
from ballcourt.engine.games.ahau.automata import shadow
from ballcourt.engine.games.ahau.automata.pakal import goods as pakal_goods
from ballcourt.engine.games.ahau.automata.pakal import turn as pakal
from ballcourt.engine.games.ahau.columns import MODE, SOLO
from ballcourt.engine.games.ahau.rewards import climb
from ballcourt.engine.games.ahau.state import AhauState


def takes_part(state: AhauState) -> bool:
    """Return whether an automaton takes part."""
    return len(state.actors) > state.seats


def is_pakal(state: AhauState) -> bool:
    """Return whether the automaton is King Pakal, who scores like a player."""
    return state.table[MODE] == SOLO


def reveal(state: AhauState) -> None:
    """Draw and reveal its two cards, after the players' cards."""
    if is_pakal(state):
        pakal.reveal(state)
    elif takes_part(state):
        shadow.reveal(state)


def relocate(state: AhauState) -> None:
    """Move its ruler after it has lost a conflict."""
    shadow.relocate(state)


def act(state: AhauState) -> None:
    """Take its Action turn."""
    if is_pakal(state):
        pakal.act(state)
    else:
        shadow.act(state)


def tile_to_return(state: AhauState) -> int:
    """Return the tile of King Pakal's reserve that he must put into the bag (R-47)."""
    return pakal.tile_to_return(state)


def end_round(state: AhauState) -> None:
    """Reshuffle the deck of the Shadow Player if it is empty."""
    if takes_part(state) and not is_pakal(state):
        shadow.end_round(state)


def next_katun(state: AhauState) -> None:
    """Place King Pakal's markers for the next K'atun (§15.12)."""
    if is_pakal(state):
        pakal.mark_middle(state)


class AutomatonTakesTile(Step[AhauState]):
    """The automaton's choice of a pyramid tile."""

    kind: ClassVar[int] = 25

    def run(self, state: AhauState) -> None:
        if is_pakal(state):
            pakal.take_tile(state)
        else:
            shadow.take_tile(state)


class AutomatonWon(Step[AhauState]):
    """The automaton's step on Might after it has won a conflict (§14.3, §15.5)."""

    kind: ClassVar[int] = 26

    def run(self, state: AhauState) -> None:
        """Advance; the Shadow Player gains no reward."""
        if is_pakal(state):
            pakal_goods.advance_pakal(state)
        else:
            climb(state, state.seats)
