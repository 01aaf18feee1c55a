"""The rules procedures a vector may `run` apart from any decision, e.g. the feeding of a Food Day."""

from collections.abc import Callable

from ballcourt.engine.core import NOBODY
from ballcourt.engine.games.tzolkin.actions import ADVANCE
from ballcourt.engine.games.tzolkin.calendar import change_starting_player, next_round
from ballcourt.engine.games.tzolkin.columns import EMPTY, POT, START_SPACE
from ballcourt.engine.games.tzolkin.economy.monuments import monument_vp
from ballcourt.engine.games.tzolkin.food_day import end_of_age_rewards, feed_all, mid_age_rewards
from ballcourt.engine.games.tzolkin.scoring import final_scoring
from ballcourt.engine.games.tzolkin.setup import place_dummies
from ballcourt.engine.games.tzolkin.state import TzolkinState
from tests.engine.games.tzolkin.decisions import seat_in_turn
from tests.engine.games.tzolkin.positions import Fields


def advance_one_day(state: TzolkinState) -> None:
    """Play phase 3 of a round; the player on the Starting Player Space chooses one day."""
    state.frames.clear()
    if state.table[START_SPACE] == EMPTY:
        state.table[POT] += 1
        next_round(state, 1)
    else:
        change_starting_player(state)
        state.apply(seat_in_turn(state), ADVANCE)


def end_the_match(state: TzolkinState) -> None:
    """Score the end of the match."""
    state.frames.clear()
    final_scoring(state)


def _check_monument(state: TzolkinState, step: Fields) -> str:
    points = monument_vp(state, step["player"], step["monument"])
    return "" if points == step["equals"] else f"expected {step['equals']} points, it scores {points}"


def _place_dummies(state: TzolkinState, step: Fields) -> str:
    place_dummies(state.slots, step["tiles"], step["count"])
    return ""


def _plain(procedure: Callable[[TzolkinState], None]) -> Callable[[TzolkinState, Fields], str]:
    def run(state: TzolkinState, _: Fields) -> str:
        state.asked = NOBODY
        procedure(state)
        return ""

    return run


PROCEDURES: dict[str, Callable[[TzolkinState, Fields], str]] = {
    "feed_all": _plain(feed_all),
    "mid_rewards": _plain(mid_age_rewards),
    "end_rewards_age1": _plain(lambda state: end_of_age_rewards(state, 1)),
    "end_rewards_age2": _plain(lambda state: end_of_age_rewards(state, 2)),
    "advance_1": _plain(advance_one_day),
    "final_scoring": _plain(end_the_match),
    "place_dummies": _place_dummies,
    "monument_vp": _check_monument,
}
"""Each runs a step and returns what is wrong, or an empty string."""
