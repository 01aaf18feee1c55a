"""A runner that plays matches of honest bots in this process, for tests that are not about processes."""

from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any, Self

import ballcourt
from ballcourt import Session
from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.arena.workers.queue import Started
from ballcourt.arena.workers.runner import RunEvent, Runner
from ballcourt.v1.record_pb2 import Entrant, MatchRecord
from tests.bots.honest import Highest, Lowest, Random


class InProcessRunner:
    """Plays what tests/bots/honest.py would play outside of a sandbox; leaves other bots to a real runner."""

    def __init__(self, *given: Any, **named: Any) -> None:  # noqa: ANN401
        self._real = Runner(*given, **named)
        self._stack = ExitStack()
        self._is_started = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def run(self, matches: Iterable[PlayableMatch]) -> Iterator[MatchRecord]:
        """Play matches, each a block of its own."""
        yield from (event for event in self.run_blocks([match] for match in matches) if isinstance(event, MatchRecord))

    def run_blocks(self, blocks: Iterable[Sequence[PlayableMatch]], done: Container[str] = ()) -> Iterator[RunEvent]:
        """Play one block after the other."""
        for block in blocks:
            if not all(is_simple(match) for match in block):
                yield from self._started().run_blocks([block], done)
                continue
            for match in block:
                if match.key not in done:
                    yield Started(match.key, match.spec.game, tuple(entrant.name for entrant in match.spec.entrants))
                    yield played(match)

    def _started(self) -> Runner:
        if not self._is_started:
            self._stack.enter_context(self._real)
            self._is_started = True
        return self._real


def is_simple(match: PlayableMatch) -> bool:
    """Return whether the processes of a match would add nothing to it."""
    bots = [match.bots.get(entrant) for entrant in match.spec.entrants]
    return not match.sandbox.tier and not match.out and all(bot and "honest.py" in bot.command[1] for bot in bots)


def played(match: PlayableMatch) -> MatchRecord:
    """Play a match; its record is the one that a worker would send, except for its times."""
    spec = match.spec
    sessions = [Session(player(match.bots[entrant])) for entrant in spec.entrants]
    record = play_in_process(
        spec.game, sessions, seed=spec.seed, options=spec.options, clock=spec.clock, policy=spec.policy, key=spec.key
    )
    del record.entrants[:]
    record.entrants.extend(
        Entrant(
            name=entrant.name,
            version=entrant.version,
            bot=entrant.bot,
            author=entrant.author,
            content_hash=entrant.content_hash,
            owner=entrant.owner,
        )
        for entrant in spec.entrants
    )
    match.describe(record)
    return record


def player(bot: Bot) -> ballcourt.Bot:
    """Return what tests/bots/honest.py plays as with the arguments of a bot."""
    players: dict[str, type[ballcourt.Bot]] = {"random": Random, "highest": Highest}
    return players.get(bot.command[-1], Lowest)()
