"""A bot that says what it would do in a seat."""

import secrets
from collections.abc import Callable, Iterable

from ballcourt.arena.match.person import PendingQuestion
from ballcourt.arena.match.seats import Answer, Seat
from ballcourt.arena.match.spec import Clock
from ballcourt.engine.core import Game
from ballcourt.engine.core.messages.wire import Encoder
from ballcourt.v1.protocol_pb2 import ArenaMessage, Event, MatchStart


class Adviser:
    """Asks a bot for advice. The bot learns what the seat knows, and nothing else."""

    def __init__(self, name: str, game: Game, clock: Clock, new_seat: Callable[[], Seat]) -> None:
        """`new_seat` returns a seat of the bot, which is asked one question."""
        self.name = name
        self._clock = clock
        self._game = game
        self._new_seat = new_seat

    async def advise(self, start: MatchStart, question: PendingQuestion, events: Iterable[Event] = ()) -> Answer:
        """Return what the bot would answer, and its thoughts; `events` are what the seat has seen of the match.

        Raises BotFault and ArenaError.
        """
        seat = self._new_seat()
        finished = False
        message = MatchStart()
        message.CopyFrom(start)
        message.match_id = secrets.token_hex(8)
        message.clock.CopyFrom(self._clock.to_message())
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
        message.decide.bank_ms = message.decide.limit_ms = self._clock.cap_ms
        return message
