"""The action space: one int per thing a seat can answer, with its name.

The names, prefixed with MAYA_ACTION_, are the values of the enum MayaAction in the protocol; action 0 is unspecified
and never legal. A tile chosen to be planted and one chosen to go face down are different actions, because the second
stays secret.
"""

from typing import Final

from ballcourt.engine.games.maya.columns import KINDS
from ballcourt.engine.games.maya.tables import CELL_NAMES, CELLS, KIND_NAMES, TEMPLE_IDS, TEMPLES

ACT_PLANT: Final = 1
ACT_EXPAND: Final = 2
PASS: Final = 3
TILE: Final = 4  # + kind: plant this one
STOP: Final = TILE + KINDS
HIDE: Final = STOP + 1  # + kind: place this one face down
CELL: Final = HIDE + KINDS  # + cell
TEMPLE: Final = CELL + CELLS  # + temple: start here
ACTIONS: Final = TEMPLE + TEMPLES


def _names() -> tuple[str, ...]:
    kinds = [name.upper().replace(":", "_") for name in KIND_NAMES]
    return (
        *("UNSPECIFIED", "ACT_PLANT", "ACT_EXPAND", "PASS"),
        *(f"TILE_{kind}" for kind in kinds),
        "STOP",
        *(f"HIDE_{kind}" for kind in kinds),
        *(f"CELL_{cell}" for cell in CELL_NAMES),
        *(f"TEMPLE_{temple.upper()}" for temple in TEMPLE_IDS),
    )


ACTION_NAMES: Final = _names()
