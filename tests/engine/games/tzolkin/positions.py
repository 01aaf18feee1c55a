"""Positions in the vectors' field names: `state_from` builds one, `dump` describes one.

A description names only what differs from the defaults listed under `conventions` in vectors.json. `dump` returns
a full description, from which `state_from` builds the same position at the start of a turn, in the draft, when the
calendar advances and when the match is over.
"""

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from ballcourt.engine.core.frames import Frame
from ballcourt.engine.games.tzolkin import columns as at
from ballcourt.engine.games.tzolkin.actions import KEEP, KEPT_PAIRS
from ballcourt.engine.games.tzolkin.calendar import Advance, TurnEnd
from ballcourt.engine.games.tzolkin.setup import Draft
from ballcourt.engine.games.tzolkin.state import TzolkinState
from ballcourt.engine.games.tzolkin.tables import (
    FOOD_DAY,
    GEAR_BASE,
    GEAR_NAMES,
    GEAR_SLOTS,
    ROW_SPACES,
    SKULLS_IN_GAME,
    START_STEP,
    START_WORKERS,
    TECH_NAMES,
    TEMPLE_NAMES,
)
from ballcourt.engine.games.tzolkin.turn import TurnStart
from tests.engine.games.tzolkin.decisions import seat_in_turn

Fields: TypeAlias = Mapping[str, Any]

COUNTS = {
    "corn": at.CORN,
    "wood": at.WOOD,
    "stone": at.STONE,
    "gold": at.GOLD,
    "skull": at.SKULLS,
    "workers": at.WORKERS,
    "corn_tiles": at.CORN_TILES,
    "wood_tiles": at.WOOD_TILES,
    "free_food": at.FREE_FOOD,
    "food_discount": at.FOOD_DISCOUNT,
}
SETS = {"buildings": at.BUILDINGS, "monuments": at.MONUMENTS, "wealth": at.WEALTH}
PLAYER_FIELDS = {*COUNTS, *SETS, "vp", "light", "temples", "tech", "available"}
JUNGLE = {"jungle_corn": (at.JUNGLE_CORN, (2, 3, 4, 5)), "jungle_wood": (at.JUNGLE_WOOD, (3, 4, 5))}
FIELDS = {
    *("players", "day", "age", "next_food_day_index", "start_player", "turn", "phase", "over", "winners", "pot", "sp"),
    *("skull_bank", "chichen_used", "gears", "row", "deck", "deck_age2", "monuments_displayed", "player"),
    *("wealth_offer", "wealth_kept", "wealth_dealt", "wealth_drawn"),
    *JUNGLE,
}


class BadPosition(ValueError):
    """Fields that do not describe a position; the message says why."""


def bits(tiles: Iterable[int]) -> int:
    """Return the bit mask of a set of tile ids."""
    return sum(1 << tile for tile in tiles)


def members(mask: int) -> list[int]:
    """List the tile ids of a bit mask, ascending."""
    return [tile for tile in range(mask.bit_length()) if mask >> tile & 1]


def _known(fields: Fields, known: Iterable[str], where: str) -> None:
    """Raise BadPosition for an unknown field."""
    for name in fields:
        if str(name) not in known:
            raise BadPosition(f"{where} has no field '{name}'; it has {', '.join(sorted(known))}")


def _by_number(fields: Fields) -> dict[int, Any]:
    """Read a mapping whose keys are numbers, as JSON writes them or as Python does."""
    return {int(key): value for key, value in fields.items()}


# -- from fields to a position


def state_from(given: Fields) -> TzolkinState:
    """Build the position that `given` describes. Raises BadPosition for an unknown field or an impossible count."""
    _known(given, FIELDS, "a position")
    given = {name: value for name, value in given.items() if value is not None}
    seats = given.get("players", 4)
    slots = _slots(given.get("gears", {}), seats)
    players = [_player(_by_number(given.get("player", {})).get(seat, {}), seat) for seat in range(seats)]
    table = _table(given, seats)
    for seat, player in enumerate(players):
        player[at.HAND] = player[at.WORKERS] - slots.count(seat) - (table[at.START_SPACE] == seat)
        if player[at.HAND] < 0:
            raise BadPosition(f"player {seat} has {player[at.WORKERS]} workers in play and more of them on the board")
    stacks = _stacks(given, table[at.AGE])
    table[at.STACK], table[at.STACK + 1] = len(stacks[0]), len(stacks[1])
    row = [tile for tile in given.get("row", []) if tile]
    offers = [list(offer) for offer in given.get("wealth_offer", given.get("wealth_dealt", [[]] * seats))]
    state = TzolkinState(seats, _frames(given))
    state.table = table
    state.slots = slots
    state.row = row + [0] * (ROW_SPACES - len(row))
    state.display = sorted(given.get("monuments_displayed", []))
    state.drawn = list(given.get("wealth_drawn", []))
    state.players = players
    state.stacks = stacks
    state.offers = offers
    state.answers = _answers(given, offers, players)
    return state


def _in_draft(given: Fields) -> bool:
    return "wealth_offer" in given and given.get("phase", "draft") == "draft"


def _frames(given: Fields) -> list[Frame[TzolkinState]]:
    """Put the table in the draft, at the start of a turn, before an advance, or at the end."""
    turn = given.get("turn", 0)
    if given.get("over"):
        return []
    if given.get("phase") == "advance":
        return [Advance(turn)]
    if _in_draft(given):
        return [Draft()]
    return [TurnEnd(turn), TurnStart(turn, 0)]


def _answers(given: Fields, offers: list[list[int]], players: list[list[int]]) -> list[int]:
    """Find each seat's answer to the draft from the tiles it has kept; 0 before it has chosen."""
    kept = given.get("wealth_kept") or [members(player[at.WEALTH]) for player in players]
    return [_answer(offer, tiles or []) for offer, tiles in zip(offers, kept, strict=True)]


def _answer(offer: list[int], kept: list[int]) -> int:
    places = sorted(offer.index(tile) for tile in kept if tile in offer)
    return KEEP + KEPT_PAIRS.index((places[0], places[1])) if len(places) == 2 else 0


def _table(given: Fields, seats: int) -> list[int]:
    """Fill the table row."""
    table = [0] * at.TABLE_COLUMNS
    day = given.get("day", 1)
    table[at.DAY] = day
    table[at.FOOD_DAYS] = given.get("next_food_day_index", sum(food_day < day for food_day in FOOD_DAY))
    table[at.AGE] = given.get("age", 1)
    table[at.START_PLAYER] = given.get("start_player", 0)
    table[at.TURN] = table[at.START_PLAYER] if _in_draft(given) else given.get("turn", 0)
    table[at.POT] = given.get("pot", 0)
    table[at.START_SPACE] = given.get("sp", at.EMPTY)
    table[at.SKULL_BANK] = given.get("skull_bank", SKULLS_IN_GAME)
    table[at.CHICHEN_USED] = bits(given.get("chichen_used", []))
    for name, (column, groups) in JUNGLE.items():
        tiles = _by_number(given.get(name, {}))
        for group in groups:
            table[column + group - 2] = tiles.get(group, seats)
    return table


def _slots(gears: Fields, seats: int) -> list[int]:
    """Fill the slots row."""
    _known(gears, GEAR_NAMES, "the board")
    slots = [at.EMPTY] * at.ALL_SLOTS
    for gear, name in enumerate(GEAR_NAMES):
        for space, standing in _by_number(gears.get(name, {})).items():
            if not 0 <= space < GEAR_SLOTS[gear] or standing not in (None, "D", *range(seats)):
                raise BadPosition(f"{standing!r} on space {space} of {name}: no such space, or no such player")
            slots[GEAR_BASE[gear] + space] = {None: at.EMPTY, "D": at.DUMMY}.get(standing, standing)
    return slots


def _player(fields: Fields, seat: int) -> list[int]:
    """Fill a player row; the workers at hand follow from the board."""
    _known(fields, PLAYER_FIELDS, f"player {seat}")
    row = [0] * at.PLAYER_COLUMNS
    for name, column in COUNTS.items():
        row[column] = fields.get(name, START_WORKERS if name == "workers" else 0)
    for name, column in SETS.items():
        row[column] = bits(fields.get(name, []))
    row[at.VP] = int(fields.get("vp", 0) * at.QUARTERS)
    row[at.LIGHT] = int(fields.get("light", True))
    for names, field, column, default in (
        (TEMPLE_NAMES, "temples", at.TEMPLE, START_STEP),
        (TECH_NAMES, "tech", at.TECH, 0),
    ):
        values = fields.get(field, {})
        _known(values, names, field)
        for index, name in enumerate(names):
            row[column + index] = values.get(name, default)
    return row


def _stacks(given: Fields, age: int) -> list[list[int]]:
    """Fill the two stacks, top last; in Age 2 either name may hold the rest of the second."""
    first, second = list(given.get("deck", [])), list(given.get("deck_age2", []))
    if age == 2 and first:
        first, second = [], second or first
    return [first[::-1], second[::-1]]


# -- from a position to fields


def dump(state: TzolkinState) -> dict[str, Any]:
    """Return the fields of a position, including secrets: stacks top first, points as numbers with quarters."""
    table = state.table
    over = not state.pending_seats()
    described: dict[str, Any] = {
        "players": state.seats,
        "day": table[at.DAY],
        "age": table[at.AGE],
        "next_food_day_index": table[at.FOOD_DAYS],
        "start_player": table[at.START_PLAYER],
        "turn": table[at.TURN] if over else seat_in_turn(state),
        "phase": phase(state),
        "over": over,
        "winners": state.placements()[0] if over else [],
        "pot": table[at.POT],
        "sp": None if table[at.START_SPACE] == at.EMPTY else table[at.START_SPACE],
        "skull_bank": table[at.SKULL_BANK],
        "chichen_used": members(table[at.CHICHEN_USED]),
        "gears": {name: _gear(state, gear) for gear, name in enumerate(GEAR_NAMES)},
        "row": [tile for tile in state.row if tile],
        "deck": _stack(state, 0),
        "deck_age2": _stack(state, 1),
        "monuments_displayed": state.display[:],
        "player": {str(seat): _described(player) for seat, player in enumerate(state.players)},
    }
    for name, (column, groups) in JUNGLE.items():
        described[name] = {str(group): table[column + group - 2] for group in groups}
    return described | _wealth(state)


def phase(state: TzolkinState) -> str:
    """Return the phase of the position: draft, turn (at its start or within), advance or over."""
    if not state.frames:
        return "over"
    top = state.frames[-1]
    if isinstance(top, Draft):
        return "draft"
    return "advance" if isinstance(top, Advance) else "turn"


def _stack(state: TzolkinState, number: int) -> list[int]:
    """List the remaining tiles of a stack, top first."""
    return state.stacks[number][: state.table[at.STACK + number]][::-1]


def _wealth(state: TzolkinState) -> dict[str, Any]:
    """Return the wealth tiles: those offered and kept so far, or those offered in a finished draft."""
    offers = [offer[:] for offer in state.offers]
    if phase(state) != "draft":
        return {"wealth_drawn": state.drawn[:], "wealth_dealt": offers}
    kept = [
        [offer[place] for place in KEPT_PAIRS[answer - KEEP]] if answer else None
        for offer, answer in zip(offers, state.answers, strict=True)
    ]
    return {"wealth_drawn": state.drawn[:], "wealth_offer": offers, "wealth_kept": kept}


def _gear(state: TzolkinState, gear: int) -> dict[str, int | str | None]:
    """Return who stands on a gear, slot by slot."""
    base = GEAR_BASE[gear]
    spoken: dict[int, int | str | None] = {at.EMPTY: None, at.DUMMY: "D"}
    standing = state.slots[base : base + GEAR_SLOTS[gear]]
    return {str(space): spoken.get(seat, seat) for space, seat in enumerate(standing)}


def _described(row: list[int]) -> dict[str, Any]:
    """Return the fields of one player."""
    points, quarters = divmod(row[at.VP], at.QUARTERS)
    return {
        **{name: row[column] for name, column in COUNTS.items()},
        **{name: members(row[column]) for name, column in SETS.items()},
        "available": row[at.HAND],
        "vp": points + quarters / at.QUARTERS if quarters else points,
        "light": bool(row[at.LIGHT]),
        "temples": {name: row[at.TEMPLE + index] for index, name in enumerate(TEMPLE_NAMES)},
        "tech": {name: row[at.TECH + index] for index, name in enumerate(TECH_NAMES)},
    }
