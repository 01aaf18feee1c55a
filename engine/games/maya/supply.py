"""Racks and supplies (RULES §1.8, §6.2)."""

from ballcourt.engine.games.maya.columns import RACK, SUPPLY
from ballcourt.engine.games.maya.state import MayaState
from ballcourt.engine.games.maya.tables import RACK_LIMIT


def replaced(rows: list[list[int]], seat: int, row: list[int]) -> list[list[int]]:
    """Return the rows of all seats with the row of one seat replaced; the argument is not changed."""
    rows = rows[:]
    rows[seat] = row
    return rows


def draw(state: MayaState, seat: int, count: int) -> None:
    """Draw tiles to the rack, as many as rack and supply allow; drawing is compulsory (§6.2, R-D1)."""
    player = state.players[seat]
    count = min(count, RACK_LIMIT - player[RACK], player[SUPPLY])
    rack, supply = state.racks[seat][:], state.supplies[seat]
    for place in range(player[SUPPLY] - count, player[SUPPLY]):
        rack[supply[place]] += 1
    state.racks = replaced(state.racks, seat, rack)
    player[RACK] += count
    player[SUPPLY] -= count


def take(state: MayaState, seat: int, kind: int) -> None:
    """Take a tile off the rack."""
    rack = state.racks[seat][:]
    rack[kind] -= 1
    state.racks = replaced(state.racks, seat, rack)
    state.players[seat][RACK] -= 1


def take_blind(state: MayaState, seat: int) -> int:
    """Take the top tile of the supply, whose kind no one sees (§6.1)."""
    player = state.players[seat]
    player[SUPPLY] -= 1
    return state.supplies[seat][player[SUPPLY]]
