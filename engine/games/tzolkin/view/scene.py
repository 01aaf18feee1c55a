"""What a viewer draws of a position: JSON values in the words of the game.

A view for one seat is built from that seat's observation alone, so it cannot show more than the seat may know.
"""

from typing import Any, TypedDict

from ballcourt.engine.core.bits import members
from ballcourt.engine.core.view.scene import Observer, PlayerScene, Scene, Token, pile, question, sees
from ballcourt.engine.games.tzolkin import columns as at
from ballcourt.engine.games.tzolkin.actions import KEEP, KEPT_PAIRS
from ballcourt.engine.games.tzolkin.state import TzolkinState
from ballcourt.engine.games.tzolkin.tables import (
    BLOCK_NAMES,
    FOOD_DAY,
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
        "day": table[at.DAY],
        "age": table[at.AGE],
        "food_days_held": table[at.FOOD_DAYS],
        "start_player": table[at.START_PLAYER],
        "corn_on_teeth": table[at.POT],
        "skulls_in_bank": table[at.SKULL_BANK],
        "skulls_at_chichen_itza": members(table[at.CHICHEN_USED]),
        "dummy_tiles": [f"wealth.{tile}" for tile in state.drawn],
    }
    return {
        "round": min(table[at.DAY], FOOD_DAY[-1]),  # when points are counted, the last day is over
        "phase": f"Age {table[at.AGE]}",
        "turn": table[at.TURN],
        "question": question(state, observer, QUESTIONS),
        "players": [_player(seat, player) for seat, player in enumerate(state.players)],
        "at": _workers(state) | _jungle(table) | _tiles(state),
        "piles": {
            f"age {age + 1}": pile([f"building.{tile}" for tile in stack[: table[at.STACK + age]]], observer)
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
    spaces["start"] = state.table[at.START_SPACE]
    return {place: [_worker(occupant)] for place, occupant in spaces.items() if occupant != at.EMPTY}


def _worker(occupant: int) -> Token:
    return {"kind": "dummy"} if occupant == at.DUMMY else {"kind": "worker", "player": occupant}


def _jungle(table: list[int]) -> dict[str, list[Token]]:
    """Describe the tiles of each jungle group; corn tiles lie on the wood tiles."""
    groups: dict[str, list[Token]] = {}
    for index in range(at.JUNGLE_GROUPS):
        tiles: list[Token] = [
            {"kind": kind, "count": count}
            for kind, count in (
                ("corn tile", table[at.JUNGLE_CORN + index]),
                ("wood tile", table[at.JUNGLE_WOOD + index]),
            )
            if count
        ]
        if tiles:
            groups[f"jungle.{at.FIRST_GROUP + index}"] = tiles
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
        "light_side": bool(player[at.LIGHT]),
        "corn_tiles": player[at.CORN_TILES],
        "wood_tiles": player[at.WOOD_TILES],
        "workers_fed": player[at.FREE_FOOD],
        "food_discount": player[at.FOOD_DISCOUNT],
        "buildings": [f"building.{tile}" for tile in members(player[at.BUILDINGS])],
        "monuments": [f"monument.{tile}" for tile in members(player[at.MONUMENTS])],
        "wealth": [f"wealth.{tile}" for tile in members(player[at.WEALTH])],
    }
    blocks = {name: player[at.WOOD + kind] for kind, name in enumerate(BLOCK_NAMES)}
    temples = {name: player[at.TEMPLE + temple] for temple, name in enumerate(TEMPLE_NAMES)}
    techs = {name: player[at.TECH + tech] for tech, name in enumerate(TECH_NAMES)}
    return {
        "name": f"seat {seat}",
        "score": player[at.VP] / at.QUARTERS,
        "stock": {"corn": player[at.CORN]}
        | blocks
        | {"skulls": player[at.SKULLS], "workers": player[at.WORKERS], "in hand": player[at.HAND]},
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
