"""The layout of a position: what each int in the rows of an `AhauState` means (RULES §1).

The public rows, in this order:

- the table
- gods: by city
- sites: by link
- calendar
- regions
- offer
- temples
- scoring: the God Scoring tiles by Temple
- might: the actors, lowest on the track first
- discarded tiles
- discarded buildings
- summaries: the start tile on each summary card, 0 once it is taken
- order: the actors in the turn order of the round
- one row per actor, followed by its reserve
- one row per waiting frame

The secret rows, in this order:

- chance: the key (two halves of 32 bits) and the count of the stream of draws
- bag, stack, role deck and the deck of the automaton, each with its top last
- roles: by seat the Role card taken, or 0
- known: by seat the Roles it left in the deck, a set
- answers: by seat the cards selected this round, as an action; 0 before

Actors are the seats, followed by the Shadow Player or King Pakal if one takes part. Cities, gods, colours and links are
numbered from 0, regions from 1; tiles, buildings, sites and cards from 1, so that 0 means none. Sets are bit masks:
card c is bit c.
"""

from typing import Final

NONE: Final = -1

# -- the public rows that code finds by their number

TABLE_ROW: Final = 0
REGIONS_ROW: Final = 4
TEMPLES_ROW: Final = 6
MIGHT_ROW: Final = 8
ACTORS_ROW: Final = 13

# -- the table row

MODE: Final = 0  # STANDARD, FAMILY or SOLO
SIDE: Final = 1  # of the board: SIDE_A for 2 and 3 players and solo, SIDE_B for 4 and 5
NIGHT: Final = 2  # 1 with the Night side of the player boards
PERSONAL: Final = 3  # 1 with Personal Scoring
KATUN: Final = 4  # 1..3
ROUND: Final = 5  # 1 and up
KATUN_TRIGGERED: Final = 6
END_TRIGGERED: Final = 7
TURN: Final = 8  # actor whose Action turn it is, or NONE
TURN_CITY: Final = 9  # city used in this turn, or NONE
SUMMONED: Final = 10  # gods summoned in this turn, a set
BUILT: Final = 11  # tiles built in this build step
STAND_INS: Final = 12  # tokens that the Market let stand for another colour in this build step
BAG: Final = 13  # tiles in the bag
STACK: Final = 14  # buildings in the face-down stack
ROLE_DECK: Final = 15  # cards in the role deck
DECK: Final = 16  # cards in the deck of the automaton
BOXED_TILES: Final = 17  # start tiles out of the game, a set
BOXED_BUILDINGS: Final = 18  # buildings out of the game, a set
START_SEAT: Final = 19
DIFFICULTY: Final = 20  # solo: 0 easy, 1 moderate, 2 hard
SOLO_NIGHT: Final = 21  # solo: 1 with the Night side of King Pakal's board
CELEBRATED: Final = 22  # 1 once the match is over
TABLE_COLUMNS: Final = 23

STANDARD: Final = 0
FAMILY: Final = 1
SOLO: Final = 2

SIDE_A: Final = 0
SIDE_B: Final = 1

# -- the regions row: REGION_COLUMNS ints per region, region 1 first

TILE: Final = 0  # TILE + position: 0 left, 1 right
BUILDING: Final = 2
GIFT: Final = 3  # GIFT + k: colour + 1 of a resource in the region (Ahau Family), 0 for none
REGION_COLUMNS: Final = 5

# -- an actor row

FAME: Final = 0
WEAPONS: Final = 1
POOL: Final = 2  # unplaced workers
RULER: Final = 3  # region, 0 off the map
LOST: Final = 4  # region of the conflict lost this round, 0 for none
STEP: Final = 5  # on the Might track
LEFT: Final = 6  # card of this round, 0 before the reveal
RIGHT: Final = 7
PLAYED: Final = 8  # cards on the table, a set
DISCARD: Final = 9  # discarded cards, a set
ROLE_ORDER: Final = 10  # 1 for who took a Role card first, 2 for the next one; 0 for none
ROLE_SEEN: Final = 11  # that card once it has been played, else 0
SUMMARY: Final = 12  # summary card 1..5, 0 for none
QUEEN_USED: Final = 13  # 1 once used this round
DISCOUNTS: Final = 14  # of the Master Builder used this round
ITEMS: Final = 15  # King Pakal: items of his sequence built
PERSONALITY: Final = 16  # of an automaton: index in PERSONALITIES; NONE for a seat
STANDING: Final = 17  # STANDING + city: standing workers
LYING: Final = 27  # LYING + city: lying workers
RESOURCES: Final = 37  # RESOURCES + colour; King Pakal: a counter in the first
PYRAMID: Final = 42  # PYRAMID + space: built tile or 0; spaces by level, left to right
PAINT: Final = 52  # PAINT + space: the colour the tile counts as
BUILDINGS: Final = 62  # BUILDINGS + space: building or 0
ACTOR_COLUMNS: Final = 67  # the tiles of the reserve follow, ascending; the row of a frame is always shorter

# -- numbers of things

CITIES: Final = 10
GODS: Final = 5
COLOURS: Final = 5
WILD: Final = 5  # the colour of a wild tile
REGIONS: Final = 6
POSITIONS: Final = 2
LINKS: Final = 15
SPACES: Final = 10  # of a pyramid
BUILDING_SPACES: Final = 5
TILE_SPOTS: Final = tuple(
    REGION_COLUMNS * region + TILE + position for region in range(REGIONS) for position in range(POSITIONS)
)
"""The columns of the regions row that hold pyramid tiles, region by region."""
MARKER_SPACES: Final = 5  # of a Temple

CHIEF: Final = 0
RAIN: Final = 1
TRADE: Final = 2
SUN: Final = 3
JAGUAR: Final = 4

REGION_CARDS: Final = 0b1111110  # the cards 1..6
ROLE: Final = 6  # Role card r (1..6) is card ROLE + r; the number on it is r
MERCHANT: Final = 7
WAR_CAPTAIN: Final = 8
QUEEN: Final = 9
MASTER_BUILDER: Final = 10
HIGH_PRIESTESS: Final = 11
DANCER: Final = 12
