"""What points are given for, as a score sheet names it."""

from typing import Final

PLANTATIONS: Final = "plantations"
CITIES: Final = "cities"
