"""A match with everything a worker needs to play it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.match.entrant import Entrant
from ballcourt.arena.match.spec import MatchSpec
from ballcourt.arena.sandbox.tiers import NO_SANDBOX, Sandbox
from ballcourt.v1.record_pb2 import MatchRecord


class Lifetime(StrEnum):
    """How long the process of a bot lives, and with it whatever it remembers."""

    MATCH = "match"
    """A fresh process for every match."""
    TOURNAMENT = "tournament"
    """Match after match in the same process, which one of its worker's processes of this bot happens to be free."""


@dataclass(frozen=True)
class PlayableMatch:
    """A match, the bots that play for its entrants, and how these bots are run."""

    spec: MatchSpec
    bots: Mapping[Entrant, Bot]
    """The bots of this machine; may hold more than those of the match. Remote entrants have none."""
    sandbox: Sandbox = NO_SANDBOX
    lifetime: Lifetime = Lifetime.TOURNAMENT

    @property
    def key(self) -> str:
        """The key of the match."""
        return self.spec.key

    def describe(self, record: MatchRecord) -> None:
        """Write into the record of the match how its bots were run."""
        record.sandbox_tier = self.sandbox.tier
        record.sandbox_limits.CopyFrom(self.sandbox.limits.to_message())
        record.lifetime = self.lifetime
