"""What is printed on board, gears and tiles: the only place with the game's numbers.

Every block says where its numbers come from. *Rulebook*: they stand in the text of the rulebook or in one of its
worked examples. *Pictures*: they are printed only as pictures on the components; at least two independent public
implementations give them alike, and the rulebook's examples come out right with them. Nothing here is reconstructed.
The owner of a copy can correct a number here and nowhere else.
"""

from typing import Final, TypeAlias

from ballcourt.engine.games.tzolkin.columns import (
    AGRICULTURE,
    ARCHITECTURE,
    CHAAC,
    CHICHEN_ITZA,
    CORN,
    EXTRACTION,
    FOOD_DISCOUNT,
    FREE_FOOD,
    GOLD,
    KUKULCAN,
    PALENQUE,
    QUETZALCOATL,
    SMALL_GEAR,
    STONE,
    THEOLOGY,
    TIKAL,
    UXMAL,
    WOOD,
    YAXCHILAN,
)

# compiled, a tuple of a fixed length would be copied whenever it is indexed; `...` makes it an object
Ints: TypeAlias = tuple[int, ...]

# -- names, for errors, scenes and action names

GEAR_NAMES: Final = ("palenque", "yaxchilan", "tikal", "uxmal", "chichen_itza")
TEMPLE_NAMES: Final = ("chaac", "quetzalcoatl", "kukulcan")
TECH_NAMES: Final = ("agriculture", "extraction", "architecture", "theology")
BLOCK_NAMES: Final = ("wood", "stone", "gold")

# -- calendar and people. Rulebook; the days of the mid-age Food Days: pictures

FOOD_DAY: Final[Ints] = (8, 14, 21, 27)
LAST_FOOD_DAY: Final = 4
END_OF_AGE_1: Final = 2  # number of the Food Day that ends Age 1
MAX_WORKERS: Final = 6
START_WORKERS: Final = 3
START_STEP: Final = 1
SKULLS_IN_GAME: Final = 13
ROW_SPACES: Final = 6
WEALTH_OFFERED: Final = 4

# by number of seats, 0..4
MONUMENTS_DEALT: Final[Ints] = (0, 0, 4, 5, 6)
DUMMIES: Final[Ints] = (0, 0, 12, 6, 0)

# -- prices. Rulebook; market rates: pictures

BEG_AT_MOST: Final = 2  # corn a beggar may own
CORN_AFTER_BEGGING: Final = 3
FOOD_PER_WORKER: Final = 2
VP_PER_HUNGRY_WORKER: Final = 3
CORN_PER_TEMPLE_STEP: Final = 3  # Uxmal 1
CORN_PER_ANY_ACTION: Final = 1  # Uxmal 5 and building 25
CORN_PER_BLOCK_OF_COST: Final = 2  # Uxmal 4
MARKET_RATE: Final[Ints] = (2, 3, 4)  # corn per wood, stone, gold; also at the end of the game
VP_PER_SKULL: Final = 3

# -- gears. Rulebook; number of slots: pictures

GEAR_BASE: Final[Ints] = (0, 10, 20, 30, 40)
GEAR_SLOTS: Final[Ints] = (SMALL_GEAR, SMALL_GEAR, SMALL_GEAR, SMALL_GEAR, 13)
LAST_SPACE: Final[Ints] = (7, 7, 7, 7, 10)
FREE_CHOICE_FROM: Final[Ints] = (6, 6, 6, 6, 10)  # every numbered action without stepping back
NUMBERED_ACTIONS: Final[Ints] = (5, 5, 5, 5, 9)
OPPOSITE: Final = 5  # spaces between a dummy and its twin; Chichen Itza has no opposite

# -- actions. Rulebook; the rewards of Chichen Itza other than action 6: pictures

FISHING_CORN: Final = 3
FIELD_CORN: Final[Ints] = (0, 0, 4, 5, 7, 9)  # by jungle group
FIELD_WOOD: Final[Ints] = (0, 0, 0, 2, 3, 4)

# Yaxchilan 1, 2, 3, 5: (corn, wood, stone, gold); action 4 gives a skull
YAXCHILAN_GOODS: Final[tuple[tuple[int, int, int, int], ...]] = (
    (0, 0, 0, 0),
    (0, 1, 0, 0),
    (1, 0, 1, 0),
    (2, 0, 0, 1),
    (0, 0, 0, 0),
    (2, 0, 1, 1),
)

CHICHEN_VP: Final[Ints] = (0, 4, 5, 6, 7, 8, 8, 10, 11, 13)
CHICHEN_TEMPLE: Final[Ints] = (
    CHAAC,
    *(CHAAC, CHAAC, CHAAC),
    *(KUKULCAN, KUKULCAN, KUKULCAN),
    *(QUETZALCOATL, QUETZALCOATL, QUETZALCOATL),
)
CHICHEN_BLOCK: Final[Ints] = (0, 0, 0, 0, 0, 0, 1, 0, 1, 1)

# -- technologies, by level 0..3. Rulebook

JUNGLE_BONUS: Final[Ints] = (0, 1, 1, 3)
FISHING_BONUS: Final[Ints] = (0, 0, 1, 1)
TILELESS_FROM: Final = 2
BUILDING_CORN: Final[Ints] = (0, 1, 1, 1)
BUILDING_VP: Final[Ints] = (0, 0, 2, 2)
BLOCK_WAIVED_FROM: Final = 3
CORN_WAIVED: Final[Ints] = (0, 0, 0, 2)
EXTRACTION_FROM: Final[Ints] = (1, 2, 3)  # level from which wood, stone, gold come with one more
SPACE_AHEAD_FROM: Final = 1  # theology
OFFER_FROM: Final = 2
SECOND_SKULL_FROM: Final = 3
BONUS_BLOCKS: Final = 2  # extraction, beyond level 3
BONUS_VP: Final = 3  # architecture, beyond level 3

# -- temples, step by step from the bottom. Pictures; largely fixed by the rulebook's examples

NOTHING: Final = 0

TEMPLE_VP: Final[tuple[Ints, ...]] = (
    (-1, 0, 2, 4, 6, 7, 8),
    (-2, 0, 1, 2, 4, 6, 9, 12, 13),
    (-3, 0, 1, 3, 5, 7, 9, 10),
)
TOP_STEP: Final[Ints] = (6, 8, 7)
TEMPLE_BLOCKS: Final[tuple[Ints, ...]] = (  # what a mid-age Food Day gives at every step up to the player's
    (NOTHING, NOTHING, STONE, NOTHING, STONE, NOTHING, NOTHING),
    (NOTHING, NOTHING, NOTHING, GOLD, NOTHING, GOLD, NOTHING, NOTHING, NOTHING),
    (NOTHING, NOTHING, WOOD, NOTHING, WOOD, NOTHING, NOTHING, NOTHING),
)
SKULL_STEP: Final = 5  # of Kukulcan
TEMPLE_BONUS: Final[tuple[Ints, ...]] = ((6, 2, 4), (2, 6, 4))  # for the highest, by age - 1 and temple

# -- tiles

# operations of tiles: (operation, what, how many), carried out in the listed order
GAIN: Final = 1  # what: a column of the player row
SKULL: Final = 2
STEP_UP: Final = 3  # what: a temple, or CHOICE
RAISE: Final = 4  # what: a technology, or CHOICE; free of blocks
WORKER: Final = 5
SCORE: Final = 6
CONSTRUCT: Final = 7  # optional, as Tikal 2
MARKET: Final = 8  # optional, as Uxmal 2
ANY_ACTION: Final = 9  # optional, as Uxmal 5
CHOICE: Final = -1

Effect: TypeAlias = tuple[int, int, int]
Cost: TypeAlias = tuple[int, int, int]  # wood, stone, gold

FARM: Final = 1
CIVIC: Final = 2
TOMB: Final = 3
SHRINE: Final = 4
CATEGORY_NAMES: Final = ("", "farm", "civic", "tomb", "shrine")

# Starting wealth: (gear, space of the dummy, effects). Pictures; effects: rulebook.
WEALTH_TILES: Final[tuple[tuple[int, int, tuple[Effect, ...]], ...]] = (
    (0, 0, ()),
    (PALENQUE, 1, ((GAIN, CORN, 3), (STEP_UP, QUETZALCOATL, 1), (RAISE, AGRICULTURE, 1))),  # 1
    (PALENQUE, 3, ((GAIN, CORN, 5), (GAIN, GOLD, 1), (STEP_UP, QUETZALCOATL, 1))),  # 2
    (PALENQUE, 5, ((GAIN, STONE, 1), (GAIN, GOLD, 1), (RAISE, AGRICULTURE, 1))),  # 3
    (PALENQUE, 7, ((GAIN, CORN, 9), (GAIN, STONE, 1))),  # 4
    (YAXCHILAN, 1, ((GAIN, WOOD, 1), (STEP_UP, KUKULCAN, 1), (RAISE, EXTRACTION, 1))),  # 5
    (YAXCHILAN, 3, ((GAIN, CORN, 2), (GAIN, WOOD, 2), (STEP_UP, KUKULCAN, 1))),  # 6
    (YAXCHILAN, 5, ((GAIN, CORN, 4), (GAIN, WOOD, 1), (RAISE, EXTRACTION, 1))),  # 7
    (YAXCHILAN, 7, ((GAIN, CORN, 3), (GAIN, WOOD, 2), (GAIN, STONE, 1))),  # 8
    (TIKAL, 1, ((GAIN, CORN, 2), (STEP_UP, CHAAC, 1), (RAISE, ARCHITECTURE, 1))),  # 9
    (TIKAL, 3, ((GAIN, CORN, 6), (GAIN, STONE, 2))),  # 10
    (TIKAL, 5, ((GAIN, CORN, 3), (GAIN, GOLD, 1), (RAISE, ARCHITECTURE, 1))),  # 11
    (TIKAL, 7, ((GAIN, CORN, 6), (GAIN, WOOD, 1), (GAIN, STONE, 1))),  # 12
    (UXMAL, 1, ((GAIN, CORN, 5), (GAIN, STONE, 1), (STEP_UP, CHAAC, 1))),  # 13
    (UXMAL, 3, ((GAIN, CORN, 3), (GAIN, WOOD, 1), (GAIN, FREE_FOOD, 1))),  # 14
    (UXMAL, 5, ((WORKER, 0, 1),)),  # 15
    (UXMAL, 7, ((GAIN, CORN, 8), (GAIN, GOLD, 1))),  # 16
    (CHICHEN_ITZA, 0, ((GAIN, CORN, 4), (GAIN, WOOD, 1), (SKULL, 0, 1))),  # 17
    (CHICHEN_ITZA, 3, ((GAIN, CORN, 5), (GAIN, STONE, 1), (RAISE, THEOLOGY, 1))),  # 18
    (CHICHEN_ITZA, 5, ((GAIN, CORN, 4), (GAIN, WOOD, 3))),  # 19
    (CHICHEN_ITZA, 7, ((GAIN, CORN, 2), (GAIN, WOOD, 2), (RAISE, THEOLOGY, 1))),  # 20
    (CHICHEN_ITZA, 10, ((GAIN, CORN, 7), (GAIN, WOOD, 2))),  # 21
)

# Buildings: (category, cost, effects). Pictures; the effects are explained by the rulebook.
BUILDING_TILES: Final[tuple[tuple[int, Cost, tuple[Effect, ...]], ...]] = (
    (0, (0, 0, 0), ()),
    (FARM, (1, 0, 0), ((GAIN, FREE_FOOD, 1),)),  # 1, the first of Age 1
    (FARM, (1, 0, 0), ((GAIN, FREE_FOOD, 1),)),  # 2
    (FARM, (1, 0, 0), ((GAIN, FREE_FOOD, 1),)),  # 3
    (FARM, (4, 0, 0), ((GAIN, FOOD_DISCOUNT, 1),)),  # 4
    (FARM, (4, 0, 0), ((GAIN, FOOD_DISCOUNT, 1),)),  # 5
    (CIVIC, (2, 0, 0), ((RAISE, AGRICULTURE, 1),)),  # 6
    (CIVIC, (3, 0, 0), ((RAISE, AGRICULTURE, 1), (GAIN, STONE, 1))),  # 7
    (CIVIC, (1, 1, 0), ((RAISE, EXTRACTION, 1), (GAIN, CORN, 1))),  # 8
    (CIVIC, (2, 1, 0), ((RAISE, EXTRACTION, 1), (GAIN, GOLD, 1))),  # 9
    (TOMB, (2, 1, 0), ((STEP_UP, CHAAC, 1), (STEP_UP, QUETZALCOATL, 1))),  # 10
    (TOMB, (1, 2, 0), ((STEP_UP, CHAAC, 1), (STEP_UP, KUKULCAN, 1))),  # 11
    (TOMB, (1, 0, 1), ((STEP_UP, CHOICE, 1), (CONSTRUCT, 0, 1))),  # 12
    (SHRINE, (0, 0, 1), ((RAISE, ARCHITECTURE, 1),)),  # 13
    (SHRINE, (0, 1, 1), ((RAISE, THEOLOGY, 1), (STEP_UP, KUKULCAN, 1))),  # 14
    (FARM, (2, 0, 0), ((GAIN, FREE_FOOD, 3),)),  # 15, the first of Age 2
    (FARM, (2, 0, 0), ((GAIN, FREE_FOOD, 3),)),  # 16
    (FARM, (2, 0, 0), ((GAIN, FREE_FOOD, 3),)),  # 17
    (CIVIC, (3, 0, 0), ((RAISE, CHOICE, 1), (GAIN, STONE, 1))),  # 18
    (CIVIC, (2, 1, 0), ((RAISE, CHOICE, 1), (GAIN, GOLD, 1))),  # 19
    (CIVIC, (3, 1, 0), ((RAISE, CHOICE, 1), (GAIN, CORN, 6))),  # 20
    (CIVIC, (2, 2, 0), ((RAISE, CHOICE, 1), (SKULL, 0, 1))),  # 21
    (TOMB, (0, 3, 0), ((MARKET, 0, 1), (SCORE, 0, 6))),  # 22
    (TOMB, (1, 1, 1), ((WORKER, 0, 1), (SCORE, 0, 6))),  # 23
    (TOMB, (1, 0, 2), ((SCORE, 0, 8),)),  # 24
    (TOMB, (2, 1, 1), ((ANY_ACTION, 0, 1), (SCORE, 0, 2))),  # 25
    (TOMB, (1, 2, 1), ((STEP_UP, CHAAC, 1), (STEP_UP, QUETZALCOATL, 1), (STEP_UP, KUKULCAN, 1), (SCORE, 0, 3))),  # 26
    (SHRINE, (0, 2, 0), ((STEP_UP, CHAAC, 2), (SCORE, 0, 2))),  # 27
    (SHRINE, (0, 0, 2), ((STEP_UP, KUKULCAN, 2), (SCORE, 0, 3))),  # 28
    (SHRINE, (0, 0, 3), ((STEP_UP, QUETZALCOATL, 2), (SCORE, 0, 4))),  # 29
    (SHRINE, (0, 1, 1), ((RAISE, ARCHITECTURE, 1), (SCORE, 0, 3))),  # 30
    (SHRINE, (0, 2, 1), ((RAISE, THEOLOGY, 1), (STEP_UP, CHAAC, 1), (STEP_UP, KUKULCAN, 1))),  # 31
    (SHRINE, (0, 1, 2), ((RAISE, CHOICE, 2),)),  # 32
)
FIRST_OF_AGE: Final[Ints] = (1, 15, 33)  # FIRST_OF_AGE[age - 1] .. FIRST_OF_AGE[age] - 1 are the buildings of that age

# Monuments: (category, cost). Pictures; what they score is rulebook and stands in monuments.py. The thirteenth
# also costs a skull.
MONUMENT_TILES: Final[tuple[tuple[int, Cost], ...]] = (
    (0, (0, 0, 0)),
    (TOMB, (3, 2, 1)),  # 1
    (CIVIC, (2, 3, 1)),  # 2
    (SHRINE, (0, 2, 3)),  # 3
    (TOMB, (1, 3, 2)),  # 4
    (TOMB, (2, 2, 2)),  # 5
    (CIVIC, (3, 0, 3)),  # 6
    (CIVIC, (2, 1, 3)),  # 7
    (CIVIC, (1, 1, 3)),  # 8
    (TOMB, (1, 1, 4)),  # 9
    (TOMB, (1, 0, 4)),  # 10
    (SHRINE, (0, 3, 3)),  # 11
    (SHRINE, (0, 4, 3)),  # 12
    (SHRINE, (0, 0, 4)),  # 13
)
SKULL_MONUMENT: Final = 13

BUILDING_COST: Final = tuple(tile[1] for tile in BUILDING_TILES)
BUILDING_EFFECTS: Final = tuple(tile[2] for tile in BUILDING_TILES)
MONUMENT_COST: Final = tuple(tile[1] for tile in MONUMENT_TILES)
WEALTH_EFFECTS: Final = tuple(tile[2] for tile in WEALTH_TILES)
