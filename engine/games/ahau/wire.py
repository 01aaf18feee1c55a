"""Ahau on the wire: translates the rows of `columns` to `ballcourt.v1.AhauObservation` and back."""

from functools import lru_cache
from typing import cast

from ballcourt.engine.core.bits import mask, members
from ballcourt.engine.core.messages.protobuf import CACHED, ProtobufWire, fields_of
from ballcourt.engine.core.state import Rows
from ballcourt.engine.core.vectors.layout import Layout, exactly
from ballcourt.engine.games.ahau import columns
from ballcourt.engine.games.ahau.columns import (
    ACTOR_COLUMNS,
    ACTORS_ROW,
    BUILDING_SPACES,
    CITIES,
    COLOURS,
    GIFT,
    MARKER_SPACES,
    POSITIONS,
    REGION_COLUMNS,
    REGIONS_ROW,
    SPACES,
    TABLE_COLUMNS,
    TABLE_ROW,
    TEMPLES_ROW,
    TILE,
)
from ballcourt.v1.ahau_pb2 import (
    AhauAction,
    AhauActor,
    AhauObservation,
    AhauPrivate,
    AhauQuestion,
    AhauRegion,
    AhauTable,
    AhauTemple,
)

LISTS = (
    *("table", "city_gods", "sites", "calendar", "regions", "offer", "temples", "scoring"),
    *("might", "discarded_tiles", "discarded_buildings", "summaries", "order"),
)
"""The fields for the public rows before the actors."""

SEATS = (1, 2, 3, 4, 5)
GAME = "ahau"
FIELDS = fields_of(AhauObservation)
TABLE_FIELDS = fields_of(AhauTable)
TEMPLE_FIELDS = fields_of(AhauTemple)
ACTOR_FIELDS = fields_of(AhauActor)

TABLE = Layout(
    GAME,
    TABLE_COLUMNS,
    TABLE_FIELDS,
    {
        "mode": columns.MODE,
        "side": columns.SIDE,
        "night": columns.NIGHT,
        "personal_scoring": columns.PERSONAL,
        "katun": columns.KATUN,
        "round": columns.ROUND,
        "katun_triggered": columns.KATUN_TRIGGERED,
        "end_triggered": columns.END_TRIGGERED,
        "turn": columns.TURN,
        "turn_city": columns.TURN_CITY,
        "built": columns.BUILT,
        "stand_ins": columns.STAND_INS,
        "bag": columns.BAG,
        "stack": columns.STACK,
        "role_deck": columns.ROLE_DECK,
        "deck": columns.DECK,
        "start_seat": columns.START_SEAT,
        "difficulty": columns.DIFFICULTY,
        "solo_night": columns.SOLO_NIGHT,
        "over": columns.CELEBRATED,
    },
    {},
    {
        "summoned": columns.SUMMONED,
        "boxed_tiles": columns.BOXED_TILES,
        "boxed_buildings": columns.BOXED_BUILDINGS,
    },
)
ACTOR = Layout(
    GAME,
    ACTOR_COLUMNS,
    ACTOR_FIELDS,
    {
        "fame": columns.FAME,
        "weapons": columns.WEAPONS,
        "pool": columns.POOL,
        "ruler": columns.RULER,
        "lost_region": columns.LOST,
        "might": columns.STEP,
        "left": columns.LEFT,
        "right": columns.RIGHT,
        "role_order": columns.ROLE_ORDER,
        "role_seen": columns.ROLE_SEEN,
        "summary": columns.SUMMARY,
        "queen_used": columns.QUEEN_USED,
        "discounts_used": columns.DISCOUNTS,
        "items": columns.ITEMS,
        "personality": columns.PERSONALITY,
    },
    {
        "standing": (columns.STANDING, CITIES),
        "lying": (columns.LYING, CITIES),
        "resources": (columns.RESOURCES, COLOURS),
        "pyramid": (columns.PYRAMID, SPACES),
        "pyramid_colours": (columns.PAINT, SPACES),
        "buildings": (columns.BUILDINGS, BUILDING_SPACES),
    },
    {"table_cards": columns.PLAYED, "discarded_cards": columns.DISCARD},
)


class AhauWire(ProtobufWire[AhauObservation]):
    """The translation of Ahau."""

    def encode_public(self, index: int, row: list[int], seats: int) -> bytes:
        """Encode the public row at `index`; after the lists, long rows are actors and short ones frames."""
        if index < ACTORS_ROW:
            return _of_the_table(index, row, seats)
        if len(row) >= ACTOR_COLUMNS:
            reserve = ACTOR_FIELDS["reserve"].numbers(row[ACTOR_COLUMNS:])
            taken = ACTOR_FIELDS["role_taken"].number(min(1, row[columns.ROLE_ORDER]))
            return FIELDS["actors"].content(ACTOR.encode(row) + reserve + taken)
        return self.encode_frame(tuple(row))

    def encode_private(self, seat: int, private: Rows) -> bytes:
        """Encode the observing seat, its Role card and its selection."""
        return _own(seat, *[number for row in private for number in row])

    def seats(self, message: AhauObservation) -> int:
        """Return the number of seats; an actor for each must be there."""
        seats = message.table.seats
        return seats if len(message.actors) >= seats else 0

    def public_rows(self, message: AhauObservation, seats: int) -> Rows:
        """Read the public rows back."""
        rows = [list(getattr(message, name)) if index else [] for index, name in enumerate(LISTS)]
        rows[TABLE_ROW] = TABLE.row(message.table)
        rows[REGIONS_ROW] = [
            number
            for region in message.regions
            for number in (
                *exactly(POSITIONS, GAME, "tiles", region.tiles),
                region.building,
                *exactly(2, GAME, "resources", region.resources),
            )
        ]
        rows[TEMPLES_ROW] = [space for temple in message.temples for space in temple.spaces]
        return [*rows, *[[*ACTOR.row(actor), *actor.reserve] for actor in message.actors]]

    def private_rows(self, message: AhauObservation) -> Rows:
        """Read the Role card, the Roles left and the selection back."""
        if not message.HasField("own"):
            return []
        return [[message.own.role, mask(message.own.roles_left), int(message.own.selected)]]


def _of_the_table(index: int, row: list[int], seats: int) -> bytes:
    if index == TABLE_ROW:
        return FIELDS["table"].content(TABLE_FIELDS["seats"].number(seats) + TABLE.encode(row))
    if index == REGIONS_ROW:
        starts = range(0, len(row), REGION_COLUMNS)
        return b"".join([_region(tuple(row[at : at + REGION_COLUMNS])) for at in starts])
    if index == TEMPLES_ROW:
        starts = range(0, len(row), MARKER_SPACES)
        temples = [TEMPLE_FIELDS["spaces"].numbers(row[at : at + MARKER_SPACES]) for at in starts]
        return b"".join([FIELDS["temples"].content(temple) for temple in temples])
    return FIELDS[LISTS[index]].numbers(row)


@lru_cache(maxsize=CACHED)
def _region(row: tuple[int, ...]) -> bytes:
    region = AhauRegion(tiles=row[TILE : TILE + POSITIONS], building=row[columns.BUILDING], resources=row[GIFT:])
    return FIELDS["regions"].content(region.SerializeToString())


@lru_cache(maxsize=CACHED)
def _own(seat: int, *own: int) -> bytes:
    if not own:
        return AhauObservation(seat=seat).SerializeToString()
    role, left, selected = own
    private = AhauPrivate(role=role, roles_left=members(left), selected=cast(AhauAction, selected))
    return AhauObservation(seat=seat, own=private).SerializeToString()


WIRE = AhauWire(GAME, SEATS, AhauObservation, AhauAction.DESCRIPTOR, AhauQuestion.DESCRIPTOR)
