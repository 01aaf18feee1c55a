"""What a viewer draws of a position: JSON values in the words of the game.

A view for one seat is built from that seat's observation alone, so it cannot show more than the seat may know.
"""

from typing import Any

from ballcourt.engine.core.bits import members
from ballcourt.engine.core.game import Scene
from ballcourt.engine.games.tzolkin.actions import KEEP, KEPT_PAIRS
from ballcourt.engine.games.tzolkin.columns import (
    AGE,
    BUILDINGS,
    CHICHEN_USED,
    CORN,
    CORN_TILES,
    DAY,
    DUMMY,
    EMPTY,
    FIRST_GROUP,
    FOOD_DAYS,
    FOOD_DISCOUNT,
    FREE_FOOD,
    HAND,
    JUNGLE_CORN,
    JUNGLE_GROUPS,
    JUNGLE_WOOD,
    LIGHT,
    MONUMENTS,
    POT,
    QUARTERS,
    SKULL_BANK,
    SKULLS,
    STACK,
    START_PLAYER,
    START_SPACE,
    TECH,
    TEMPLE,
    TURN,
    VP,
    WEALTH,
    WOOD,
    WOOD_TILES,
    WORKERS,
)
from ballcourt.engine.games.tzolkin.state import TzolkinState
from ballcourt.engine.games.tzolkin.tables import (
    BLOCK_NAMES,
    BUILDING_TILES,
    CATEGORY_NAMES,
    GEAR_BASE,
    GEAR_NAMES,
    GEAR_SLOTS,
    MONUMENT_TILES,
    SKULL_MONUMENT,
    TECH_NAMES,
    TEMPLE_NAMES,
    Cost,
)


def scene(state: TzolkinState, seat: int | None = None) -> Scene:
    """Describe the position as a seat sees it, as a spectator sees it with SPECTATOR, or in full with None."""
    table, slots, row, display, drawn, *rest = state.public_rows()
    return {
        "calendar": _calendar(table),
        "gears": _gears(slots),
        "jungle": [_jungle_group(table, group) for group in range(JUNGLE_GROUPS)],
        "used_actions_of_chichen_itza": members(table[CHICHEN_USED]),
        "buildings": [building(tile) if tile else None for tile in row],
        "stacks": {"age_1": table[STACK], "age_2": table[STACK + 1]},
        "monuments": [monument(tile) for tile in display],
        "dummy_tiles": drawn,
        "players": [_player(player) for player in rest[: state.seats]],
        "question": _question(state),
        "secrets": _secrets(state, seat),
    }


def building(tile: int) -> dict[str, Any]:
    """Describe a building (1..32)."""
    category, cost, _ = BUILDING_TILES[tile]
    return {"id": tile, "category": CATEGORY_NAMES[category], "cost": _blocks(cost)}


def monument(tile: int) -> dict[str, Any]:
    """Describe a monument (1..13)."""
    category, cost = MONUMENT_TILES[tile]
    blocks = _blocks(cost) | ({"skull": 1} if tile == SKULL_MONUMENT else {})
    return {"id": tile, "category": CATEGORY_NAMES[category], "cost": blocks}


def _calendar(table: list[int]) -> dict[str, Any]:
    return {
        "day": table[DAY],
        "food_days_held": table[FOOD_DAYS],
        "age": table[AGE],
        "start_player": table[START_PLAYER],
        "turn": table[TURN],
        "corn_on_teeth": table[POT],
        "start_space": _occupant(table[START_SPACE]),
        "skulls_in_bank": table[SKULL_BANK],
    }


def _gears(slots: list[int]) -> dict[str, list[object]]:
    return {
        name: [_occupant(slot) for slot in slots[base : base + count]]
        for name, base, count in zip(GEAR_NAMES, GEAR_BASE, GEAR_SLOTS, strict=True)
    }


def _occupant(slot: int) -> int | str | None:
    """Name who stands in a slot: a seat, "dummy" or nobody."""
    if slot == EMPTY:
        return None
    return "dummy" if slot == DUMMY else slot


def _jungle_group(table: list[int], index: int) -> dict[str, int]:
    return {
        "group": FIRST_GROUP + index,
        "corn_tiles": table[JUNGLE_CORN + index],
        "wood_tiles": table[JUNGLE_WOOD + index],
    }


def _player(player: list[int]) -> dict[str, Any]:
    return {
        "victory_points": player[VP] / QUARTERS,
        "corn": player[CORN],
        "blocks": {name: player[WOOD + kind] for kind, name in enumerate(BLOCK_NAMES)},
        "skulls": player[SKULLS],
        "workers": {"in_play": player[WORKERS], "in_hand": player[HAND]},
        "temples": {name: player[TEMPLE + temple] for temple, name in enumerate(TEMPLE_NAMES)},
        "technologies": {name: player[TECH + tech] for tech, name in enumerate(TECH_NAMES)},
        "light_side": bool(player[LIGHT]),
        "harvest_tiles": {"corn": player[CORN_TILES], "wood": player[WOOD_TILES]},
        "farms": {"workers_fed": player[FREE_FOOD], "discount": player[FOOD_DISCOUNT]},
        "buildings": [building(tile) for tile in members(player[BUILDINGS])],
        "monuments": [monument(tile) for tile in members(player[MONUMENTS])],
        "wealth_tiles": members(player[WEALTH]),
    }


def _question(state: TzolkinState) -> dict[str, Any] | None:
    """Name what the table waits for, with the numbers that make it precise."""
    if not state.frames:
        return None
    top = state.frames[-1]
    return {"kind": type(top).__name__, "numbers": top.row()}


def _secrets(state: TzolkinState, seat: int | None) -> dict[str, Any]:
    if seat is None:
        stacks = state.secret_rows()[:2]
        offers = [_offer(*state.private_rows(owner)) for owner in range(state.seats)]
        return {"stacks": {"age_1": stacks[0], "age_2": stacks[1]}, "offers": offers}
    return _offer(*state.private_rows(seat)) if seat >= 0 else {}


def _offer(offered: list[int], answer: list[int]) -> dict[str, Any]:
    kept = [offered[place] for place in KEPT_PAIRS[answer[0] - KEEP]] if answer[0] else None
    return {"offered": offered, "kept": kept}


def _blocks(cost: Cost) -> dict[str, int]:
    return {name: count for name, count in zip(BLOCK_NAMES, cost, strict=True) if count}
