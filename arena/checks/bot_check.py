"""The compliance run: all items of the list in order, each with a new process of the bot."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from pathlib import Path
from typing import TypeVar

from ballcourt.arena.bots.bot import BOT_FILE, Bot, BotError, check_plays, load_bot, no_bot_at
from ballcourt.arena.bots.causes import unstartable
from ballcourt.arena.building.builds import ready
from ballcourt.arena.building.steps import BuildError
from ballcourt.arena.checks.check import ADVICE, BUILD_ADVICE, LATE, CheckResult, Item, Outcome, failed, passed, skipped
from ballcourt.arena.checks.drill import DECISIONS, PATIENCE_S, Drill, answered, drill, remembered
from ballcourt.arena.checks.harness import Harness, open_harness
from ballcourt.arena.checks.lifecycle import arrival, departure
from ballcourt.arena.checks.matches import full_matches, second_match, two_at_once
from ballcourt.arena.checks.surprises import surprises
from ballcourt.arena.faults import BotFault, notes_of
from ballcourt.arena.match.spec import Clock
from ballcourt.arena.records.decisions import think_times
from ballcourt.arena.sandbox.tiers import NO_SANDBOX, Sandbox
from ballcourt.arena.tournament.event.setups import SetUp
from ballcourt.engine.core import Game
from ballcourt.engine.registry import find_game, games
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import MatchRecord

FAILED = Termination.TERMINATION_FAILED_TO_START
NO_SHOW = "the bot did not start"
LATE_ALREADY = "the bot was late in a full match"

Found = TypeVar("Found")


@dataclass
class BotCheck:
    """The checks of one bot. Iterate over `run()` once; afterwards `records` holds its full matches."""

    folder: Path
    games: Sequence[str] = ()
    """What it is to play; by default all installed games that it says it plays."""
    clock: Clock = field(default_factory=Clock)
    sandbox: Sandbox = NO_SANDBOX
    decisions: int | None = None
    """How many questions to ask in a row; None means a thousand, or fewer if the bot is slow."""
    setups: Sequence[SetUp] = ()
    """In what it is to play; by default at every table size of each game, with the game's own options."""
    owner: str = ""
    """As that of a `Bot`."""
    records: list[MatchRecord] = field(default_factory=list)
    _is_slow: bool = False
    """Whether the clock has failed it twice in a row, so that it is slow whatever this machine does."""

    @property
    def think_us(self) -> list[int]:
        """Its think times in the full matches, in which it has the last seat."""
        return [think_us for record in self.records for think_us in think_times(record, len(record.entrants) - 1)]

    def run(self) -> Iterator[CheckResult]:
        """Check one item after another; items that depend on a failed one are skipped.

        Raises BotError when there is no bot.toml to check or no game to check it with, UnknownGame when a game is
        not installed, SandboxError when the sandbox is not available.
        """
        asked = [find_game(game) for game in self.games or dict.fromkeys(one.game for one in self.setups)]
        file = self.folder / BOT_FILE if self.folder.is_dir() else self.folder
        if not file.exists():
            raise no_bot_at(file)
        try:
            (bot,) = ready([replace(load_bot(file), owner=self.owner)], self.sandbox)
        except BotError as error:
            advice = BUILD_ADVICE if isinstance(error, BuildError) else "fix the file"
            yield failed(Item.MANIFEST, "\n".join([str(error), *notes_of(error)]), advice)
            yield from _skipped_after(Item.MANIFEST, "the bot cannot be started")
            return
        check_plays(bot, *asked)
        chosen = asked or playable(bot)
        yield passed(Item.MANIFEST, f"{bot.name} {bot.version}")
        yield from _without_repetition(self._checks(bot, chosen))

    def _checks(self, bot: Bot, chosen: Sequence[Game]) -> Iterator[CheckResult]:
        first = chosen[0]
        come = self._met(bot, (Item.HELLO, Item.IDENTITY, Item.GAMES), lambda harness: arrival(harness, first))
        yield from come
        if come[0].outcome is Outcome.FAIL:
            yield from _skipped_after(Item.GAMES, NO_SHOW)
            return
        for game in chosen:
            yield from self._met(bot, (Item.MATCHES,), partial(full_matches, game=game, records=self.records))
            if self._is_slow:  # it would be late in all others too
                yield from _skipped_after(Item.MATCHES, LATE_ALREADY)
                return
        drills = self._drills(bot, chosen)
        yield answered(drills, self.clock)
        yield from self._met(bot, (Item.SURPRISES,), lambda harness: surprises(harness, first))
        yield remembered(drills)
        yield from self._met(bot, (Item.SECOND_MATCH,), lambda harness: second_match(harness, first))
        yield from self._met(bot, (Item.TWO_AT_ONCE, Item.REPEATABLE), lambda harness: two_at_once(harness, first))
        yield from self._met(bot, (Item.GOODBYE, Item.SIGTERM, Item.REMAINS), lambda harness: departure(harness, first))

    def _met(
        self, bot: Bot, items: Sequence[Item], meet: Callable[[Harness], Awaitable[list[CheckResult]]]
    ) -> list[CheckResult]:
        """Run the checks of some items. If the bot does not start, the first item has failed."""
        before = len(self.records)

        def once() -> list[CheckResult]:
            del self.records[before:]
            return self._met_once(bot, items, meet)

        return self._fairly(once, lambda results: any(result.was_late for result in results))

    def _fairly(self, attempt: Callable[[], Found], was_late: Callable[[Found], bool]) -> Found:
        """Make an attempt, and another if the clock alone failed it: this machine may have been busy."""
        found = attempt()
        if was_late(found) and not self._is_slow:
            found = attempt()
            self._is_slow = was_late(found)
        return found

    def _met_once(
        self, bot: Bot, items: Sequence[Item], meet: Callable[[Harness], Awaitable[list[CheckResult]]]
    ) -> list[CheckResult]:
        try:
            return asyncio.run(self._in_harness(bot, meet))
        except BotFault as fault:
            is_seen = fault.termination == FAILED and unstartable(bot.command, bot.directory)
            advice = "correct that in the folder of the bot, and check again" if is_seen else ADVICE[fault.termination]
            failure = failed(items[0], fault.sentence, advice, was_late=fault.termination in LATE and not is_seen)
            return [failure, *(skipped(item, NO_SHOW) for item in items[1:])]

    def _drills(self, bot: Bot, chosen: Sequence[Game]) -> list[Drill]:
        """Divide the decisions and the time among the games."""
        decisions = -(-(self.decisions or DECISIONS) // len(chosen))
        seconds = inf if self.decisions else PATIENCE_S / len(chosen)

        def drilled(game: Game) -> Drill:
            return asyncio.run(self._in_harness(bot, partial(drill, game=game, decisions=decisions, seconds=seconds)))

        return [self._fairly(partial(drilled, game), lambda done: done.was_late) for game in chosen]

    async def _in_harness(self, bot: Bot, meet: Callable[[Harness], Awaitable[Found]]) -> Found:
        async with open_harness(bot, self.clock, self.sandbox, self.setups) as harness:
            return await meet(harness)


def playable(bot: Bot) -> list[Game]:
    """List the installed games that a bot plays. Raises BotError when there is none."""
    found = [game for name, game in games().items() if not bot.games or name in bot.games]
    if not found:
        raise BotError(f"{bot.name} plays {', '.join(bot.games)}, but only {', '.join(games())} are installed")
    return found


def _without_repetition(results: Iterable[CheckResult]) -> Iterator[CheckResult]:
    """Yield results; what a bot printed is only in the first that quotes it."""
    quoted: dict[str, int] = {}
    for result in results:
        first, _, lines = result.detail.partition("\n")
        if lines in quoted:
            yield replace(result, detail=f"{first}\n| (the same output as in check {quoted[lines]})")
        else:
            quoted |= {lines: result.number} if lines else {}
            yield result


def _skipped_after(last: Item, reason: str) -> Iterator[CheckResult]:
    return (skipped(item, reason) for item in Item if item.number > last.number)
