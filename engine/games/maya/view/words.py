"""Questions and actions in the words of players, for viewers."""

from typing import Final

from ballcourt.engine.core.view.scene import Choice
from ballcourt.engine.games.maya.actions import ACT_EXPAND, ACT_PLANT, CELL, HIDE, PASS, STOP, TEMPLE, TILE
from ballcourt.engine.games.maya.state import MayaState
from ballcourt.engine.games.maya.tables import CELL_NAMES, KIND_NAMES, TEMPLE_CELL, TEMPLE_NAMES

QUESTIONS: Final = {
    "FirstTemple": "Where does the first temple go?",
    "MarkedTemple": "Where do the first temples go?",
    "Act": "Plant, expand a city, or pass?",
    "PlantTile": "Which tile to plant?",
    "PlantCell": "Where to plant it?",
    "PlantMore": "Plant another tile of this crop?",
    "ExpandTile": "Which tile goes face down?",
    "ExpandCell": "Where does the city grow?",
}
_PLAIN: Final = {ACT_PLANT: "Plant", ACT_EXPAND: "Expand a city", PASS: "Pass", STOP: "Stop planting"}


def choice(state: MayaState, action: int) -> Choice:
    """Describe an action."""
    places: list[str] = []
    if action >= TEMPLE:
        temple = action - TEMPLE
        label, places = f"Begin at {TEMPLE_NAMES[temple]}", [CELL_NAMES[TEMPLE_CELL[temple]]]
    elif action >= CELL:
        label, places = f"At {CELL_NAMES[action - CELL]}", [CELL_NAMES[action - CELL]]
    elif action >= HIDE:
        label = f"{_tile(action - HIDE)} face down"
    elif action in _PLAIN:
        label = _PLAIN[action]
    else:
        label = _tile(action - TILE)
    return {"action": action, "label": label, "places": places}


def _tile(kind: int) -> str:
    crop, value = KIND_NAMES[kind].split(":")
    return f"{crop.capitalize()} {value}"
