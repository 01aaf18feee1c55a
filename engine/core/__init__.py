"""The parts of every game: `Game`, `State`, `Frame`, `Observation`, `Option`, `Rival`, `Stream`, `Wire`, errors."""

from ballcourt.engine.core.chance import Stream
from ballcourt.engine.core.frames import EVERYBODY, NOBODY, Action, ActorStep, Frame, Seat, Step, load_frames
from ballcourt.engine.core.game import Game
from ballcourt.engine.core.messages.wire import Wire
from ballcourt.engine.core.observation import Observation
from ballcourt.engine.core.options import Option
from ballcourt.engine.core.playout import decisions, playout
from ballcourt.engine.core.rival import Rival
from ballcourt.engine.core.state import Rows, State, digest, digest_rows, public_part
from ballcourt.engine.core.vectors.features import Features
from ballcourt.engine.errors import (
    EngineError,
    IllegalAction,
    InvalidOption,
    MalformedRows,
    UnknownGame,
    WrongInput,
    did_you_mean,
)

__all__ = [
    "EVERYBODY",
    "NOBODY",
    "Action",
    "ActorStep",
    "EngineError",
    "Features",
    "Frame",
    "Game",
    "IllegalAction",
    "InvalidOption",
    "MalformedRows",
    "Observation",
    "Option",
    "Rival",
    "Rows",
    "Seat",
    "State",
    "Step",
    "Stream",
    "UnknownGame",
    "Wire",
    "WrongInput",
    "decisions",
    "did_you_mean",
    "digest",
    "digest_rows",
    "load_frames",
    "playout",
    "public_part",
]
