"""A position of Ahau (RULES §1)."""

from typing import Final

from ballcourt.engine.core.chance import Stream
from ballcourt.engine.core.frames import EVERYBODY, NOBODY
from ballcourt.engine.core.rival import Rival
from ballcourt.engine.core.state import Rows, State
from ballcourt.engine.games.ahau import columns
from ballcourt.engine.games.ahau.actions import CAPTAIN_STAY, CARD_BACK, ROLE_PICK, SELECT

PAKAL: Final = "King Pakal"

HALF: Final = 32
"""Bits of each half of the key of the stream of draws."""

# what a draw orders; tests that fix the outcome of a draw need to know it
TILE_DRAW: Final = 0
BUILDING_DRAW: Final = 1
SITE_DRAW: Final = 2
CARD_DRAW: Final = 3
LINK_DRAW: Final = 4
PAINT_DRAW: Final = 5  # a tile and a colour: COLOURS * tile + colour


def replaced(row: list[int], at: int, number: int) -> list[int]:
    """Return a copy of a row with the number at one index replaced."""
    copy = row[:]
    copy[at] = number
    return copy


class AhauState(State):
    """A position: the rows described in `columns`, by name.

    Only `table` is changed in place. All other rows are replaced, so that clones share them; `changing` does so for the
    rows of actors.
    """

    table: list[int]
    gods: list[int]
    sites: list[int]
    calendar: list[int]
    regions: list[int]
    offer: list[int]
    temples: list[int]
    scoring: list[int]
    might: list[int]
    tiles: list[int]
    buildings: list[int]
    summaries: list[int]
    order: list[int]
    actors: list[list[int]]
    unshared: int = 0
    """The actors whose rows no other state holds, a set."""
    chance: list[int]
    bag: list[int]
    stack: list[int]
    role_deck: list[int]
    deck: list[int]
    roles: list[int]
    known: list[int]
    answers: list[int]

    def lay_out(self, public: Rows, secret: Rows) -> int:
        """Take over the rows of a saved position."""
        first_frame = columns.ACTORS_ROW + len(public[columns.MIGHT_ROW])
        self.table, self.gods, self.sites, self.calendar, self.regions, self.offer, *others = public[
            : columns.ACTORS_ROW
        ]
        self.temples, self.scoring, self.might, self.tiles, self.buildings, self.summaries, self.order = others
        self.actors = public[columns.ACTORS_ROW : first_frame]
        self.chance, self.bag, self.stack, self.role_deck, self.deck, self.roles, self.known, self.answers = secret
        return first_frame

    def blank(self) -> "AhauState":
        """Return an empty state of the same class, for `clone` to fill."""
        return AhauState(self.seats, self.frames[:], self.asked, self.legal)

    def changing(self, actor: int) -> list[int]:
        """Return the row of an actor that is about to change: a copy, unless no clone or observer can hold the row.

        Rows taken from `actors` before then do not follow the changes.
        """
        if not self.unshared >> actor & 1:
            self.unshared |= 1 << actor
            self.actors[actor] = self.actors[actor][:]
        return self.actors[actor]

    def gain_fame(self, actor: int, fame: int, source: str) -> None:
        """Gain Fame, for what `sources` names."""
        self.changing(actor)[columns.FAME] += fame
        self.account(actor, fame, source)

    def clone(self) -> "AhauState":
        self.unshared = 0
        copy = self.blank()
        copy.table = self.table[:]
        copy.gods = self.gods
        copy.sites = self.sites
        copy.calendar = self.calendar
        copy.regions = self.regions
        copy.offer = self.offer
        copy.temples = self.temples
        copy.scoring = self.scoring
        copy.might = self.might
        copy.tiles = self.tiles
        copy.buildings = self.buildings
        copy.summaries = self.summaries
        copy.order = self.order
        copy.actors = self.actors[:]
        copy.chance = self.chance
        copy.bag = self.bag
        copy.stack = self.stack
        copy.role_deck = self.role_deck
        copy.deck = self.deck
        copy.roles = self.roles
        copy.known = self.known
        copy.answers = self.answers
        return copy

    def open_rows(self) -> Rows:
        """Return what is public (§1.1, §1.5, R-02); see `columns` for the order."""
        self.unshared = 0
        return [
            self.table,
            self.gods,
            self.sites,
            self.calendar,
            self.regions,
            self.offer,
            self.temples,
            self.scoring,
            self.might,
            self.tiles,
            self.buildings,
            self.summaries,
            self.order,
            *self.actors,
        ]

    def own_rows(self, seat: int) -> Rows:
        """Return one row: the seat's Role card, the Roles it left in the deck, and the cards selected this round."""
        return [[self.roles[seat], self.known[seat], self.answers[seat]]]

    def secret_rows(self) -> Rows:
        """Return the order of bag, stack and decks (§1.2), and the secrets of the seats."""
        table = self.table
        return [
            self.chance[:],
            self.bag[: table[columns.BAG]],
            self.stack[: table[columns.STACK]],
            self.role_deck[: table[columns.ROLE_DECK]],
            self.deck[: table[columns.DECK]],
            self.roles[:],
            self.known[:],
            self.answers[:],
        ]

    def seen_action(self, seat: int, action: int, observer: int) -> int:
        """Hide from others which cards were selected, until the reveal, and which Role card was taken."""
        secret = SELECT <= action < CAPTAIN_STAY or ROLE_PICK <= action < CARD_BACK
        return 0 if secret and seat != observer else action

    def recalled(self, seat: int, actions: list[int]) -> list[int]:
        """Put the Role card in its place, and the cards selected this round."""
        role, selected = self.roles[seat], self.answers[seat]
        found = [
            ROLE_PICK + role - columns.ROLE - 1 if role and ROLE_PICK <= action < CARD_BACK else action
            for action in actions
        ]
        selections = [number for number, action in enumerate(found) if SELECT <= action < CAPTAIN_STAY]
        if selected and selections:
            found[selections[-1]] = selected
        return found

    # -- the machine

    def settle(self) -> None:
        """Take automatic steps and skip questions without options, until the table waits for a seat."""
        frames = self.frames
        while frames:
            top = frames[-1]
            seat = top.seat
            if seat == NOBODY:
                frames.pop().run(self)
                continue
            if seat == EVERYBODY:
                return
            legal = top.options(self, seat)
            if legal:
                self.asked = seat
                self.legal = legal
                return
            frames.pop()

    # -- draws

    def shuffled(self, what: int, items: list[int]) -> list[int]:
        """Return the items in random order; `what` is the kind of draw."""
        return self.in_order(what, items) if len(items) > 1 else items

    def picked(self, what: int, items: list[int], count: int) -> list[int]:
        """Return `count` of the items, chosen at random."""
        return self.in_order(what, items)[:count] if 0 < count < len(items) else items[:count]

    def in_order(self, what: int, items: list[int]) -> list[int]:
        """Return two or more items in random order; `what` is the kind of draw."""
        low, high, count = self.chance
        draws = Stream(low | high << HALF, count)
        ordered = draws.shuffled(items)
        self.chance = [low, high, draws.count]
        return ordered

    # -- the result

    def tiles_built(self, actor: int) -> int:
        """Count the pyramid tiles and buildings built."""
        empty = self.actors[actor][columns.PYRAMID : columns.PYRAMID + columns.SPACES].count(0)
        return columns.SPACES - empty + self.buildings_built(actor)

    def buildings_built(self, actor: int) -> int:
        """Count the buildings built, including King Pakal's printed Royal Palace (R-33)."""
        printed = self.table[columns.MODE] == columns.SOLO and actor == self.seats and self.table[columns.SOLO_NIGHT]
        return (
            columns.BUILDING_SPACES - self.actors[actor][columns.BUILDINGS : columns.ACTOR_COLUMNS].count(0) + printed
        )

    def reserve(self, actor: int) -> list[int]:
        """Return the tiles of an actor's reserve, ascending."""
        return self.actors[actor][columns.ACTOR_COLUMNS :]

    def reserves(self) -> list[list[int]]:
        """Return the tiles of every actor's reserve."""
        return [row[columns.ACTOR_COLUMNS :] for row in self.actors]

    def scores(self) -> list[float]:
        return [float(self.actors[seat][columns.FAME]) for seat in range(self.seats)]

    def rivals(self) -> list[Rival]:
        """Return King Pakal, who can win like a player (§15.13); the Shadow Player cannot (R-23)."""
        return (
            [Rival(PAKAL, float(self.actors[self.seats][columns.FAME]))]
            if self.table[columns.MODE] == columns.SOLO
            else []
        )

    def placements(self) -> list[list[int]]:
        """Rank by Fame, then by built tiles; players still tied share a place (§11.5)."""
        players = range(self.seats + (self.table[columns.MODE] == columns.SOLO))
        keys = [(self.actors[player][columns.FAME], self.tiles_built(player)) for player in players]
        return [[player for player in players if keys[player] == key] for key in sorted(set(keys), reverse=True)]
