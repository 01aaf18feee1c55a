"""The tour of the board of Tzolk'in for a first match."""

from typing import Final

from ballcourt.engine.core.view.scene import Lesson

LESSONS: Final[tuple[Lesson, ...]] = (
    {
        "title": "What you are after",
        "text": "Most points win. Temples, buildings, monuments and crystal skulls give them. Point at anything "
        "on the board, or touch it, to read what it is for.",
        "things": [],
    },
    {
        "title": "Place or pick up",
        "text": "In your turn you either place workers on gears or take some of yours off, never both. A worker "
        "goes to the lowest free space and costs as much corn as its number, and one more for each worker "
        "before it.",
        "things": ["palenque.0", "yaxchilan.0", "tikal.0", "uxmal.0", "chichen_itza.0"],
    },
    {
        "title": "The gears turn",
        "text": "At the end of each round all gears turn by one space. The longer a worker rides, the better the "
        "action that it takes when you pick it up.",
        "things": ["palenque.1", "palenque.2", "palenque.3", "palenque.4", "palenque.5"],
    },
    {
        "title": "Food Days",
        "text": "On the days with a red ring each of your workers needs 2 corn, or you lose 3 points for it. "
        "Temples pay on these days too: blocks on the first and third, points on the second and fourth.",
        "things": ["calendar"],
    },
    {
        "title": "Temples and technologies",
        "text": "Steps on temples are worth points and blocks. Technologies make actions stronger for the rest of "
        "the match.",
        "things": ["temple.chaac", "temple.quetzalcoatl", "temple.kukulcan"],
    },
    {
        "title": "Buildings and monuments",
        "text": "Tikal lets you pay blocks for a building, which helps at once, or a monument, which scores at "
        "the end. Click a card on offer when you may build it.",
        "things": ["row.0", "row.1", "row.2", "display.0", "display.1"],
    },
)
