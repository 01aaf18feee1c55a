"""Checks of full matches: at every table size, two on one stream, and two at once."""

import asyncio
from collections.abc import Sequence

from ballcourt.arena.checks.check import CheckResult, Item, at_fault, passed, skipped
from ballcourt.arena.checks.harness import CheckedProcess, Harness, fault_of
from ballcourt.arena.processes.bot_process import Role
from ballcourt.arena.records.decisions import answered, think_times
from ballcourt.arena.tournament.event.setups import SetUp
from ballcourt.arena.workers.pool import Pool, ProcessSeat
from ballcourt.engine.core import Game
from ballcourt.v1.record_pb2 import MatchRecord

GONE_S = 0.5
"""How long to wait for a bot that exits after its match."""


async def full_matches(harness: Harness, game: Game, records: list[MatchRecord]) -> list[CheckResult]:
    """Play at every table size, in the last seat, like a tournament; append the matches to `records`.

    After a match in which the bot was late it plays no other one.
    """
    pool = Pool(harness.starter, harness.server)
    checks = []
    for setup in harness.sizes(game):
        seats = setup.seats
        seat = ProcessSeat(Role(harness.bot, game, harness.sandbox), harness.clock, pool)
        record = await harness.play(game, seat, setup, seats - 1)
        seat.release(finished=True)
        records.append(record)
        checks.append(_judged(Item.MATCHES, record, seats - 1, f"{game.name}, table of {seats}"))
        if checks[-1].was_late:
            break
    await pool.dismiss()
    return checks


async def second_match(harness: Harness, game: Game) -> list[CheckResult]:
    """Play two matches on one stream, with different table sizes and seats. Raises BotFault."""
    process, seat = await harness.start(game)
    sizes = harness.sizes(game)
    smallest, largest = sizes[0], sizes[-1]
    first = await harness.play(game, seat, smallest, 0)
    if fault := fault_of(first, 0):
        return [at_fault(Item.SECOND_MATCH, fault, "in the first one")]
    if await _left_politely(process):
        detail = "it exits after each match; the arena has to start it again every time, which costs time"
        return [passed(Item.SECOND_MATCH, detail)]
    record = await harness.play(game, seat, largest, largest.seats - 1)
    return [_judged(Item.SECOND_MATCH, record, largest.seats - 1)]


async def two_at_once(harness: Harness, game: Game) -> list[CheckResult]:
    """Play the same match several times at once, and compare the answers. Raises BotFault.

    That is in two processes, or in one that plays as many matches as the bot.toml says.
    """
    size = harness.sizes(game)[-1]
    if harness.bot.matches > 1:
        how = f"{harness.bot.matches} matches of {game.name} in one process"
        records = await _in_one_process(harness, game, size)
    else:
        how = f"two matches of {game.name} side by side"
        processes = [await harness.start(game) for _ in range(2)]
        records = await asyncio.gather(*(harness.play(game, seat, size, 0) for _, seat in processes))
    for record in records:
        if fault := fault_of(record, 0):
            return [at_fault(Item.TWO_AT_ONCE, fault), skipped(Item.REPEATABLE, "one of them lost its seat")]
    return [passed(Item.TWO_AT_ONCE, how), _compared(records)]


async def _in_one_process(harness: Harness, game: Game, size: SetUp) -> list[MatchRecord]:
    pool, role = Pool(harness.starter, harness.server), Role(harness.bot, game, harness.sandbox)
    seats = [ProcessSeat(role, harness.clock, pool, takes_turns=True) for _ in range(harness.bot.matches)]
    records = await asyncio.gather(*(harness.play(game, seat, size, 0) for seat in seats))
    for seat in seats:
        seat.release(finished=True)
    await pool.dismiss()
    return records


async def _left_politely(process: CheckedProcess) -> bool:
    end = await process.exit(GONE_S)
    return end is not None and end.code == 0


def _judged(item: Item, record: MatchRecord, seat: int, subject: str = "") -> CheckResult:
    if fault := fault_of(record, seat):
        return at_fault(item, fault, subject)
    result, times = record.results[seat], think_times(record, seat)
    detail = f"{len(times)} decisions; placed {result.placement}, {result.score:g} points"
    return passed(item, detail, subject, {"decisions": len(times)})


def _compared(records: Sequence[MatchRecord]) -> CheckResult:
    """Report whether the same seed led to the same answers. A difference is allowed: think time may matter."""
    answers = [[record.decisions.actions[number] for number in answered(record, 0)] for record in records]
    same = next((number for number, given in enumerate(zip(*answers, strict=False)) if len({*given}) > 1), None)
    asked = len(answers[0])
    detail = f"the same bot_seed gave the same {asked} answers"
    if same is not None:
        detail = f"for information: the same bot_seed led to another answer at decision {same + 1} of {asked}"
    return passed(Item.REPEATABLE, detail, figures={"same": asked if same is None else same, "asked": asked})
