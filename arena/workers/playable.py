"""A match with everything a worker needs to play it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.match.spec import MatchSpec, Scale
from ballcourt.arena.naming import line_objection
from ballcourt.arena.sandbox.tiers import NO_SANDBOX, Sandbox
from ballcourt.v1.record_pb2 import MatchRecord, Packages

MOST_PACKAGES = 256
"""How many packages of the environment of a bot a record names."""


class Lifetime(StrEnum):
    """How long a bot's process lives, with everything it remembers."""

    MATCH = "match"
    """A new process for every match."""
    TOURNAMENT = "tournament"
    """Several matches in one process. Each match takes any free process of the bot in its worker; a match that is
    played again takes a new one, as its deal is the same."""


@dataclass(frozen=True)
class PlayableMatch:
    """A match, the bots that play for its entrants, and how these bots are run."""

    spec: MatchSpec
    bots: Mapping[Entrant, Bot]
    """The bots of this machine; may hold more than those of the match. Remote entrants have none."""
    sandbox: Sandbox = NO_SANDBOX
    lifetime: Lifetime = Lifetime.TOURNAMENT
    out: Mapping[str, str] = field(default_factory=dict)
    """The names of the entrants that are not let in, and why: the arena has failed with them."""
    takes_turns: bool = False
    """Whether the bots of a worker think one after the other, as it plays several matches at once. So think times are
    as long as if it played one match at a time: the clock of a question starts at the bot's turn."""
    logs: bool = False
    """Whether the record has what each bot printed, until `take_logs` takes it out."""
    broadcasts: Path | None = None
    """The folder in which the match can be watched, if it can."""

    @property
    def key(self) -> str:
        """The key of the match."""
        return self.spec.key

    def describe(self, record: MatchRecord) -> None:
        """Write into the record of the match how its bots were run."""
        record.sandbox_tier = self.sandbox.tier
        record.sandbox_limits.CopyFrom(self.sandbox.limits.to_message())
        record.lifetime = self.lifetime
        if self.spec.clock.scale == Scale.REFERENCE:
            record.clock_scale = self.spec.clock.scale
        for seat, entrant in enumerate(self.spec.entrants):
            if (bot := self.bots.get(entrant)) and bot.venv:
                lines = [line for line in bot.packages if not line_objection(line)][:MOST_PACKAGES]
                record.packages[seat].CopyFrom(Packages(lines=lines, left_out=len(bot.packages) - len(lines)))
