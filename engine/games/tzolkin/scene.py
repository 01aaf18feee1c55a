"""What a viewer draws of a position."""

from engine.core.game import Scene
from engine.games.tzolkin.state import TzolkinState


def scene(state: TzolkinState, seat: int | None = None) -> Scene:
    """Describe the position."""
    return {}
