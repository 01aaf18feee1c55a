"""The facts of Goofspiel: table sizes, options, actions, the deal, what can be hidden, and what must always hold."""

from __future__ import annotations

from typing import Any

from ballcourt.engine.core import Frame, Game, Observation, Option, Rows, State, Stream
from ballcourt.engine.core.chance import stream
from ballcourt.engine.core.view.scene import Choice, Scene
from goofspiel.rounds import Bid, TurnUp
from goofspiel.state import GoofspielState

MOST_CARDS = 13


class Goofspiel(Game):
    """Secret bids for prizes."""

    name = "goofspiel"
    title = "Goofspiel"
    rules_version = "1"
    seat_counts = (2, 3, 4)
    options = (Option("cards", "how many cards everyone has (§1.1)", ("5", "9", "13"), "13"),)
    action_names = ("UNSPECIFIED", *(f"BID_{card}" for card in range(1, MOST_CARDS + 1)))
    max_decisions = MOST_CARDS * 4
    state_class = GoofspielState
    frame_classes: tuple[type[Frame[Any]], ...] = (TurnUp, Bid)

    def deal(self, seats: int, seed: int, options: dict[str, str]) -> GoofspielState:
        """Set up a match (§1)."""
        state = GoofspielState(seats, [TurnUp()])
        cards = list(range(1, int(options["cards"]) + 1))
        state.cards, state.prize, state.gone = len(cards), 0, []
        state.points, state.bids = [0] * seats, [0] * seats
        state.hands = [cards[:] for _ in range(seats)]
        state.deck = stream(seed, "prizes").shuffled(cards)
        return state

    def draw_secrets(self, observation: Observation, chance: Stream) -> Rows:
        """Draw the order of the deck. The others may not have bid yet, which fits whatever a seat knows."""
        (cards, prize), gone = observation.public[:2]
        bids = [0] * observation.seats
        if observation.private:
            bids[observation.seat] = observation.private[0][0]
        hidden = [card for card in range(1, cards + 1) if card != prize and card not in gone]
        return [bids, chance.shuffled(hidden)]

    def scene(self, state: State, seat: int | None = None) -> Scene:
        """Describe a position for viewers."""
        from goofspiel.view.scene import scene  # most processes show nothing

        assert isinstance(state, GoofspielState)
        return scene(state, seat)

    def choice(self, state: State, seat: int, action: int) -> Choice:
        """Describe a bid in words."""
        return {"action": action, "label": f"Bid {action}", "places": []}

    def violations(self, state: State) -> list[str]:
        """No card is created or destroyed but by §2.4."""
        assert isinstance(state, GoofspielState)
        found = []
        prizes = sorted([*state.gone, *state.deck, *filter(None, [state.prize])])
        if prizes != list(range(1, state.cards + 1)):
            found.append(f"the prizes are {prizes}; they must be 1 to {state.cards}")
        found += [
            f"seat {seat} has {len(hand)} cards after {len(state.gone)} of {state.cards} rounds"
            for seat, hand in enumerate(state.hands)
            if len(hand) != state.cards - len(state.gone)
        ]
        return found


GAME = Goofspiel()
