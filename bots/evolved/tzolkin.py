"""Values of positions, as `docs/examples/evolve.py` bred them."""

from collections.abc import Callable

from ballcourt.engine.games.tzolkin.state import TzolkinState

from .prices import priced

BUDGET = 100
REPLIES = 0
ANSWER = 60
TRUST = 0.5
planner = priced("ballcourt.bots.planner.tzolkin")
is_follow_up, ends_turn, fingerprint = planner.is_follow_up, planner.ends_turn, planner.fingerprint


def appraiser(state: TzolkinState, seat: int) -> Callable[[TzolkinState], float]:
    """Return a function that values the positions of a turn that begins here."""
    planned = planner.appraiser(state, seat)

    def value(now: TzolkinState) -> float:
        return float(0.883 * now.scores()[seat] + 0.423 * planned(now))

    return value
