"""The base class of bots."""

from collections.abc import Sequence
from random import Random

from ballcourt.bots.sdk.python.decision import Decision, View
from ballcourt.bots.sdk.python.parameters import Parameters
from ballcourt.v1.protocol_pb2 import MatchEnd, MatchStart


class CannotPlay(Exception):
    """Raised by a bot that lacks something, such as its weights: `run` prints the sentence alone and ends."""


class Bot:
    """A player. A subclass writes `choose`; the other methods are optional hooks.

    One bot object plays one seat at a time, match after match, and keeps its attributes between matches, unless the
    organiser has every match played by a fresh process.
    """

    name = ""
    """The bot's name. This and the next three are taken from bot.toml if empty."""
    version = ""
    author = ""
    url = ""
    games: tuple[str, ...] = ()
    """The games it plays; if empty, those of bot.toml, or any."""
    observes = False
    """Whether the arena should call `observed` after each decision of another seat."""
    work_limited = False
    """Whether `choose` limits itself to `self.match.clock.work` units per decision, where that is not 0. The unit is
    the bot's own (positions, playouts), and no clock runs, so the same match is played on any machine."""

    parameters: Parameters = Parameters()
    """The numbers that bot.toml declares, as the organiser has set them; what a class says counts in process."""

    match: MatchStart
    """The match being played: game, rules_version, options, seat, seats, clock."""
    random: Random
    """Seeded by the arena at the start of each match, so that a match can be repeated."""

    def choose(self, decision: Decision) -> int:
        """Return one of `decision.legal`, within `decision.limit_ms` milliseconds."""
        if not batches(type(self)):
            raise NotImplementedError(f"{type(self).__name__} must define choose(self, decision)")
        return type(self).choose_together([(self, decision)])[0]

    @classmethod
    def choose_together(cls, asked: "Sequence[tuple[Bot, Decision]]") -> Sequence[int]:
        """Answer questions of several matches at once, one for each pair of a bot object and its decision.

        Write this if one call of a model answers many questions in less time than many calls. `matches` in bot.toml
        says how many matches a process plays at the same time. The time of a call is shared equally among its
        questions. A bot that has no `choose` of its own is asked a single question by a call with one pair.
        """
        return [bot.choose(decision) for bot, decision in asked]

    def match_started(self) -> None:
        """Prepare for the match in `self.match`; this does not count as think time."""

    def observed(self, view: View) -> None:
        """See the position after another seat's decision; only called if `observes` is True."""

    def match_ended(self, end: MatchEnd) -> None:
        """See how the match ended: `end.results` holds a placement and a score per seat, in seat order."""


def batches(bot_class: type[Bot]) -> bool:
    """Return whether a class answers questions of several matches in one call."""
    return bot_class.choose_together.__func__ is not Bot.choose_together.__func__  # type: ignore[attr-defined]
