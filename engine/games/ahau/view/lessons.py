"""The tour of the board of Ahau for a first match."""

from typing import Final

from ballcourt.engine.core.view.scene import Lesson

LESSONS: Final[tuple[Lesson, ...]] = (
    {
        "title": "What you are after",
        "text": "Most Fame wins. You get it for tiles in your pyramid, for markers in temples, for having most "
        "workers in cities, and for buildings. Point at anything on the board, or touch it, to read what "
        "it is for.",
        "things": [],
    },
    {
        "title": "Two secret cards",
        "text": "Each round you choose two of your cards. The first is the region to which your ruler goes; the "
        "second is your strength if another ruler goes there too. All are turned over together. Click "
        "both cards in your hand, or the answer in the list.",
        "things": ["card.1", "card.2", "card.3", "card.4", "card.5", "card.6"],
    },
    {
        "title": "A tile from the region",
        "text": "You then take one of the two pyramid tiles of your ruler's region. It has a colour, which is "
        "what it costs, and a god.",
        "things": ["region.2.left", "region.2.right"],
    },
    {
        "title": "A worker in a city",
        "text": "In your turn you place a worker in a city at the corners of that region. You may summon the god "
        "of the city if you have tiles of that god.",
        "things": ["mayapan", "edzna"],
    },
    {
        "title": "Produce or build",
        "text": "Your workers around a site bring its resource. Or you pay resources for tiles in your pyramid, "
        "from the bottom up, and for buildings from the offer. A space gives what it shows, and Fame for "
        "equal neighbours.",
        "things": ["space.0", "space.1", "space.2", "space.3", "offer.1", "offer.2"],
    },
    {
        "title": "The celebration",
        "text": "Used sites fill the calendar. When it is full, temples and cities are scored and a new K'atun "
        "begins. The match ends with the celebration after someone placed the last worker or topped a "
        "pyramid.",
        "things": ["calendar", "god.chief", "god.rain", "god.trade", "god.sun", "god.jaguar"],
    },
)
