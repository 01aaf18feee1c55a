"""Plays many matches in parallel with worker processes, and survives the death of any of them."""

import asyncio
import itertools
import sys
import time
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Protocol, Self

from ballcourt.arena.faults import ArenaError
from ballcourt.arena.processes.tree import adopting
from ballcourt.arena.remote.hosting import Hosting
from ballcourt.arena.workers.capacity import require_files
from ballcourt.arena.workers.cores import Cores
from ballcourt.arena.workers.local_match import play_on
from ballcourt.arena.workers.orders import Beat, Begun, Dismiss, Dismissed, MatchOutcome, Present, RollCall, Told
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.arena.workers.process import WorkerProcess, end_of, heard
from ballcourt.arena.workers.queue import Failure, Queue, QueuedMatch, Started, Voided, WorkerNews
from ballcourt.v1.record_pb2 import MatchRecord

RunEvent = Started | MatchRecord | Voided | WorkerNews
"""What happens while blocks are played."""


class BlockRunner(Protocol):
    """What plays blocks, on this machine or on several."""

    def run_blocks(self, blocks: Iterable[Sequence[PlayableMatch]], done: Container[str] = ()) -> Iterator[RunEvent]:
        """Play the matches of blocks, except those whose keys are in `done`; see `Runner.run_blocks`."""


class Runner:
    """Worker processes that play matches. Use it as a context manager; on leaving, it ends all that it started.

    The workers also end when this process is killed.
    """

    def __init__(
        self,
        workers: int,
        matches_per_worker: int = 1,
        hosting: Hosting | None = None,
        cores: Sequence[Cores] | None = None,
    ) -> None:
        """With `cores`, one for each worker, their bots have processors of their own."""
        for name, value in (("workers", workers), ("matches_per_worker", matches_per_worker)):
            if value < 1:
                raise ValueError(f"{name} is {value}; it must be at least 1")
        self._count = workers
        self._capacity = matches_per_worker
        self._hosting = hosting
        self._cores: Sequence[Cores | None] = cores or [None] * workers
        self._workers: list[WorkerProcess] = []
        self._numbers = itertools.count()
        self._playing: dict[int, QueuedMatch] = {}  # by number of the order

    def __enter__(self) -> Self:
        """Start the workers. Raises CapacityError if a process may not have enough open files."""
        require_files()
        self._adopting = adopting()  # bots whose keeper is killed together with its worker
        self._adopting.__enter__()
        self._workers = [WorkerProcess(self._hosting, cores) for cores in self._cores]
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.hang_up()
        for worker in self._workers:
            worker.join()
        self._workers = []
        self._adopting.__exit__(None, None, None)

    def run(self, matches: Iterable[PlayableMatch]) -> Iterator[MatchRecord]:
        """Play matches and yield their records as they finish; take no more at a time than can be played at once.

        Raises RunnerError for a match that fails at every attempt because of the arena or its game.
        """
        for event in self.run_blocks([match] for match in matches):
            if isinstance(event, MatchRecord):
                yield event

    def run_blocks(self, blocks: Iterable[Sequence[PlayableMatch]], done: Container[str] = ()) -> Iterator[RunEvent]:
        """Play the matches of blocks, except those whose keys are in `done`; yield their records as they finish.

        A `Started` is yielded when a match begins. A failure of the arena voids the whole block: a `Voided` is yielded
        and the block is played again, in the end without the bot that may have caused it. Raises RunnerError, when no
        other block is left, for one that fails at every attempt.
        """
        queue = Queue(blocks, done)
        self._replace_busy()
        while True:
            self._hand_out(queue)
            busy = [worker for worker in self._workers if worker.playing]
            if not busy:
                if (pause_s := queue.pause_s()) is None:
                    return
                time.sleep(pause_s)
            for worker, message in heard(busy):
                match message:
                    case None:
                        failure = self._replace(worker)
                        for number in sorted(worker.playing):
                            yield from queue.void(self._playing.pop(number), failure)
                    case Begun():
                        yield from started(self._playing[message.number])
                    case MatchOutcome():
                        yield from settled(self._playing.pop(message.number), end_of(message), queue)

    def _hand_out(self, queue: Queue) -> None:
        """Give matches to workers with free capacity, the least busy first."""
        while True:
            worker = min(self._workers, key=lambda worker: len(worker.playing))
            if len(worker.playing) >= self._capacity:
                return
            match = queue.next()
            if match is None:
                return
            number = next(self._numbers)
            self._playing[number] = match
            worker.play(number, match.playable)

    def _replace(self, worker: WorkerProcess) -> Failure:
        """Replace a worker that is dead or hangs; return what happened to it."""
        failure = worker.bury()
        place = self._workers.index(worker)
        self._workers[place] = WorkerProcess(self._hosting, self._cores[place])
        return failure

    def _replace_busy(self) -> None:
        """Replace the workers that still play matches of an earlier run that was abandoned."""
        for worker in [worker for worker in self._workers if worker.playing]:
            worker.hang_up()
            self._replace(worker)
        self._playing.clear()


def play_one(match: PlayableMatch) -> MatchRecord:
    """Play one match of bots: by a runner, which repeats what the arena fails in, or in this process if not on Linux.

    Raises RunnerError, ArenaError and CapacityError. On other systems no event loop may be running.
    """
    if sys.platform != "linux":
        return asyncio.run(play_on(match))
    with Runner(workers=1) as runner:
        (record,) = runner.run([match])
    return record


def started(match: QueuedMatch) -> Iterator[Started]:
    """Say that a match has begun, unless its block has been voided."""
    if not match.attempt.is_void:
        spec = match.playable.spec
        yield Started(spec.key, spec.game, tuple(entrant.bot.name for entrant in spec.entrants))


def settled(match: QueuedMatch, end: bytes | Failure, queue: Queue) -> Iterator[MatchRecord | Voided]:
    """Handle the end of a match, a serialised record or a failure; ignore it if its block has been voided."""
    if isinstance(end, Failure):
        yield from queue.void(match, end)
    elif not match.attempt.is_void:
        queue.played(match)
        yield MatchRecord.FromString(end)


ORDERS = 1000
"""How many matches are sent to the worker of a tournament: those whose bots are away do not hold up the others."""


class HostRunner(Runner):
    """A runner whose one worker lets remote bots in."""

    def __init__(self, hosting: Hosting, orders: int = ORDERS) -> None:
        """Send at most `orders` matches at a time to the worker, which plays them once their bots are there."""
        super().__init__(workers=1, matches_per_worker=orders, hosting=hosting)
        self._hosting: Hosting = hosting
        self._told = Told()

    def tell(self, told: Told) -> None:
        """Tell the owners of remote bots how the event stands."""
        self._told = Told({**self._told.statuses, **told.statuses}, told.out)
        (worker,) = self._workers
        worker.tell(told)

    def _replace(self, worker: WorkerProcess) -> Failure:
        failure = super()._replace(worker)
        (successor,) = self._workers
        successor.tell(self._told)
        return failure

    def __exit__(self, *exception: object) -> None:
        """End the worker; say Goodbye to all bots first if play is over, or a person has interrupted it.

        Otherwise the streams break, so that the bots dial again and meet the host that is started next.
        """
        try:
            if exception[0] in (None, KeyboardInterrupt):
                self._dismiss("the arena closes")
        finally:
            super().__exit__(*exception)

    def _dismiss(self, reason: str) -> None:
        (worker,) = self._workers
        with suppress(EOFError, OSError):  # the worker is dead or hangs
            worker.connection.send(Dismiss(reason))
            while not isinstance(worker.connection.recv(), Dismissed):
                pass

    def here(self) -> Mapping[str, str]:
        """Return the versions of the bots that are connected, by name, or were about a second ago.

        If the worker has died, no bot is connected; another one is started.
        """
        (worker,) = self._workers
        if not worker.playing:
            try:
                worker.here = self.roll_call(0)
            except ArenaError:
                self._replace(worker)
                return {}
        return worker.here

    def agree(self, versions: dict[str, str]) -> None:
        """Hold bots to these versions from now on, by name."""
        self._hosting = replace(self._hosting, versions=versions)  # for a worker that replaces this one
        self.roll_call(0, versions)

    def roll_call(self, wait_s: float, agreed: dict[str, str] | None = None) -> dict[str, str]:
        """Return the versions of the bots that are connected, by name: all of them, or those after `wait_s` seconds."""
        (worker,) = self._workers
        try:
            worker.connection.send(RollCall(wait_s, agreed or {}))
            while isinstance(present := worker.connection.recv(), Beat):
                pass
        except (EOFError, OSError):
            raise ArenaError("the worker that waits for the remote bots died; its output is above") from None
        assert isinstance(present, Present), "no match has been ordered yet"
        return present.versions
