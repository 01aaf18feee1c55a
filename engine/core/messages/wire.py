"""The encoding of observations: one typed protobuf message per game, encoded row by row.

Concatenated encodings of a protobuf message merge, so an observation is the encoding of its public rows, one
after the other, followed by the private part of one seat. A row that did not change since the last decision is
not encoded again, which makes the cost of a decision that of what it changed.
"""

from ballcourt.engine.core.observation import Observation
from ballcourt.engine.core.state import Rows, State


class Wire:
    """A game's translation between rows and its observation message."""

    observation_type: str
    """Full name of the message, e.g. `ballcourt.v1.TzolkinObservation`."""

    action_enum: str
    """Full name of the enum that names the action space, empty without one."""

    question_enum: str = ""
    """Full name of the enum that names the kinds of frames, empty without one."""

    def action_names(self) -> tuple[str, ...]:
        """List the names of the action enum's values by number, without their prefix."""
        return ()

    def question_names(self) -> dict[int, str]:
        """Return the names of the question enum's values by number, without their prefix.

        The value 0 and deprecated values are left out.
        """
        return {}

    def encode_public(self, index: int, row: list[int], seats: int) -> bytes:
        """Encode the public row at `index`."""
        raise NotImplementedError

    def encode_private(self, seat: int, private: Rows) -> bytes:
        """Encode which seat observes, and its private rows."""
        raise NotImplementedError

    def decode(self, data: bytes) -> Observation:
        """Read an observation back. Raises MalformedRows when the bytes are not an observation of this game."""
        raise NotImplementedError


class Encoder:
    """Encodes the observations of one match, remembering the public rows it has already encoded."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self._rows: Rows = []
        self._chunks: list[bytes] = []

    def encode(self, state: State, seat: int, public: Rows | None = None) -> bytes:
        """Encode what a seat, or a `SPECTATOR`, may know of the position; `public` are its public rows, if at hand."""
        public = state.public_rows() if public is None else public
        private = self.wire.encode_private(seat, state.private_rows(seat) if seat >= 0 else [])
        return self._encode_public(public, state.seats) + private

    def _encode_public(self, rows: Rows, seats: int) -> bytes:
        known, chunks = self._rows, self._chunks[: len(rows)]
        for index, row in enumerate(rows):
            if index >= len(known):
                chunks.append(self.wire.encode_public(index, row, seats))
            elif row != known[index]:
                chunks[index] = self.wire.encode_public(index, row, seats)
        self._rows, self._chunks = rows, chunks
        return b"".join(chunks)
