"""The layout of a position: which int stands where in the rows of a `MayaState` (RULES §1).

Public rows, in this order: table, cells, cities, planted (the cells planted in this action, in order), one row per
player, one row of face-down cells per player (in the order they were placed), one row per waiting frame. Secret rows:
per seat the rack (how many of each kind), per seat the supply (kinds, top last), per seat the kinds of its face-down
tiles, and the kind about to be placed face down. Sets are bit masks: temple n is bit n.

A cell is a space of the map (§1.1); the other word keeps it apart from the temple spaces, which are some of them.
"""

from typing import Final

# -- the public rows

TABLE_ROW: Final = 0
CELLS_ROW: Final = 1
CITIES_ROW: Final = 2
PLAYERS_ROW: Final = 4  # + seat; then one row of face-down cells per seat, then the frames

# -- the table row (§1.9)

TURN: Final = 0  # seat whose turn it is, or who chooses the start temples
PASSES: Final = 1  # passes in direct succession (R-N2)
AREAS: Final = 2  # set of the areas in play
SCORED: Final = 3  # set of the temples whose city has been scored
TABLE_COLUMNS: Final = 4

# -- the cells row: what lies on each hex of the board, in reading order (§1.3). An empty cell also says what may
# be placed there: the tiles around it decide that, and no later tile reverses it

OUT: Final = -2  # not in play
EMPTY_TEMPLE: Final = -1  # a temple space without its tile
WILD: Final = 0  # empty, no tile adjacent
FIELD: Final = 1  # empty, plantable; no city is adjacent
BLOCKED: Final = 2  # empty, plantable; a city is adjacent, and another one or an empty temple space
SITE: Final = 3  # SITE + temple: empty, plantable, and that city may expand here
PLANTATION: Final = 16  # PLANTATION + KINDS * seat + kind
CITY: Final = 48  # CITY + temple: the temple tile or a face-down tile of its city

# -- tile kinds (§1.4): VALUES * crop + value - 1

CROPS: Final = 4
VALUES: Final = 2
KINDS: Final = 8
UNSEEN: Final = -1  # stands for a kind that is not known, or not there

# -- the cities row

SIZE: Final = 0  # SIZE + temple: tiles of the city, the temple tile included; 0 while the temple space is empty
EDGE: Final = 13  # EDGE + temple: empty cells adjacent to the city; a city with none is closed (§1.7)
CITY_COLUMNS: Final = 26

# -- a player row (§1.9)

SCORE: Final = 0
TURNS: Final = 1
RACK: Final = 2  # tiles on the rack
SUPPLY: Final = 3  # tiles left in the supply
BLIND: Final = 4  # bit n: the n-th face-down tile was placed unseen, from the supply (§6.1)
PLAYER_COLUMNS: Final = 5
