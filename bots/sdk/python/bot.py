"""What the author of a bot writes: a subclass of `Bot`."""

from random import Random

from ballcourt.bots.sdk.python.decision import Decision, View
from ballcourt.v1.protocol_pb2 import MatchEnd, MatchStart


class Bot:
    """A player. A subclass writes `choose`; the other methods are hooks that do nothing by themselves.

    One bot object plays one seat at a time, match after match, and keeps its attributes between matches, unless the
    organiser has every match played by a fresh process.
    """

    name = ""
    """How the bot calls itself to the arena. This and the three below are taken from bot.toml when left empty."""
    version = ""
    author = ""
    url = ""
    games: tuple[str, ...] = ()
    """The games it plays; empty means any, unless bot.toml says otherwise."""
    observes = False
    """True asks the arena to call `observed` whenever another seat has decided."""
    work_limited = False
    """True says that `choose` keeps to `self.match.clock.work`, where it is not 0: so many units of the bot's own
    measure (positions, playouts) per decision, and no thinking clock. The same work gives the same match anywhere."""

    match: MatchStart
    """The match being played: game, rules_version, options, seat, seats, clock."""
    random: Random
    """Seeded anew by the arena at the start of each match, so that a match can be played again."""

    def choose(self, decision: Decision) -> int:
        """Answer one question with one of `decision.legal`, within `decision.limit_ms` milliseconds."""
        raise NotImplementedError(f"{type(self).__name__} has no method choose(self, decision); write it")

    def match_started(self) -> None:
        """Prepare for the match in `self.match`; this time is not counted as thinking time."""

    def observed(self, view: View) -> None:
        """See what another seat's decision led to; only called when `observes` is set."""

    def match_ended(self, end: MatchEnd) -> None:
        """Learn how the match ended: `end.results` holds a placement and a score per seat, in seat order."""
