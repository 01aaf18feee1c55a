"""What runs in a worker of a cluster: its slots, each a worker process as a runner of one machine has it."""

import asyncio
import itertools
import queue
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from distributed import Status, Worker, WorkerPlugin, get_worker

from ballcourt.arena.bots.bot import Bot, BotError
from ballcourt.arena.building.builds import ready
from ballcourt.arena.cluster.orders import FACTS, BlockOrder, BlockOutcome, Demands, Preparation
from ballcourt.arena.cluster.parcels import Traveller, unpack
from ballcourt.arena.faults import notes_of
from ballcourt.arena.sandbox.tiers import Sandbox
from ballcourt.arena.sandbox.walls import demand
from ballcourt.arena.workers.capacity import CapacityError, require
from ballcourt.arena.workers.cores import Cores, crowding, share
from ballcourt.arena.workers.orders import Begun, MatchOutcome
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.arena.workers.process import WorkerProcess, end_of, heard
from ballcourt.arena.workers.queue import Failure
from ballcourt.engine.core import WrongInput

PLAYING: Final = (Status.running, Status.paused)
"""The states of a worker that is not about to leave."""


FAREWELL_S: Final = 0.5
"""How long a worker that leaves by itself waits for its last answer to be on its way."""


class Abandoned(Exception):
    """A block is no longer wanted."""


class Slot:
    """One worker process, which is started when it is needed and replaced when it dies."""

    def __init__(self, place: int) -> None:
        self.place = place
        self._cores: Cores | None = None
        self._process: WorkerProcess | None = None
        self._numbers = itertools.count()

    def play(
        self, match: PlayableMatch, cores: Cores | None, begins: Callable[[], None], is_wanted: Callable[[], bool]
    ) -> bytes | Failure:
        """Play a match with processors for its bots; return its record or a failure. Raises Abandoned."""
        process = self._started(cores)
        process.play(next(self._numbers), match)
        while is_wanted():
            for _, message in heard([process]):
                match message:
                    case None:
                        self._process = None
                        return process.bury()
                    case Begun():
                        begins()
                    case MatchOutcome():
                        return end_of(message)
        self.close()
        raise Abandoned

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process:
            process.hang_up()
            process.join()

    def _started(self, cores: Cores | None) -> WorkerProcess:
        if cores != self._cores:
            self.close()
        if self._process is None:
            self._process, self._cores = WorkerProcess(None, cores), cores
        return self._process


class Slots(WorkerPlugin):
    """The slots of a worker, and the bots that it has prepared."""

    name = FACTS

    def __init__(self, count: int) -> None:
        self._count = count
        self._free: queue.SimpleQueue[Slot] = queue.SimpleQueue()
        for place in range(count):
            self._free.put(Slot(place))
        self._preparing = threading.Lock()
        self._bots: dict[tuple[Traveller, Sandbox], Bot] = {}
        self._met: set[Demands] = set()
        self.refusal: WrongInput | None = None
        """Why this worker leaves the cluster by itself."""

    def setup(self, worker: Worker) -> None:
        """Keep the worker, which fetches parcels and says what begins."""
        self._worker = worker

    def close(self) -> None:
        """End all slots, once what they play has been abandoned."""
        for _ in range(self._count):
            self._free.get().close()

    def prepare(self, asked: Preparation) -> str:
        """Build the bots and look whether this machine can play; return a caution, empty if there is none.

        Raises a WrongInput if it cannot.
        """
        with self._preparing:  # one thread builds at a time
            caution = self._meet(asked.demands)
            sandbox = asked.demands.sandbox
            missing = [bot for bot in {*asked.bots.values()} if (bot, sandbox) not in self._bots]
            found = ready([unpack(bot, self._fetch) for bot in missing], sandbox)
            self._bots |= {(bot, sandbox): built for bot, built in zip(missing, found, strict=True)}
            return caution

    def play(self, order: BlockOrder, is_wanted: Callable[[], bool]) -> BlockOutcome:
        """Play the matches of a block up to the first that fails. Raises Abandoned."""
        name = str(self._worker.name)
        if self.refusal:
            self._wait_for_the_end()
        for entrant, bot in order.preparation.bots.items():
            try:
                self.prepare(replace(order.preparation, bots={entrant: bot}))
            except WrongInput as error:
                suspect = entrant.bot.name if isinstance(error, BotError) else ""
                if not suspect:
                    self._leave(error)
                trace = "\n".join((str(error), *notes_of(error)))
                failure = Failure(f"it cannot prepare the bots: {error}", trace, suspect)
                return BlockOutcome(name, ((order.matches[0][0], failure),))
        slot = self._free.get()
        try:
            return BlockOutcome(name, tuple(self._ends(slot, order, is_wanted)))
        finally:
            self._free.put(slot)

    def _ends(
        self, slot: Slot, order: BlockOrder, is_wanted: Callable[[], bool]
    ) -> Iterator[tuple[int, bytes | Failure]]:
        demands = order.preparation.demands
        cores = share(self._count, demands.cpus)[slot.place] if demands.cpus else None
        for number, match in order.matches:
            begins = lambda number=number: self._worker.log_event(order.topic, number)  # noqa: E731
            bots = {entrant: self._bots[bot, demands.sandbox] for entrant, bot in order.preparation.bots.items()}
            end = slot.play(replace(match, bots=bots), cores, begins, is_wanted)
            yield number, end
            if isinstance(end, Failure):
                return

    def _meet(self, demands: Demands) -> str:
        """Check that this machine offers what a tournament demands; return a caution. Raises a WrongInput."""
        crowded = crowding(self._count, demands.seats, demands.cpus, demands.clock)
        if demands in self._met:
            return crowded
        require(self._count, demands.seats)
        if demands.cpus:
            share(self._count, demands.cpus)
        if demands.strict:
            demand(demands.sandbox.tier)
            if crowded:
                raise CapacityError(f"--strict: {crowded}")
        self._met.add(demands)
        return crowded

    def _fetch(self, digest: str) -> bytes:
        """Get the parcel of files with this content hash from the scheduler; called in a thread of a task."""
        asked = self._worker.scheduler.get_metadata(keys=[FACTS, digest])
        parcel: bytes = asyncio.run_coroutine_threadsafe(asked, self._worker.loop.asyncio_loop).result()  # type: ignore[attr-defined]
        return parcel

    def _leave(self, why: WrongInput) -> None:
        """Leave the cluster: what this machine lacks, not one bot, would fail all blocks."""
        self.refusal = why
        self._worker.loop.call_later(FAREWELL_S, self._worker.close)

    def _wait_for_the_end(self) -> None:
        """Wait until this worker leaves, so that another worker plays what has arrived. Raises Abandoned."""
        while self._worker.status in PLAYING:
            time.sleep(FAREWELL_S)
        raise Abandoned


def prepare(asked: Preparation) -> str:
    """Prepare the worker that this task runs on; see `Slots.prepare`."""
    slots, _ = _here()
    return slots.prepare(asked)


def play_block(order: BlockOrder) -> BlockOutcome:
    """Play a block on the worker that this task runs on; see `Slots.play`."""
    slots, is_wanted = _here()
    return slots.play(order, is_wanted)


def _here() -> tuple[Slots, Callable[[], bool]]:
    """Return the slots of this worker, and what says whether its current task is still to be done."""
    worker = get_worker()
    key = worker.get_current_task()

    def is_wanted() -> bool:
        task = worker.state.tasks.get(key)
        return worker.status in PLAYING and task is not None and task.state == "executing"

    slots = worker.plugins[FACTS]
    assert isinstance(slots, Slots)
    return slots, is_wanted
