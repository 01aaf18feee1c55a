"""Tzolk'in on the wire: rows of `columns` to `ballcourt.v1.TzolkinObservation` and back."""

from functools import lru_cache
from typing import cast

from ballcourt.engine.core.messages.encoding import RowEncoder
from ballcourt.engine.core.messages.protobuf import CACHED, ProtobufWire, fields_of
from ballcourt.engine.core.state import Rows
from ballcourt.engine.core.vectors.layout import Layout, exactly
from ballcourt.engine.games.tzolkin.columns import (
    AGE,
    ALL_SLOTS,
    BUILDINGS,
    BUILDINGS_ROW,
    CHICHEN_USED,
    CORN,
    CORN_TILES,
    DAY,
    DISPLAY_ROW,
    FOOD_DAYS,
    FOOD_DISCOUNT,
    FREE_FOOD,
    GOLD,
    HAND,
    JUNGLE_CORN,
    JUNGLE_GROUPS,
    JUNGLE_WOOD,
    LIGHT,
    MONUMENTS,
    PLAYER_COLUMNS,
    PLAYERS_ROW,
    POT,
    SKULL_BANK,
    SKULLS,
    SLOTS_ROW,
    STACK,
    START_PLAYER,
    START_SPACE,
    STONE,
    TABLE_COLUMNS,
    TABLE_ROW,
    TECH,
    TECHS,
    TEMPLE,
    TEMPLES,
    TURN,
    VP,
    WEALTH,
    WOOD,
    WOOD_TILES,
    WORKERS,
)
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
    TABLE_COLUMNS,
    fields_of(TzolkinCalendar),
    {
        "day": DAY,
        "food_days_held": FOOD_DAYS,
        "age": AGE,
        "start_player": START_PLAYER,
        "turn": TURN,
        "pot": POT,
        "start_space": START_SPACE,
        "skulls": SKULL_BANK,
        "age_1_stack": STACK,
        "age_2_stack": STACK + 1,
    },
    {"jungle_corn": (JUNGLE_CORN, JUNGLE_GROUPS), "jungle_wood": (JUNGLE_WOOD, JUNGLE_GROUPS)},
    {"used_chichen": CHICHEN_USED},
)
PLAYER = Layout(
    GAME,
    PLAYER_COLUMNS,
    fields_of(TzolkinPlayer),
    {
        "corn": CORN,
        "wood": WOOD,
        "stone": STONE,
        "gold": GOLD,
        "skulls": SKULLS,
        "vp_quarters": VP,
        "workers": WORKERS,
        "workers_in_hand": HAND,
        "light_side": LIGHT,
        "corn_tiles": CORN_TILES,
        "wood_tiles": WOOD_TILES,
        "free_food": FREE_FOOD,
        "food_discount": FOOD_DISCOUNT,
    },
    {"temples": (TEMPLE, TEMPLES), "techs": (TECH, TECHS)},
    {"buildings": BUILDINGS, "monuments": MONUMENTS, "wealth_tiles": WEALTH},
)


def _gear(slots: tuple[int, ...]) -> bytes:
    return FIELDS["gears"].content(GEAR_SLOTS_FIELD.numbers(slots))


SLOTS = RowEncoder((slice(base, base + count), _gear) for base, count in zip(GEAR_BASE, GEAR_SLOTS, strict=True))


class TzolkinWire(ProtobufWire[TzolkinObservation]):
    """The translation of Tzolk'in."""

    def encode_public(self, index: int, row: list[int], seats: int) -> bytes:
        if index >= PLAYERS_ROW + seats:
            return self.encode_frame(tuple(row))
        if index >= PLAYERS_ROW:
            return FIELDS["players"].content(PLAYER.encode(row))
        if index == SLOTS_ROW:
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
            exactly(ALL_SLOTS, GAME, "slots", slots),
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
    if index == TABLE_ROW:
        return FIELDS["calendar"].content(CALENDAR.encode(row))
    if index == BUILDINGS_ROW:
        return FIELDS["building_spaces"].numbers(row)
    if index == DISPLAY_ROW:
        return FIELDS["monuments"].numbers(row)
    return FIELDS["dummy_tiles"].numbers(row)


@lru_cache(maxsize=CACHED)
def _own(seat: int, offered: tuple[int, ...] = (), answer: tuple[int, ...] = ()) -> bytes:
    if not answer:
        return TzolkinObservation(seat=seat).SerializeToString()
    own = TzolkinPrivate(offered=offered, kept=cast(TzolkinAction, answer[0]))
    return TzolkinObservation(seat=seat, own=own).SerializeToString()


WIRE = TzolkinWire(GAME, SEATS, TzolkinObservation, TzolkinAction.DESCRIPTOR, TzolkinQuestion.DESCRIPTOR)
