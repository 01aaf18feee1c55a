"""stub"""

from engine.core.game import Scene
from engine.games.ahau.state import AhauState


def scene(state: AhauState, seat: int | None = None) -> Scene:
    return {}
