"""Plays many matches in parallel with the workers of a cluster, which Dask gives blocks to and takes them back from.

A block is one task: one worker plays its matches one after the other. When that worker dies, Dask gives the block to
another one; whatever the first one had played of it is not known here, so nothing counts twice.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import queue
import time
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, replace
from secrets import token_hex
from typing import Final, Protocol, Self

from distributed import Client, Future, KilledWorker, Security

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.cluster.answers import Answer, asked, fetched
from ballcourt.arena.cluster.lies import lie_in
from ballcourt.arena.cluster.members import LOOK_S, ClusterMembers
from ballcourt.arena.cluster.orders import FACTS, BlockOrder, BlockOutcome, Demands, Preparation
from ballcourt.arena.cluster.parcels import Traveller, pack
from ballcourt.arena.cluster.security import ClusterError, silence_dask
from ballcourt.arena.cluster.slots import play_block
from ballcourt.arena.faults import ArenaError
from ballcourt.arena.match.policy import counted
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.arena.workers.queue import DEATHS, Failure, Queue, QueuedMatch, Voided, WorkerChange, WorkerNews
from ballcourt.arena.workers.runner import RunEvent, settled, started
from ballcourt.v1.record_pb2 import MatchRecord

CONNECT_S: Final = 10.0
JOIN_S: Final = 180.0
"""How long workers that this command has started may take to join."""
SAY_S: Final = 10.0
"""How often a run without workers says that it waits."""
SLOWEST: Final = 1 << 18
"""Bytes of a parcel that the slowest connection carries in a second."""
REMEDY: Final = "`ballcourt event repeat --worker` has all its blocks played again"


@dataclass(frozen=True, slots=True)
class _Task:
    """A block that a worker plays, or is going to play."""

    future: Future[BlockOutcome]
    matches: dict[int, QueuedMatch]
    """By the numbers that the worker knows."""


class OwnWorkers(Protocol):
    """Workers that this command has started; no others join them."""

    def running(self) -> int:
        """Return how many have not ended."""

    def restart(self) -> None:
        """Restart those that have died, unless they die again and again."""

    def note_block(self) -> None:
        """Take note that a block has ended, well or not."""


class ClusterRunner:
    """The workers of a cluster. Use it as a context manager; on leaving, they abandon what they play for us."""

    def __init__(
        self, address: str, security: Security | None, demands: Demands, own: OwnWorkers | None = None
    ) -> None:
        """With `own` workers, no others join; otherwise, workers can join at any time."""
        self._own = own
        self._address = address
        self._security = security
        self._demands = demands
        self._numbers = itertools.count()
        self._topic = f"{FACTS}-{token_hex(8)}"
        self._heard: queue.SimpleQueue[int | Answer[BlockOutcome]] = queue.SimpleQueue()
        self._tasks: dict[Answer[BlockOutcome], _Task] = {}
        self._travellers: dict[Bot, Traveller] = {}
        self._next_look = 0.0
        self._report: Callable[[str], None] = lambda _: None
        self._said = time.monotonic()
        """When there was a worker last, or a sentence said that there is none."""

    def __enter__(self) -> Self:
        """Raises ClusterError if there is no cluster."""
        silence_dask()
        try:
            self._client = Client(self._address, security=self._security, timeout=CONNECT_S, set_as_default=False)
        except (OSError, TimeoutError) as error:
            raise ClusterError(
                f"no cluster answers at {self._address}; start one with `dask scheduler`, check the address, and give "
                "the same certificates"
            ) from error
        self._members = ClusterMembers(self._client, self._demands)
        self._client.subscribe_topic(self._topic, lambda event: self._heard.put(event[1]))
        return self

    def __exit__(self, *_: object) -> None:
        self._abandon()
        with contextlib.suppress(TimeoutError):  # a silent scheduler
            self._client.close()

    @property
    def slots(self) -> int:
        """How many matches the workers can play at the same time."""
        return self._members.slots

    def gather(self, workers: int, bots: dict[Entrant, Bot], report: Callable[[str], None]) -> None:
        """Wait until there are this many workers that can play, and have them build the bots.

        Those that this command has started have `JOIN_S` to join; then it goes on without the others.

        Sentences for the organiser go to `report`. Raises ClusterError if one of the workers cannot play, ArenaError if
        there can be none.
        """
        deadline = time.monotonic() + JOIN_S
        self._report = report
        while self._look(report) < min(workers, self._most()):
            if self._own and time.monotonic() >= deadline:
                self._go_on_with_those_there(report)
                break
            time.sleep(LOOK_S)
        preparation = Preparation(self._demands, {entrant: self._travelling(bot) for entrant, bot in bots.items()})
        for caution in self._members.prepare(preparation, lambda: self._look(report)):
            report(f"caution: {caution}")

    def _go_on_with_those_there(self, report: Callable[[str], None]) -> None:
        """Wait no longer for workers that we have started. Raises ArenaError if none has joined."""
        if not self._members.count:
            raise ArenaError(f"none of the workers has joined the cluster within {JOIN_S:g} s; are they stopped?")
        here = counted(self._members.count, "worker")
        report(f"caution: after {JOIN_S:g} s there is only {here}; play begins, and the others can join later")

    def _look(self, report: Callable[[str], None]) -> int:
        """Return how many workers there are now. Raises ClusterError for one that cannot play."""
        for news in self._members.look():
            if news.news is WorkerChange.REFUSED:
                raise ClusterError(f"worker {news.worker} {news.sentence}")
            report(f"worker {news.worker} {news.sentence}")
        self._keep_workers()
        self._say_if_alone()
        return self._members.count

    def _say_if_alone(self) -> None:
        """Say every `SAY_S` seconds that there is no worker."""
        if self._members.count:
            self._said = time.monotonic()
        elif time.monotonic() - self._said >= SAY_S:
            self._said = time.monotonic()
            self._report(f"no worker is at {self._address}; start one: ballcourt admin worker {self._address}")

    def _most(self) -> float:
        """Return how many workers there can be now."""
        return self._own.running() if self._own else math.inf

    def _keep_workers(self) -> None:
        """Restart own workers that have died. Raise ArenaError if there are no workers and none can come."""
        if self._own:
            self._own.restart()
        if not self._most() and not self._members.count:
            raise ArenaError(
                f"every worker of the cluster has died {DEATHS} times without ending a block; run the same command "
                "again to go on"
            )

    def run_blocks(self, blocks: Iterable[Sequence[PlayableMatch]], done: Container[str] = ()) -> Iterator[RunEvent]:
        """Play the matches of blocks as `Runner.run_blocks` does; a worker may join or leave at any time.

        Raises ArenaError if the cluster ends, or the last worker that it can have.
        """
        waiting = Queue(blocks, done)
        try:
            while True:
                yield from self._news()
                self._hand_out(waiting)
                if self._tasks:
                    with contextlib.suppress(queue.Empty):
                        yield from self._handled(self._heard.get(timeout=LOOK_S), waiting)
                elif (pause_s := waiting.pause_s()) is None:
                    yield from self._members.look()
                    return
                else:
                    time.sleep(min(pause_s, LOOK_S))
        finally:
            self._abandon()

    def _news(self) -> Iterator[RunEvent]:
        if time.monotonic() >= self._next_look:
            yield from self._members.look()
            self._keep_workers()
            self._say_if_alone()
            self._next_look = time.monotonic() + LOOK_S

    def _hand_out(self, waiting: Queue) -> None:
        """Give Dask as many blocks as there are slots, and one more for each worker to go on with at once.

        While there is no worker, Dask holds one block for the first that joins.
        """
        while len(self._tasks) < max(1, self._members.slots + self._members.count):
            if not (together := waiting.next_together()):
                return
            self._submit({next(self._numbers): match for match in together})

    def _submit(self, matches: dict[int, QueuedMatch]) -> None:
        playables = [(number, match.playable) for number, match in matches.items()]
        bots = {
            entrant: self._travelling(match.bots[entrant])
            for _, match in playables
            for entrant in match.spec.entrants
            if entrant.bot.name not in match.out
        }
        bare = tuple((number, replace(match, bots={})) for number, match in playables)
        order = BlockOrder(Preparation(self._demands, bots), bare, self._topic)
        offer = self._demands.resource(bare[0][1].spec.game)
        able = self._members.able(entrant.bot.name for entrant in bots)
        future = self._client.submit(
            play_block,
            order,
            key=f"{self._topic}-{bare[0][0]}",
            pure=False,
            resources={offer: 1},
            workers=able or None,
            allow_other_workers=bool(able),  # once these have left
        )
        answer: Answer[BlockOutcome] = fetched(self._client, future)
        self._tasks[answer] = _Task(future, matches)
        answer.add_done_callback(self._heard.put)

    def _travelling(self, bot: Bot) -> Traveller:
        """Return a bot as workers know it, after its files have been left with the scheduler."""
        if bot not in self._travellers:
            traveller, parcel = pack(bot)
            keys, sending_s = [FACTS, traveller.bot.content_hash], len(parcel) / SLOWEST
            asked(self._client, "set_metadata", sending_s, keys=keys, value=parcel)
            self._travellers[bot] = traveller
        return self._travellers[bot]

    def _handled(self, answer: int | Answer[BlockOutcome], waiting: Queue) -> Iterator[RunEvent]:
        """Handle the beginning of a match, given by its number, or the end of a block."""
        if isinstance(answer, Answer):
            if task := self._tasks.pop(answer, None):
                yield from self._ended(task.matches, answer, waiting)
            return
        for match in (task.matches[answer] for task in self._tasks.values() if answer in task.matches):
            yield from started(match)

    def _ended(
        self, matches: dict[int, QueuedMatch], answer: Answer[BlockOutcome], waiting: Queue
    ) -> Iterator[MatchRecord | Voided | WorkerNews]:
        if self._own:
            self._own.note_block()
        try:
            played = answer.result()
        except CancelledError as error:
            ended = f"the cluster at {self._address} has ended; run the same command again when it is there"
            raise ArenaError(ended) from error
        except Exception as error:  # whatever the task raised
            died = isinstance(error, KilledWorker)
            reason = "every worker that played it died" if died else str(error)
            yield from waiting.void(next(iter(matches.values())), Failure(reason, died=died))
            return
        lie = lie_in(played, {number: match.playable.spec for number, match in matches.items()})
        if lie and not self._members.is_shut_out(played.worker):
            self._members.shut_out(played.worker)
            sentence = f"lied about match {lie.key}: {lie.difference}; it is shut out, and {REMEDY}"
            yield WorkerNews(played.worker, WorkerChange.SHUT_OUT, sentence)
        if self._members.is_shut_out(played.worker):  # others play the block, as if this worker had died
            why = f"worker {played.worker} has lied"
            yield from waiting.void(next(iter(matches.values())), Failure(why, died=True))
            return
        for number, end in played.ends:
            if isinstance(end, Failure):
                self._members.note_failure(played.worker, end.suspect)
                end = replace(end, reason=f"worker {played.worker}: {end.reason}")
            for event in settled(matches[number], end, waiting):
                if isinstance(event, MatchRecord):
                    event.worker = played.worker
                yield event

    def _abandon(self) -> None:
        """Have the workers stop what they play for us."""
        for task in self._tasks.values():
            task.future.cancel()
        self._tasks.clear()
