"""What the thirteen monuments score at the end (RULES §10). Rulebook, appendix."""

from typing import Final

from ballcourt.engine.games.tzolkin import columns as at
from ballcourt.engine.games.tzolkin.state import TzolkinState
from ballcourt.engine.games.tzolkin.tables import (
    BUILDING_TILES,
    CIVIC,
    MONUMENT_TILES,
    SHRINE,
    START_STEP,
    TEMPLE_VP,
    TOMB,
)

VP_PER_TILE_OF_CATEGORY: Final = 4
VP_PER_TILE: Final = 2
VP_PER_MONUMENT: Final[tuple[int, ...]] = (0, 0, 6, 5, 4)  # by seats
VP_FOR_WORKERS: Final[tuple[int, ...]] = (0, 0, 0, 0, 6, 12, 18)
VP_PER_LEVEL: Final = 3
VP_FOR_FINISHED_TRACKS: Final[tuple[int, ...]] = (0, 9, 20, 33, 33)
VP_PER_HARVEST_TILE: Final = 4
VP_PER_STEP: Final = 3
VP_PER_SKULL_IN_CHICHEN: Final = 3


def tiles_of(player: list[int], category: int) -> int:
    """Count a player's buildings and monuments of one category."""
    buildings = sum(tile[0] == category and player[at.BUILDINGS] >> n & 1 for n, tile in enumerate(BUILDING_TILES))
    monuments = sum(tile[0] == category and player[at.MONUMENTS] >> n & 1 for n, tile in enumerate(MONUMENT_TILES))
    return buildings + monuments


def best_climb(player: list[int]) -> int:
    """Count the steps above the start on the player's best temple, never below 0 (R-22)."""
    return max(0, *[player[at.TEMPLE + temple] - START_STEP for temple in range(at.TEMPLES)])


def temple_sum(player: list[int]) -> int:
    """Add up the values of the player's three temple steps; may be negative (R-22)."""
    return sum(TEMPLE_VP[temple][player[at.TEMPLE + temple]] for temple in range(at.TEMPLES))


def monument_vp(state: TzolkinState, seat: int, monument: int) -> int:
    """Return the victory points of a monument (1..13) for its owner; tiles it counts include itself (§10.3)."""
    player = state.players[seat]
    if monument <= 3:
        return VP_PER_TILE_OF_CATEGORY * tiles_of(player, (TOMB, CIVIC, SHRINE)[monument - 1])
    if monument == 4:
        return VP_PER_TILE * (player[at.BUILDINGS].bit_count() + player[at.MONUMENTS].bit_count())
    if monument == 5:
        return VP_PER_MONUMENT[state.seats] * sum(other[at.MONUMENTS].bit_count() for other in state.players)
    if monument == 6:
        return VP_FOR_WORKERS[player[at.WORKERS]]
    levels = player[at.TECH : at.TECH + at.TECHS]
    if monument == 7:
        return VP_PER_LEVEL * sum(levels)
    if monument == 8:
        return VP_FOR_FINISHED_TRACKS[levels.count(at.TOP_LEVEL)]
    if monument == 9:
        return VP_PER_HARVEST_TILE * player[at.CORN_TILES]
    if monument == 10:
        return VP_PER_HARVEST_TILE * player[at.WOOD_TILES]
    if monument == 11:
        return VP_PER_STEP * best_climb(player)
    if monument == 12:
        return temple_sum(player)
    return VP_PER_SKULL_IN_CHICHEN * state.table[at.CHICHEN_USED].bit_count()
