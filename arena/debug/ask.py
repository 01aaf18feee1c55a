"""Puts a question of a match to a bot again: the same bytes, without a clock, the bot in a terminal or debugger."""

from collections.abc import Callable
from dataclasses import dataclass

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.debug.cases import Case, CaseSource
from ballcourt.arena.debug.foreground import Announce, ForegroundBot, bot_in_foreground
from ballcourt.arena.faults import BotFault
from ballcourt.arena.match.in_process import UNLIMITED
from ballcourt.arena.match.scripted_seats import SessionSeat
from ballcourt.arena.match.seats import Answer
from ballcourt.arena.records.readable import action_name
from ballcourt.engine.core import Game
from ballcourt.v1.protocol_pb2 import ArenaMessage, Termination


class _Unhurried(SessionSeat):
    """A seat that receives the original limits of its questions, but may take any time."""

    def limit_ms(self, question: ArenaMessage) -> int:
        """Return the longest limit."""
        return self.clock.cap_ms


@dataclass(frozen=True, slots=True)
class Reply:
    """What a bot did when it was asked the question again."""

    case: Case
    answer: Answer | None
    fault: str
    """The fault that would cost the bot its seat; empty for a legal answer."""
    differed: int
    """How many earlier questions of the match it answered differently than recorded."""

    @property
    def agrees(self) -> bool:
        """Whether the bot answered as recorded."""
        return self.answer is not None and self.answer.action == self.case.answer


async def ask_again(
    source: CaseSource,
    bot: Bot,
    *,
    history: bool = False,
    show: Callable[[Case], None] = lambda _: None,
    attach: Announce | None = None,
) -> Reply:
    """Start a bot, or with `attach` announce what a bot started by hand needs, and put the question to it.

    With `history` the bot is first sent the earlier messages of its match. `show` is called with the question before
    the bot gets it. Raises BotError when the bot cannot be started, BotFault when it fails before the question.
    """
    async with bot_in_foreground(source.game, bot, attach) as running:
        case = await source.case(observes=running.session.hello.capabilities.observe)
        return await put(running, source.game, case, history=history, show=show)


async def put(
    running: ForegroundBot,
    game: Game,
    case: Case,
    *,
    history: bool = False,
    show: Callable[[Case], None] = lambda _: None,
) -> Reply:
    """Put a question to a bot that runs, as `ask_again` does. A match whose end is known is ended after the answer."""
    seat = _Unhurried(running.session, UNLIMITED)
    await seat.start(case.start)
    differed = await _relive(seat, case) if history else 0
    show(case)
    try:
        answer = await _ask(seat, ArenaMessage(decide=case.question))
        if case.end:
            await seat.finish(case.end)
    except BotFault as fault:
        crashed = fault.termination == Termination.TERMINATION_CRASH
        return Reply(case, None, fault.sentence + (await running.end() if crashed else ""), differed)
    return Reply(case, answer, _objection(game, case, answer), differed)


async def _relive(seat: SessionSeat, case: Case) -> int:
    """Send a bot all earlier messages; return how many of its answers differ from the recorded ones."""
    differed = 0
    for message, recorded in case.before:
        answer = await _ask(seat, message)
        differed += answer is not None and answer.action != recorded
    return differed


async def _ask(seat: SessionSeat, message: ArenaMessage) -> Answer | None:
    """Send a message; a question keeps its id, unless an earlier match of the stream had a higher one."""
    if message.HasField("decide"):
        seat.session.asked = max(seat.session.asked, message.decide.decision_id - 1)
    return await seat.put(message)


def _objection(game: Game, case: Case, answer: Answer | None) -> str:
    if answer is None or answer.action in case.question.legal:
        return ""
    return f"action {action_name(game, answer.action)} was not offered"
