"""Maya on the wire: rows of `columns` to `ballcourt.v1.MayaObservation` and back."""

from ballcourt.engine.core.messages.protobuf import ProtobufWire, fields_of
from ballcourt.engine.core.state import Rows
from ballcourt.engine.core.vectors.layout import Layout, exactly
from ballcourt.engine.games.maya import columns as at
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
)

GAME = "maya"
SEATS = (2, 3, 4)
FIELDS = fields_of(MayaObservation)
TILE_FIELDS = fields_of(MayaCityTiles)

TABLE = Layout(
    GAME,
    at.TABLE_COLUMNS,
    fields_of(MayaTable),
    {"turn": at.TURN, "passes": at.PASSES},
    {},
    {"areas": at.AREAS, "scored": at.SCORED},
)
CITIES = Layout(
    GAME, at.CITY_COLUMNS, fields_of(MayaCities), {}, {"sizes": (at.SIZE, TEMPLES), "edges": (at.EDGE, TEMPLES)}, {}
)
PLAYER = Layout(
    GAME,
    at.PLAYER_COLUMNS,
    fields_of(MayaPlayer),
    {"score": at.SCORE, "turns": at.TURNS, "rack": at.RACK, "supply": at.SUPPLY},
    {},
    {"blind": at.BLIND},
)


class MayaWire(ProtobufWire[MayaObservation]):
    """The translation of Maya."""

    def encode_public(self, index: int, row: list[int], seats: int) -> bytes:
        if index >= at.PLAYERS_ROW + 2 * seats:
            return self.encode_frame(tuple(row))
        return _of_the_table(index, row, seats)

    def encode_private(self, seat: int, private: Rows) -> bytes:
        """Encode the observing seat, its rack and the face-down tiles it knows."""
        if not private:
            return MayaObservation(seat=seat).SerializeToString()
        rack, hidden, held = private
        return MayaObservation(seat=seat, own=MayaPrivate(rack=rack, hidden=hidden, held=held[0])).SerializeToString()

    def seats(self, message: MayaObservation) -> int:
        return len(message.players)

    def public_rows(self, message: MayaObservation, seats: int) -> Rows:
        return [
            TABLE.row(message.table),
            exactly(CELLS, GAME, "cells", message.cells),
            CITIES.row(message.cities),
            list(message.planted),
            *[PLAYER.row(player) for player in message.players],
            *[list(tiles.cells) for tiles in exactly(seats, GAME, "city_tiles", message.city_tiles)],
        ]

    def private_rows(self, message: MayaObservation) -> Rows:
        """Return the rack, the face-down tiles and the tile in hand."""
        if not message.HasField("own"):
            return []
        return [exactly(at.KINDS, GAME, "rack", message.own.rack), list(message.own.hidden), [message.own.held]]


def _of_the_table(index: int, row: list[int], seats: int) -> bytes:
    if index >= at.PLAYERS_ROW + seats:
        return FIELDS["city_tiles"].content(TILE_FIELDS["cells"].numbers(row))
    if index >= at.PLAYERS_ROW:
        return FIELDS["players"].content(PLAYER.encode(row))
    if index == at.TABLE_ROW:
        return FIELDS["table"].content(TABLE.encode(row))
    if index == at.CELLS_ROW:
        return FIELDS["cells"].numbers(row)
    if index == at.CITIES_ROW:
        return FIELDS["cities"].content(CITIES.encode(row))
    return FIELDS["planted"].numbers(row)


WIRE = MayaWire(GAME, SEATS, MayaObservation, MayaAction.DESCRIPTOR, MayaQuestion.DESCRIPTOR)
