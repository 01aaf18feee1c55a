"""Decisions as lists [seat, name, arguments...], e.g. [0, "place_worker", "tikal"]: the legal ones, how to play one.

Tiles are pt01.., buildings bt01.., sites ps01.., links s01..; a card is a number from 1 to 6 or the name of a role.
"""

from itertools import islice
from typing import Any, TypeAlias

from engine.games.ahau import actions
from engine.games.ahau.actions import MOVE, MOVES, STOP_MOVING
from engine.games.ahau.columns import BUILDING_SPACES, POSITIONS, REGIONS, SPACES
from engine.games.ahau.state import AhauState
from engine.games.ahau.tables import (
    CITY_NAMES,
    COLOUR_NAMES,
    FIRST_FIVE_TILE,
    FIRST_WILD,
    GOD_NAMES,
    LINK_CITIES,
    OFFER_SLOTS,
    ROLE_NAMES,
    SPACE_LEVEL,
    SPACE_POSITION,
    TILE_COLOUR,
    TILES,
)
from engine.games.ahau.trade_god import TradeMove, cities_on

Decision: TypeAlias = list[Any]
Words: TypeAlias = list[Any]

CARD_NAMES = (None, 1, 2, 3, 4, 5, 6, *ROLE_NAMES)
TILE_NAMES = (None, *(f"pt{tile:02}" for tile in range(1, TILES)))
BUILDING_IDS = (None, *(f"bt{tile:02}" for tile in range(1, 26)))
SITE_NAMES = (None, *(f"ps{site:02}" for site in range(1, 16)))
LINK_NAMES = tuple(f"s{link:02}" for link in range(1, len(LINK_CITIES) + 1))
SPOT_NAMES = tuple([region, position] for region in range(1, REGIONS + 1) for position in range(POSITIONS))


class NotLegal(ValueError):
    """A decision that is not among the legal ones; the sentence lists the first of them."""


def legal(state: AhauState) -> list[Decision]:
    """List the legal decisions of all pending seats; none when the game is over."""
    return [decision_of(state, seat, action) for seat in state.pending_seats() for action in state.legal_actions(seat)]


def apply(state: AhauState, decision: Decision) -> None:
    """Play a decision. Raises NotLegal and leaves the position alone when it is not legal."""
    wanted = normal(decision)
    for seat in state.pending_seats():
        if seat != decision[0]:
            continue
        for action in state.legal_actions(seat):
            if normal(decision_of(state, seat, action)) == wanted:
                state.apply(seat, action)
                return
    shown = ", ".join(map(str, islice(legal(state), 60)))
    raise NotLegal(f"{decision} is not legal; legal are {shown or 'none'}")


def normal(decision: Decision) -> str:
    """Spell a decision so that two that mean the same are equal: the order of picks and of tokens is free."""
    if decision[1] in ("take_tile", "pay"):
        decision = [*decision[:2], sorted(decision[2])]
    return repr(decision)


def decision_of(state: AhauState, seat: int, action: int) -> Decision:
    """Say an action of a pending seat in words."""
    if MOVE <= action < STOP_MOVING:
        mover, move = divmod(action - MOVE, len(MOVES))
        source, goal = MOVES[move]
        return [seat, "trade_move", CITY_NAMES[source], CITY_NAMES[goal], _path(state, seat, mover)]
    return [seat, *FIXED[action]]


def _path(state: AhauState, seat: int, mover: int) -> list[str]:
    """List the cities a moved worker has been in during this summoning; none for one that has not moved."""
    if not mover:
        return []
    asked = state.frames[-1]
    assert isinstance(asked, TradeMove)
    return [CITY_NAMES[city] for city in cities_on(asked.movers(state, seat)[mover - 1])]


def _fixed() -> dict[int, Words]:
    """Spell the actions that mean the same in every position."""
    words: dict[int, Words] = {
        actions.CAPTAIN_STAY: ["war_captain", None],
        actions.ADVANCE: ["might_advance", True],
        actions.STAND_FAST: ["might_advance", False],
        actions.BONUS: ["region_bonus", True],
        actions.NO_BONUS: ["region_bonus", False],
        actions.NO_SUMMON: ["summon", None],
        actions.ENOUGH: ["summon_discard", None, None],
        actions.CHIEF_DRAW: ["chief_draw"],
        actions.STOP_MOVING: ["trade_stop"],
        actions.NO_SWAP: ["trade_swap", None, None],
        actions.SUN_ENOUGH: ["sun_take", None],
        actions.SUN_LAY_NONE: ["sun_lay", None],
        actions.PRODUCE: ["main", "produce"],
        actions.BUILD: ["main", "build"],
        actions.PASS: ["main", "pass"],
        actions.PRODUCE_ENOUGH: ["produce_other", None],
        actions.STOP_BUILDING: ["build_stop"],
        actions.NO_CARD_BACK: ["role_back", None],
        actions.QUEEN_PASS: ["queen_pass"],
        actions.KATUN_DONE: ["katun_done"],
    }
    for base, word, values in (
        (actions.SUMMARY, "pick_summary", [f"sum{card}" for card in range(1, 6)]),
        (actions.CAPTAIN, "war_captain", range(1, REGIONS + 1)),
        (actions.RELOCATE, "relocate", range(1, REGIONS + 1)),
        (actions.PLACE, "place_worker", CITY_NAMES),
        (actions.REPLACE, "replace", range(BUILDING_SPACES)),
        (actions.SUMMON, "summon", GOD_NAMES),
        (actions.CHIEF_COLOUR, "chief_colour", COLOUR_NAMES),
        (actions.RAIN_SITE, "rain_site", LINK_NAMES),
        (actions.TRADE_COLOUR, "trade_colour", COLOUR_NAMES),
        (actions.SUN_TAKE, "sun_take", CARD_NAMES[1:]),
        (actions.SUN_LAY, "sun_lay", CITY_NAMES),
        (actions.JAGUAR_REMOVE, "jaguar_remove", CITY_NAMES),
        (actions.JAGUAR_STAND, "jaguar_stand", CITY_NAMES),
        (actions.DANCE, "dancer", GOD_NAMES),
        (actions.PRODUCE_AT, "produce_site", LINK_NAMES),
        (actions.PRODUCE_FOR, "produce_other", range(actions.MAX_ACTORS)),
        (actions.BUILD_OFFER, "build_offer", range(OFFER_SLOTS)),
        (actions.PAINT_WILD, "wild_colour", COLOUR_NAMES),
        (actions.GAIN, "reward_resource", COLOUR_NAMES),
        (actions.MARK, "reward_temple", GOD_NAMES),
        (actions.LAY_DOWN, "reward_lay_down", CITY_NAMES),
        (actions.ROLE_PICK, "role_pick", ROLE_NAMES),
        (actions.CARD_BACK, "role_back", CARD_NAMES[1:]),
        (actions.RETURN_TILE, "forced_discard", TILE_NAMES[1:]),
    ):
        words |= {base + index: [word, value] for index, value in enumerate(values)}
    return words | _cards_and_tiles() | _trades()


def _cards_and_tiles() -> dict[int, Words]:
    """Spell the actions with two cards, or with tiles and where they lie."""
    words: dict[int, Words] = {
        actions.SELECT + index: ["select_cards", CARD_NAMES[left], CARD_NAMES[right]]
        for index, (left, right) in enumerate(actions.CARD_PAIRS)
    }
    for spot, where in enumerate(SPOT_NAMES):
        words[actions.TAKE + spot] = ["take_tile", [where]]
        words[actions.CHIEF_TAKE + spot] = ["chief_take", *where]
    for index, (first, second) in enumerate(actions.SPOT_PAIRS):
        words[actions.TAKE_TWO + index] = ["take_tile", [SPOT_NAMES[first], SPOT_NAMES[second]]]
    for tile in range(1, TILES):
        if not FIRST_WILD <= tile < FIRST_FIVE_TILE:
            words[actions.OFFERED + tile - 1] = ["summon_discard", TILE_NAMES[tile], COLOUR_NAMES[TILE_COLOUR[tile]]]
        for space in range(SPACES):
            place = [SPACE_LEVEL[space], SPACE_POSITION[space]]
            words[actions.BUILD_TILE + SPACES * (tile - 1) + space] = ["build_tile", TILE_NAMES[tile], *place]
    for wild in range(FIRST_WILD, FIRST_FIVE_TILE):
        for colour, name in enumerate(COLOUR_NAMES):
            offered = actions.OFFERED_WILD + len(COLOUR_NAMES) * (wild - FIRST_WILD) + colour
            words[offered] = ["summon_discard", TILE_NAMES[wild], name]
    return words


def _trades() -> dict[int, Words]:
    """Spell what is paid and traded."""
    words: dict[int, Words] = {
        actions.PAY + index: ["pay", [COLOUR_NAMES[colour] for colour in paid]]
        for index, paid in enumerate(actions.PAYMENTS)
    }
    for index, pair in enumerate(actions.COLOUR_PAIRS):
        colours = [COLOUR_NAMES[colour] for colour in pair]
        words[actions.SWAP + index] = ["trade_swap", *colours]
        words[actions.TRADE_RESOURCES + index] = ["trade_resources", *colours]
    for index, (first, second, colour) in enumerate(actions.TILE_TRADES):
        words[actions.TRADE_TILES + index] = [
            "trade_tiles",
            TILE_NAMES[first],
            TILE_NAMES[second],
            COLOUR_NAMES[colour],
        ]
    for index in range(len(CITY_NAMES) * len(COLOUR_NAMES)):
        city, colour = divmod(index, len(COLOUR_NAMES))
        words[actions.QUEEN + index] = ["queen", CITY_NAMES[city], COLOUR_NAMES[colour]]
    return words


FIXED = _fixed()
