"""What every game is made of: `Game`, `State`, `Frame`, `Observation`, `Option`, `Rival`, `Stream`, `Wire`, errors."""

from engine.core.chance import Stream
from engine.core.errors import EngineError, IllegalAction, InvalidOption, MalformedRows, UnknownGame, WrongInput
from engine.core.frames import EVERYBODY, NOBODY, Frame, load_frames
from engine.core.game import Game
from engine.core.observation import Observation
from engine.core.options import Option
from engine.core.rival import Rival
from engine.core.state import Rows, State, digest, digest_rows, public_part
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
    "Rival",
    "Rows",
    "State",
    "Stream",
    "UnknownGame",
    "Wire",
    "WrongInput",
    "digest",
    "digest_rows",
    "load_frames",
    "public_part",
]
