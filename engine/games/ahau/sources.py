"""What Fame is gained for, as a score sheet names it."""

from typing import Final

NEIGHBOURS: Final = "neighbours in the pyramid"
PYRAMID: Final = "spaces of the pyramid"
SPACES: Final = "spaces for buildings"
OFFER: Final = "slots of the offer"
STELE: Final = "Giant Steles"
PLAZA: Final = "Plazas"
ACROPOLIS: Final = "Acropolises"
MIGHT: Final = "Might track"
MARKERS: Final = "markers put into Temples"
TEMPLES: Final = "Temples at K'atun Celebrations"
CITIES: Final = "cities at K'atun Celebrations"
JAGUAR: Final = "power of the Jaguar God"

# -- of King Pakal alone

HIS_BUILDINGS: Final = "buildings"
MAJORITIES: Final = "power of the God of Trade"
NOT_BUILT: Final = "items not built"
