"""Tiles, cards, questions and actions in the words of players, for viewers."""

from collections.abc import Callable
from typing import Final

from ballcourt.engine.core.view.scene import Choice, in_words
from ballcourt.engine.games.ahau import actions as act
from ballcourt.engine.games.ahau import tables
from ballcourt.engine.games.ahau.columns import COLOURS, POSITIONS, ROLE, WILD
from ballcourt.engine.games.ahau.state import AhauState

QUESTIONS: Final = {
    "PickSummary": "Which summary card to take?",
    "SelectCards": "Which two cards to play?",
    "WarCaptain": "Where does the War Captain lead the ruler?",
    "MightAdvance": "Advance on Might?",
    "Relocate": "Where does the beaten ruler go?",
    "TakeTile": "Which pyramid tile to take?",
    "TakeAnother": "Take a second tile?",
    "QueenWindow": "Lay down a worker with the Queen?",
    "PlaceWorker": "In which city to place a worker?",
    "RegionBonus": "Take the bonus of the region?",
    "Summon": "Which god to summon?",
    "Discards": "Discard tiles for the summoning?",
    "WildDiscard": "Which colour is the wild tile?",
    "Main": "Produce or build?",
    "ChiefColour": "Which colour for the Chief God?",
    "ChiefStep": "Which tile does the Chief God take?",
    "RainSite": "Which site does the Rain God deplete?",
    "TradeColour": "Which colour to trade in?",
    "TradeMove": "Which worker to move?",
    "MoveTo": "Where does the worker go?",
    "TradeSwap": "Swap a resource?",
    "SunTake": "Which card to take back?",
    "SunLay": "Lay down a worker?",
    "JaguarWorker": "Which worker for the Jaguar God?",
    "ProduceAt": "At which site to produce?",
    "ProduceFor": "Whose workers count as well?",
    "BuildNext": "What to build?",
    "BuildAt": "Where in the pyramid?",
    "PayForTile": "What to pay for the tile?",
    "PaintWild": "Which colour does the wild tile take?",
    "PayForBuilding": "What to pay for the building?",
    "Replace": "Which building to replace?",
    "GainResource": "Which resource to gain?",
    "ChooseTemple": "At which temple to put a marker?",
    "LayDown": "Which worker to lay down?",
    "PickRole": "Which role card to take?",
    "CardBack": "Take a card back?",
    "ForcedDiscard": "Which tile to put into the bag?",
    "KatunTrade": "Trade before the scoring?",
    "TradePartner": "Which second tile to trade?",
    "TradeWilds": "Which resource for the two wild tiles?",
}

CITIES_IN_WORDS: Final = tuple(in_words(name) for name in tables.CITY_NAMES)
GODS_IN_WORDS: Final = tuple(in_words(name) for name in tables.GOD_NAMES)
_ROLES: Final = tuple(in_words(name) for name in tables.ROLE_NAMES)
_REWARDS: Final = {
    tables.GAIN_FAME: "Fame",
    tables.GAIN_RESOURCE: "resource",
    tables.GAIN_TEMPLE: "temple",
    tables.GAIN_WEAPON: "weapon",
    tables.GAIN_ROLE: "role",
    tables.GAIN_MIGHT: "Might",
    tables.GAIN_LAY_DOWN: "lay down",
    tables.GAIN_DRAW: "draw",
}


def reward(given: tables.Reward) -> str:
    """Return a reward in a word or two; empty for none."""
    kind, count = given
    if kind not in _REWARDS:
        return ""
    return f"{count} {_REWARDS[kind]}" if count > 1 or kind == tables.GAIN_FAME else _REWARDS[kind]


def colour_name(colour: int) -> str:
    """Return the name of a colour, or "wild"."""
    return "wild" if colour == WILD else tables.COLOUR_NAMES[colour]


def tile_in_words(tile: int) -> str:
    """Return a pyramid tile as "a blue Rain tile"."""
    return f"a {colour_name(tables.TILE_COLOUR[tile])} {GODS_IN_WORDS[tables.TILE_GOD[tile]]} tile"


def tile_name(tile: int) -> str:
    """Return the colour and god of a pyramid tile (1..85), and its number."""
    return f"{colour_name(tables.TILE_COLOUR[tile])} {tables.GOD_NAMES[tables.TILE_GOD[tile]]} {tile}"


def building_name(tile: int) -> str:
    """Return the name and number of a building (1..25)."""
    return f"{tables.BUILDING_NAMES[tables.BUILDING_KIND[tile]]} {tile}"


def card_name(card: int) -> str:
    """Return the number of a Region card or the name of a Role card (1..12)."""
    return tables.ROLE_NAMES[card - ROLE - 1] if card > ROLE else str(card)


def _card(card: int) -> str:
    return _ROLES[card - ROLE - 1] if card > ROLE else f"card {card}"


def _pair(index: int) -> str:
    left, right = act.CARD_PAIRS[index]
    return f"Play {_card(left)} and {_card(right)}"


def _swap(index: int) -> str:
    give, get = act.COLOUR_PAIRS[index]
    return f"{tables.COLOUR_NAMES[give]} for {tables.COLOUR_NAMES[get]}"


def _paid(index: int) -> str:
    return "Pay " + (", ".join(tables.COLOUR_NAMES[colour] for colour in act.PAYMENTS[index]) or "nothing")


def _link(link: int) -> str:
    return " to ".join(CITIES_IN_WORDS[city] for city in tables.LINK_CITIES[link])


def _queen(offset: int) -> str:
    city, colour = divmod(offset, COLOURS)
    return f"The Queen lays down a worker in {CITIES_IN_WORDS[city]} for {tables.COLOUR_NAMES[colour]}"


_BY_BASE: Final[tuple[tuple[int, Callable[[int], str]], ...]] = (
    (act.SUMMARY, lambda n: f"Take summary card {n + 1}"),
    (act.SELECT, _pair),
    (act.CAPTAIN_STAY, lambda n: "Stay"),
    (act.CAPTAIN, lambda n: f"Lead the ruler to region {n + 1}"),
    (act.ADVANCE, lambda n: "Advance on Might"),
    (act.STAND_FAST, lambda n: "Do not advance"),
    (act.RELOCATE, lambda n: f"Flee to region {n + 1}"),
    (act.TAKE, lambda n: f"Take the {'right' if n % POSITIONS else 'left'} tile of region {n // POSITIONS + 1}"),
    (act.DRAW, lambda n: "Draw a tile from the bag"),
    (act.PLACE, lambda n: f"Place a worker in {CITIES_IN_WORDS[n]}"),
    (act.BONUS, lambda n: "Take the region bonus"),
    (act.NO_BONUS, lambda n: "Leave the region bonus"),
    (act.REPLACE, lambda n: f"Replace building {n + 1}"),
    (act.SUMMON, lambda n: f"Summon the {GODS_IN_WORDS[n]} God"),
    (act.NO_SUMMON, lambda n: "Summon no god"),
    (act.COLOUR, lambda n: f"As {tables.COLOUR_NAMES[n]}"),
    (act.RAIN_SITE, lambda n: f"Deplete the site {_link(n)}"),
    (act.MOVE_FROM, lambda n: f"Move a worker from {CITIES_IN_WORDS[n]}"),
    (act.MOVE_AGAIN, lambda n: f"Move worker {n + 1} on"),
    (act.MOVE_TO, lambda n: f"To {CITIES_IN_WORDS[n]}"),
    (act.STOP_MOVING, lambda n: "Stop moving"),
    (act.SWAP, lambda n: f"Swap {_swap(n)}"),
    (act.NO_SWAP, lambda n: "Swap nothing"),
    (act.JAGUAR_REMOVE, lambda n: f"Take back a worker from {CITIES_IN_WORDS[n]}"),
    (act.JAGUAR_STAND, lambda n: f"Stand up a worker in {CITIES_IN_WORDS[n]}"),
    (act.PRODUCE, lambda n: "Produce"),
    (act.BUILD, lambda n: "Build"),
    (act.PASS, lambda n: "Neither produce nor build"),
    (act.DANCE, lambda n: f"Dance for the {GODS_IN_WORDS[n]} God"),
    (act.PRODUCE_AT, lambda n: f"Produce at {_link(n)}"),
    (act.PRODUCE_FOR, lambda n: f"Count the workers of player {n + 1}"),
    (act.BUILD_TILE, lambda n: f"Build {tile_in_words(n + 1)}"),
    (act.BUILD_OFFER, lambda n: f"Build from the offer, slot {n + 1}"),
    (act.STOP_BUILDING, lambda n: "Stop building"),
    (act.AT, lambda n: f"At level {tables.SPACE_LEVEL[n]}, space {tables.SPACE_POSITION[n] + 1}"),
    (act.PAY, _paid),
    (act.GAIN, lambda n: f"Gain {tables.COLOUR_NAMES[n]}"),
    (act.MARK, lambda n: f"Put a marker at the temple of {GODS_IN_WORDS[n]}"),
    (act.LAY_DOWN, lambda n: f"Lay down a worker in {CITIES_IN_WORDS[n]}"),
    (act.NO_LAY_DOWN, lambda n: "Lay down nobody"),
    (act.ROLE_PICK, lambda n: f"Take the role of {_ROLES[n]}"),
    (act.CARD_BACK, lambda n: f"Take back {_card(n + 1)}"),
    (act.NO_CARD_BACK, lambda n: "Take back no card"),
    (act.GIVE, lambda n: f"Give {tile_in_words(n + 1)}"),
    (act.ENOUGH, lambda n: "Enough"),
    (act.QUEEN_PASS, lambda n: "Not now"),
    (act.KATUN_DONE, lambda n: "Done"),
    (act.QUEEN, _queen),
    (act.TRADE_RESOURCES, lambda n: f"Trade two {_swap(n)}"),
    (act.TRADE_TILE, lambda n: f"Trade in {tile_in_words(n + 1)}"),
)

_AT_CITY: Final = (*(act.PLACE, act.MOVE_FROM, act.MOVE_TO, act.JAGUAR_REMOVE, act.JAGUAR_STAND, act.LAY_DOWN),)


def choice(state: AhauState, action: int) -> Choice:
    """Describe an action."""
    base, word = next((base, word) for base, word in reversed(_BY_BASE) if base <= action)
    return {"action": action, "label": word(action - base), "places": _places(base, action - base)}


def _places(base: int, offset: int) -> list[str]:
    if base in _AT_CITY:
        return [tables.CITY_NAMES[offset]]
    if base in (act.RAIN_SITE, act.PRODUCE_AT):
        return [link_id(offset)]
    if base in (act.CAPTAIN, act.RELOCATE):
        return [f"region.{offset + 1}.rulers"]
    if base == act.TAKE:
        region, position = divmod(offset, POSITIONS)
        return [f"region.{region + 1}.{('left', 'right')[position]}"]
    return [f"offer.{offset}"] if base == act.BUILD_OFFER else []


def link_id(link: int) -> str:
    """Return the id of the place on a link."""
    first, second = tables.LINK_CITIES[link]
    return f"{tables.CITY_NAMES[first]}-{tables.CITY_NAMES[second]}"
