"""Tournaments whose matches are played in this process, by a runner without workers."""

from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import nullcontext
from functools import cache
from itertools import islice
from pathlib import Path

from ballcourt import Bot, Decision, Session
from ballcourt.arena.bots.entries import resolve_entry
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.arena.match.spec import MatchSpec
from ballcourt.arena.tournament.event.model import Event
from ballcourt.arena.tournament.folder.events import RunEvent
from ballcourt.arena.tournament.folder.output import open_folder
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.folder.planning import plan
from ballcourt.arena.tournament.playing.play import stopping
from ballcourt.arena.tournament.playing.run import run_tournament
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.leaderboard.model.precision import Precision
from ballcourt.v1.record_pb2 import Entrant, MatchRecord


class Drawing(Bot):
    version = "1"

    def choose(self, decision: Decision) -> int:
        return self.random.choice(list(decision.legal))


class Idle(Drawing):
    def choose(self, decision: Decision) -> int:
        decision.fallback = True
        return super().choose(decision)


IDLE = "idle"
"""A bot of this name chooses no action itself, and so has a fault in each match."""


class InProcess:
    """Plays blocks as a runner does that begins two of them at a time."""

    def run_blocks(self, blocks: Iterable[Sequence[PlayableMatch]], done: Container[str] = ()) -> Iterator[MatchRecord]:
        upcoming = iter(blocks)
        while begun := [*islice(upcoming, 2)]:
            for match in (match for block in begun for match in block):
                if match.key not in done:
                    yield played(match.spec)


def played(spec: MatchSpec) -> MatchRecord:
    """Play a match in which every bot draws its actions from the seed that it gets."""
    bots = [Session(Idle() if bot.bot.name == IDLE else Drawing()) for bot in spec.entrants]
    record = play_in_process(spec.game, bots, seed=spec.seed, options=spec.options, key=spec.key)
    del record.entrants[:]
    record.entrants.extend(
        Entrant(name=bot.bot.name, version=bot.bot.version, content_hash=bot.bot.content_hash, owner=bot.owner)
        for bot in spec.entrants
    )
    return record


def events(folder: Path, settings: Event) -> Iterator[RunEvent]:
    """Play what remains of a tournament."""
    resolve = cache(resolve_entry)

    def replan() -> Plan:
        return stopping(plan(settings, resolve, folder=folder), Precision)

    planned = replan()
    start = lambda _: nullcontext(InProcess())  # noqa: E731
    with open_folder(folder, planned) as held:
        yield from run_tournament(planned, held, start, replan)


def play_all(folder: Path, settings: Event) -> None:
    """Play what remains of a tournament to its end."""
    for _ in events(folder, settings):
        pass
