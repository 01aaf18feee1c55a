"""The messages between a runner and its workers."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ballcourt.arena.remote.hosting import Hosting
from ballcourt.arena.workers.cores import Cores
from ballcourt.arena.workers.playable import PlayableMatch

BEAT_S = 1.0


@dataclass(frozen=True)
class Outfit:
    """The first message to a worker: what it needs for all its matches."""

    cores: Cores | None = None
    """The processors that its bots have to themselves; None: they share all."""
    hosting: Hosting | None = None
    """How remote bots are admitted; None: there are none."""


@dataclass(frozen=True)
class Order:
    """A match to play, with a number that the runner chose."""

    number: int
    match: PlayableMatch


@dataclass(frozen=True)
class Begun:
    """Says that a match is being played; on a host, that its remote bots are there."""

    number: int


@dataclass(frozen=True)
class MatchOutcome:
    """A played match: the bytes of its record, or why the arena failed to play it."""

    number: int
    record: bytes
    failure: str = ""
    trace: str = ""
    suspect: str = ""
    """The entrant that may have brought the failure about; empty if nothing points at one."""


@dataclass(frozen=True)
class Beat:
    """Sent every `BEAT_S` seconds by a worker that has a match to play, to show that its event loop runs."""

    here: Mapping[str, str] = field(default_factory=dict)
    """The versions of the remote bots that are connected, by name."""


@dataclass(frozen=True)
class RollCall:
    """Asks the worker of a host which remote bots are connected, at the latest after `wait_s` seconds."""

    wait_s: float
    agreed: dict[str, str] = field(default_factory=dict)
    """The versions that bots must have from now on, by name."""


@dataclass(frozen=True)
class Present:
    """The answer to a roll call: the versions of the remote bots that are connected, by name."""

    versions: dict[str, str]


@dataclass(frozen=True)
class Dismiss:
    """Makes the worker of a host abandon its matches and say Goodbye to all remote bots."""

    reason: str


@dataclass(frozen=True)
class Dismissed:
    """The answer to `Dismiss`: every bot has left, or did not dial in again in time."""


@dataclass(frozen=True)
class Told:
    """What a host tells the owners of remote bots: serialised `EventStatus`, by the names of the bots."""

    statuses: dict[str, bytes] = field(default_factory=dict)
    """Of the bots for which it has changed."""
    out: frozenset[str] = frozenset()
    """All bots that are not waited for."""


ToWorker = Order | RollCall | Dismiss | Told
FromWorker = Begun | MatchOutcome | Beat | Present | Dismissed
