"""Decisions as lists [seat, name, arguments...], such as [0, "place_worker", "tikal"]: listing and playing them.

Tiles are pt01.., buildings bt01.., sites ps01.., links s01..; a card is a number from 1 to 6 or the name of a role. One
decision may be several actions of the engine: [0, "build_tile", "pt12", 1, 0] is a tile and then its space.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, TypeAlias

from ballcourt.engine.games.ahau import actions
from ballcourt.engine.games.ahau.building.pyramid import BuildAt, PaintWild
from ballcourt.engine.games.ahau.columns import BUILDING_SPACES, POSITIONS, REGIONS, WILD
from ballcourt.engine.games.ahau.gods.powers import ChiefColour, ChiefStep, SunLay, SunTake
from ballcourt.engine.games.ahau.gods.summon import Discards, WildDiscard
from ballcourt.engine.games.ahau.gods.trade import MoveTo, TradeColour, TradeMove, cities_on, city_at
from ballcourt.engine.games.ahau.movement.tiles import TakeAnother, TakeTile
from ballcourt.engine.games.ahau.rewards import CardBack, LayDown
from ballcourt.engine.games.ahau.rounds.produce import ProduceFor
from ballcourt.engine.games.ahau.rounds.round_end import ForcedDiscard
from ballcourt.engine.games.ahau.rounds.trading import TradePartner, TradeWilds
from ballcourt.engine.games.ahau.state import AhauState
from ballcourt.engine.games.ahau.tables import (
    CITY_NAMES,
    COLOUR_NAMES,
    GOD_NAMES,
    LINK_CITIES,
    OFFER_SLOTS,
    ROLE_NAMES,
    SPACE_LEVEL,
    SPACE_POSITION,
    TILE_COLOUR,
    TILES,
)

Decision: TypeAlias = list[Any]
Words: TypeAlias = list[Any]

CARD_NAMES = (None, 1, 2, 3, 4, 5, 6, *ROLE_NAMES)
TILE_NAMES = (None, *(f"pt{tile:02}" for tile in range(1, TILES)))
BUILDING_IDS = (None, *(f"bt{tile:02}" for tile in range(1, 26)))
SITE_NAMES = (None, *(f"ps{site:02}" for site in range(1, 16)))
LINK_NAMES = tuple(f"s{link:02}" for link in range(1, len(LINK_CITIES) + 1))
SPOT_NAMES = tuple([region, position] for region in range(1, REGIONS + 1) for position in range(POSITIONS))


class NotLegal(ValueError):
    """A decision that is not legal; the message lists the first legal ones."""


def legal(state: AhauState) -> list[Decision]:
    """List the legal decisions of all pending seats; empty when the game is over."""
    found = {normal(decision): decision for decision, _ in _spelled(state)}
    return list(found.values())


def apply(state: AhauState, decision: Decision) -> None:
    """Play a decision. Raises NotLegal and leaves the position unchanged if it is not legal."""
    wanted = normal(decision)
    path = next((path for spelled, path in _spelled(state) if normal(spelled) == wanted), None)
    if path is None:
        shown = ", ".join(map(str, islice(legal(state), 60)))
        raise NotLegal(f"{decision} is not legal; it must be one of {shown or 'none'}")
    for action in path:
        state.apply(decision[0], action)


def normal(decision: Decision) -> str:
    """Return the same string for decisions that mean the same: the order of picks and of tokens does not matter."""
    if decision[1] in ("take_tile", "pay"):
        decision = [*decision[:2], sorted(decision[2])]
    return repr(decision)


def _spelled(state: AhauState) -> Iterator[tuple[Decision, tuple[int, ...]]]:
    """Yield the legal decisions, each with its actions."""
    for seat in state.pending_seats():
        for (name, *words), path in _sequences(state, seat):
            yield [seat, name, *([words] if name == "take_tile" else words)], path


def _sequences(state: AhauState, seat: int) -> Iterator[tuple[Words, tuple[int, ...]]]:
    """Yield the sequences of actions that are one decision of a seat, each with its words."""
    for action in state.legal_actions(seat):
        words = _words(state, action)
        after = _after(state, seat, action)
        if after is None:
            yield words, (action,)
        else:
            for more, path in _sequences(after, seat):
                yield [*words, *more], (action, *path)


def _after(state: AhauState, seat: int, action: int) -> AhauState | None:
    """Return the position after an action that only begins a decision; None if it completes it."""
    if not any(action in beginning for beginning in BEGINNINGS):
        return None
    after = state.clone()
    after.apply(seat, action)
    return after if after.frames and isinstance(after.frames[-1], CONTINUATIONS) else None


BEGINNINGS = (
    range(actions.TAKE, actions.DRAW),
    range(actions.MOVE_FROM, actions.MOVE_TO),
    range(actions.BUILD_TILE, actions.BUILD_OFFER),
    range(actions.GIVE, actions.ENOUGH),
    range(actions.TRADE_TILE, len(actions.ACTION_NAMES)),
)
CONTINUATIONS = (TakeAnother, WildDiscard, BuildAt, MoveTo, TradePartner, TradeWilds)


def _words(state: AhauState, action: int) -> Words:
    """Return the words for an action of the current question."""
    asked = state.frames[-1]
    if isinstance(asked, TradeMove) and actions.MOVE_AGAIN <= action < actions.MOVE_TO:
        path = asked.movers(state, asked.seat)[action - actions.MOVE_AGAIN]
        return ["trade_move", CITY_NAMES[city_at(path)]]
    if isinstance(asked, MoveTo):
        walked = [CITY_NAMES[city] for city in cities_on(asked.path)]
        return [CITY_NAMES[action - actions.MOVE_TO], walked if len(walked) > 1 else []]
    if isinstance(asked, TradePartner):
        other = action - actions.GIVE + 1
        return [TILE_NAMES[other], *_colour(min(TILE_COLOUR[asked.tile], TILE_COLOUR[other]))]
    own = BY_QUESTION.get(asked.kind, {})
    return own[action] if action in own else FIXED[action]


def _colour(colour: int) -> Words:
    """Return the word for a colour; none for wild, whose colour is a question of its own."""
    return [] if colour == WILD else [COLOUR_NAMES[colour]]


def _fixed() -> dict[int, Words]:
    """Return the words for actions that mean the same in every question."""
    words: dict[int, Words] = {
        actions.CAPTAIN_STAY: ["war_captain", None],
        actions.ADVANCE: ["might_advance", True],
        actions.STAND_FAST: ["might_advance", False],
        actions.BONUS: ["region_bonus", True],
        actions.NO_BONUS: ["region_bonus", False],
        actions.NO_SUMMON: ["summon", None],
        actions.DRAW: ["chief_draw"],
        actions.STOP_MOVING: ["trade_stop"],
        actions.NO_SWAP: ["trade_swap", None, None],
        actions.PRODUCE: ["main", "produce"],
        actions.BUILD: ["main", "build"],
        actions.PASS: ["main", "pass"],
        actions.STOP_BUILDING: ["build_stop"],
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
        (actions.RAIN_SITE, "rain_site", LINK_NAMES),
        (actions.MOVE_FROM, "trade_move", CITY_NAMES),
        (actions.JAGUAR_REMOVE, "jaguar_remove", CITY_NAMES),
        (actions.JAGUAR_STAND, "jaguar_stand", CITY_NAMES),
        (actions.DANCE, "dancer", GOD_NAMES),
        (actions.PRODUCE_AT, "produce_site", LINK_NAMES),
        (actions.PRODUCE_FOR, "produce_other", range(actions.MAX_ACTORS)),
        (actions.BUILD_TILE, "build_tile", TILE_NAMES[1:]),
        (actions.BUILD_OFFER, "build_offer", range(OFFER_SLOTS)),
        (actions.GAIN, "reward_resource", COLOUR_NAMES),
        (actions.MARK, "reward_temple", GOD_NAMES),
        (actions.ROLE_PICK, "role_pick", ROLE_NAMES),
        (actions.TRADE_TILE, "trade_tiles", TILE_NAMES[1:]),
    ):
        words |= {base + index: [word, value] for index, value in enumerate(values)}
    return words | _cards() | _trades()


def _cards() -> dict[int, Words]:
    """Return the words for the selections of cards."""
    return {
        actions.SELECT + index: ["select_cards", CARD_NAMES[left], CARD_NAMES[right]]
        for index, (left, right) in enumerate(actions.CARD_PAIRS)
    }


def _trades() -> dict[int, Words]:
    """Return the words for payments, trades and the Queen."""
    words: dict[int, Words] = {
        actions.PAY + index: ["pay", [COLOUR_NAMES[colour] for colour in paid]]
        for index, paid in enumerate(actions.PAYMENTS)
    }
    for index, pair in enumerate(actions.COLOUR_PAIRS):
        colours = [COLOUR_NAMES[colour] for colour in pair]
        words[actions.SWAP + index] = ["trade_swap", *colours]
        words[actions.TRADE_RESOURCES + index] = ["trade_resources", *colours]
    for index in range(len(CITY_NAMES) * len(COLOUR_NAMES)):
        city, colour = divmod(index, len(COLOUR_NAMES))
        words[actions.QUEEN + index] = ["queen", CITY_NAMES[city], COLOUR_NAMES[colour]]
    return words


FIXED = _fixed()


def _listed(base: int, *name: str, values: Iterable[Any]) -> dict[int, Words]:
    """Return the words for a block of actions: a name, unless they continue a decision, and a value."""
    return {base + index: [*name, value] for index, value in enumerate(values)}


def _by_question() -> dict[int, dict[int, Words]]:
    """Return the words for actions that several questions share, by the kind of the question."""
    spaces = [[level, position] for level, position in zip(SPACE_LEVEL, SPACE_POSITION, strict=True)]
    discards = {
        actions.GIVE + tile - 1: ["summon_discard", TILE_NAMES[tile], *_colour(TILE_COLOUR[tile])]
        for tile in range(1, TILES)
    }
    return {
        TakeTile.kind: _listed(actions.TAKE, "take_tile", values=SPOT_NAMES),
        TakeAnother.kind: _listed(actions.TAKE, values=SPOT_NAMES) | {actions.ENOUGH: []},
        ChiefStep.kind: {actions.TAKE + spot: ["chief_take", *where] for spot, where in enumerate(SPOT_NAMES)},
        Discards.kind: discards | {actions.ENOUGH: ["summon_discard", None, None]},
        WildDiscard.kind: _listed(actions.COLOUR, values=COLOUR_NAMES),
        ChiefColour.kind: _listed(actions.COLOUR, "chief_colour", values=COLOUR_NAMES),
        TradeColour.kind: _listed(actions.COLOUR, "trade_colour", values=COLOUR_NAMES),
        PaintWild.kind: _listed(actions.COLOUR, "wild_colour", values=COLOUR_NAMES),
        BuildAt.kind: {actions.AT + space: words for space, words in enumerate(spaces)},
        TradeWilds.kind: _listed(actions.GAIN, values=COLOUR_NAMES),
        ProduceFor.kind: {actions.ENOUGH: ["produce_other", None]},
        SunTake.kind: _listed(actions.CARD_BACK, "sun_take", values=(*CARD_NAMES[1:], None)),
        CardBack.kind: _listed(actions.CARD_BACK, "role_back", values=(*CARD_NAMES[1:], None)),
        SunLay.kind: _listed(actions.LAY_DOWN, "sun_lay", values=(*CITY_NAMES, None)),
        LayDown.kind: _listed(actions.LAY_DOWN, "reward_lay_down", values=CITY_NAMES),
        ForcedDiscard.kind: _listed(actions.GIVE, "forced_discard", values=TILE_NAMES[1:]),
    }


BY_QUESTION = _by_question()
