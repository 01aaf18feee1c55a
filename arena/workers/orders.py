"""The messages between a runner and its workers."""

from dataclasses import dataclass

from ballcourt.arena.workers.playable import PlayableMatch

BEAT_S = 1.0


@dataclass(frozen=True)
class Order:
    """A match to play, with a number that the runner chose."""

    number: int
    match: PlayableMatch


@dataclass(frozen=True)
class MatchOutcome:
    """A played match: the bytes of its record, or why the arena failed to play it."""

    number: int
    record: bytes
    failure: str = ""
    trace: str = ""


@dataclass(frozen=True)
class Beat:
    """Sent every `BEAT_S` seconds by a worker that has a match to play, to show that its event loop runs."""


@dataclass(frozen=True)
class RollCall:
    """Asks the worker of a host to wait until all remote bots are connected."""


@dataclass(frozen=True)
class Present:
    """The answer to a roll call: the versions of the remote bots by name, which are fixed from then on."""

    versions: dict[str, str]


ToWorker = Order | RollCall
FromWorker = MatchOutcome | Beat | Present
