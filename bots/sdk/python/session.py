"""A bot's side of the protocol, without I/O: messages in, messages out.

The gRPC loop in `stream` drives it, and so can anything that hosts a bot in its own process.
"""

from __future__ import annotations

from operator import index
from random import Random

from ballcourt.bots.sdk.python.bot import Bot, batches
from ballcourt.bots.sdk.python.decision import Decision, View
from ballcourt.v1 import protocol_pb2 as wire

SDK = "ballcourt-python 0.1.0"
PROTOCOL = 1
MOST_ACTION = 2**32 - 1
"""What the protocol has room for."""
MOST_SHOWN = 80
"""How much of a wrong action an error shows, in characters."""
THOUGHTS_LIMIT = 4096
MOST_ENTRIES = 64
"""How many ranked actions, and how many marks, an evaluation keeps."""


class Refused(Exception):
    """The arena refused the bot; the message is its reason."""


class ProtocolError(Exception):
    """The arena sent something that protocol 1 does not allow at this point."""


class Session:
    """A bot's conversation with the arena: match after match, until either side says Goodbye.

    It may outlive its stream: if `resumable` is True, `hello` begins another stream that continues it.
    """

    ended: bool
    """True after the arena's Goodbye; no message follows."""
    resumable: bool
    """True if the arena waits for a bot whose stream broke."""
    streams: int
    """The number of streams on which the arena has sent Welcome."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.ended = False
        self.resumable = False
        self.streams = 0
        self._last: wire.BotMessage | None = None
        self._begin("")

    def hello(self, token: str) -> wire.BotMessage:
        """Introduce the bot; the first message of every stream."""
        bot = self.bot
        return wire.BotMessage(
            hello=wire.Hello(
                token=token,
                protocol_min=PROTOCOL,
                protocol_max=PROTOCOL,
                sdk=SDK,
                bot=wire.BotIdentity(name=bot.name, version=bot.version, author=bot.author, url=bot.url),
                games=[wire.GameSupport(game=game) for game in bot.games],
                capabilities=wire.Capabilities(
                    observe=bot.observes, work_limited=bot.work_limited, batches=batches(type(bot))
                ),
                session=self._name,
                received=self._received,
            )
        )

    def handle(self, message: wire.ArenaMessage) -> wire.BotMessage | None:
        """Pass a message of the arena to the bot; return the reply, if one is due.

        Raises Refused, ProtocolError, and whatever the bot's own methods raise.
        """
        kind = message.WhichOneof("message")
        if kind == "welcome":
            return self._resume(message.welcome)
        if kind == "refused":
            raise Refused(message.refused.reason)
        if kind == "goodbye":
            self.ended = True
            return None
        if kind == "decide":
            decision = self.question(message)
            return self.answer(decision, self.bot.choose(decision))
        self._received += 1
        if kind == "match_start":
            return self._replied(self._start(message.match_start))
        if kind == "observe":
            self.bot.observed(View(self._current(), message.observe))
        elif kind == "match_end":
            self._end(message.match_end)
        return None

    def question(self, message: wire.ArenaMessage) -> Decision:
        """Read a question, without asking the bot. Raises ProtocolError."""
        self._received += 1
        return Decision(self._current(), message.decide)

    def _resume(self, welcome: wire.Welcome) -> wire.BotMessage | None:
        """Continue where the last stream broke: return the last reply if the arena has not received it."""
        self.streams += 1
        self.resumable = welcome.reconnect_ms > 0
        if welcome.session != self._name:
            self._begin(welcome.session)
        return self._last if welcome.received < self._sent else None

    def _begin(self, name: str) -> None:
        self._name = name
        self._match: wire.MatchStart | None = None
        self._received = self._sent = 0  # messages of this session, Hello, Welcome and Goodbye not counted
        self._last = None

    def _start(self, start: wire.MatchStart) -> wire.BotMessage:
        self._match = self.bot.match = start
        self.bot.random = Random(start.bot_seed)
        self.bot.match_started()
        return wire.BotMessage(ready=wire.Ready(match_id=start.match_id))

    def answer(self, decision: Decision, action: int) -> wire.BotMessage:
        """Return the reply to a question. Raises TypeError for an action that is not a whole number from 0.

        Whole numbers of NumPy, PyTorch and the like are numbers, truth values are not, as in the environments for
        learning.
        """
        number = action
        if type(action) is not int:
            truth = isinstance(action, bool) or str(getattr(action, "dtype", "")).endswith("bool")
            try:
                number = -1 if truth else index(action)
            except TypeError:
                number = -1
        if not 0 <= number <= MOST_ACTION:
            shown = f"{' '.join(repr(action).split())[:MOST_SHOWN]} ({type(action).__name__})"
            raise TypeError(f"choose returned {shown}; return one of the numbers in decision.legal")
        reply = wire.BotMessage()
        answer = reply.action  # set in place: keyword arguments cost four times as much
        answer.decision_id = decision.number
        answer.action = number
        if decision.thoughts:
            answer.thoughts = shortened(decision.thoughts)
        if decision.fallback:
            answer.fallback = True
        if decision.evaluation is not None:
            answer.evaluation.CopyFrom(decision.evaluation)
            del answer.evaluation.ranked[MOST_ENTRIES:], answer.evaluation.marks[MOST_ENTRIES:]
        return self._replied(reply)

    def _replied(self, reply: wire.BotMessage) -> wire.BotMessage:
        self._sent += 1
        self._last = reply
        return reply

    def _end(self, end: wire.MatchEnd) -> None:
        self._current()
        self._match = None
        self.bot.match_ended(end)

    def _current(self) -> wire.MatchStart:
        if self._match is None:
            raise ProtocolError("the arena sent a message about a match before its MatchStart")
        return self._match


def shortened(thoughts: str) -> str:
    """Cut a string to the bytes that a record keeps, never inside a character; half a character becomes "?"."""
    return thoughts.encode(errors="replace")[:THOUGHTS_LIMIT].decode(errors="ignore")
