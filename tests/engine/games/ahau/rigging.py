"""Positions whose draws are named beforehand, so that another implementation can make the same ones.

An entry orders the items of one draw: a number c by the SHA-256 of "c:item", a list by its own order, the items it does
not name behind, by their text. When the entries are used up the position draws for itself.
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
    """A position with a list of entries, one for each draw to come."""

    entries: list[Any]

    def blank(self) -> "RiggedState":
        """Build the copy that `clone` completes."""
        copy = RiggedState(self.seats, self.frames[:])
        copy.entries = self.entries
        return copy

    def in_order(self, what: int, items: list[int]) -> list[int]:
        """Order the items as the next entry says."""
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
    """Turn a position into one with its draws named."""
    copy = RiggedState(state.seats, state.frames)
    copy.lay_out(state.public_rows(), state.secret_rows())
    copy.entries = list(entries)
    return copy
