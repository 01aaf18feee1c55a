"""Positions with fixed draws, so that another implementation can make the same draws.

An entry fixes the order of the items in one draw. A number c sorts them by the SHA-256 of "c:item". A list puts first
the items that it names, in its order, then the others, sorted as strings. After the last entry, draws are random.
"""

from hashlib import sha256
from typing import Any

from ballcourt.engine.games.ahau.columns import COLOURS
from ballcourt.engine.games.ahau.state import (
    BUILDING_DRAW,
    CARD_DRAW,
    LINK_DRAW,
    PAINT_DRAW,
    SITE_DRAW,
    TILE_DRAW,
    AhauState,
)
from ballcourt.engine.games.ahau.tables import COLOUR_NAMES
from tests.engine.games.ahau.decisions import BUILDING_IDS, CARD_NAMES, LINK_NAMES, SITE_NAMES, TILE_NAMES

NAMES: dict[int, tuple[Any, ...]] = {
    TILE_DRAW: TILE_NAMES,
    BUILDING_DRAW: BUILDING_IDS,
    SITE_DRAW: SITE_NAMES,
    CARD_DRAW: CARD_NAMES,
    LINK_DRAW: LINK_NAMES,
}


class RiggedState(AhauState):
    """A position with a list of entries for its next draws."""

    entries: list[Any]

    def blank(self) -> "RiggedState":
        """Build the copy that `clone` completes."""
        copy = RiggedState(self.seats, self.frames[:])
        copy.entries = self.entries
        return copy

    def in_order(self, what: int, items: list[int]) -> list[int]:
        """Return the items in the order that the next entry fixes."""
        if not self.entries:
            return super().in_order(what, items)
        entry, self.entries = self.entries[0], self.entries[1:]
        by_text = {_text(what, item): item for item in items}
        if isinstance(entry, int):
            order = sorted(by_text, key=lambda text: sha256(f"{entry}:{text}".encode()).hexdigest())
        else:
            named = [text for text in map(str, entry) if text in by_text]
            order = [*named, *sorted(by_text.keys() - set(named))]
        return [by_text[text] for text in order]


def _text(what: int, item: int) -> str:
    if what == PAINT_DRAW:
        tile, colour = divmod(item, COLOURS)
        return f"{TILE_NAMES[tile]}/{COLOUR_NAMES[colour]}"
    return str(NAMES[what][item])


def rigged(state: AhauState, entries: list[Any]) -> RiggedState:
    """Return a copy of a position that has these entries for its next draws."""
    copy = RiggedState(state.seats, state.frames)
    copy.lay_out(state.public_rows(), state.secret_rows())
    copy.entries = list(entries)
    return copy
