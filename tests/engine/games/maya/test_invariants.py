"""The invariants of every position, and the engine's audit that finds violations (RULES §11)."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ballcourt.engine.games.maya import GAME
from ballcourt.engine.games.maya import columns as at
from ballcourt.engine.games.maya.state import MayaState
from ballcourt.engine.games.maya.tables import AREA_NAMES, AREA_OF, CELL_NAMES, NEIGHBOURS, TEMPLE_CELL, TEMPLE_IDS
from tests.engine.games.maya.playing import between_turns, new_match, play, seen, walk
from tests.engine.games.maya.positions import dump

TEMPLES = {CELL_NAMES[cell]: temple for cell, temple in zip(TEMPLE_CELL, TEMPLE_IDS, strict=True)}
AROUND = {name: [CELL_NAMES[other] for other in NEIGHBOURS[cell]] for cell, name in enumerate(CELL_NAMES)}
AREA = {name: AREA_NAMES[AREA_OF[cell]] for cell, name in enumerate(CELL_NAMES)}
MIX = sorted(f"{crop}:{value}" for crop in ("pepper", "squash", "potato", "corn") for value in (1,) * 6 + (2,) * 2)


class Table:
    """A dumped position as a map, in the terms of the invariants."""

    def __init__(self, state: MayaState) -> None:
        self.described = dump(state)
        self.play = {cell for cell, area in AREA.items() if area in self.described["areas"]}
        self.city = dict(self.described["city"])
        self.city |= {cell: temple for cell, temple in TEMPLES.items() if temple in self.described["temples"]}
        self.closed_temples = self.play & {cell for cell in TEMPLES if cell not in self.city}
        self.empty = self.play - {*self.described["tiles"], *self.city, *self.closed_temples}

    def around(self, cell: str) -> set[str]:
        return self.play & set(AROUND[cell])

    def tiles_of(self, seat: str) -> list[str]:
        lying = [*self.described["tiles"].values(), *self.described["city_tiles"].values()]
        owned = [kind for owner, kind in (tile.split() for tile in lying) if owner == seat]
        return sorted(owned + self.described["rack"][seat] + self.described["supply"][seat])


def check(table: Table) -> None:
    """Check a position between two turns against the invariants."""
    described: dict[str, Any] = table.described
    for seat, rack in described["rack"].items():
        assert len(rack) <= 7, "§11.1"
        assert table.tiles_of(seat) == MIX, "§11.4"
    for cell, temple in table.city.items():
        assert {table.city.get(other, temple) for other in table.around(cell)} <= {temple}, "§11.2"
    for cell in [*described["tiles"], *table.city]:
        assert not table.around(cell) & table.closed_temples, "§11.3"
        assert cell in table.play, "§1.1"
    for temple in described["temples"]:
        tiles = [cell for cell, other in table.city.items() if other == temple]
        closed = not any(table.around(cell) & table.empty for cell in tiles)
        assert described["scored"].get(temple) == (len(tiles) if closed else None), "§11.5"
    assert any(table.around(cell) - table.empty - table.closed_temples for cell in table.empty), "§11.6"


@settings(max_examples=25, deadline=None)
@given(
    st.integers(2, 4),
    st.integers(0, 2**32),
    st.sampled_from(["none", "new_beginning", "two_cities"]),
)
def test_the_invariants_hold_in_every_position(seats: int, seed: int, variant: str) -> None:
    """§11.1, §11.2, §11.3, §11.4, §11.5, §11.6: as stated in the rules, and as in the engine's audit."""
    for number, state in enumerate(walk(new_match(seats, seed, variant=variant), seed)):
        assert GAME.violations(state) == []
        if number % 5 == 0 or not state.pending_seats():
            for position in between_turns([state]):
                check(Table(position))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_there_are_more_spaces_than_tiles(seats: int) -> None:
    """§11.6: so the board is never full."""
    for seed in range(6):
        table = Table(new_match(seats, seed))
        assert len(table.empty) > 32 * seats


def break_rack(state: MayaState) -> None:
    state.racks[0] = [count + 1 for count in state.racks[0]]


def break_supply(state: MayaState) -> None:
    state.players[1][at.SUPPLY] -= 1


def break_backs(state: MayaState) -> None:
    state.hidden[0] = []


def break_cell(state: MayaState) -> None:
    state.cells[CELL_NAMES.index("E7")] = at.WILD


def break_cities(state: MayaState) -> None:
    state.cells[CELL_NAMES.index("G8")] = at.CITY


def break_temples(state: MayaState) -> None:
    state.cells[CELL_NAMES.index("I5")] = at.PLANTATION


def break_size(state: MayaState) -> None:
    state.cities[at.SIZE + TEMPLE_IDS.index("tikal")] += 1


def break_scored(state: MayaState) -> None:
    state.table[at.SCORED] |= 1 << TEMPLE_IDS.index("tikal")


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (break_rack, "the rack of seat 0 is"),
        (break_rack, "the tiles of seat 0, by kind, are"),
        (break_supply, "the tiles of seat 1, by kind, are"),
        (break_backs, "seat 0 has 0 tiles face down, shown as 1"),
        (break_cell, "cell E7 is noted as 0 instead of"),
        (break_cities, "two cities meet at G8"),
        (break_temples, "the tile on I5 is adjacent to an empty temple space"),
        (break_size, "tikal is noted with 3 tiles"),
        (break_scored, "tikal has been scored, but is not closed"),
    ],
)
def test_a_violated_invariant_is_found(spoil: Callable[[MayaState], None], sentence: str) -> None:
    """§11.1, §11.2, §11.3, §11.4, §11.5, §11.6"""
    state = new_match(2, 3)
    play(state, f"expand {seen(state, 'rack')['0'][0]} G7")
    assert GAME.violations(state) == []
    spoil(state)
    assert any(broken.startswith(sentence) for broken in GAME.violations(state)), GAME.violations(state)
