"""What every game is made of: `Game`, `State`, `Frame`, `Observation`, `Option`, `Stream`, `Wire` and the errors."""

from engine.core.chance import Stream
from engine.core.errors import EngineError, IllegalAction, InvalidOption, MalformedRows, UnknownGame
from engine.core.frames import EVERYBODY, NOBODY, Frame, load_frames
from engine.core.game import Game
from engine.core.observation import Observation
from engine.core.options import Option
from engine.core.state import Rows, State, digest
from engine.core.wire import Wire

__all__ = [
    "EVERYBODY",
    "NOBODY",
    "EngineError",
    "Frame",
    "Game",
    "IllegalAction",
    "InvalidOption",
    "MalformedRows",
    "Observation",
    "Option",
    "Rows",
    "State",
    "Stream",
    "UnknownGame",
    "Wire",
    "digest",
    "load_frames",
]
