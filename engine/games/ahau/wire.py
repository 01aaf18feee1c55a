"""Ahau on the wire: translates the rows of `columns` to `ballcourt.v1.AhauObservation` and back."""

from functools import lru_cache
from typing import Any, cast

from google.protobuf.message import DecodeError

from ballcourt.engine.core.errors import MalformedRows
from ballcourt.engine.core.layout import Layout, exactly, members
from ballcourt.engine.core.observation import SPECTATOR, Observation
from ballcourt.engine.core.state import Rows
from ballcourt.engine.core.wire import Wire
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
    AhauWaiting,
)

LISTS = (
    *("table", "city_gods", "sites", "calendar", "regions", "offer", "temples", "scoring"),
    *("might", "discarded_tiles", "discarded_buildings", "summaries", "order"),
)
"""The fields for the public rows before the actors."""

CACHED = 4096
"""How many encodings of each small part are cached; most of them repeat from one position to the next."""

MAX_SEATS = 5
ACTION_PREFIX = "AHAU_ACTION_"
GAME = "ahau"

TABLE = Layout(
    GAME,
    TABLE_COLUMNS,
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
    {
        "fame": columns.FAME,
        "weapons": columns.WEAPONS,
        "pool": columns.POOL,
        "ruler": columns.RULER,
        "lost_region": columns.LOST,
        "might": columns.STEP,
        "left": columns.LEFT,
        "right": columns.RIGHT,
        "role_taken": columns.ROLE_TAKEN,
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


class AhauWire(Wire):
    """The translation of Ahau."""

    observation_type = "ballcourt.v1.AhauObservation"
    action_enum = "ballcourt.v1.AhauAction"

    def enum_names(self) -> tuple[str, ...]:
        """Return the names of the enum's values by number, without the prefix."""
        return tuple(value.name.removeprefix(ACTION_PREFIX) for value in AhauAction.DESCRIPTOR.values)

    def encode_public(self, index: int, row: list[int], seats: int) -> bytes:
        """Encode the public row at `index`; after the lists, long rows are actors and short ones frames."""
        if index < ACTORS_ROW:
            return _of_the_table(index, row, seats)
        if len(row) >= ACTOR_COLUMNS:
            actor = AhauActor(**ACTOR.fields(row), reserve=row[ACTOR_COLUMNS:])
            return AhauObservation(actors=[actor]).SerializeToString()
        return _waiting(tuple(row))

    def encode_private(self, seat: int, private: Rows) -> bytes:
        """Encode the observing seat, its Role card and its selection."""
        return _own(seat, *[number for row in private for number in row])

    def decode(self, data: bytes) -> Observation:
        """Decode an observation. Raises MalformedRows if the bytes are not an observation of Ahau."""
        try:
            message = AhauObservation.FromString(data)
        except DecodeError as error:
            raise MalformedRows(f"these bytes are not an observation of ahau: {error}") from error
        seats = message.table.seats
        if not 1 <= seats <= MAX_SEATS or not SPECTATOR <= message.seat < seats or len(message.actors) < seats:
            raise MalformedRows(f"an observation of ahau cannot have {seats} seats, seen by seat {message.seat}")
        return Observation(message.seat, seats, _public(message), _private(message))


def _of_the_table(index: int, row: list[int], seats: int) -> bytes:
    if index == TABLE_ROW:
        return AhauObservation(table=AhauTable(seats=seats, **TABLE.fields(row))).SerializeToString()
    if index == REGIONS_ROW:
        starts = range(0, len(row), REGION_COLUMNS)
        return b"".join([_region(tuple(row[at : at + REGION_COLUMNS])) for at in starts])
    if index == TEMPLES_ROW:
        starts = range(0, len(row), MARKER_SPACES)
        temples = [AhauTemple(spaces=row[at : at + MARKER_SPACES]) for at in starts]
        return AhauObservation(temples=temples).SerializeToString()
    fields: dict[str, Any] = {LISTS[index]: row}
    return AhauObservation(**fields).SerializeToString()


@lru_cache(maxsize=CACHED)
def _region(row: tuple[int, ...]) -> bytes:
    region = AhauRegion(tiles=row[TILE : TILE + POSITIONS], building=row[columns.BUILDING], resources=row[GIFT:])
    return AhauObservation(regions=[region]).SerializeToString()


@lru_cache(maxsize=CACHED)
def _waiting(row: tuple[int, ...]) -> bytes:
    """Encode a waiting frame; protobuf keeps the `question` of the last one, the top of the stack."""
    question = cast(AhauQuestion, row[0])
    waiting = AhauWaiting(question=question, numbers=row[1:])
    return AhauObservation(question=question, waiting=[waiting]).SerializeToString()


@lru_cache(maxsize=CACHED)
def _own(seat: int, *own: int) -> bytes:
    if not own:
        return AhauObservation(seat=seat).SerializeToString()
    role, left, selected = own
    private = AhauPrivate(role=role, roles_left=members(left), selected=cast(AhauAction, selected))
    return AhauObservation(seat=seat, own=private).SerializeToString()


def _public(message: AhauObservation) -> Rows:
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
    actors = [[*ACTOR.row(actor), *actor.reserve] for actor in message.actors]
    return [*rows, *actors, *[[int(waiting.question), *waiting.numbers] for waiting in message.waiting]]


def _private(message: AhauObservation) -> Rows:
    if not message.HasField("own"):
        return []
    left = sum(1 << role for role in message.own.roles_left)
    return [[message.own.role, left, int(message.own.selected)]]


WIRE = AhauWire()
