"""What victory points are given for, as a score sheet names it."""

from typing import Final

BUILDINGS: Final = "buildings"
TECHNOLOGIES: Final = "technologies"
CHICHEN_ITZA: Final = "skulls in Chichen Itza"
TEMPLES: Final = "temple steps"
HIGHEST: Final = "temple leader"
HUNGER: Final = "hungry workers"
LEFT_OVER: Final = "corn and blocks left"
SKULLS: Final = "skulls left"
MONUMENTS: Final = "monuments"
