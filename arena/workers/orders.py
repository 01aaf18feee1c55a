"""What a runner and its workers say to each other."""

from dataclasses import dataclass

from ballcourt.arena.workers.playable import PlayableMatch

BEAT_S = 1.0


@dataclass(frozen=True)
class Order:
    """A match to play, under a number of the runner's."""

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
    """Sent every `BEAT_S` seconds by the event loop of a worker that has a match to play."""


@dataclass(frozen=True)
class RollCall:
    """Asks the worker of a host to wait until all remote bots are there."""


@dataclass(frozen=True)
class Present:
    """The answer to a roll call: the remote bots' versions, by name, which no bot may change from then on."""

    versions: dict[str, str]


ToWorker = Order | RollCall
FromWorker = MatchOutcome | Beat | Present
