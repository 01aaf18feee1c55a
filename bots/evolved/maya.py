"""Values of positions, as `docs/examples/evolve.py` bred them."""

from collections.abc import Callable

from ballcourt.bots.leads import lead
from ballcourt.engine.games.maya.state import MayaState

from .prices import priced

BUDGET = 100
REPLIES = 0
ANSWER = 60
TRUST = 0.5
planner = priced("ballcourt.bots.planner.maya")
is_follow_up, ends_turn, fingerprint = planner.is_follow_up, planner.ends_turn, planner.fingerprint


def appraiser(state: MayaState, seat: int) -> Callable[[MayaState], float]:
    """Return a function that values the positions of a turn that begins here."""
    planned = planner.appraiser(state, seat)

    def value(now: MayaState) -> float:
        return float(0.928 * lead(now.scores(), seat) + 0.975 * now.scores()[seat] + 0.898 * planned(now))

    return value
