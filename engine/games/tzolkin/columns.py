"""The layout of a position: which int stands where in the rows of a `TzolkinState` (RULES §1).

Public rows, in this order: table, slots, row (the six building spaces), display (the monuments), drawn (the wealth
tiles that placed dummies), one row per player, one row per waiting frame. Secret rows: the Age 1 and the Age 2 stack
(top last), then per seat the wealth tiles offered, then the draft answers. Sets of tiles are bit masks: tile n is
bit n.
"""

from typing import Final

# -- the public rows

TABLE_ROW: Final = 0
SLOTS_ROW: Final = 1
BUILDINGS_ROW: Final = 2
DISPLAY_ROW: Final = 3
DRAWN_ROW: Final = 4
PLAYERS_ROW: Final = 5  # + seat; the frames follow

# -- the table row (§1.1)

DAY: Final = 0  # 1-based
FOOD_DAYS: Final = 1  # Food Days already held, 0..4
AGE: Final = 2  # 1 or 2
START_PLAYER: Final = 3  # seat
TURN: Final = 4  # seat whose turn it is, or who advances the calendar
POT: Final = 5  # corn on the teeth of the calendar (§1.3)
START_SPACE: Final = 6  # seat whose worker stands on the Starting Player Space, or EMPTY
SKULL_BANK: Final = 7
CHICHEN_USED: Final = 8  # bit k: action k of Chichen Itza holds a skull
STACK: Final = 9  # STACK + age - 1: buildings left in the stack of that age
JUNGLE_CORN: Final = 11  # JUNGLE_CORN + k - FIRST_GROUP: corn tiles of jungle group k = 2..5
JUNGLE_WOOD: Final = 15  # JUNGLE_WOOD + k - FIRST_GROUP: wood tiles of group k; always 0 for k = 2
TABLE_COLUMNS: Final = 19

JUNGLE_GROUPS: Final = 4
FIRST_GROUP: Final = 2  # a group has the number of its action at Palenque

# -- the slots row (§1.2): five gears end to end; slot k of gear g is at GEAR_BASE[g] + k

PALENQUE: Final = 0
YAXCHILAN: Final = 1
TIKAL: Final = 2
UXMAL: Final = 3
CHICHEN_ITZA: Final = 4
GEARS: Final = 5

SMALL_GEAR: Final = 10  # slots of a small gear; Chichen Itza has 13
ALL_SLOTS: Final = 53
EMPTY: Final = -1
DUMMY: Final = 4  # stands in a slot where a seat 0..3 would

# -- a player row (§1.7)

CORN: Final = 0
WOOD: Final = 1  # WOOD + kind: blocks, with kind 0 wood, 1 stone, 2 gold
STONE: Final = 2
GOLD: Final = 3
SKULLS: Final = 4
VP: Final = 5  # in quarters of a victory point; may be negative
WORKERS: Final = 6  # in play, 3..6
HAND: Final = 7  # available: in play, but neither on a gear nor on the Starting Player Space
TEMPLE: Final = 8  # TEMPLE + t: step on the temple, 0 at the bottom, 1 at the start
TECH: Final = 11  # TECH + x: level 0..3
LIGHT: Final = 15  # 1 while the light side of the board is up
CORN_TILES: Final = 16
WOOD_TILES: Final = 17
FREE_FOOD: Final = 18  # workers that need no corn
FOOD_DISCOUNT: Final = 19  # corn less for every other worker
BUILDINGS: Final = 20  # set of building ids
MONUMENTS: Final = 21  # set of monument ids
WEALTH: Final = 22  # set of the wealth tiles kept
PLAYER_COLUMNS: Final = 23

# -- temples, technologies, blocks

CHAAC: Final = 0
QUETZALCOATL: Final = 1
KUKULCAN: Final = 2
TEMPLES: Final = 3

AGRICULTURE: Final = 0
EXTRACTION: Final = 1
ARCHITECTURE: Final = 2
THEOLOGY: Final = 3
TECHS: Final = 4
TOP_LEVEL: Final = 3

BLOCKS: Final = 3

QUARTERS: Final = 4  # of a victory point
