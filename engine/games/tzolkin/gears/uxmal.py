"""Uxmal: temple, market, workers and building with corn (RULES §5.4); its action 5 stands in gears."""

from ballcourt.engine.games.tzolkin.columns import CORN, WORKERS
from ballcourt.engine.games.tzolkin.economy import construct
from ballcourt.engine.games.tzolkin.economy.goods import gain_worker
from ballcourt.engine.games.tzolkin.economy.market import Market, can_trade
from ballcourt.engine.games.tzolkin.economy.temples import ClimbOne
from ballcourt.engine.games.tzolkin.state import TzolkinState
from ballcourt.engine.games.tzolkin.tables import CORN_PER_ANY_ACTION, CORN_PER_TEMPLE_STEP, MAX_WORKERS

TEMPLE_STEP, MARKET, NEW_WORKER, BUILD_WITH_CORN, ANY_ACTION = 1, 2, 3, 4, 5


def performable(state: TzolkinState, seat: int, action: int, corn: int) -> bool:
    """Return whether the action has an effect for a player with this much corn left (§5.0).

    A player who can pay for any action can always fish.
    """
    player = state.players[seat]
    if action == TEMPLE_STEP:
        return corn >= CORN_PER_TEMPLE_STEP
    if action == MARKET:
        return can_trade(player, corn)
    if action == NEW_WORKER:
        return player[WORKERS] < MAX_WORKERS
    if action == BUILD_WITH_CORN:
        return construct.possible(state, seat, in_corn=True, monuments=False, corn=corn)
    return corn >= CORN_PER_ANY_ACTION


def perform(state: TzolkinState, seat: int, action: int) -> None:
    """Pay what is fixed and ask for what the action needs to know."""
    player = state.players[seat]
    if action == TEMPLE_STEP:
        player[CORN] -= CORN_PER_TEMPLE_STEP
        state.then(ClimbOne(seat))
    elif action == MARKET:
        state.then(Market(seat, buying=0))
    elif action == NEW_WORKER:
        gain_worker(player)
    else:
        state.then(construct.Construct(seat, construct.UXMAL_4))
