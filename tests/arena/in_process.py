"""A runner that plays matches of simple bots in this process, for tests that are not about processes."""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager

import pytest

import ballcourt
from ballcourt import Session
from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.arena.workers.queue import Started
from ballcourt.arena.workers.runner import RunEvent, Runner
from ballcourt.v1.protocol_pb2 import ArenaMessage, BotMessage
from ballcourt.v1.record_pb2 import Entrant, MatchRecord
from tests.bots.honest import Highest, Lowest, Random

REAL = {name: getattr(Runner, name) for name in ("__enter__", "__exit__", "run_blocks")}


def enter(runner: Runner) -> Runner:
    """Start no worker yet."""
    return runner


def leave(runner: Runner, *error: object) -> None:
    """End the workers, if some were needed."""
    if runner._workers:
        REAL["__exit__"](runner, *error)


def run_blocks(
    runner: Runner, blocks: Iterable[Sequence[PlayableMatch]], done: Container[str] = ()
) -> Iterator[RunEvent]:
    """Play in this process what simple bots would play outside of a sandbox, one block after the other.

    Blocks with other bots are left to workers.
    """
    for block in blocks:
        if not all(is_simple(match) for match in block):
            if not runner._workers:
                REAL["__enter__"](runner)
            yield from REAL["run_blocks"](runner, [block], done)
            continue
        for match in block:
            if match.key not in done:
                yield Started(match.key, match.spec.game, tuple(entrant.bot.name for entrant in match.spec.entrants))
                yield played(match)


IN_PROCESS: dict[str, Callable[..., object]] = {"__enter__": enter, "__exit__": leave, "run_blocks": run_blocks}
"""What stands in for the methods of a runner."""


@contextmanager
def playing_in_process() -> Iterator[None]:
    """Start no processes for simple bots in this context, which may be longer than one test."""
    with pytest.MonkeyPatch.context() as patch:
        for name, method in IN_PROCESS.items():
            patch.setattr(Runner, name, method)
        yield


def is_simple(match: PlayableMatch) -> bool:
    """Return whether the processes of a match would add nothing to it."""
    bots = [match.bots.get(entrant) for entrant in match.spec.entrants]
    return not match.sandbox.tier and not match.out and all(bot and (is_honest(bot) or is_cheat(bot)) for bot in bots)


def is_honest(bot: Bot) -> bool:
    return "honest.py" in bot.command[1]


def is_cheat(bot: Bot) -> bool:
    """Return whether all a bot does is to lose its seat by an illegal answer."""
    return "misbehaving.py" in bot.command[1] and bot.command[2:] == ("illegal",)


def played(match: PlayableMatch) -> MatchRecord:
    """Play a match; its record is the one that a worker would send, except for its times."""
    spec = match.spec
    sessions = [session(match.bots[entrant]) for entrant in spec.entrants]
    record = play_in_process(
        spec.game, sessions, seed=spec.seed, options=spec.options, clock=spec.clock, policy=spec.policy, key=spec.key
    )
    del record.entrants[:]
    record.entrants.extend(
        Entrant(
            name=entrant.bot.name,
            version=entrant.bot.version,
            bot=entrant.own_name,
            author=entrant.author,
            content_hash=entrant.bot.content_hash,
            owner=entrant.owner,
        )
        for entrant in spec.entrants
    )
    match.describe(record)
    return record


class CheatingSession(Session):
    """Gives an answer that is never legal, as tests/bots/misbehaving.py does, whatever the bot chooses."""

    def handle(self, message: ArenaMessage) -> BotMessage | None:
        reply = super().handle(message)
        if reply and reply.HasField("action"):
            reply.action.action = 77
        return reply


def session(bot: Bot) -> Session:
    """Return what speaks for a bot with the arguments of tests/bots/honest.py, or for a cheat."""
    players: dict[str, type[ballcourt.Bot]] = {"random": Random, "highest": Highest}
    kind = CheatingSession if is_cheat(bot) else Session
    return kind(players.get(bot.command[-1], Lowest)())
