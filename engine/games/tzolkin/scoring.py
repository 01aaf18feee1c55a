"""The end of the game: final scoring and tie-break (RULES §10)."""

from ballcourt.engine.games.tzolkin import sources
from ballcourt.engine.games.tzolkin.columns import BLOCKS, CORN, MONUMENTS, SKULLS, WOOD
from ballcourt.engine.games.tzolkin.economy.monuments import monument_vp
from ballcourt.engine.games.tzolkin.state import TzolkinState
from ballcourt.engine.games.tzolkin.tables import MARKET_RATE, MONUMENT_TILES, VP_PER_SKULL


def final_scoring(state: TzolkinState) -> None:
    """Score what all players still own: blocks as corn, corn as exact quarters (§10.2, R-21), skulls, monuments."""
    for seat, player in enumerate(state.players):
        corn = player[CORN] + sum(MARKET_RATE[kind] * player[WOOD + kind] for kind in range(BLOCKS))
        state.score_quarters(seat, corn, sources.LEFT_OVER)
        state.score(seat, VP_PER_SKULL * player[SKULLS], sources.SKULLS)
        for monument in range(1, len(MONUMENT_TILES)):
            if player[MONUMENTS] >> monument & 1:
                state.score(seat, monument_vp(state, seat, monument), sources.MONUMENTS)
