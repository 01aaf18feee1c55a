"""The scene of a position for viewers: JSON values in the terms of the game.

The scene for one seat can be built from its observation alone, so it shows only what the seat may know.
"""

from typing import Any

from ballcourt.engine.core.bits import members
from ballcourt.engine.core.game import Scene
from ballcourt.engine.games.ahau.actions import CARD_PAIRS, SELECT
from ballcourt.engine.games.ahau.columns import (
    BAG,
    BUILDING,
    BUILDING_SPACES,
    BUILDINGS,
    CITIES,
    COLOURS,
    DECK,
    DISCARD,
    END_TRIGGERED,
    FAME,
    GIFT,
    GODS,
    KATUN,
    KATUN_TRIGGERED,
    LEFT,
    LYING,
    MARKER_SPACES,
    NONE,
    PAINT,
    PERSONALITY,
    PLAYED,
    POOL,
    POSITIONS,
    PYRAMID,
    REGION_COLUMNS,
    RESOURCES,
    RIGHT,
    ROLE,
    ROLE_DECK,
    ROLE_SEEN,
    ROUND,
    RULER,
    SIDE,
    SPACES,
    STACK,
    STANDING,
    STEP,
    TILE,
    TURN,
    WEAPONS,
    WILD,
)
from ballcourt.engine.games.ahau.state import AhauState
from ballcourt.engine.games.ahau.tables import (
    BUILDING_COLOURS,
    BUILDING_KIND,
    BUILDING_NAMES,
    CITY_NAMES,
    COLOUR_NAMES,
    GOD_NAMES,
    LINK_CITIES,
    REGION_CITIES,
    REGION_COUNT,
    ROLE_NAMES,
    SCORING_NAMES,
    SITE_COLOUR,
    SPACE_LEVEL,
    TILE_COLOUR,
    TILE_GOD,
)


def scene(state: AhauState, seat: int | None = None) -> Scene:
    """Describe the position as a seat or SPECTATOR sees it; with None include all secrets."""
    table = state.table
    return {
        "katun": table[KATUN],
        "round": table[ROUND],
        "katun_triggered": bool(table[KATUN_TRIGGERED]),
        "end_triggered": bool(table[END_TRIGGERED]),
        "turn": None if table[TURN] == NONE else table[TURN],
        "cities": [{"name": CITY_NAMES[city], "god": GOD_NAMES[god]} for city, god in enumerate(state.gods)],
        "sites": {_link(link): COLOUR_NAMES[SITE_COLOUR[site]] for link, site in enumerate(state.sites) if site},
        "calendar": [COLOUR_NAMES[SITE_COLOUR[site]] for site in state.calendar],
        "regions": [_region(state, region) for region in range(1, REGION_COUNT[table[SIDE]] + 1)],
        "offer": [building(tile) if tile else None for tile in state.offer],
        "temples": [_temple(state, god) for god in range(GODS)],
        "might": [{"actor": actor, "step": state.actors[actor][STEP]} for actor in state.might],
        "summaries": [pyramid_tile(tile) for tile in state.summaries],
        "left": {"bag": table[BAG], "stack": table[STACK], "role_deck": table[ROLE_DECK], "deck": table[DECK]},
        "actors": [_actor(row, reserve) for row, reserve in zip(state.actors, state.reserves, strict=True)],
        "question": _question(state),
        "secrets": _secrets(state, seat),
    }


def colour_name(colour: int) -> str:
    """Return the name of a colour, or "wild"."""
    return "wild" if colour == WILD else COLOUR_NAMES[colour]


def pyramid_tile(tile: int) -> str | None:
    """Return the colour, god and number of a pyramid tile (1..85); None for 0."""
    return f"{colour_name(TILE_COLOUR[tile])} {GOD_NAMES[TILE_GOD[tile]]} {tile}" if tile else None


def building(tile: int) -> dict[str, Any]:
    """Describe a building (1..25)."""
    kind = BUILDING_KIND[tile]
    return {
        "id": tile,
        "name": BUILDING_NAMES[kind],
        "cost": [COLOUR_NAMES[colour] for colour in BUILDING_COLOURS[kind]],
    }


def building_name(tile: int) -> str | None:
    """Return the name and number of a building; None for 0."""
    return f"{BUILDING_NAMES[BUILDING_KIND[tile]]} {tile}" if tile else None


def card_name(card: int) -> str | None:
    """Return the number of a Region card or the name of a Role card; None for 0."""
    if not card:
        return None
    return ROLE_NAMES[card - ROLE - 1] if card > ROLE else str(card)


def _link(link: int) -> str:
    first, second = LINK_CITIES[link]
    return f"{CITY_NAMES[first]} to {CITY_NAMES[second]}"


def _region(state: AhauState, region: int) -> dict[str, Any]:
    row = state.regions[REGION_COLUMNS * (region - 1) : REGION_COLUMNS * region]
    return {
        "number": region,
        "cities": [CITY_NAMES[city] for city in REGION_CITIES[state.table[SIDE]][region]],
        "tiles": [pyramid_tile(tile) for tile in row[TILE : TILE + POSITIONS]],
        "building": building(row[BUILDING]) if row[BUILDING] else None,
        "resources": [COLOUR_NAMES[gift - 1] for gift in row[GIFT:] if gift],
    }


def _temple(state: AhauState, god: int) -> dict[str, Any]:
    spaces = state.temples[MARKER_SPACES * god : MARKER_SPACES * (god + 1)]
    return {
        "god": GOD_NAMES[god],
        "scores": SCORING_NAMES[state.scoring[god]],
        "markers": [None if actor == NONE else actor for actor in spaces],
    }


def _actor(row: list[int], reserve: list[int]) -> dict[str, Any]:
    return {
        "automaton": row[PERSONALITY] != NONE,
        "fame": row[FAME],
        "weapons": row[WEAPONS],
        "pool": row[POOL],
        "ruler": row[RULER] or None,
        "cards": {"left": card_name(row[LEFT]), "right": card_name(row[RIGHT])},
        "on_table": [card_name(card) for card in members(row[PLAYED])],
        "discarded": [card_name(card) for card in members(row[DISCARD])],
        "role": card_name(row[ROLE_SEEN]),
        "workers": _workers(row),
        "resources": {name: row[RESOURCES + colour] for colour, name in enumerate(COLOUR_NAMES[:COLOURS])},
        "pyramid": [_built(row, space) for space in range(SPACES) if row[PYRAMID + space]],
        "buildings": [building_name(tile) for tile in row[BUILDINGS : BUILDINGS + BUILDING_SPACES]],
        "reserve": [pyramid_tile(tile) for tile in reserve],
    }


def _workers(row: list[int]) -> dict[str, dict[str, int]]:
    return {
        CITY_NAMES[city]: {"standing": row[STANDING + city], "lying": row[LYING + city]}
        for city in range(CITIES)
        if row[STANDING + city] or row[LYING + city]
    }


def _built(row: list[int], space: int) -> dict[str, Any]:
    tile, colour = pyramid_tile(row[PYRAMID + space]), COLOUR_NAMES[row[PAINT + space]]
    return {"tile": tile, "space": space, "level": SPACE_LEVEL[space], "counts_as": colour}


def _question(state: AhauState) -> dict[str, Any] | None:
    """Return the question that the table waits for, with its numbers; None at the end."""
    if not state.frames:
        return None
    top = state.frames[-1]
    return {"kind": type(top).__name__, "numbers": top.row()}


def _secrets(state: AhauState, seat: int | None) -> dict[str, Any]:
    if seat is None:
        _, bag, stack, roles, deck, *_ = state.secret_rows()
        hands = [_own(*state.private_rows(owner)[0]) for owner in range(state.seats)]
        return {"bag": bag, "stack": stack, "role_deck": roles, "deck": deck, "hands": hands}
    return _own(*state.private_rows(seat)[0]) if seat >= 0 else {}


def _own(role: int, left: int, answer: int) -> dict[str, Any]:
    cards = CARD_PAIRS[answer - SELECT] if answer else ()
    return {
        "role": card_name(role),
        "roles_left": [ROLE_NAMES[number - 1] for number in members(left)],
        "selected": [card_name(card) for card in cards],
    }
