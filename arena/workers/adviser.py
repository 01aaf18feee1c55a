"""A bot that says what it would do in a seat, in a process of its own."""

import secrets
from collections.abc import Iterable

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.match.person import PendingQuestion
from ballcourt.arena.match.seats import Answer
from ballcourt.arena.match.spec import Clock
from ballcourt.arena.processes.bot_process import Role
from ballcourt.arena.sandbox.tiers import Sandbox
from ballcourt.arena.workers.pool import Pool, ProcessSeat
from ballcourt.engine.core import Game
from ballcourt.engine.core.messages.wire import Encoder
from ballcourt.v1.protocol_pb2 import ArenaMessage, Event, MatchStart


class Adviser:
    """Asks a bot for advice. The bot learns what the seat knows, and nothing else."""

    def __init__(self, bot: Bot, game: Game, sandbox: Sandbox, pool: Pool) -> None:
        self.name = bot.name
        self._game = game
        self._pool = pool
        self._role = Role(bot, game, sandbox, f"adviser {bot.name}")  # shares no process with a bot that plays

    async def advise(self, start: MatchStart, question: PendingQuestion, events: Iterable[Event] = ()) -> Answer:
        """Return what the bot would answer, and its thoughts; `events` are what the seat has seen of the match.

        Raises BotFault and ArenaError.
        """
        seat = ProcessSeat(self._role, Clock(), self._pool)
        finished = False
        message = MatchStart()
        message.CopyFrom(start)
        message.match_id = secrets.token_hex(8)
        message.clock.CopyFrom(Clock().to_message())
        try:
            await seat.start(message)
            answer = await seat.decide(self._message(start.seat, question, events))
            finished = True
        finally:
            seat.release(finished=finished)
        return answer

    def _message(self, seat: int, question: PendingQuestion, events: Iterable[Event]) -> ArenaMessage:
        message = ArenaMessage()
        message.decide.observation = Encoder(self._game.wire()).encode(question.state, seat)
        message.decide.legal.extend(question.legal)
        message.decide.events.extend(events)
        message.decide.bank_ms = message.decide.limit_ms = Clock().cap_ms
        return message
