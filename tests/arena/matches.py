"""Matches among bots of tests/bots."""

from collections.abc import Sequence

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.match.policy import FaultPolicy
from ballcourt.arena.match.spec import Clock, MatchSpec
from ballcourt.arena.sandbox.tiers import NO_SANDBOX, Sandbox
from ballcourt.arena.workers.playable import Lifetime, PlayableMatch


def match_of(
    key: str,
    game: str,
    options: dict[str, str],
    seed: int,
    bots: Sequence[Bot],
    clock: Clock | None = None,
    policy: FaultPolicy | None = None,
    *,
    sandbox: Sandbox = NO_SANDBOX,
    lifetime: Lifetime = Lifetime.TOURNAMENT,
) -> PlayableMatch:
    """Return a match among these bots, each under its own name."""
    entrants = tuple(bot.entrant for bot in bots)
    spec = MatchSpec(key, game, options, seed, entrants, clock or Clock(), policy or FaultPolicy())
    return PlayableMatch(spec, dict(zip(entrants, bots, strict=True)), sandbox, lifetime)
