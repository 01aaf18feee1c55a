"""The set-up and the secret choice of starting wealth (RULES §2)."""

from typing import ClassVar

from ballcourt.engine.core.chance import stream
from ballcourt.engine.core.frames import EVERYBODY, Frame
from ballcourt.engine.games.tzolkin import columns as at
from ballcourt.engine.games.tzolkin import tables
from ballcourt.engine.games.tzolkin.actions import KEEP, KEPT_PAIRS
from ballcourt.engine.games.tzolkin.calendar import start_turn
from ballcourt.engine.games.tzolkin.economy.effects import apply_effect
from ballcourt.engine.games.tzolkin.state import TzolkinState


def deal(seats: int, seed: int, start_player: int) -> TzolkinState:
    """Set the table up to the choice of starting wealth (§2.1, §2.2, §2.3)."""
    wealth = stream(seed, "wealth").shuffled(list(range(1, len(tables.WEALTH_TILES))))
    offers = [
        sorted(wealth[tables.WEALTH_OFFERED * seat : tables.WEALTH_OFFERED * (seat + 1)]) for seat in range(seats)
    ]
    slots = [at.EMPTY] * at.ALL_SLOTS
    drawn = place_dummies(slots, wealth[tables.WEALTH_OFFERED * seats :], tables.DUMMIES[seats])
    monuments = stream(seed, "monuments").shuffled(list(range(1, len(tables.MONUMENT_TILES))))
    stacks = [
        stream(seed, f"age {age}").shuffled(list(range(tables.FIRST_OF_AGE[age - 1], tables.FIRST_OF_AGE[age])))
        for age in (1, 2)
    ]
    table = empty_table(seats, start_player)
    table[at.STACK] = len(stacks[0]) - tables.ROW_SPACES
    table[at.STACK + 1] = len(stacks[1])
    state = TzolkinState(seats, [Draft()])
    state.table = table
    state.slots = slots
    state.row = stacks[0][: -tables.ROW_SPACES - 1 : -1]
    state.display = sorted(monuments[: tables.MONUMENTS_DEALT[seats]])
    state.drawn = drawn
    state.players = [new_player() for _ in range(seats)]
    state.stacks = stacks
    state.offers = offers
    state.answers = [0] * seats
    return state


def empty_table(seats: int, start_player: int) -> list[int]:
    """Return the table row of day 1: a full jungle, the skulls in the bank, an empty pot, no buildings (§2.4, §2.9)."""
    table = [0] * at.TABLE_COLUMNS
    table[at.DAY] = 1
    table[at.AGE] = 1
    table[at.START_PLAYER] = table[at.TURN] = start_player
    table[at.START_SPACE] = at.EMPTY
    table[at.SKULL_BANK] = tables.SKULLS_IN_GAME
    table[at.JUNGLE_CORN : at.JUNGLE_CORN + 4] = [seats, seats, seats, seats]
    table[at.JUNGLE_WOOD : at.JUNGLE_WOOD + 4] = [0, seats, seats, seats]
    return table


def new_player() -> list[int]:
    """Return the row of a player before any starting wealth (§2.5)."""
    player = [0] * at.PLAYER_COLUMNS
    player[at.WORKERS] = player[at.HAND] = tables.START_WORKERS
    player[at.LIGHT] = 1
    player[at.TEMPLE : at.TEMPLE + at.TEMPLES] = [tables.START_STEP] * at.TEMPLES
    return player


def place_dummies(slots: list[int], tiles: list[int], count: int) -> list[int]:
    """Put dummies on the spaces of wealth tiles drawn in order, and return the tiles drawn (§2.6).

    The first dummy on a small gear brings a second one on the opposite slot while dummies last.
    """
    drawn = []
    for tile in tiles:
        if not count:
            break
        gear, space, _ = tables.WEALTH_TILES[tile]
        base = tables.GEAR_BASE[gear]
        first = gear != at.CHICHEN_ITZA and at.DUMMY not in slots[base : base + 2 * tables.OPPOSITE]
        slots[base + space] = at.DUMMY
        count -= 1
        if first and count:
            slots[base + (space + tables.OPPOSITE) % (2 * tables.OPPOSITE)] = at.DUMMY
            count -= 1
        drawn.append(tile)
    return drawn


class Draft(Frame[TzolkinState]):
    """Every player secretly keeps two of four wealth tiles; revealed and carried out together (§2.7, R-01)."""

    kind: ClassVar[int] = 1
    fields: ClassVar[tuple[str, ...]] = ()

    def __init__(self) -> None:
        super().__init__(EVERYBODY)

    def pending(self, state: TzolkinState) -> list[int]:
        """List the seats that have not chosen yet."""
        return [seat for seat in range(state.seats) if not state.answers[seat]]

    def options(self, state: TzolkinState, seat: int) -> list[int]:
        return [KEEP + pair for pair in range(len(KEPT_PAIRS))]

    def answer(self, state: TzolkinState, seat: int, action: int) -> None:
        """Note the choice; the last one reveals all and begins the first round."""
        state.answers = [*state.answers[:seat], action, *state.answers[seat + 1 :]]
        if 0 in state.answers:
            state.then(self)
            return
        for owner in range(state.seats):
            self.reveal(state, owner)
        start_turn(state, state.table[at.START_PLAYER])

    def reveal(self, state: TzolkinState, seat: int) -> None:
        """Give a player the items of the kept tiles; none of them needs a choice."""
        for place in KEPT_PAIRS[state.answers[seat] - KEEP]:
            tile = state.offers[seat][place]
            state.players[seat][at.WEALTH] |= 1 << tile
            for effect in tables.WEALTH_EFFECTS[tile]:
                apply_effect(state, seat, effect)
