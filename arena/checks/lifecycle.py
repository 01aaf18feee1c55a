"""The checks of a bot's start and end: Hello, its identity, Goodbye, SIGTERM, and what it leaves behind."""

import sys
from collections.abc import Callable
from time import perf_counter, time

from ballcourt.arena.bots.bot import BOT_FILE, Bot, content_hash
from ballcourt.arena.checks.check import CheckResult, Item, failed, passed, skipped, tail
from ballcourt.arena.checks.harness import CheckedProcess, Harness, fault_of
from ballcourt.arena.faults import describe_exit
from ballcourt.arena.processes.bot_process import BUSY_S
from ballcourt.arena.processes.starter import Exit
from ballcourt.engine.core import Game
from ballcourt.engine.registry import games
from ballcourt.v1.protocol_pb2 import Hello, Termination

LEAVE_S = 10.0
"""How long a bot may take to exit after Goodbye."""
KILLED_S = 5.0
SIGKILL = -9


async def arrival(harness: Harness, game: Game) -> list[CheckResult]:
    """Start the bot and check its Hello. Raises BotFault when it does not start."""
    begun = perf_counter()
    process, seat = await harness.start(game)
    took_ms = (perf_counter() - begun) * 1000
    hello = seat.session.hello
    detail = f"{took_ms:.0f} ms with {hello.sdk or 'no SDK'}, protocol {hello.protocol_min} to {hello.protocol_max}"
    await process.end(Termination.TERMINATION_OK)
    return [
        passed(Item.HELLO, detail, figures={"start_ms": round(took_ms)}),
        _identity(harness.bot, hello),
        _games(harness.bot, hello),
    ]


async def departure(harness: Harness, game: Game) -> list[CheckResult]:
    """Check that one process exits after Goodbye and one on SIGTERM, and leave nothing behind. Raises BotFault."""
    bot, began_s = harness.bot, time()
    before = content_hash(bot.home, bot.ignore)
    process, seat = await harness.start(game)
    record = await harness.play(game, seat, harness.sizes(game)[0], 0)
    detached = process.detached()
    if fault_of(record, 0):  # it has ended already, and another check says why
        process, _ = await harness.start(game)
    await process.farewell("this was only a check")
    checks = [await _ends(process, LEAVE_S, _left, Item.GOODBYE)]
    process.kill()
    process, _ = await harness.start(game)
    process.ask_to_end()
    checks.append(await _ends(process, KILLED_S, _terminated, Item.SIGTERM))
    changed = bot.changed_since(began_s) if content_hash(bot.home, bot.ignore) != before else ""
    return [*checks, _remains(detached, changed)]


async def _ends(
    process: CheckedProcess, seconds: float, judge: Callable[[Exit | None], CheckResult], item: Item
) -> CheckResult:
    """Return what a check finds about the end of a process, unless this machine kept it from ending."""
    try:
        return judge(await process.exit(seconds))
    except TimeoutError:
        return skipped(item, f"this machine was too busy for {BUSY_S:g} s to let it end; check it again later")


def _identity(bot: Bot, hello: Hello) -> CheckResult:
    """Compare the name and version in Hello and bot.toml."""
    named, wanted = hello.bot, f"{bot.name} {bot.version}"
    if (named.name, named.version) == (bot.name, bot.version):
        return passed(Item.IDENTITY, f"{wanted} in both Hello and {BOT_FILE}")
    detail = f"Hello says {named.name or 'no name'} {named.version or 'without version'}, {BOT_FILE} says {wanted}"
    return failed(Item.IDENTITY, detail, f"use the same in both; the Python SDK reads them from {BOT_FILE}")


def _games(bot: Bot, hello: Hello) -> CheckResult:
    """Compare the games in Hello and bot.toml with each other, and their rules versions with the installed ones."""
    offered = {offer.game for offer in hello.games}
    if offered != set(bot.games):
        detail = f"Hello says {_listed(offered)}, {BOT_FILE} says {_listed(set(bot.games))}"
        return failed(Item.GAMES, detail, "list the same in both, or leave games out of both to play any")
    for offer in hello.games:
        installed = games().get(offer.game)
        if installed and offer.rules_version not in ("", installed.rules_version):
            detail = (
                f"the bot plays rules {offer.rules_version} of {offer.game}; "
                f"rules {installed.rules_version} are installed"
            )
            return failed(Item.GAMES, detail, "support the installed rules, or leave the version out of Hello")
    return passed(Item.GAMES, f"{_listed(offered)} in both Hello and {BOT_FILE}")


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names)) or "any game"


def _left(end: Exit | None) -> CheckResult:
    if end is None:
        advice = "close the stream and exit on Goodbye"
        return failed(Item.GOODBYE, f"still running after {LEAVE_S:g} s", advice, was_late=True)
    if end.code:
        return failed(Item.GOODBYE, describe_exit(end.code) + tail(end.tail), "exit with code 0 on Goodbye")
    return passed(Item.GOODBYE, "exit code 0")


def _terminated(end: Exit | None) -> CheckResult:
    """Return a check of how a waiting process reacted to SIGTERM."""
    if sys.platform == "win32":
        return skipped(Item.SIGTERM, "Windows has no signals")
    if end is None or end.code == SIGKILL:
        advice = "do not ignore SIGTERM, or pass it on to the bot you wrap"
        return failed(Item.SIGTERM, "it had to be killed", advice, was_late=True)
    return passed(Item.SIGTERM, describe_exit(end.code))


def _remains(detached: int, changed: str) -> CheckResult:
    if detached:
        detail = f"{detached} of its processes detached themselves; the arena kills them"
        return failed(Item.REMAINS, detail, "keep processes you start children of the bot, and end them with it")
    if changed:
        detail = f"files in its folder changed during the match, so it is taken for another bot: {changed}"
        return failed(Item.REMAINS, detail, f"write to a temporary folder, or name them in ignore of {BOT_FILE}")
    return passed(Item.REMAINS, "no detached process, no changed file in its folder")
