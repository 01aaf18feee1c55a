"""What a viewer draws of a position: JSON values in the words of the game.

A view for one seat is built from that seat's observation alone, so it cannot show more than the seat may know.
"""

from typing import Any, TypedDict

from ballcourt.engine.core.bits import members
from ballcourt.engine.core.view.scene import Observer, PlayerScene, Scene, Token, pile, question, sees
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
    GEAR_BASE,
    GEAR_NAMES,
    GEAR_SLOTS,
    TECH_NAMES,
    TEMPLE_NAMES,
)
from ballcourt.engine.games.tzolkin.view.words import QUESTIONS


class Board(TypedDict):
    """What only a scene of Tzolk'in has. The gears have turned by `day - 1` teeth in all."""

    day: int
    age: int
    food_days_held: int
    start_player: int
    corn_on_teeth: int
    skulls_in_bank: int
    skulls_at_chichen_itza: list[int]
    dummy_tiles: list[str]


class Own(TypedDict):
    """What else lies in front of a player; tiles by their ids in `Printed.tiles`."""

    light_side: bool
    corn_tiles: int
    wood_tiles: int
    workers_fed: int
    food_discount: int
    buildings: list[str]
    monuments: list[str]
    wealth: list[str]


class Known(TypedDict):
    """The wealth tiles that a seat was offered, and those it kept; None to the others."""

    offered: list[str] | None
    kept: list[str] | None


def scene(state: TzolkinState, observer: Observer = None) -> Scene:
    """Describe the position as an observer sees it."""
    table = state.table
    board: Board = {
        "day": table[DAY],
        "age": table[AGE],
        "food_days_held": table[FOOD_DAYS],
        "start_player": table[START_PLAYER],
        "corn_on_teeth": table[POT],
        "skulls_in_bank": table[SKULL_BANK],
        "skulls_at_chichen_itza": members(table[CHICHEN_USED]),
        "dummy_tiles": [f"wealth.{tile}" for tile in state.drawn],
    }
    return {
        "round": table[DAY],
        "phase": f"Age {table[AGE]}",
        "turn": table[TURN],
        "question": question(state, observer, QUESTIONS),
        "players": [_player(seat, player) for seat, player in enumerate(state.players)],
        "at": _workers(state) | _jungle(table) | _tiles(state),
        "piles": {
            f"age {age + 1}": pile([f"building.{tile}" for tile in stack[: table[STACK + age]]], observer)
            for age, stack in enumerate(state.stacks)
        },
        "known": [_known(state, seat, observer) for seat in range(state.seats)],
        "board": {**board},
    }


def _workers(state: TzolkinState) -> dict[str, list[Token]]:
    spaces = {
        f"{name}.{space}": state.slots[base + space]
        for name, base, count in zip(GEAR_NAMES, GEAR_BASE, GEAR_SLOTS, strict=True)
        for space in range(count)
    }
    spaces["start"] = state.table[START_SPACE]
    return {place: [_worker(occupant)] for place, occupant in spaces.items() if occupant != EMPTY}


def _worker(occupant: int) -> Token:
    return {"kind": "dummy"} if occupant == DUMMY else {"kind": "worker", "player": occupant}


def _jungle(table: list[int]) -> dict[str, list[Token]]:
    """Describe the tiles of each jungle group; corn tiles lie on the wood tiles."""
    groups: dict[str, list[Token]] = {}
    for index in range(JUNGLE_GROUPS):
        tiles: list[Token] = [
            {"kind": kind, "count": count}
            for kind, count in (("corn tile", table[JUNGLE_CORN + index]), ("wood tile", table[JUNGLE_WOOD + index]))
            if count
        ]
        if tiles:
            groups[f"jungle.{FIRST_GROUP + index}"] = tiles
    return groups


def _tiles(state: TzolkinState) -> dict[str, list[Token]]:
    row: dict[str, list[Token]] = {
        f"row.{space}": [{"kind": "building", "face": f"building.{tile}"}]
        for space, tile in enumerate(state.row)
        if tile
    }
    display: dict[str, list[Token]] = {
        f"display.{space}": [{"kind": "monument", "face": f"monument.{tile}"}]
        for space, tile in enumerate(state.display)
    }
    return row | display


def _player(seat: int, player: list[int]) -> PlayerScene:
    own: Own = {
        "light_side": bool(player[LIGHT]),
        "corn_tiles": player[CORN_TILES],
        "wood_tiles": player[WOOD_TILES],
        "workers_fed": player[FREE_FOOD],
        "food_discount": player[FOOD_DISCOUNT],
        "buildings": [f"building.{tile}" for tile in members(player[BUILDINGS])],
        "monuments": [f"monument.{tile}" for tile in members(player[MONUMENTS])],
        "wealth": [f"wealth.{tile}" for tile in members(player[WEALTH])],
    }
    blocks = {name: player[WOOD + kind] for kind, name in enumerate(BLOCK_NAMES)}
    temples = {name: player[TEMPLE + temple] for temple, name in enumerate(TEMPLE_NAMES)}
    techs = {name: player[TECH + tech] for tech, name in enumerate(TECH_NAMES)}
    return {
        "name": f"seat {seat}",
        "score": player[VP] / QUARTERS,
        "stock": {"corn": player[CORN]}
        | blocks
        | {"skulls": player[SKULLS], "workers": player[WORKERS], "in hand": player[HAND]},
        "tracks": temples | techs,
        "own": {**own},
    }


def _known(state: TzolkinState, seat: int, observer: Observer) -> dict[str, Any]:
    known: Known = {"offered": None, "kept": None}
    if sees(observer, seat):
        offered = [f"wealth.{tile}" for tile in state.offers[seat]]
        answer = state.answers[seat]
        known["offered"] = offered
        known["kept"] = [offered[place] for place in KEPT_PAIRS[answer - KEEP]] if answer else []
    return {**known}
