"""Positions as plain data: built from fields and dumped to fields, including secrets.

The fields describe a position at the start of a round (`phase` "round") or before the first summary card is picked
(`phase` "setup"); `after` lists decisions to play from there. `dump` returns the same fields, and others that are not
read. Fields hold names where the engine has numbers; see `columns`.
"""

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias, cast

from ballcourt.engine.games.ahau import GAME
from ballcourt.engine.games.ahau import columns as at
from ballcourt.engine.games.ahau.movement.cards import RoundStart, SelectCards
from ballcourt.engine.games.ahau.setup import BoxSummaries, PickSummary
from ballcourt.engine.games.ahau.state import AhauState
from ballcourt.engine.games.ahau.tables import (
    CITY_NAMES,
    COLOUR_NAMES,
    GOD_NAMES,
    PERSONALITIES,
    ROLE_NAMES,
    SCORING_NAMES,
    SPACE_LEVEL,
    SPACE_POSITION,
    TOP_STEP,
)
from tests.engine.games.ahau.decisions import BUILDING_IDS, CARD_NAMES, LINK_NAMES, SITE_NAMES, TILE_NAMES, apply
from tests.engine.games.ahau.rigging import rigged

Fields: TypeAlias = dict[str, Any]

MODES = ("standard", "family", "solo")
BOARDS = ("day", "night")
DIFFICULTIES = ("easy", "moderate", "hard")
SPACE_NAMES = tuple(f"{level},{place}" for level, place in zip(SPACE_LEVEL, SPACE_POSITION, strict=True))
ALL_COLOURS = (*COLOUR_NAMES, "wild")


class BadPosition(ValueError):
    """Fields that do not describe a position; the message says why."""


# -- from fields to a position


def state_from(given: Fields) -> AhauState:
    """Build the position that `given` describes and play its decisions `after`. Raises BadPosition, NotLegal.

    A seat with a Role card is assumed to have left in the deck the cards that are there now.
    """
    actors = [given["player"][str(number)] for number in range(len(given["player"]))]
    people = actors[: given["players"]]
    public = [
        _table(given),
        [_index(GOD_NAMES, given["city_gods"][city]) for city in CITY_NAMES],
        [_index(SITE_NAMES, given["sites"].get(link)) for link in LINK_NAMES],
        [_index(SITE_NAMES, site) for site in given["calendar"]],
        _regions(given),
        [_index(BUILDING_IDS, building) for building in given["offer"]],
        [_seat(space) for god in GOD_NAMES for space in given["temples"][god]],
        [_index(SCORING_NAMES, given["scoring"][god]) for god in GOD_NAMES],
        [seat for stack in given["might"] for seat in stack],
        [_index(TILE_NAMES, tile) for tile in given["tile_discard"]],
        [_index(BUILDING_IDS, building) for building in given["building_discard"]],
        [_index(TILE_NAMES, given["summaries"].get(f"sum{card}")) for card in range(1, 6)],
        [],
        *[[*_actor(actor, seat, given), *_reserve(actor)] for seat, actor in enumerate(actors)],
    ]
    left = _bits(_index(ROLE_NAMES, role) + 1 for role in given["role_deck"])
    secret = [
        [1, 2, 0],
        _turned(TILE_NAMES, given["bag"]),
        _turned(BUILDING_IDS, given["building_stack"]),
        sorted(_index(ROLE_NAMES, role) + 1 for role in given["role_deck"]),
        _turned(CARD_NAMES, next((actor["deck"] for actor in actors if "deck" in actor), [])),
        [_index(CARD_NAMES, actor["role"]) for actor in people],
        [left if actor["role"] else 0 for actor in people],
        [0] * len(people),
    ]
    plain = cast(AhauState, GAME.restore(len(people), public + _first_frames(given), secret))
    state = rigged(plain, given["chance"]) if given.get("chance") else plain
    state.settle()
    for decision in given.get("after", []):
        apply(state, decision)
    return state


def _index(names: Sequence[Any], name: Any) -> int:  # noqa: ANN401
    if name not in names:
        raise BadPosition(f"unknown name {name!r}; it must be one of {', '.join(map(str, names))}")
    return names.index(name)


def _seat(seat: int | None) -> int:
    return at.NONE if seat is None else seat


def _turned(names: Sequence[Any], items: Iterable[Any]) -> list[int]:
    """Return the numbers of a deck in the engine's order, in which the last item is drawn next."""
    return [_index(names, item) for item in items][::-1]


def _bits(members: Iterable[int]) -> int:
    return sum(1 << member for member in members)


def _first_frames(given: Fields) -> list[list[int]]:
    """Return the rows of the waiting frames: for picking summary cards, or for selecting cards."""
    if given["phase"] == "round":
        return [[RoundStart.kind], [SelectCards.kind]]
    seats = given["players"]
    picks = [[PickSummary.kind, (given["start_seat"] + turn) % seats] for turn in range(seats)]
    return [[RoundStart.kind], [BoxSummaries.kind], *reversed(picks)]


def _table(given: Fields) -> list[int]:
    row = [0] * at.TABLE_COLUMNS
    row[at.MODE] = _index(MODES, given["mode"])
    row[at.SIDE] = at.SIDE_B if len(given["regions"]) == at.REGIONS else at.SIDE_A
    row[at.NIGHT] = _index(BOARDS, given["board"])
    row[at.PERSONAL] = int(given["personal"])
    row[at.KATUN], row[at.ROUND] = given["katun"], given["round"] if given["phase"] == "round" else 0
    row[at.TURN] = row[at.TURN_CITY] = at.NONE
    row[at.BAG], row[at.STACK] = len(given["bag"]), len(given["building_stack"])
    row[at.ROLE_DECK] = len(given["role_deck"])
    row[at.DECK] = sum(len(actor.get("deck", [])) for actor in given["player"].values())
    row[at.START_SEAT] = given["start_seat"]
    row[at.DIFFICULTY] = _index(DIFFICULTIES, given.get("difficulty") or "easy")
    row[at.SOLO_NIGHT] = _index(BOARDS, given.get("solo_board") or "day")
    return row


def _regions(given: Fields) -> list[int]:
    row = []
    for number in range(1, at.REGIONS + 1):
        region = given["regions"].get(str(number), {"tiles": [None, None], "building": None, "resources": []})
        gifts = [_index(COLOUR_NAMES, colour) + 1 for colour in region["resources"]]
        row += [_index(TILE_NAMES, tile) for tile in region["tiles"]]
        row += [_index(BUILDING_IDS, region["building"]), *gifts, *[0] * (2 - len(gifts))]
    return row


def _actor(actor: Fields, seat: int, given: Fields) -> list[int]:
    row = [0] * at.ACTOR_COLUMNS
    row[at.FAME], row[at.WEAPONS], row[at.POOL] = actor.get("fame", 0), actor["weapons"], actor["pool"]
    row[at.RULER] = actor["ruler"]
    row[at.STEP] = next((number for number, stack in enumerate(given["might"]) if seat in stack), 0)
    row[at.DISCARD] = _bits(_index(CARD_NAMES, card) for card in actor["discard"])
    row[at.ROLE_ORDER] = _role_order(actor, given)
    if actor.get("role") in actor["discard"]:
        row[at.ROLE_SEEN] = _index(CARD_NAMES, actor["role"])
    row[at.SUMMARY] = int(actor["summary"][3:]) if actor.get("summary") else 0
    row[at.ITEMS] = actor.get("items_done", 0)
    row[at.PERSONALITY] = _personality(actor)
    for city, name in enumerate(CITY_NAMES):
        row[at.STANDING + city], row[at.LYING + city] = actor["workers"][name]
    resources = actor.get("resources", {})
    for colour, name in enumerate(COLOUR_NAMES):
        row[at.RESOURCES + colour] = resources.get(name, 0) if isinstance(resources, dict) else 0
    if not isinstance(resources, dict):
        row[at.RESOURCES] = resources
    for name, (tile, colour) in actor.get("pyramid", {}).items():
        row[at.PYRAMID + _index(SPACE_NAMES, name)] = _index(TILE_NAMES, tile)
        row[at.PAINT + _index(SPACE_NAMES, name)] = _index(COLOUR_NAMES, colour)
    for space, building in enumerate(actor.get("buildings", [])):
        row[at.BUILDINGS + space] = _index(BUILDING_IDS, building)
    return row


def _role_order(actor: Fields, given: Fields) -> int:
    """Return the place of an actor among those with a Role card; a position has them take it in seat order."""
    takers = [other for other in given["player"].values() if other.get("role")]
    return 1 + next(place for place, other in enumerate(takers) if other is actor) if actor.get("role") else 0


def _reserve(actor: Fields) -> list[int]:
    return sorted(_index(TILE_NAMES, tile) for tile in actor.get("reserve", []))


def _personality(actor: Fields) -> int:
    if "gods" not in actor:
        return at.NONE
    return PERSONALITIES.index(tuple(_index(GOD_NAMES, god) for god in actor["gods"]))


# -- from a position to fields


def dump(state: AhauState) -> Fields:
    """Return the fields of a position, including secrets."""
    _, bag, stack, role_deck, deck, *_ = state.secret_rows()
    table, rows = state.table, state.actors
    side_a = table[at.SIDE] == at.SIDE_A
    described: Fields = {
        "mode": MODES[table[at.MODE]],
        "players": state.seats,
        "personal": bool(table[at.PERSONAL]) or table[at.MODE] == at.FAMILY,
        "shadow": len(rows) > state.seats and table[at.MODE] != at.SOLO,
        "board": BOARDS[table[at.NIGHT]],
        "solo_board": BOARDS[table[at.SOLO_NIGHT]],
        "difficulty": DIFFICULTIES[table[at.DIFFICULTY]],
        "start_seat": table[at.START_SEAT],
        "phase": "setup" if any(state.summaries) else "round",
        "katun": table[at.KATUN],
        "round": max(1, table[at.ROUND]),
        "city_gods": {city: GOD_NAMES[god] for city, god in zip(CITY_NAMES, state.gods, strict=True)},
        "sites": {
            link: SITE_NAMES[site]
            for link, site in zip(LINK_NAMES, state.sites, strict=True)
            if not (side_a and link == "s13")
        },
        "calendar": [SITE_NAMES[site] for site in state.calendar],
        "bag": [TILE_NAMES[tile] for tile in reversed(bag)],
        "tile_discard": [TILE_NAMES[tile] for tile in state.tiles],
        "regions": {str(number): _region(state.regions, number) for number in range(1, at.REGIONS + 1 - side_a)},
        "offer": [BUILDING_IDS[building] for building in state.offer],
        "building_stack": [BUILDING_IDS[building] for building in reversed(stack)],
        "building_discard": [BUILDING_IDS[building] for building in state.buildings],
        "temples": {
            god: [_no_one(seat) for seat in state.temples[at.MARKER_SPACES * index :][: at.MARKER_SPACES]]
            for index, god in enumerate(GOD_NAMES)
        },
        "scoring": {god: SCORING_NAMES[tile] for god, tile in zip(GOD_NAMES, state.scoring, strict=True)},
        "might": [[seat for seat in state.might if rows[seat][at.STEP] == step] for step in range(TOP_STEP + 1)],
        "role_deck": [ROLE_NAMES[role - 1] for role in sorted(role_deck)],
        "summaries": {f"sum{card}": TILE_NAMES[tile] for card, tile in enumerate(state.summaries, 1) if tile},
        "katun_triggered": bool(table[at.KATUN_TRIGGERED]),
        "end_triggered": bool(table[at.END_TRIGGERED]),
        "over": not state.frames,
        "winners": _winners(state, rows) if not state.frames else None,
        "turn": _no_one(table[at.TURN]),
        "pending": state.pending_seats(),
    }
    described["player"] = {
        str(seat): _described(state, seat, row, state.reserve(seat), deck) for seat, row in enumerate(rows)
    }
    return described


def _winners(state: AhauState, rows: list[list[int]]) -> list[int]:
    """List the winning actors, which may include King Pakal (§15.13)."""
    ranked = range(state.seats + (state.table[at.MODE] == at.SOLO))
    keys = [(rows[actor][at.FAME], state.tiles_built(actor)) for actor in ranked]
    return [actor for actor in ranked if keys[actor] == max(keys)]


def _no_one(seat: int) -> int | None:
    return None if seat == at.NONE else seat


def _region(row: list[int], number: int) -> Fields:
    left, right, building, *gifts = row[at.REGION_COLUMNS * (number - 1) :][: at.REGION_COLUMNS]
    return {
        "tiles": [TILE_NAMES[left], TILE_NAMES[right]],
        "building": BUILDING_IDS[building],
        "resources": [COLOUR_NAMES[gift - 1] for gift in gifts if gift],
    }


def _cards(members: int) -> list[Any]:
    return [card for number, card in enumerate(CARD_NAMES) if members >> number & 1]


def _described(state: AhauState, seat: int, row: list[int], reserve: list[int], deck: list[int]) -> Fields:
    """Return the fields of one player or automaton."""
    described: Fields = {
        "pool": row[at.POOL],
        "weapons": row[at.WEAPONS],
        "workers": {city: [row[at.STANDING + index], row[at.LYING + index]] for index, city in enumerate(CITY_NAMES)},
        "ruler": row[at.RULER],
        "discard": _cards(row[at.DISCARD]),
        "lost_region": row[at.LOST],
        "table": _cards(row[at.PLAYED]),
        "left": CARD_NAMES[row[at.LEFT]],
        "right": CARD_NAMES[row[at.RIGHT]],
    }
    human = seat < state.seats
    pakal = not human and state.table[at.MODE] == at.SOLO
    if not human:
        described["kind"] = "pakal" if pakal else "shadow"
        described["gods"] = [GOD_NAMES[god] for god in PERSONALITIES[row[at.PERSONALITY]]]
        described["deck"] = [CARD_NAMES[card] for card in reversed(deck)]
    if human or pakal:
        role = state.roles[seat] if human else at.ROLE + 1 + row[at.PERSONALITY]
        described |= {
            "fame": row[at.FAME],
            "reserve": [TILE_NAMES[tile] for tile in reserve],
            "pyramid": {
                name: [TILE_NAMES[row[at.PYRAMID + space]], COLOUR_NAMES[row[at.PAINT + space]]]
                for space, name in enumerate(SPACE_NAMES)
                if row[at.PYRAMID + space]
            },
            "buildings": [BUILDING_IDS[row[at.BUILDINGS + k]] for k in range(5) if row[at.BUILDINGS + k]],
            "role": CARD_NAMES[role],
            "discounts_used": row[at.DISCOUNTS],
        }
    if pakal:
        described |= {"resources": row[at.RESOURCES], "items_done": row[at.ITEMS]}
    if human:
        role_card = 1 << role if role else 0
        described |= {
            "kind": "human",
            "hand": _cards((at.REGION_CARDS | role_card) & ~(row[at.DISCARD] | row[at.PLAYED])),
            "resources": {colour: row[at.RESOURCES + index] for index, colour in enumerate(COLOUR_NAMES)},
            "summary": f"sum{row[at.SUMMARY]}" if row[at.SUMMARY] else None,
            "queen_used": bool(row[at.QUEEN_USED]),
        }
    return described
