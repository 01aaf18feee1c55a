"""Observations as NumPy vectors, by the declaration of a game (`ballcourt.engine.core.vectors.features`)."""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from ballcourt.engine.core.observation import Observation
from ballcourt.engine.core.vectors.features import Features
from ballcourt.engine.core.vectors.looks import Look
from ballcourt.env.errors import EnvError
from ballcourt.env.planning import Planner

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Vectors: TypeAlias = NDArray[Any]
"""Arrays of the elements of vectors: of float32, or of uint8 where that was asked for."""
Dtype = Literal["float32", "uint8"]
DTYPES: tuple[Dtype, ...] = get_args(Dtype)


def checked(dtype: Dtype) -> Dtype:
    """Return the dtype. Raises EnvError for one that vectors do not have."""
    if dtype not in DTYPES:
        raise EnvError(f"the dtype is '{dtype}'; it must be one of {', '.join(DTYPES)}")
    return dtype


@dataclass(frozen=True, slots=True)
class _Frame:
    """A frame of an observation."""

    kind: int


class FeatureEncoder:
    """Turns the observations of one game, at one number of seats, into vectors of float32, or of uint8.

    `names[i]` says what element i is. `Planner` has the order. Numbers of float32 are divided by `limits[i]`, so
    `limits` times them are those of uint8; there, a number below 0 is 0, and one above 255 is 255.
    """

    def __init__(self, features: Features, seats: int, dtype: Dtype = "float32") -> None:
        """Prepare for a table of `seats`. Raises EnvError for another dtype."""
        self.features = features
        self.seats = seats
        self.dtype = np.dtype(checked(dtype))
        planner = Planner(features, seats, self.dtype.itemsize)
        self.names = planner.names
        self.limits = planner.limits()
        self._plan = planner.plan()

    def encode(self, observation: Observation) -> Vectors:
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
        return np.frombuffer(buffer, self.dtype)

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
        return self.dtype.itemsize * len(self.names)

    @property
    def fingerprint(self) -> str:
        """16 hexadecimal digits that change whenever the meaning of the vectors does."""
        return self.features.fingerprint("" if self.dtype == np.float32 else self.dtype.name)

    def look(self, buffer: memoryview, base: int = 0) -> Look:
        """Return what writes a vector into zeros at the offset `base` of a buffer."""
        return Look(self._plan, self.seats, buffer, base)
