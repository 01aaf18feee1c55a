"""Rare input that a bot must survive: messages of an arena that is newer than the bot, slow or strict."""

import asyncio
from collections.abc import Awaitable, Callable

from ballcourt.arena.checks.check import ADVICE, LATE, CheckResult, Item, failed, passed, tail
from ballcourt.arena.checks.harness import CheckedSeat, Harness
from ballcourt.arena.faults import BotFault, describe_termination
from ballcourt.engine.core import Game
from ballcourt.v1.protocol_pb2 import ArenaMessage, Event

QUESTIONS = 8
"""How many questions of a match each surprise uses."""
SILENCE_S = 2.0
UNKNOWN_FIELD = b"\xc0\xa9\x07\x01"
"""Field 15000, a varint."""
UNKNOWN_NUMBER = 60_000
"""An unknown action and termination."""

Script = list[ArenaMessage]


async def surprises(harness: Harness, game: Game) -> list[CheckResult]:
    """Subject a bot to each surprise, in a match of its own. Raises BotFault if it does not start."""
    process, seat = await harness.start(game)
    for number, (name, surprise) in enumerate(SURPRISES.items()):
        script = (await harness.scripts(game, number, observes=seat.session.hello.capabilities.observe))[0]
        try:
            await surprise(seat, _shortened(script))
        except BotFault as fault:
            evidence = await process.end(fault.termination)
            detail = f"{name}: {describe_termination(fault.termination)}: {fault.sentence}{tail(evidence.stderr_tail)}"
            was_late = fault.termination in LATE
            return [failed(Item.SURPRISES, detail, ADVICE[fault.termination], was_late=was_late)]
    process.kill()
    return [passed(Item.SURPRISES, f"survived {', '.join(SURPRISES)}")]


async def _newer_fields(seat: CheckedSeat, script: Script) -> None:
    """Add fields of a later protocol to every message."""
    for message in script:
        message.MergeFromString(UNKNOWN_FIELD)
        kind = message.WhichOneof("message")
        getattr(message, kind or "").MergeFromString(UNKNOWN_FIELD)
        if kind == "match_start":
            message.match_start.options["added later"] = "yes"
        elif kind == "decide":
            message.decide.observation += UNKNOWN_FIELD
        await seat.put(message)


async def _newer_numbers(seat: CheckedSeat, script: Script) -> None:
    """Send an action and a termination that are missing from the bot's enums."""
    for message in script:
        if message.HasField("decide"):
            message.decide.events.append(Event(seat=0, action=UNKNOWN_NUMBER))
        for result in message.match_end.results if message.HasField("match_end") else ():
            result.termination = UNKNOWN_NUMBER  # type: ignore[assignment]
        await seat.put(message)


async def _newer_messages(seat: CheckedSeat, script: Script) -> None:
    """Send a message of an unknown kind before every message."""
    for message in script:
        await seat.session.send(ArenaMessage.FromString(UNKNOWN_FIELD))
        await seat.put(message)


async def _silence(seat: CheckedSeat, script: Script) -> None:
    """Send nothing for a while, as if the other seats were thinking."""
    start, *rest = script
    await seat.put(start)
    await asyncio.sleep(SILENCE_S)
    for message in rest:
        await seat.put(message)


async def _taken_back(seat: CheckedSeat, script: Script) -> None:
    """Continue without the first answer, as after a tolerated timeout."""
    start, first, *rest = script
    await seat.put(start)
    seat.session.asked += 1
    first.decide.decision_id = seat.session.asked
    await seat.session.send(first)
    for message in rest:
        await seat.put(message)


async def _asked_again(seat: CheckedSeat, script: Script) -> None:
    """Ask every question twice, as after a rejected answer that may be retried."""
    for message in script:
        await seat.put(message)
        if message.HasField("decide"):
            message.decide.rejected = "this is only a check"
            await seat.put(message)


SURPRISES: dict[str, Callable[[CheckedSeat, Script], Awaitable[None]]] = {
    "unknown fields": _newer_fields,
    "unknown actions and ends": _newer_numbers,
    "unknown messages": _newer_messages,
    "a silence": _silence,
    "a question taken back": _taken_back,
    "a question asked again": _asked_again,
}


def _shortened(script: Script) -> Script:
    """Keep the start, a few questions and the end; drop the pushes."""
    start, *between, end = script
    return [start, *[message for message in between if message.HasField("decide")][:QUESTIONS], end]
