"""What one seat may know of a position: built by adding what it knows, never by deleting what it does not."""

from dataclasses import dataclass

from ballcourt.engine.core.state import Rows, State

SPECTATOR = -1
"""The seat of a viewer who knows only what is public."""


@dataclass(frozen=True, slots=True)
class Observation:
    """The public rows of a position and the private rows of one seat; it holds no reference to the state."""

    seat: int
    seats: int
    public: Rows
    private: Rows


def observe(state: State, seat: int) -> Observation:
    """Return what a seat, or a `SPECTATOR`, may know of a position."""
    private = [] if seat == SPECTATOR else state.private_rows(seat)
    return Observation(seat, state.seats, state.public_rows(), private)
