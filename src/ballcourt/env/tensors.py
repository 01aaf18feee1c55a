"""Observations as NumPy vectors, by the declaration of a game (`ballcourt.engine.core.vectors.features`)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ballcourt.engine.core.observation import Observation
from ballcourt.engine.core.vectors.elements import ELEMENT
from ballcourt.engine.core.vectors.features import Features
from ballcourt.engine.core.vectors.looks import Look
from ballcourt.env.planning import Planner

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Frame:
    """A frame of an observation."""

    kind: int


class FeatureEncoder:
    """Turns the observations of one game, at one number of seats, into vectors of float32.

    `names[i]` says what element i is. `Planner` has the order.
    """

    def __init__(self, features: Features, seats: int) -> None:
        self.features = features
        self.seats = seats
        planner = Planner(features, seats)
        self.names = planner.names
        self._plan = planner.plan()

    def encode(self, observation: Observation) -> Floats:
        """Return the vector of what a seat sees, with one element per name.

        Raises ValueError for a spectator, or a table with another number of seats.
        """
        seat, seats = observation.seat, observation.seats
        if seat < 0 or seats != self.seats:
            raise ValueError(
                f"this encoder takes what a seat at a table of {self.seats} sees, not seat {seat} at a table of {seats}"
            )
        buffer = bytearray(self.size)
        self.write(observation, self.look(memoryview(buffer)))
        return np.frombuffer(buffer, np.float32)

    def write(self, observation: Observation, look: Look) -> None:
        """Write the vector of what a seat at a table of `seats` sees over the one written last.

        The rows of an observation must not be changed after it was written.
        """
        first_frame = self._plan.row_count(self.seats, observation.public)
        rows, frames = observation.public[:first_frame], observation.public[first_frame:]
        numbers = frames[-1][1:] if frames else []
        look.see(observation.seat, rows, observation.private, [_Frame(frame[0]) for frame in frames], numbers)

    @property
    def size(self) -> int:
        """The bytes of a vector."""
        return ELEMENT * len(self.names)

    def look(self, buffer: memoryview, base: int = 0) -> Look:
        """Return what writes a vector into zeros at the offset `base` of a buffer."""
        return Look(self._plan, self.seats, buffer, base)
