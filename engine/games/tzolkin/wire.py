"""Tzolk'in on the wire: rows of `columns` to `ballcourt.v1.TzolkinObservation` and back."""

from functools import lru_cache
from typing import cast

from ballcourt.engine.core.messages.encoding import RowEncoder
from ballcourt.engine.core.messages.protobuf import CACHED, ProtobufWire, fields_of
from ballcourt.engine.core.state import Rows
from ballcourt.engine.core.vectors.layout import Layout, exactly
from ballcourt.engine.games.tzolkin import columns as at
from ballcourt.engine.games.tzolkin.tables import GEAR_BASE, GEAR_SLOTS
from ballcourt.v1.tzolkin_pb2 import (
    TzolkinAction,
    TzolkinCalendar,
    TzolkinGear,
    TzolkinObservation,
    TzolkinPlayer,
    TzolkinPrivate,
    TzolkinQuestion,
)

GAME = "tzolkin"
SEATS = (2, 3, 4)
FIELDS = fields_of(TzolkinObservation)
GEAR_SLOTS_FIELD = fields_of(TzolkinGear)["slots"]

CALENDAR = Layout(
    GAME,
    at.TABLE_COLUMNS,
    fields_of(TzolkinCalendar),
    {
        "day": at.DAY,
        "food_days_held": at.FOOD_DAYS,
        "age": at.AGE,
        "start_player": at.START_PLAYER,
        "turn": at.TURN,
        "pot": at.POT,
        "start_space": at.START_SPACE,
        "skulls": at.SKULL_BANK,
        "age_1_stack": at.STACK,
        "age_2_stack": at.STACK + 1,
    },
    {"jungle_corn": (at.JUNGLE_CORN, at.JUNGLE_GROUPS), "jungle_wood": (at.JUNGLE_WOOD, at.JUNGLE_GROUPS)},
    {"used_chichen": at.CHICHEN_USED},
)
PLAYER = Layout(
    GAME,
    at.PLAYER_COLUMNS,
    fields_of(TzolkinPlayer),
    {
        "corn": at.CORN,
        "wood": at.WOOD,
        "stone": at.STONE,
        "gold": at.GOLD,
        "skulls": at.SKULLS,
        "vp_quarters": at.VP,
        "workers": at.WORKERS,
        "workers_in_hand": at.HAND,
        "light_side": at.LIGHT,
        "corn_tiles": at.CORN_TILES,
        "wood_tiles": at.WOOD_TILES,
        "free_food": at.FREE_FOOD,
        "food_discount": at.FOOD_DISCOUNT,
    },
    {"temples": (at.TEMPLE, at.TEMPLES), "techs": (at.TECH, at.TECHS)},
    {"buildings": at.BUILDINGS, "monuments": at.MONUMENTS, "wealth_tiles": at.WEALTH},
)


def _gear(slots: tuple[int, ...]) -> bytes:
    return FIELDS["gears"].content(GEAR_SLOTS_FIELD.numbers(slots))


SLOTS = RowEncoder((slice(base, base + count), _gear) for base, count in zip(GEAR_BASE, GEAR_SLOTS, strict=True))


class TzolkinWire(ProtobufWire[TzolkinObservation]):
    """The translation of Tzolk'in."""

    def encode_public(self, index: int, row: list[int], seats: int) -> bytes:
        if index >= at.PLAYERS_ROW + seats:
            return self.encode_frame(tuple(row))
        if index >= at.PLAYERS_ROW:
            return FIELDS["players"].content(PLAYER.encode(row))
        if index == at.SLOTS_ROW:
            return SLOTS.encode(row)
        return _of_the_table(index, row)

    def encode_private(self, seat: int, private: Rows) -> bytes:
        """Encode the observing seat, and what it was offered and kept."""
        return _own(seat, *[tuple(row) for row in private])

    def seats(self, message: TzolkinObservation) -> int:
        return len(message.players)

    def public_rows(self, message: TzolkinObservation, seats: int) -> Rows:
        slots = [slot for gear in message.gears for slot in gear.slots]
        return [
            CALENDAR.row(message.calendar),
            exactly(at.ALL_SLOTS, GAME, "slots", slots),
            list(message.building_spaces),
            list(message.monuments),
            list(message.dummy_tiles),
            *[PLAYER.row(player) for player in message.players],
        ]

    def private_rows(self, message: TzolkinObservation) -> Rows:
        """Return what the seat was offered and kept."""
        if not message.HasField("own"):
            return []
        return [list(message.own.offered), [int(message.own.kept)]]


def _of_the_table(index: int, row: list[int]) -> bytes:
    if index == at.TABLE_ROW:
        return FIELDS["calendar"].content(CALENDAR.encode(row))
    if index == at.BUILDINGS_ROW:
        return FIELDS["building_spaces"].numbers(row)
    if index == at.DISPLAY_ROW:
        return FIELDS["monuments"].numbers(row)
    return FIELDS["dummy_tiles"].numbers(row)


@lru_cache(maxsize=CACHED)
def _own(seat: int, offered: tuple[int, ...] = (), answer: tuple[int, ...] = ()) -> bytes:
    if not answer:
        return TzolkinObservation(seat=seat).SerializeToString()
    own = TzolkinPrivate(offered=offered, kept=cast(TzolkinAction, answer[0]))
    return TzolkinObservation(seat=seat, own=own).SerializeToString()


WIRE = TzolkinWire(GAME, SEATS, TzolkinObservation, TzolkinAction.DESCRIPTOR, TzolkinQuestion.DESCRIPTOR)
