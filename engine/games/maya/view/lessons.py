"""The tour of the board of Maya for a first match."""

from typing import Final

from ballcourt.engine.core.view.scene import Lesson
from ballcourt.engine.games.maya.tables import CELL_NAMES, TEMPLE_CELL, TEMPLE_NAMES

_TIKAL: Final = CELL_NAMES[TEMPLE_CELL[TEMPLE_NAMES.index("Tikal")]]

LESSONS: Final[tuple[Lesson, ...]] = (
    {
        "title": "What you are after",
        "text": "Most points win. You get them at once for fields of one crop, and later for having most crops "
        "around a city when it is closed. Point at anything on the board, or touch it, to read what it is "
        "for.",
        "things": [],
    },
    {
        "title": "Your rack",
        "text": "Your tiles show one or two of a crop. Each can be planted face up, or be laid face down to make "
        "a city larger. Only you see them.",
        "things": [f"rack.{crop}:{value}" for crop in ("corn", "pepper", "squash", "potato") for value in (1, 2)],
    },
    {
        "title": "Planting",
        "text": "Lay tiles of one crop next to tiles that lie there already. You score a point for each crop of "
        "their whole group, so a group that grows scores again and again. Planting draws no new tiles.",
        "things": ["D8", "E7", "E8"],
    },
    {
        "title": "Expanding a city",
        "text": "Lay a tile face down next to a city. You score nothing at once, but you draw up to three tiles, "
        "and a larger city is worth more.",
        "things": [_TIKAL],
    },
    {
        "title": "Closing a city",
        "text": "A city is closed when no empty space is next to it. Then the player with most crops around it gets "
        "the points of first place, the next one those of second place. The list of cities says how that "
        "stands now.",
        "things": [_TIKAL],
    },
)
