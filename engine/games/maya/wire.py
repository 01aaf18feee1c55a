"""Maya on the wire: rows of `columns` to `ballcourt.v1.MayaObservation` and back."""

from functools import lru_cache
from typing import cast

from google.protobuf.message import DecodeError

from ballcourt.engine.core.errors import MalformedRows
from ballcourt.engine.core.layout import Layout, exactly
from ballcourt.engine.core.observation import SPECTATOR, Observation
from ballcourt.engine.core.state import Rows
from ballcourt.engine.core.wire import Wire
from ballcourt.engine.games.maya.columns import (
    AREAS,
    BLIND,
    CELLS_ROW,
    CITIES_ROW,
    CITY_COLUMNS,
    EDGE,
    KINDS,
    PASSES,
    PLAYER_COLUMNS,
    PLAYERS_ROW,
    RACK,
    SCORE,
    SCORED,
    SIZE,
    SUPPLY,
    TABLE_COLUMNS,
    TABLE_ROW,
    TURN,
    TURNS,
)
from ballcourt.engine.games.maya.tables import CELLS, TEMPLES
from ballcourt.v1.maya_pb2 import (
    MayaAction,
    MayaCities,
    MayaCityTiles,
    MayaObservation,
    MayaPlayer,
    MayaPrivate,
    MayaQuestion,
    MayaTable,
    MayaWaiting,
)

CACHED = 4096
"""How many encodings of a waiting frame are remembered; most come again, in another match."""

GAME = "maya"
SEATS = (2, 3, 4)
ACTION_PREFIX = "MAYA_ACTION_"

TABLE = Layout(GAME, TABLE_COLUMNS, {"turn": TURN, "passes": PASSES}, {}, {"areas": AREAS, "scored": SCORED})
CITIES = Layout(GAME, CITY_COLUMNS, {}, {"sizes": (SIZE, TEMPLES), "edges": (EDGE, TEMPLES)}, {})
PLAYER = Layout(
    GAME, PLAYER_COLUMNS, {"score": SCORE, "turns": TURNS, "rack": RACK, "supply": SUPPLY}, {}, {"blind": BLIND}
)


class MayaWire(Wire):
    """The translation of Maya."""

    observation_type = "ballcourt.v1.MayaObservation"
    action_enum = "ballcourt.v1.MayaAction"

    def enum_names(self) -> tuple[str, ...]:
        """List the names of the enum's values by number, without the prefix."""
        return tuple(value.name.removeprefix(ACTION_PREFIX) for value in MayaAction.DESCRIPTOR.values)

    def encode_public(self, index: int, row: list[int], seats: int) -> bytes:
        """Encode the public row at `index`."""
        if index >= PLAYERS_ROW + 2 * seats:
            return _waiting(tuple(row))
        return _of_the_table(index, row, seats).SerializeToString()

    def encode_private(self, seat: int, private: Rows) -> bytes:
        """Encode which seat observes, and its rack and the face-down tiles it knows."""
        if not private:
            return MayaObservation(seat=seat).SerializeToString()
        rack, hidden, held = private
        return MayaObservation(seat=seat, own=MayaPrivate(rack=rack, hidden=hidden, held=held[0])).SerializeToString()

    def decode(self, data: bytes) -> Observation:
        """Read an observation back. Raises MalformedRows when the bytes are no observation of Maya."""
        try:
            message = MayaObservation.FromString(data)
        except DecodeError as error:
            raise MalformedRows(f"these bytes are no observation of maya: {error}") from error
        seats = len(message.players)
        if seats not in SEATS or not SPECTATOR <= message.seat < seats:
            raise MalformedRows(f"an observation of maya cannot have {seats} players, seen by seat {message.seat}")
        return Observation(message.seat, seats, _public(message, seats), _private(message))


def _of_the_table(index: int, row: list[int], seats: int) -> MayaObservation:
    if index >= PLAYERS_ROW + seats:
        return MayaObservation(city_tiles=[MayaCityTiles(cells=row)])
    if index >= PLAYERS_ROW:
        return MayaObservation(players=[MayaPlayer(**PLAYER.fields(row))])
    if index == TABLE_ROW:
        return MayaObservation(table=MayaTable(**TABLE.fields(row)))
    if index == CELLS_ROW:
        return MayaObservation(cells=row)
    if index == CITIES_ROW:
        return MayaObservation(cities=MayaCities(**CITIES.fields(row)))
    return MayaObservation(planted=row)


@lru_cache(maxsize=CACHED)
def _waiting(row: tuple[int, ...]) -> bytes:
    """Encode a waiting frame; `question` of the last one encoded, the top of the stack, is what remains."""
    question = cast(MayaQuestion, row[0])
    waiting = MayaWaiting(question=question, numbers=row[1:])
    return MayaObservation(question=question, waiting=[waiting]).SerializeToString()


def _public(message: MayaObservation, seats: int) -> Rows:
    return [
        TABLE.row(message.table),
        exactly(CELLS, GAME, "cells", message.cells),
        CITIES.row(message.cities),
        list(message.planted),
        *[PLAYER.row(player) for player in message.players],
        *[list(tiles.cells) for tiles in exactly(seats, GAME, "city_tiles", message.city_tiles)],
        *[[int(waiting.question), *waiting.numbers] for waiting in message.waiting],
    ]


def _private(message: MayaObservation) -> Rows:
    if not message.HasField("own"):
        return []
    return [exactly(KINDS, GAME, "rack", message.own.rack), list(message.own.hidden), [message.own.held]]


WIRE = MayaWire()
