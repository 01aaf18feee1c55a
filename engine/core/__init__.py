"""The parts of every game: `Game`, `State`, `Frame`, `Observation`, `Option`, `Rival`, `Stream`, `Wire`, errors."""

from ballcourt.engine.core.chance import Stream
from ballcourt.engine.core.errors import (
    EngineError,
    IllegalAction,
    InvalidOption,
    MalformedRows,
    UnknownGame,
    WrongInput,
)
from ballcourt.engine.core.frames import EVERYBODY, NOBODY, Frame, load_frames
from ballcourt.engine.core.game import Game
from ballcourt.engine.core.observation import Observation
from ballcourt.engine.core.options import Option
from ballcourt.engine.core.rival import Rival
from ballcourt.engine.core.state import Rows, State, digest, digest_rows, public_part
from ballcourt.engine.core.wire import Wire

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
