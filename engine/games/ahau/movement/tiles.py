"""Taking pyramid tiles from the region of the ruler (RULES §4.4)."""

from typing import ClassVar, Final

from ballcourt.engine.core.frames import Frame, Step
from ballcourt.engine.games.ahau.actions import ENOUGH, MAX_ACTORS, TAKE
from ballcourt.engine.games.ahau.automata.automaton import AutomatonTakesTile
from ballcourt.engine.games.ahau.columns import POSITIONS, RULER, SIDE
from ballcourt.engine.games.ahau.pieces.people import owned
from ballcourt.engine.games.ahau.pieces.supply import add_tile, spots, take_tile_at
from ballcourt.engine.games.ahau.state import AhauState
from ballcourt.engine.games.ahau.tables import ADJACENT_REGIONS, GATEWAY, OBSERVATION_TOWER


class TakeTiles(Step[AhauState]):
    """The order of the round, in which all actors take a tile (§4.4, R-06)."""

    kind: ClassVar[int] = 13

    def run(self, state: AhauState) -> None:
        """Order the actors by region, then from the highest on Might, and queue their choices."""
        rulers = [row[RULER] for row in state.actors]
        order = state.might[::-1]
        order.sort(key=rulers.__getitem__)
        state.order = order
        seats = state.seats
        state.frames += [TAKE_OF[actor] if actor < seats else AUTOMATON_TAKES for actor in reversed(order)]


class TakeTile(Frame[AhauState]):
    """Which pyramid tile to take from the ruler's region; a Gateway extends it (§4.4, R-05)."""

    kind: ClassVar[int] = 14

    def options(self, state: AhauState, seat: int) -> list[int]:
        """List the tiles of the region and, with a Gateway, of the adjacent ones."""
        return reachable(state, seat, owned(state, seat, GATEWAY))

    def answer(self, state: AhauState, seat: int, action: int) -> None:
        """Take the tile; an Observation Tower allows a second one."""
        taken_outside = take_spot(state, seat, action)
        if owned(state, seat, OBSERVATION_TOWER):
            state.then(TakeAnother(seat, taken_outside))


TAKE_OF: Final = tuple([TakeTile(seat) for seat in range(MAX_ACTORS)])
AUTOMATON_TAKES: Final = AutomatonTakesTile()


class TakeAnother(Frame[AhauState]):
    """Which second tile to take with an Observation Tower, if any (§4.4, §12.4).

    `outside` is 1 if a Gateway brought the first.
    """

    kind: ClassVar[int] = 18
    fields: ClassVar[tuple[str, ...]] = ("seat", "outside")
    outside: int

    def __init__(self, seat: int, outside: int) -> None:
        super().__init__(seat)
        self.outside = outside

    def options(self, state: AhauState, seat: int) -> list[int]:
        """List the tiles in reach, those outside only with another Gateway, and none; lapse if there are no tiles."""
        spots = reachable(state, seat, owned(state, seat, GATEWAY) - self.outside)
        return [*spots, ENOUGH] if spots else []

    def answer(self, state: AhauState, seat: int, action: int) -> None:
        if action != ENOUGH:
            take_spot(state, seat, action)


def reachable(state: AhauState, seat: int, gateways: int) -> list[int]:
    """List the tiles that a seat can take from its ruler's region and, with a Gateway, from adjacent ones."""
    region = state.actors[seat][RULER]
    if gateways <= 0:
        return _spots(state, region)
    near = ADJACENT_REGIONS[state.table[SIDE]][region]
    return [action for number in sorted([region, *near]) for action in _spots(state, number)]


def take_spot(state: AhauState, seat: int, action: int) -> int:
    """Take a tile into the reserve; return 1 if it lay outside the ruler's region."""
    place, position = divmod(action - TAKE, POSITIONS)
    add_tile(state, seat, take_tile_at(state, place + 1, position))
    return int(place + 1 != state.actors[seat][RULER])


def _spots(state: AhauState, region: int) -> list[int]:
    first = TAKE + POSITIONS * (region - 1)
    return [first + position for position, tile in enumerate(spots(state, region)) if tile]
