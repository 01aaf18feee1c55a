"""What actions, places, tiles and cards do, for people who do not know the rules of Ahau.

The ids of things that are not places: `summary.1` to `summary.5`, `card.3` and `card.dancer`, `space.0` of the own
pyramid, `tile.17` in the own reserve, `resource.blue`, `built.0` (an own building), `god.rain` and `might`.
"""

from collections.abc import Callable, Iterable
from typing import Final

from ballcourt.engine.core.view.scene import ChoiceStep, Explanation, in_words
from ballcourt.engine.games.ahau import actions as act
from ballcourt.engine.games.ahau import columns as at
from ballcourt.engine.games.ahau import tables
from ballcourt.engine.games.ahau.pieces.people import counts
from ballcourt.engine.games.ahau.state import AhauState
from ballcourt.engine.games.ahau.view.words import (
    CITIES_IN_WORDS,
    GODS_IN_WORDS,
    card_name,
    link_id,
    reward,
    tile_in_words,
)

SECTIONS: Final = {
    "PickSummary": "2.8",
    "SelectCards": "4.1",
    "WarCaptain": "13.5",
    "MightAdvance": "4.3",
    "Relocate": "4.3",
    "TakeTile": "4.4",
    "TakeAnother": "12.4",
    "QueenWindow": "13.6",
    "PlaceWorker": "5.3",
    "RegionBonus": "5.3",
    "Summon": "5.4",
    "Discards": "5.4",
    "WildDiscard": "5.4",
    "Main": "5.5",
    "ChiefColour": "6.1",
    "ChiefStep": "6.1",
    "RainSite": "6.2",
    "TradeColour": "6.3",
    "TradeMove": "6.3",
    "MoveTo": "6.3",
    "TradeSwap": "6.3",
    "SunTake": "6.4",
    "SunLay": "6.4",
    "JaguarWorker": "6.5",
    "ProduceAt": "7.1",
    "ProduceFor": "7.1",
    "BuildNext": "7.5",
    "BuildAt": "7.6",
    "PayForTile": "7.6",
    "PaintWild": "7.6",
    "PayForBuilding": "7.7",
    "Replace": "7.8",
    "GainResource": "8.2",
    "ChooseTemple": "8.2",
    "LayDown": "8.4",
    "PickRole": "8.5",
    "CardBack": "8.5",
    "ForcedDiscard": "10.3",
    "KatunTrade": "11.0",
    "TradePartner": "9.2",
    "TradeWilds": "9.2",
}
"""The section of RULES.md about each question."""

ROLE_TEXTS: Final = (
    "When you produce this round, the site may be anywhere on the map and gives two more resources of any colours.",
    "After the reveal and before conflicts, your ruler may go on to an adjacent region.",
    "Once in the round you may pay a resource to lay down one of your standing workers, which then counts twice.",
    "The first two tiles that you pay for this round cost one resource less each.",
    "You may summon any god this round, whichever city you used, with 1 more strength.",
    "Instead of producing or building you may summon a second god, of any city.",
)
"""What the Role cards do in the round in which they are played, by number."""

GOD_TEXTS: Final = (
    "name a colour you used; once per strength take a tile of it or a wild one from any region, or draw one",
    "a site of a colour you used goes to the calendar and gives you one of its resources per strength",
    "once per strength move a standing worker to an adjacent city, and swap a resource after each move",
    "take back up to one card per strength, then you may lay down a worker at a site of a colour you used",
    "take a worker off the map or stand one up; gain 1 Fame per strength, then you may advance on Might",
)
FAMILY_GOD_TEXTS: Final = (
    "draw two tiles per strength",
    "draw a tile per strength, gain a resource for each, and put the tiles back",
    "move your workers freely, once per strength",
    "take back up to one card per strength",
    "gain 1 Fame per strength",
)
"""What the powers of the gods do, in Ahau Family too."""

BUILDING_TEXTS: Final = (
    "after each Movement Phase, 2 Fame if you have most workers in the cities of your ruler's region",
    "a step on Might for every building you have built, this one included",
    "you need not flee after a lost conflict, and no city is barred to you",
    "you may take your tile from a region next to your ruler's",
    "3 Fame and a weapon whenever you win a conflict",
    "in each building step two resources count as any colour",
    "after taking a tile in the Movement Phase you may take a second one",
    "at each celebration, 1 Fame for every city in which you score",
    "3 Fame for every building you have built, this one included",
    "when you produce, the workers of another player count as well",
    "producing gives two more resources",
    "neighbours of a new pyramid tile pay 1 Fame more each",
    "you win ties in conflicts and in cities",
    "at each celebration, 1 Fame for every Temple without a marker of yours",
    "you may build one tile more in a turn",
)
"""What buildings do while they stand, by kind."""

_SLOT_TEXTS: Final = ("costs one resource less here", "gives 1 Fame as well", "gives 2 Fame as well")


# -- actions


def explain(state: AhauState, seat: int, action: int) -> Explanation:
    """Explain an action of a seat."""
    kind = type(state.frames[-1]).__name__ if state.frames else ""
    base, word = next((base, word) for base, word in reversed(_BY_BASE) if base <= action)
    return {
        "text": word(state, seat, action - base),
        "section": SECTIONS.get(kind, ""),
        "things": list(dict.fromkeys(_things(base, action - base))),
        "steps": [*_steps(state, seat, base, action - base)],
    }


def _steps(state: AhauState, seat: int, base: int, offset: int) -> Iterable[ChoiceStep]:
    """Yield the steps to an action that may be one of many: region and strength, what is given and got."""
    if base == act.SELECT:
        left, right = act.CARD_PAIRS[offset]
        (region, to), (strength, plus) = _numbered(left), _numbered(right)
        places = [f"region.{region}.rulers", f"card.{card_name(left)}"]
        going = f"Your ruler goes to {_region(state, region)}. {to}".strip()
        yield {"label": f"Region {_with_role(region, left)}", "text": going, "things": places}
        weapons = state.actors[seat][at.WEAPONS]
        fight = f"In a conflict there your ruler has strength {strength} and {weapons} for weapons. {plus}".strip()
        yield {
            "label": f"Strength {_with_role(strength, right)}",
            "text": fight,
            "things": [f"card.{card_name(right)}"],
        }
    elif base in (act.SWAP, act.TRADE_RESOURCES):
        give, get = (tables.COLOUR_NAMES[colour] for colour in act.COLOUR_PAIRS[offset])
        many = "two " if base == act.TRADE_RESOURCES else ""
        yield {
            "label": f"Give {many}{give}",
            "text": "Next you choose the colour that you get for it.",
            "things": [f"resource.{give}"],
        }
        yield {"label": f"Get {get}", "text": "", "things": [f"resource.{get}"]}
    elif base == act.QUEEN:
        city, colour = divmod(offset, at.COLOURS)
        yield {"label": f"The Queen, in {CITIES_IN_WORDS[city]}", "text": "", "things": [tables.CITY_NAMES[city]]}
        name = tables.COLOUR_NAMES[colour]
        yield {"label": f"Pay {name}", "text": "", "things": [f"resource.{name}"]}


def _numbered(card: int) -> tuple[int, str]:
    """Return the number of a card, and what its role does."""
    return (card - at.ROLE, _role(card - at.ROLE)) if card > at.ROLE else (card, "")


def _with_role(number: int, card: int) -> str:
    return f"{number}, {in_words(card_name(card))}" if card > at.ROLE else str(number)


def _region(state: AhauState, region: int) -> str:
    cities = tables.REGION_CITIES[state.table[at.SIDE]][region]
    return f"region {region}, between {', '.join(CITIES_IN_WORDS[city] for city in cities)}"


def _things(base: int, offset: int) -> Iterable[str]:
    if base == act.SUMMARY:
        return [f"summary.{offset + 1}"]
    if base == act.SELECT:
        left, right = map(card_name, act.CARD_PAIRS[offset])
        return [f"card.{left}", f"card.{right}"]
    if base in (act.CARD_BACK, act.ROLE_PICK):
        return [f"card.{card_name(offset + 1 + (at.ROLE if base == act.ROLE_PICK else 0))}"]
    if base in (act.GIVE, act.BUILD_TILE, act.TRADE_TILE):
        return [f"tile.{offset + 1}"]
    if base == act.AT:
        return [f"space.{offset}"]
    if base == act.REPLACE:
        return [f"built.{offset}"]
    if base in (act.SUMMON, act.DANCE, act.MARK):
        return [f"god.{tables.GOD_NAMES[offset]}"]
    return _resources(base, offset)


def _resources(base: int, offset: int) -> Iterable[str]:
    if base in (act.GAIN, act.COLOUR):
        return [f"resource.{tables.COLOUR_NAMES[offset]}"]
    if base == act.PAY:
        return [f"resource.{tables.COLOUR_NAMES[colour]}" for colour in act.PAYMENTS[offset]]
    if base in (act.SWAP, act.TRADE_RESOURCES):
        return [f"resource.{tables.COLOUR_NAMES[act.COLOUR_PAIRS[offset][0]]}"]
    return ["might"] if base == act.ADVANCE else []


_Word = Callable[[AhauState, int, int], str]


def _always(text: str) -> _Word:
    return lambda state, seat, offset: text


def _summary(state: AhauState, seat: int, offset: int) -> str:
    colours = ", ".join(tables.COLOUR_NAMES[colour] for colour in tables.SUMMARY_RESOURCES[offset + 1])
    return f"You begin with the resources {colours} and a pyramid tile: {tile_in_words(state.summaries[offset])}."


def _pair(state: AhauState, seat: int, offset: int) -> str:
    return " ".join(step["text"] for step in _steps(state, seat, act.SELECT, offset))


def _role(role: int) -> str:
    return f"{in_words(tables.ROLE_NAMES[role - 1])}: {ROLE_TEXTS[role - 1]}"


def _take(state: AhauState, seat: int, offset: int) -> str:
    tile = state.regions[at.REGION_COLUMNS * (offset // at.POSITIONS) + at.TILE + offset % at.POSITIONS]
    return (
        f"{_sentence(tile_in_words(tile))} comes into your reserve, to be built later or discarded to summon its god."
    )


def _place(state: AhauState, seat: int, offset: int) -> str:
    here = counts(state.actors[seat])[offset]
    god = state.gods[offset]
    best = max([counts(row)[offset] for actor, row in enumerate(state.actors) if actor != seat], default=0)
    lead = "and lead" if here + 1 > best else f"another player {best}"
    return (
        f"You then count {here + 1} in {CITIES_IN_WORDS[offset]}, {lead}, for producing and building in this turn, "
        f"and may summon the {GODS_IN_WORDS[god]} God: {_power(state, god)}."
    )


def _power(state: AhauState, god: int) -> str:
    return (FAMILY_GOD_TEXTS if state.table[at.MODE] == at.FAMILY else GOD_TEXTS)[god]


def _summon(state: AhauState, seat: int, offset: int) -> str:
    return f"{_sentence(_power(state, offset))}. {_strength(state)}"


def _strength(state: AhauState) -> str:
    discarded = "" if state.table[at.MODE] == at.FAMILY else ", plus those you discard for it"
    return f"Your strength is the number of your built tiles of the god{discarded}."


def _space(state: AhauState, seat: int, offset: int) -> str:
    gift = reward(tables.PYRAMID_REWARDS[state.table[at.NIGHT]][offset])
    return _space_text(offset, gift) + " You gain 1 Fame for each neighbouring tile of the same colour or god."


def _offer(state: AhauState, seat: int, offset: int) -> str:
    tile = state.offer[offset]
    return f"{_building_text(tables.BUILDING_KIND[tile])} It {_SLOT_TEXTS[offset]}." if tile else ""


def _build_tile(state: AhauState, seat: int, offset: int) -> str:
    return (
        f"{_sentence(tile_in_words(offset + 1))} goes from your reserve into your pyramid; next you choose the space."
    )


def _mark(state: AhauState, seat: int, offset: int) -> str:
    return f"A marker of yours goes to the next free space of this temple. {_temple_text(state, offset)}"


_BY_BASE: Final[tuple[tuple[int, _Word], ...]] = (
    (act.SUMMARY, _summary),
    (act.SELECT, _pair),
    (act.CAPTAIN_STAY, _always("Your ruler stays in its region.")),
    (act.CAPTAIN, _always("Your ruler goes on to this region before conflicts are resolved.")),
    (act.ADVANCE, _always("Your marker goes one step up on the Might track and you gain what the step shows.")),
    (act.STAND_FAST, _always("Your marker stays where it is on the Might track.")),
    (act.RELOCATE, _always("Your ruler lost the conflict and goes here; it takes its tile and its turn from here.")),
    (act.TAKE, _take),
    (act.DRAW, _always("You draw the top tile of the bag, unseen.")),
    (act.PLACE, _place),
    (
        act.BONUS,
        _always("You have a worker in every city of the region, so its building or resources are yours, free."),
    ),
    (act.NO_BONUS, _always("The bonus stays in the region.")),
    (act.REPLACE, _always("The building on this space leaves the game; the new one takes its place without a reward.")),
    (act.SUMMON, _summon),
    (act.NO_SUMMON, _always("You go on with producing or building.")),
    (act.COLOUR, _always("The power works with this colour.")),
    (act.RAIN_SITE, _always("The site leaves the map for the calendar and gives you its resources, one per strength.")),
    (act.MOVE_FROM, _always("One of your standing workers in this city moves to an adjacent city.")),
    (act.MOVE_AGAIN, _always("The same worker moves on to another city.")),
    (act.MOVE_TO, _always("The worker goes here; then you may swap a resource.")),
    (act.STOP_MOVING, _always("The power of the Trade God ends here.")),
    (act.SWAP, _always("You give one resource of the first colour and take one of the second.")),
    (act.NO_SWAP, _always("You keep your resources as they are.")),
    (act.JAGUAR_REMOVE, _always("The worker comes back to your pool, and you gain Fame equal to your strength.")),
    (act.JAGUAR_STAND, _always("A lying worker stands up, and you gain Fame equal to your strength.")),
    (
        act.PRODUCE,
        _always("Gain resources at a site next to the city you used, as many as your workers in its two cities."),
    ),
    (act.BUILD, _always("Pay resources to build tiles into your pyramid, or buildings from the offer.")),
    (act.PASS, _always("Your turn ends without producing or building.")),
    (act.DANCE, _summon),
    (
        act.PRODUCE_AT,
        _always(
            "You gain one of its resources for each of your workers in its two cities; the site goes to the calendar."
        ),
    ),
    (
        act.PRODUCE_FOR,
        _always("With the Produce Market this player's workers count for you; they stay where they are."),
    ),
    (act.BUILD_TILE, _build_tile),
    (act.BUILD_OFFER, _offer),
    (act.STOP_BUILDING, _always("You keep what is left and build no more in this turn.")),
    (act.AT, _space),
    (act.PAY, _always("These resources go back to the supply.")),
    (act.GAIN, _always("You gain one resource of this colour.")),
    (act.MARK, _mark),
    (act.LAY_DOWN, _always("A standing worker here lies down and counts as two from now on.")),
    (act.NO_LAY_DOWN, _always("No worker lies down.")),
    (act.ROLE_PICK, lambda state, seat, offset: ROLE_TEXTS[offset]),
    (act.CARD_BACK, _always("The card comes back to your hand and can be played again next round.")),
    (act.NO_CARD_BACK, _always("Your cards stay where they are.")),
    (act.GIVE, _always("This tile leaves your reserve.")),
    (act.ENOUGH, _always("You stop here.")),
    (act.QUEEN_PASS, _always("You keep the Queen's ability for later in the round.")),
    (act.KATUN_DONE, _always("You trade no more; the celebration begins when all are done.")),
    (act.QUEEN, _always("You pay the resource; a standing worker there lies down and counts as two.")),
    (act.TRADE_RESOURCES, _always("Two resources of the first colour become one of the second.")),
    (act.TRADE_TILE, _always("Two tiles of one colour from your reserve become a resource of that colour.")),
)


# -- places, tiles and cards


def texts(state: AhauState) -> dict[str, str]:
    """Say what is on the board and on the cards of a match, by id."""
    side, night = state.table[at.SIDE], state.table[at.NIGHT]
    return {
        **{name: _city_text(state, city) for city, name in enumerate(tables.CITY_NAMES)},
        **{link_id(link): _site_text(link) for link in range(at.LINKS)},
        **{
            name: text
            for region in range(1, tables.REGION_COUNT[side] + 1)
            for name, text in _region_texts(region, side)
        },
        **{f"god.{name}": _temple_text(state, god) for god, name in enumerate(tables.GOD_NAMES)},
        **({} if state.table[at.MODE] == at.FAMILY else _offer_texts()),
        **{f"card.{card}": _card_text(card) for card in range(1, at.ROLE + 1)},
        **{f"card.{name}": _role(role) for role, name in enumerate(tables.ROLE_NAMES, 1)},
        **{
            f"space.{space}": _space_text(space, reward(gift))
            for space, gift in enumerate(tables.PYRAMID_REWARDS[night])
        },
        "calendar": "Sites that were used lie here. When it is full, a K'atun Celebration scores temples and cities.",
        "might": "The Might track breaks ties in conflicts and in the order of turns; each step gives what it shows.",
    }


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def _city_text(state: AhauState, city: int) -> str:
    regions = [
        str(region) for region, cities in enumerate(tables.REGION_CITIES[state.table[at.SIDE]]) if city in cities
    ]
    god = state.gods[city]
    return (
        f"{CITIES_IN_WORDS[city]} borders the regions {', '.join(regions)}. A worker placed here may summon the "
        f"{GODS_IN_WORDS[god]} God: {_power(state, god)}."
    )


def _site_text(link: int) -> str:
    one, other = (CITIES_IN_WORDS[city] for city in tables.LINK_CITIES[link])
    return f"A production site: who produces here gains one resource for each worker in {one} and {other}."


def _region_texts(region: int, side: int) -> Iterable[tuple[str, str]]:
    cities = ", ".join(CITIES_IN_WORDS[city] for city in tables.REGION_CITIES[side][region])
    tile = "A pyramid tile: whose ruler is in the region takes one of its tiles each round."
    yield f"region.{region}.left", tile
    yield f"region.{region}.right", tile
    yield f"region.{region}.building", f"The bonus of region {region}, for players with a worker in each of {cities}."
    yield f"region.{region}.rulers", f"Rulers in region {region}: their players place a worker in {cities}."


def _temple_text(state: AhauState, god: int) -> str:
    scoring = tables.SCORING_NAMES[state.scoring[god]].replace("_", " ")
    whose = "you have" if state.table[at.PERSONAL] else "the best player has"
    return (
        f"{GODS_IN_WORDS[god]} God: {_power(state, god)}. Its temple: a marker gives the Fame of its space at "
        "once, and "
        f"at each celebration as much as {whose} of: {scoring}."
    )


def _building_text(kind: int) -> str:
    colours = ", ".join(tables.COLOUR_NAMES[colour] for colour in tables.BUILDING_COLOURS[kind])
    return f"{in_words(tables.BUILDING_NAMES[kind])} for {colours}: {BUILDING_TEXTS[kind]}."


def _card_text(card: int) -> str:
    return (
        f"Region card {card}: as your left card it sends your ruler to region {card}; as your right card it is "
        f"strength {card} in a conflict."
    )


def _offer_texts() -> dict[str, str]:
    kinds = tables.BUILDING_KIND
    return {
        **{f"offer.{slot}": f"A building from this slot {text}." for slot, text in enumerate(_SLOT_TEXTS)},
        **{f"building.{tile}": _building_text(kinds[tile]) for tile in range(1, len(kinds))},
    }


def _space_text(space: int, gift: str) -> str:
    level = tables.SPACE_LEVEL[space]
    resources = (
        "one resource of its colour" if level == 1 else f"{level} different resources, its own colour among them"
    )
    return f"A tile on level {level} costs {resources}." + (f" The space gives: {gift}." if gift else "")
