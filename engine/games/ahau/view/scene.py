"""The scene of a position for viewers: JSON values in the terms of the game.

The scene for one seat can be built from its observation alone, so it shows only what the seat may know.
"""

from typing import Any, TypedDict

from ballcourt.engine.core.bits import members
from ballcourt.engine.core.view.scene import Observer, PlayerScene, Scene, Token, pile, question, sees
from ballcourt.engine.games.ahau import columns as at
from ballcourt.engine.games.ahau.actions import CARD_PAIRS, SELECT
from ballcourt.engine.games.ahau.state import PAKAL, AhauState
from ballcourt.engine.games.ahau.tables import (
    CITY_NAMES,
    COLOUR_NAMES,
    GOD_NAMES,
    REGION_COUNT,
    ROLE_NAMES,
    SITE_COLOUR,
)
from ballcourt.engine.games.ahau.view.scenery import calendar_spaces
from ballcourt.engine.games.ahau.view.words import QUESTIONS, building_name, card_name, link_id, tile_name

SHADOW = "Shadow Player"


class Board(TypedDict):
    """What only a scene of Ahau has; `might` lists the players from the bottom of the track, stacks included."""

    katun: int
    katun_triggered: bool
    end_triggered: bool
    order: list[int]
    might: list[int]
    summaries: list[str | None]


class Own(TypedDict):
    """What else lies in front of a player; `pyramid` and `buildings` are by space."""

    automaton: bool
    ruler: int | None
    cards: list[str | None]
    on_table: list[str]
    discarded: list[str]
    role: str | None
    role_order: int
    pyramid: dict[str, list[str]]
    buildings: list[str | None]
    reserve: list[str]


class Known(TypedDict):
    """What a seat alone knows: its Role card ("" for none), the Roles it left, and the cards selected this round."""

    role: str | None
    roles_left: list[str] | None
    selected: list[str] | None


def scene(state: AhauState, observer: Observer = None) -> Scene:
    """Describe the position as an observer sees it."""
    table = state.table
    board: Board = {
        "katun": table[at.KATUN],
        "katun_triggered": bool(table[at.KATUN_TRIGGERED]),
        "end_triggered": bool(table[at.END_TRIGGERED]),
        "order": state.order[:],
        "might": state.might[:],
        "summaries": [tile_name(tile) if tile else None for tile in state.summaries],
    }
    return {
        "round": table[at.ROUND],
        "phase": f"K'atun {table[at.KATUN]}",
        "turn": None if table[at.TURN] == at.NONE else table[at.TURN],
        "question": question(state, observer, QUESTIONS),
        "players": [_player(state, player) for player in range(len(state.actors))],
        "at": _cities(state) | _sites(state) | _regions(state) | _temples(state),
        "piles": {
            "bag": pile([tile_name(tile) for tile in state.bag[: table[at.BAG]]], observer),
            "buildings": pile([building_name(tile) for tile in state.stack[: table[at.STACK]]], observer),
            "roles": pile([ROLE_NAMES[role - 1] for role in state.role_deck[: table[at.ROLE_DECK]]], observer),
            "automaton": pile([str(card) for card in state.deck[: table[at.DECK]]], observer),
        },
        "known": [_known(state, seat, observer) for seat in range(state.seats)],
        "board": {**board},
    }


def _cities(state: AhauState) -> dict[str, list[Token]]:
    """Describe the workers in each city."""
    cities: dict[str, list[Token]] = {}
    for city in range(at.CITIES):
        workers: list[Token] = [
            {"kind": kind, "player": player, "count": row[column + city]}
            for player, row in enumerate(state.actors)
            for kind, column in (("worker", at.STANDING), ("lying worker", at.LYING))
            if row[column + city]
        ]
        if workers:
            cities[CITY_NAMES[city]] = workers
    return cities


def _sites(state: AhauState) -> dict[str, list[Token]]:
    """Describe the production sites on links and calendar; sites beyond its last space lie on that one."""
    on_links = {link_id(link): [_site(site)] for link, site in enumerate(state.sites) if site}
    on_calendar: dict[str, list[Token]] = {}
    last = calendar_spaces(state) - 1
    for space, site in enumerate(state.calendar):
        on_calendar.setdefault(f"calendar.{min(space, last)}", []).append(_site(site))
    return on_links | on_calendar


def _site(site: int) -> Token:
    return {"kind": "site", "face": COLOUR_NAMES[SITE_COLOUR[site]]}


def _regions(state: AhauState) -> dict[str, list[Token]]:
    """Describe the tiles, bonuses and rulers of the regions, and the offer."""
    lying: dict[str, list[Token]] = {}
    for region in range(1, REGION_COUNT[state.table[at.SIDE]] + 1):
        row = state.regions[at.REGION_COLUMNS * (region - 1) : at.REGION_COLUMNS * region]
        for position, tile in zip(("left", "right"), row[at.TILE : at.TILE + at.POSITIONS], strict=True):
            if tile:
                lying[f"region.{region}.{position}"] = [{"kind": "pyramid tile", "face": tile_name(tile)}]
        bonus: list[Token] = [{"kind": "resource", "face": COLOUR_NAMES[gift - 1]} for gift in row[at.GIFT :] if gift]
        if row[at.BUILDING]:
            bonus.append({"kind": "building", "face": f"building.{row[at.BUILDING]}"})
        if bonus:
            lying[f"region.{region}.building"] = bonus
        rulers: list[Token] = [
            {"kind": "ruler", "player": player}
            for player, actor in enumerate(state.actors)
            if actor[at.RULER] == region
        ]
        if rulers:
            lying[f"region.{region}.rulers"] = rulers
    for slot, tile in enumerate(state.offer):
        if tile:
            lying[f"offer.{slot}"] = [{"kind": "building", "face": f"building.{tile}"}]
    return lying


def _temples(state: AhauState) -> dict[str, list[Token]]:
    return {
        f"temple.{GOD_NAMES[god]}.{space}": [{"kind": "marker", "player": actor}]
        for god in range(at.GODS)
        for space, actor in enumerate(state.temples[at.MARKER_SPACES * god : at.MARKER_SPACES * (god + 1)])
        if actor != at.NONE
    }


def _player(state: AhauState, player: int) -> PlayerScene:
    row = state.actors[player]
    own: Own = {
        "automaton": row[at.PERSONALITY] != at.NONE,
        "ruler": row[at.RULER] or None,
        "cards": [card_name(card) if card else None for card in (row[at.LEFT], row[at.RIGHT])],
        "on_table": [card_name(card) for card in members(row[at.PLAYED])],
        "discarded": [card_name(card) for card in members(row[at.DISCARD])],
        "role": card_name(row[at.ROLE_SEEN]) if row[at.ROLE_SEEN] else None,
        "role_order": row[at.ROLE_ORDER],
        "pyramid": {
            str(space): [tile_name(row[at.PYRAMID + space]), COLOUR_NAMES[row[at.PAINT + space]]]
            for space in range(at.SPACES)
            if row[at.PYRAMID + space]
        },
        "buildings": [
            f"building.{tile}" if tile else None for tile in row[at.BUILDINGS : at.BUILDINGS + at.BUILDING_SPACES]
        ],
        "reserve": [tile_name(tile) for tile in state.reserve(player)],
    }
    resources = {name: row[at.RESOURCES + colour] for colour, name in enumerate(COLOUR_NAMES[: at.COLOURS])}
    if player >= state.seats and state.table[at.MODE] == at.SOLO:
        resources = {"resources": row[at.RESOURCES]}
    return {
        "name": _name(state, player),
        "score": row[at.FAME],
        "stock": {**resources, "weapons": row[at.WEAPONS], "workers": row[at.POOL]},
        "tracks": {"might": row[at.STEP]},
        "own": {**own},
    }


def _name(state: AhauState, player: int) -> str:
    if player < state.seats:
        return f"seat {player}"
    return PAKAL if state.table[at.MODE] == at.SOLO else SHADOW


def _known(state: AhauState, seat: int, observer: Observer) -> dict[str, Any]:
    known: Known = {"role": None, "roles_left": None, "selected": None}
    if sees(observer, seat):
        ((role, left, answer),) = state.private_rows(seat)
        known["role"] = card_name(role) if role else ""
        known["roles_left"] = [ROLE_NAMES[number - 1] for number in members(left)]
        known["selected"] = [card_name(card) for card in CARD_PAIRS[answer - SELECT]] if answer else []
    return {**known}
