"""Goofspiel on the wire: the rows of a position to a GoofspielObservation and back."""

from __future__ import annotations

from ballcourt.engine.core import MalformedRows, Rows
from ballcourt.engine.core.messages.protobuf import ProtobufWire, fields_of
from goofspiel.game import GAME
from goofspiel.goofspiel_pb2 import (
    GoofspielAction,
    GoofspielObservation,
    GoofspielPlayer,
    GoofspielPrivate,
    GoofspielQuestion,
    GoofspielTable,
)

FIELDS = fields_of(GoofspielObservation)


class GoofspielWire(ProtobufWire[GoofspielObservation]):
    """The translation."""

    def encode_public(self, index: int, row: list[int], seats: int) -> bytes:
        """Encode one public row: table, prizes that are gone, a player, or a frame."""
        if index == 0:
            return FIELDS["table"].content(GoofspielTable(cards=row[0], prize=row[1]).SerializeToString())
        if index == 1:
            return FIELDS["gone"].numbers(row)
        if index < 2 + seats:
            return FIELDS["players"].content(GoofspielPlayer(points=row[0], hand=row[1:]).SerializeToString())
        return self.encode_frame(tuple(row))

    def encode_private(self, seat: int, private: Rows) -> bytes:
        """Encode the observing seat and its bid."""
        own = GoofspielPrivate(bid=private[0][0]) if private else None
        return GoofspielObservation(seat=seat, own=own).SerializeToString()

    def seats(self, message: GoofspielObservation) -> int:
        """Return the number of seats."""
        return len(message.players)

    def public_rows(self, message: GoofspielObservation, seats: int) -> Rows:
        """Read the public rows back."""
        if not message.table.cards:
            raise MalformedRows("an observation of goofspiel lacks its table")
        players = [[player.points, *player.hand] for player in message.players]
        return [[message.table.cards, message.table.prize], [*message.gone], *players]

    def private_rows(self, message: GoofspielObservation) -> Rows:
        """Read the bid back; nothing for a spectator."""
        return [[message.own.bid]] if message.HasField("own") else []


WIRE = GoofspielWire(
    GAME.name, GAME.seat_counts, GoofspielObservation, GoofspielAction.DESCRIPTOR, GoofspielQuestion.DESCRIPTOR
)
