"""What actions, spaces and tiles do, for people who do not know the rules of Tzolk'in.

The ids of things that are not places: `temple.chaac`, `tech.theology`, `stock.wood`, `offered.0` (a wealth tile) and
`calendar`.
"""

from collections.abc import Callable, Iterable
from typing import Final

from ballcourt.engine.core.view.scene import ChoiceStep, Explanation
from ballcourt.engine.games.tzolkin import actions as act
from ballcourt.engine.games.tzolkin import columns as at
from ballcourt.engine.games.tzolkin import tables
from ballcourt.engine.games.tzolkin.economy.construct import UXMAL_4, Construct, corn_price, split
from ballcourt.engine.games.tzolkin.gears.spaces import UseAction
from ballcourt.engine.games.tzolkin.state import TzolkinState
from ballcourt.engine.games.tzolkin.turn import Placing, TurnStart, lowest_free
from ballcourt.engine.games.tzolkin.view.words import (
    ACTIONS_IN_WORDS,
    GEARS_IN_WORDS,
    MONUMENTS_IN_WORDS,
    TECHS_IN_WORDS,
    TEMPLES_IN_WORDS,
    building_name,
    goods,
)

SECTIONS: Final = {
    "Draft": "2.7",
    "TurnStart": "4.1",
    "Placing": "4.2",
    "Picking": "4.3",
    "TurnOver": "4.5",
    "UseAction": "4.4",
    "Harvest": "5.1",
    "ChooseTech": "5.3",
    "PayForTech": "5.3",
    "PayForTemples": "5.3",
    "ClimbOne": "7.1",
    "ClimbTwo": "7.1",
    "TakeBlock": "5.3",
    "Construct": "6.1",
    "Market": "5.4",
    "AnyAction": "5.4",
    "OfferBlock": "5.5",
    "Advance": "9.2",
}
"""The section of RULES.md about each question."""

GEAR_TEXTS: Final = (
    "Palenque gives corn, and wood from the jungle",
    "Yaxchilan gives wood, stone, gold, and a crystal skull",
    "Tikal is for technologies, buildings, monuments and temples",
    "Uxmal is for trade, more workers, and actions of other gears",
    "Chichen Itza takes crystal skulls for points and temple steps",
)
TECH_TEXTS: Final = (
    "more corn from harvests; on level 2 also from fishing and without a tile; on level 3 each level more is "
    "a temple step",
    "one more wood (level 1), stone (2), gold (3) whenever Yaxchilan gives it; beyond level 3 two blocks each time",
    "each building gives 1 corn (level 1) and 2 points (2) and costs a block less (3); beyond level 3 three "
    "points each time",
    "a space further on Chichen Itza (level 1), a block for a temple step there (2), a second skull (3); "
    "beyond it a skull",
)
BLOCK_RATES: Final = tuple(zip(tables.BLOCK_NAMES, tables.MARKET_RATE, strict=True))


# -- actions


def explain(state: TzolkinState, seat: int, action: int) -> Explanation:
    """Explain an action of a seat."""
    kind = type(state.frames[-1]).__name__ if state.frames else ""
    base, word = next((base, word) for base, word in reversed(_BY_BASE) if base <= action)
    return {
        "text": word(state, seat, action - base),
        "section": SECTIONS.get(kind, ""),
        "things": [*_things(base, action - base)],
        "steps": [*_steps(state, base, action)],
    }


def _steps(state: TzolkinState, base: int, action: int) -> Iterable[ChoiceStep]:
    """Yield the steps to an action that may be one of many: worker and gear, gear and action, tile and price."""
    offset = action - base
    if base in _OF_A_TURN and isinstance(state.frames[-1], TurnStart):
        label, text = _OF_A_TURN[base]
        yield {"label": label, "text": text, "things": []}
    elif base == act.GO:
        gear = offset // act.GO_STRIDE
        yield {"label": GEARS_IN_WORDS[gear], "text": f"{GEAR_TEXTS[gear]}.", "things": []}
    elif base == act.OFFER:
        name = tables.BLOCK_NAMES[offset // 3]
        yield {"label": f"Offer {name}", "text": "", "things": [f"stock.{name}"]}
    elif base in (act.BUILD, act.BUILD_WITH_TRACK, act.WAIVE):
        building, _ = split(action)
        places = [f"row.{state.row.index(building)}"] if building in state.row else []
        yield {"label": f"Build a {building_name(building)}", "text": "", "things": places}


_OF_A_TURN: Final = {
    act.BEG: ("Beg for corn", f"Your corn becomes {tables.CORN_AFTER_BEGGING}, and a god is angry."),
    act.PLACE: ("Place a worker", "A worker goes to the lowest free space of a gear, for as much corn as its number."),
    act.PLACE_START: ("Place a worker", ""),
    act.PICK: ("Pick up a worker", "A worker comes home and takes the action of the space that it has reached."),
}
"""The first step of what a turn begins with: its name, and what it does."""


def _things(base: int, offset: int) -> Iterable[str]:
    if base == act.KEEP:
        return [f"offered.{place}" for place in act.KEPT_PAIRS[offset]]
    if base in (act.CLIMB, act.BURN, act.BEG):
        return [f"temple.{tables.TEMPLE_NAMES[offset]}"]
    if base == act.CLIMB_TWO:
        return [f"temple.{tables.TEMPLE_NAMES[temple]}" for temple in act.TEMPLE_PAIRS[offset]]
    if base == act.OFFER:
        return [f"stock.{tables.BLOCK_NAMES[offset // 3]}", f"temple.{tables.TEMPLE_NAMES[offset % 3]}"]
    if base == act.LEARN:
        return [f"tech.{tables.TECH_NAMES[offset]}"]
    if base in (act.TAKE, act.SELL, act.BUY):
        return [f"stock.{tables.BLOCK_NAMES[offset]}"]
    if base == act.PAY:
        return [f"stock.{name}" for name, count in zip(tables.BLOCK_NAMES, act.PAYMENTS[offset], strict=True) if count]
    return ["calendar"] if base == act.ADVANCE else []


_Word = Callable[[TzolkinState, int, int], str]


def _always(text: str) -> _Word:
    return lambda state, seat, offset: text


def _keep(state: TzolkinState, seat: int, offset: int) -> str:
    return "You get at once what these two wealth tiles show; the other two go back unseen."


def _place(state: TzolkinState, seat: int, offset: int) -> str:
    space = lowest_free(state.slots, offset)
    now = _at(offset, space)
    later = _at(offset, space + 1)
    return (
        f"Costs {_corn(state, seat, space)}. {GEAR_TEXTS[offset]}. The worker stands on space {space} ({now}) and "
        f"rides one space a day; tomorrow: {later}."
    )


def _corn(state: TzolkinState, seat: int, space: int) -> str:
    """Say what a worker on a space costs: its number, and one more for each placed before it in the turn (§4.2)."""
    top = state.frames[-1]
    cost = space + (top.placed if isinstance(top, Placing) else 0)
    return f"{cost} of your {state.players[seat][at.CORN]} corn" if cost else "no corn"


def _built(base: int) -> _Word:
    track = " Your level of architecture gives something too." if base != act.BUILD else ""
    return lambda state, seat, offset: f"Costs {_paid(state, seat, base + offset)}.{track}"


def _paid(state: TzolkinState, seat: int, action: int) -> str:
    """Return the price of a building on this occasion."""
    (building, waived), top = split(action), state.frames[-1]
    if isinstance(top, Construct) and top.occasion == UXMAL_4:
        level = state.players[seat][at.TECH + at.ARCHITECTURE]
        return f"{corn_price(building) - tables.CORN_WAIVED[level] * (action >= act.BUILD_WITH_TRACK)} corn"
    cost = (count - (kind == waived) for kind, count in enumerate(tables.BUILDING_TILES[building][1]))
    return goods((0, *cost)) or "nothing"


def _at(gear: int, space: int) -> str:
    if space == 0:
        return "no action"
    if space <= tables.NUMBERED_ACTIONS[gear]:
        return ACTIONS_IN_WORDS[gear][space - 1]
    return "any action of the gear" if space <= tables.LAST_SPACE[gear] else "home again"


def _pick(state: TzolkinState, seat: int, offset: int) -> str:
    gear = min(offset // act.PICK_STRIDE, at.GEARS - 1)
    space = offset - act.PICK_STRIDE * gear
    lower = ", or a lower one for 1 corn a step" if 1 < space <= tables.NUMBERED_ACTIONS[gear] else ""
    return f"The worker comes back to your hand and may act: {_at(gear, space)}{lower}."


def _use(state: TzolkinState, seat: int, offset: int) -> str:
    top = state.frames[-1]
    if not isinstance(top, UseAction):
        return ""
    back = top.space - offset - 1
    free = top.space >= tables.FREE_CHOICE_FROM[top.gear] or back <= 0
    steps = "one step" if back == 1 else f"{back} steps"
    price = "free of charge" if free else f"{steps} back, for {back} of your {state.players[seat][at.CORN]} corn"
    return f"Uses {GEARS_IN_WORDS[top.gear]}'s action {offset + 1}, {price}."


def _learn(state: TzolkinState, seat: int, offset: int) -> str:
    level = state.players[seat][at.TECH + offset]
    return f"{TECHS_IN_WORDS[offset]}, now level {level}: {TECH_TEXTS[offset]}."


def _climb(state: TzolkinState, seat: int, offset: int) -> str:
    return f"Your marker goes a step up. {_temple_text(offset)}"


def _down(state: TzolkinState, seat: int, offset: int) -> str:
    return f"You get the corn, and your marker on {TEMPLES_IN_WORDS[offset]} goes a step down."


def _trade(verb: str, other: str) -> _Word:
    return lambda state, seat, offset: (
        f"You {verb} one {tables.BLOCK_NAMES[offset]} and {other} {tables.MARKET_RATE[offset]} corn; you may "
        "trade again."
    )


def _go(state: TzolkinState, seat: int, offset: int) -> str:
    gear, number = divmod(offset, act.GO_STRIDE)
    return (
        f"You take this action of {GEARS_IN_WORDS[gear]} as if a worker of yours stood there: "
        f"{ACTIONS_IN_WORDS[gear][number]}."
    )


_BY_BASE: Final[tuple[tuple[int, _Word], ...]] = (
    (act.KEEP, _keep),
    (
        act.BEG,
        lambda state, seat, offset: f"Your corn becomes {tables.CORN_AFTER_BEGGING}. {_down(state, seat, offset)}",
    ),
    (act.PLACE, _place),
    (
        act.PLACE_START,
        lambda state, seat, _: (
            f"Costs {_corn(state, seat, 0)}. You become starting player when the day ends, take the corn on the teeth, "
            "and may advance two days."
        ),
    ),
    (act.PITY, _always("You give up all your corn and place one worker free of charge.")),
    (act.PICK, _pick),
    (act.USE, _use),
    (act.NONE, _always("The worker comes home and does nothing.")),
    (act.HARVEST_CORN, _always("You take a corn tile of this part of the jungle and its corn.")),
    (
        act.HARVEST_WOOD,
        _always("You take a wood tile of this part of the jungle and its wood; the corn under it can then be taken."),
    ),
    (act.BURN, _down),
    (act.TILELESS, _always("Agriculture lets you harvest corn although no corn tile is visible.")),
    (act.LEARN, _learn),
    (act.PAY, _always("These blocks go back to the bank.")),
    (act.CLIMB, _climb),
    (act.CLIMB_TWO, _always("Your markers on both temples go a step up.")),
    (act.TAKE, _always("You take the block from the bank.")),
    (act.SELL, _trade("give", "get")),
    (act.BUY, _trade("get", "pay")),
    (act.GO, _go),
    (act.OFFER, _always("You give the block, and your marker goes a step up on the temple.")),
    (act.STOP, _always("You leave it at that.")),
    (act.END, _always("The next player has the turn.")),
    (act.ADVANCE, lambda state, seat, days: _advance(days + 1)),
    (act.MONUMENT, lambda state, seat, offset: _monument_text(offset + 1)),
    (act.BUILD, _built(act.BUILD)),
    (act.BUILD_WITH_TRACK, _built(act.BUILD_WITH_TRACK)),
    (act.WAIVE, _built(act.WAIVE)),
)


def _advance(days: int) -> str:
    if days == 1:
        return "All gears turn by one tooth, so every worker moves on by a space."
    return (
        "All gears turn by two teeth; your board is turned to its dark side, so you can do this no more until "
        "you reach a temple's top."
    )


# -- places, tiles and tracks


def texts() -> dict[str, str]:
    """Say what spaces, tiles and tracks are for, by id."""
    return {
        **{name: text for gear in range(at.GEARS) for name, text in _gear_texts(gear)},
        **{f"jungle.{group}": _jungle_text(group) for group in range(2, 6)},
        **{f"temple.{name}": _temple_text(temple) for temple, name in enumerate(tables.TEMPLE_NAMES)},
        **{
            f"tech.{name}": f"{TECHS_IN_WORDS[tech]}: {TECH_TEXTS[tech]}."
            for tech, name in enumerate(tables.TECH_NAMES)
        },
        **{
            f"stock.{name}": f"{name.capitalize()}: a block to build with, worth {rate} corn."
            for name, rate in BLOCK_RATES
        },
        "stock.corn": "Corn pays for placing workers and for stepping back, and feeds 2 to each worker on Food Days.",
        "stock.skulls": "Crystal skulls go to Chichen Itza for points; each kept to the end is worth 3.",
        "stock.workers": "Workers at hand can be placed; all of yours must be fed on Food Days.",
        **{f"building.{tile}": f"A {building_name(tile)}." for tile in range(1, len(tables.BUILDING_TILES))},
        **{f"monument.{tile}": _monument_text(tile) for tile in range(1, len(tables.MONUMENT_TILES))},
        "start": "The start player space: take the corn on the teeth, become start player, and perhaps turn two days.",
        "calendar": _calendar_text(),
    }


def _gear_texts(gear: int) -> Iterable[tuple[str, str]]:
    for space in range(tables.LAST_SPACE[gear] + 1):
        yield (
            f"{tables.GEAR_NAMES[gear]}.{space}",
            f"{GEARS_IN_WORDS[gear]} {space}: {_at(gear, space)}. {GEAR_TEXTS[gear]}.",
        )


def _jungle_text(group: int) -> str:
    wood = f", or {tables.FIELD_WOOD[group]} wood" if tables.FIELD_WOOD[group] else ""
    return f"Jungle for action {group} of Palenque: a tile gives {tables.FIELD_CORN[group]} corn{wood}."


def _temple_text(temple: int) -> str:
    return (
        f"{TEMPLES_IN_WORDS[temple]}: on days {tables.FOOD_DAY[1]} and {tables.FOOD_DAY[3]} your step gives "
        "its points, and the highest marker "
        f"{tables.TEMPLE_BONUS[0][temple]}, then {tables.TEMPLE_BONUS[1][temple]} more; on days "
        f"{tables.FOOD_DAY[0]} and {tables.FOOD_DAY[2]} the blocks up to your step."
    )


def _monument_text(tile: int) -> str:
    _, cost = tables.MONUMENT_TILES[tile]
    skull = ", 1 skull" if tile == tables.SKULL_MONUMENT else ""
    return f"A monument for {goods((0, *cost))}{skull}. At the end of the game it scores {MONUMENTS_IN_WORDS[tile]}."


def _calendar_text() -> str:
    days = ", ".join(map(str, tables.FOOD_DAY[:-1]))
    return (
        f"Food Days are {days} and {tables.FOOD_DAY[-1]}: 2 corn for each worker, or "
        f"{tables.VP_PER_HUNGRY_WORKER} points lost. The last one ends the game."
    )
