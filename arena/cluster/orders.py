"""The messages between a runner and the workers of a cluster."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.cluster.parcels import Traveller
from ballcourt.arena.match.spec import ARENA, Clock
from ballcourt.arena.sandbox.tiers import Sandbox
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.arena.workers.queue import Failure
from ballcourt.engine.core import Game

FACTS: Final = "ballcourt"
"""Under this name a worker says what it is when it joins, and the scheduler keeps parcels."""


@dataclass(frozen=True, slots=True)
class Demands:
    """What a tournament asks of every machine that plays it."""

    games: tuple[tuple[str, str], ...]
    """The names of its games and the versions of their rules."""
    sandbox: Sandbox
    seats: int
    cpus: int = 0
    """Processors that the bots of each slot have to themselves; 0: they share all."""
    clock: Clock = field(default_factory=Clock)
    strict: bool = False
    """Whether a machine is refused that cannot enforce all that its sandbox promises, or on which bots would wait for
    each other."""

    def resource(self, game: str) -> str:
        """Return what a worker must offer for a match of a game; Dask gives our blocks to no other."""
        return resource(game, dict(self.games)[game])


@dataclass(frozen=True, slots=True)
class Preparation:
    """Everything that a machine needs before it plays."""

    demands: Demands
    bots: Mapping[Entrant, Traveller]


@dataclass(frozen=True, slots=True)
class BlockOrder:
    """The matches of a block that are to be played one after the other, each with a number that the runner chose."""

    preparation: Preparation
    """With the bots of this block."""
    matches: tuple[tuple[int, PlayableMatch], ...]
    """Without bots."""
    topic: str
    """Where to say which match begins, by its number."""


@dataclass(frozen=True, slots=True)
class BlockOutcome:
    """How matches of a block ended, by their numbers; those after a failure were not played."""

    worker: str
    ends: tuple[tuple[int, bytes | Failure], ...]
    """A serialised record each, or why the arena failed."""


def resource(game: str, rules_version: str) -> str:
    """Return the name by which workers with these rules, in this version of Ballcourt, are known."""
    return f"{ARENA}: {game} {rules_version}"


def facts_of(slots: int, games: Mapping[str, Game]) -> dict[str, Any]:
    """Return what a worker says of itself: its version, its games with theirs, and how many matches it plays."""
    return {
        "arena": ARENA,
        "slots": slots,
        "games": {name: game.rules_version for name, game in games.items()},
    }


def objection(facts: Mapping[str, Any] | None, demands: Demands) -> str:
    """Return why a worker that says this cannot play a tournament; empty if it can."""
    if not facts:
        return "it was not started by `ballcourt admin worker`"
    if facts["arena"] != ARENA:
        return f"it has {facts['arena']} and the tournament is run by {ARENA}; install the same version there"
    for game, version in demands.games:
        rules = facts["games"].get(game)
        if rules is None:
            return f"it does not have the game {game}; install it there"
        if rules != version:
            return f"its rules of {game} are version {rules}, not {version}; install the same there"
    return ""
