"""Tiles, questions and actions in the words of players, for viewers."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from ballcourt.engine.core.view.scene import Choice, in_words
from ballcourt.engine.games.tzolkin import actions as act
from ballcourt.engine.games.tzolkin import tables
from ballcourt.engine.games.tzolkin.columns import CORN, FOOD_DISCOUNT, FREE_FOOD, GEARS
from ballcourt.engine.games.tzolkin.economy.monuments import (
    VP_FOR_FINISHED_TRACKS,
    VP_FOR_WORKERS,
    VP_PER_HARVEST_TILE,
    VP_PER_LEVEL,
    VP_PER_MONUMENT,
    VP_PER_SKULL_IN_CHICHEN,
    VP_PER_STEP,
    VP_PER_TILE,
    VP_PER_TILE_OF_CATEGORY,
)
from ballcourt.engine.games.tzolkin.gears.spaces import UseAction
from ballcourt.engine.games.tzolkin.state import TzolkinState
from ballcourt.engine.games.tzolkin.turn import lowest_free

QUESTIONS: Final = {
    "Draft": "Which two wealth tiles to keep?",
    "TurnStart": "Place workers, or pick some up?",
    "Placing": "Place another worker?",
    "Picking": "Pick up another worker?",
    "TurnOver": "End the turn",
    "UseAction": "Which action does the worker take?",
    "Harvest": "What to bring home from the jungle?",
    "ChooseTech": "Which technology to advance?",
    "PayForTech": "Which blocks to pay for the technology?",
    "PayForTemples": "Which block to offer?",
    "ClimbOne": "Which temple to climb?",
    "ClimbTwo": "Which two temples to climb?",
    "TakeBlock": "Which block to take?",
    "Construct": "What to build?",
    "Market": "What to buy or sell?",
    "AnyAction": "Which action of another gear?",
    "OfferBlock": "Offer a block for a temple step?",
    "Advance": "Turn the calendar by one day or two?",
}

GEARS_IN_WORDS: Final = tuple(in_words(name) for name in tables.GEAR_NAMES)
TEMPLES_IN_WORDS: Final = tuple(in_words(name) for name in tables.TEMPLE_NAMES)
TECHS_IN_WORDS: Final = tuple(in_words(name) for name in tables.TECH_NAMES)
_GOODS: Final = ("corn", *tables.BLOCK_NAMES)


def goods(counts: Iterable[int]) -> str:
    """Return counts of corn, wood, stone and gold in words."""
    return ", ".join(f"{count} {name}" for name, count in zip(_GOODS, counts, strict=True) if count)


def _field(group: int) -> str:
    return f"{tables.FIELD_CORN[group]} corn" + (
        f" or {tables.FIELD_WOOD[group]} wood" if tables.FIELD_WOOD[group] else ""
    )


ACTIONS_IN_WORDS: Final = (
    (f"fish: {tables.FISHING_CORN} corn", *[_field(group) for group in range(2, 6)]),
    tuple(goods(given) or "crystal skull" for given in tables.YAXCHILAN_GOODS[1:]),
    ("a technology", "build", "two technologies", "build two, or a monument", "two temple steps for a block"),
    (
        f"temple step for {tables.CORN_PER_TEMPLE_STEP} corn",
        "market",
        "new worker",
        "build with corn",
        "any action for 1 corn",
    ),
    tuple(
        f"skull: {vp} VP, {TEMPLES_IN_WORDS[temple]}" + (", a block" if block else "")
        for vp, temple, block in zip(
            tables.CHICHEN_VP[1:], tables.CHICHEN_TEMPLE[1:], tables.CHICHEN_BLOCK[1:], strict=True
        )
    ),
)
"""What the numbered actions of each gear give, from action 1."""

MONUMENTS_IN_WORDS: Final = (
    "",
    *[f"{VP_PER_TILE_OF_CATEGORY} VP for each of your {name}s" for name in ("tomb", "civic building", "shrine")],
    f"{VP_PER_TILE} VP for each of your buildings and monuments",
    f"{VP_PER_MONUMENT[4]} to {VP_PER_MONUMENT[2]} VP for each monument of all players",
    f"{', '.join(str(vp) for vp in VP_FOR_WORKERS[4:])} VP for 4, 5, 6 workers",
    f"{VP_PER_LEVEL} VP for each technology level",
    f"{', '.join(str(vp) for vp in VP_FOR_FINISHED_TRACKS[1:4])} VP for 1, 2, 3 finished technologies",
    f"{VP_PER_HARVEST_TILE} VP for each of your corn tiles",
    f"{VP_PER_HARVEST_TILE} VP for each of your wood tiles",
    f"{VP_PER_STEP} VP for each step on your best temple",
    "the points of your temple steps once more",
    f"{VP_PER_SKULL_IN_CHICHEN} VP for each skull on Chichen Itza",
)


def effect(one: tables.Effect) -> str:
    """Return an effect of a tile in words."""
    operation, what, count = one
    if operation == tables.GAIN:
        return _gain(what, count)
    if operation == tables.STEP_UP:
        return f"{count} on {'a temple' if what == tables.CHOICE else TEMPLES_IN_WORDS[what]}"
    if operation == tables.RAISE:
        return f"{count} {'of any technology' if what == tables.CHOICE else TECHS_IN_WORDS[what]}"
    return {
        tables.SKULL: f"{count} skull",
        tables.WORKER: "1 worker",
        tables.SCORE: f"{count} VP",
        tables.CONSTRUCT: "build once more",
        tables.MARKET: "market",
        tables.ANY_ACTION: "any action",
    }[operation]


def _gain(column: int, count: int) -> str:
    if column == FREE_FOOD:
        return f"feeds {count}"
    return "food 1 cheaper" if column == FOOD_DISCOUNT else f"{count} {_GOODS[column - CORN]}"


# -- actions

_Worded = tuple[int, Callable[[int], str]]


def _payment(index: int) -> str:
    return goods((0, *act.PAYMENTS[index]))


def _waiver(index: int) -> str:
    building, kind = act.WAIVERS[index]
    return f"Build a {building_name(building)}; 1 {tables.BLOCK_NAMES[kind]} less"


def building_name(building: int) -> str:
    """Return the kind of a building, its printed price, and what it gives."""
    category, price, effects = tables.BUILDING_TILES[building]
    kind = "civic building" if category == tables.CIVIC else tables.CATEGORY_NAMES[category]
    return f"{kind} of {goods((0, *price))}: {', '.join(map(effect, effects))}"


_BY_BASE: Final[tuple[_Worded, ...]] = (
    (act.KEEP, lambda n: f"Keep wealth tiles {act.KEPT_PAIRS[n][0] + 1} and {act.KEPT_PAIRS[n][1] + 1}"),
    (act.BEG, lambda n: f"Beg for corn, angering {TEMPLES_IN_WORDS[n]}"),
    (act.PLACE, lambda n: f"Place on {GEARS_IN_WORDS[n]}"),
    (act.PLACE_START, lambda n: "Place on the start player space"),
    (act.PITY, lambda n: f"Place on {GEARS_IN_WORDS[n]} by the gods' pity"),
    (act.PICK, lambda n: f"Pick up from {GEARS_IN_WORDS[_picked(n)[0]]} {_picked(n)[1]}"),
    (act.USE, lambda n: f"Take action {n + 1}"),
    (act.NONE, lambda n: "Take no action"),
    (act.HARVEST_CORN, lambda n: "Harvest corn"),
    (act.HARVEST_WOOD, lambda n: "Harvest wood"),
    (act.BURN, lambda n: f"Burn wood for corn, angering {TEMPLES_IN_WORDS[n]}"),
    (act.TILELESS, lambda n: "Harvest without a tile"),
    (act.LEARN, lambda n: f"Advance {TECHS_IN_WORDS[n]}"),
    (act.PAY, lambda n: f"Pay {_payment(n)}"),
    (act.CLIMB, lambda n: f"Climb {TEMPLES_IN_WORDS[n]}"),
    (act.CLIMB_TWO, lambda n: "Climb " + " and ".join(TEMPLES_IN_WORDS[temple] for temple in act.TEMPLE_PAIRS[n])),
    (act.TAKE, lambda n: f"Take {tables.BLOCK_NAMES[n]}"),
    (act.SELL, lambda n: f"Sell {tables.BLOCK_NAMES[n]}"),
    (act.BUY, lambda n: f"Buy {tables.BLOCK_NAMES[n]}"),
    (act.GO, lambda n: _go(n)),
    (act.OFFER, lambda n: f"Offer {tables.BLOCK_NAMES[n // 3]} for {TEMPLES_IN_WORDS[n % 3]}"),
    (act.STOP, lambda n: "Stop"),
    (act.END, lambda n: "End the turn"),
    (act.ADVANCE, lambda n: "Turn the calendar one day" if n == 0 else "Turn the calendar two days"),
    (act.MONUMENT, lambda n: "Build a monument"),
    (act.BUILD, lambda n: f"Build a {building_name(n + 1)}"),
    (act.BUILD_WITH_TRACK, lambda n: f"Build a {building_name(n + 1)}; with architecture"),
    (act.WAIVE, _waiver),
)


def _picked(offset: int) -> tuple[int, int]:
    gear = min(offset // act.PICK_STRIDE, GEARS - 1)
    return gear, offset - act.PICK_STRIDE * gear


def _go(offset: int) -> str:
    gear, number = divmod(offset, act.GO_STRIDE)
    return f"{GEARS_IN_WORDS[gear]} {number + 1}: {ACTIONS_IN_WORDS[gear][number]}"


def choice(state: TzolkinState, seat: int, action: int) -> Choice:
    """Describe an action of a seat."""
    base, word = next((base, word) for base, word in reversed(_BY_BASE) if base <= action)
    about = _about(state, seat, base, action - base)
    return {"action": action, "label": word(action - base) + about, "places": _places(state, base, action - base)}


def _about(state: TzolkinState, seat: int, base: int, offset: int) -> str:
    """Return what the name of an action leaves open: what the tiles give, what the space offers."""
    top = state.frames[-1] if state.frames else None
    if base == act.KEEP:
        return f": {_wealth(state.offers[seat], offset)}"
    if base == act.USE and isinstance(top, UseAction):
        return f": {ACTIONS_IN_WORDS[top.gear][offset]}"
    return f": {MONUMENTS_IN_WORDS[offset + 1]}" if base == act.MONUMENT else ""


def _wealth(offered: Sequence[int], pair: int) -> str:
    """Return what the two tiles of a pair give (RULES §2.7)."""
    return "; ".join(", ".join(map(effect, tables.WEALTH_EFFECTS[offered[place]])) for place in act.KEPT_PAIRS[pair])


def _places(state: TzolkinState, base: int, offset: int) -> list[str]:
    """List the places of an action, before it is taken."""
    if base in (act.PLACE, act.PITY):
        return [f"{tables.GEAR_NAMES[offset]}.{lowest_free(state.slots, offset)}"]
    if base == act.PLACE_START:
        return ["start"]
    if base == act.PICK:
        gear, space = _picked(offset)
        return [f"{tables.GEAR_NAMES[gear]}.{space}"]
    if base == act.GO:
        gear, number = divmod(offset, act.GO_STRIDE)
        return [f"{tables.GEAR_NAMES[gear]}.{number + 1}"]
    if base == act.MONUMENT:
        return [f"display.{state.display.index(offset + 1)}"] if offset + 1 in state.display else []
    building = (
        offset + 1 if base in (act.BUILD, act.BUILD_WITH_TRACK) else act.WAIVERS[offset][0] if base == act.WAIVE else 0
    )
    return [f"row.{state.row.index(building)}"] if building in state.row and building else []
