"""Plays many matches at the same time with worker processes of its own, and outlives the death of any of them."""

import contextlib
import itertools
import math
import os
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Container, Iterable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Self

from ballcourt.arena.remote.hosting import Hosting
from ballcourt.arena.workers.blocks import Match, Queue, Voided
from ballcourt.arena.workers.orders import BEAT_S, Beat, FromWorker, MatchOutcome, Order, ToWorker
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.v1.record_pb2 import MatchRecord

LEAVE_S = 20.0
KEEPER = "ballcourt.arena.workers.keeper"
HANG_S = 60.0
"""A worker whose event loop gives no sign of life for so long is killed."""


class Runner:
    """Worker processes that play matches. Use it as a context manager; leaving ends all that it started.

    The workers end by themselves also when this process is killed.
    """

    def __init__(self, workers: int, matches_per_worker: int = 1, hosting: Hosting | None = None) -> None:
        for name, value in (("workers", workers), ("matches_per_worker", matches_per_worker)):
            if value < 1:
                raise ValueError(f"{name} is {value}; it must be at least 1")
        self._count = workers
        self._capacity = matches_per_worker
        self._hosting = hosting
        self._workers: list[_WorkerProcess] = []
        self._numbers = itertools.count()

    def __enter__(self) -> Self:
        self._workers = [_WorkerProcess(self._hosting) for _ in range(self._count)]
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.hang_up()
        for worker in self._workers:
            worker.join()
        self._workers = []

    def run(self, matches: Iterable[PlayableMatch]) -> Iterator[MatchRecord]:
        """Play matches and yield their records as they finish; take no more at a time than can be played at once.

        Raises RunnerError for a match that fails by the arena's or its game's own fault every time it is tried.
        """
        for event in self.run_blocks([match] for match in matches):
            if isinstance(event, MatchRecord):
                yield event

    def run_blocks(
        self, blocks: Iterable[Sequence[PlayableMatch]], done: Container[str] = ()
    ) -> Iterator[MatchRecord | Voided]:
        """Play the matches of blocks, but for those whose keys are `done`; yield their records as they finish.

        A fault of ours voids the whole block, which is told by a `Voided`; then all of it is played again. Raises
        RunnerError, after a last `Voided`, for a block that fails every time it is tried.
        """
        queue = Queue(blocks, done)
        self._replace_busy()
        while True:
            self._hand_out(queue)
            busy = [worker for worker in self._workers if worker.matches]
            if not busy:
                return
            for worker, outcome in _heard(busy):
                if outcome is None:
                    reason = self._bury(worker)
                    for match in worker.matches.values():
                        yield from queue.void(match, reason)
                else:
                    yield from _settled(worker.matches.pop(outcome.number), outcome, queue)

    def _hand_out(self, queue: Queue) -> None:
        """Fill the free places, the least busy worker first."""
        while True:
            worker = min(self._workers, key=lambda worker: len(worker.matches))
            if len(worker.matches) >= self._capacity:
                return
            match = queue.next()
            if match is None:
                return
            worker.play(next(self._numbers), match)

    def _bury(self, worker: "_WorkerProcess") -> str:
        """Put a new worker in the place of one that is dead or hangs; return what happened to it."""
        hung = worker.hangs
        if hung:
            worker.kill()
        code = worker.join()
        self._workers[self._workers.index(worker)] = _WorkerProcess(self._hosting)
        return f"its worker process hung for {HANG_S:g} s" if hung else f"its worker process died (exit code {code})"

    def _replace_busy(self) -> None:
        """Forget the matches of an earlier run that was not read to its end."""
        for worker in [worker for worker in self._workers if worker.matches]:
            worker.hang_up()
            self._bury(worker)


class _WorkerProcess:
    """A worker as its runner sees it: a connection, a process, and the matches it is playing."""

    def __init__(self, hosting: Hosting | None) -> None:
        ours, theirs = socket.socketpair()
        self.matches: dict[int, Match] = {}  # by number of the order
        self._silent_s = 0.0
        arguments = [str(theirs.fileno()), *([hosting.to_json()] if hosting else ())]
        # a session of its own: what a terminal sends to the foreground reaches the runner alone
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", KEEPER, *arguments],
            env=_environment(),
            stdin=subprocess.DEVNULL,
            pass_fds=(theirs.fileno(), *([hosting.listener] if hosting else ())),
            start_new_session=True,
        )
        theirs.close()
        for direction in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):  # a worker may stop in the middle of a message
            ours.setsockopt(socket.SOL_SOCKET, direction, struct.pack("@ll", int(HANG_S), 0))
        self.connection: Connection[ToWorker, FromWorker] = Connection(ours.detach())

    @property
    def hangs(self) -> bool:
        """Whether it has been silent for too long while it had a match to play."""
        return self._silent_s > HANG_S

    def play(self, number: int, match: Match) -> None:
        """Send a match; that the worker is dead will show when it is read from."""
        if not self.matches:
            self._silent_s = 0.0
        self.matches[number] = match
        with contextlib.suppress(OSError):
            self.connection.send(Order(number, match.playable))

    def receive(self) -> MatchOutcome | Beat | None:
        """Read what a worker has to say; None when it is dead, or hangs in the middle of saying it."""
        self._silent_s = 0.0
        try:
            said = self.connection.recv()
        except BlockingIOError:
            self._silent_s = math.inf
            return None
        except (EOFError, OSError):
            return None
        assert isinstance(said, MatchOutcome | Beat), "the roll is called before there are matches"
        return said

    def note_silence(self, seconds: float) -> None:
        """Count time in which nothing was heard."""
        self._silent_s += seconds

    def kill(self) -> None:
        """Have the keeper kill the worker and all it started, even if somebody has stopped them."""
        os.killpg(self._process.pid, signal.SIGCONT)
        self._process.terminate()

    def hang_up(self) -> None:
        """Tell the worker to end."""
        self.connection.close()

    def join(self) -> int:
        """Wait for the end of the process, by force if need be, and return its exit code."""
        self.connection.close()
        for by_force in (self.kill, self._process.kill):
            try:
                return self._process.wait(LEAVE_S)
            except subprocess.TimeoutExpired:
                by_force()
        return self._process.wait()


def _heard(busy: "list[_WorkerProcess]") -> "Iterator[tuple[_WorkerProcess, MatchOutcome | None]]":
    """Wait until a worker says something or nobody does for a while; yield outcomes, and None for the dead and hung.

    Only time spent waiting counts as silence, so a runner that was stopped itself does not hold that against others.
    """
    began = time.monotonic()
    ready = wait([worker.connection for worker in busy], BEAT_S)
    waited_s = min(time.monotonic() - began, BEAT_S)
    for worker in busy:
        if worker.connection not in ready:
            worker.note_silence(waited_s)
        elif not isinstance(said := worker.receive(), Beat):
            yield worker, said
            continue
        if worker.hangs:
            yield worker, None


def _settled(match: Match, outcome: MatchOutcome, queue: Queue) -> Iterator[MatchRecord | Voided]:
    """Deal with the end of a match, which is of no interest if its block has been voided meanwhile."""
    if outcome.failure:
        yield from queue.void(match, outcome.failure, outcome.trace)
    elif not match.attempt.is_void:
        yield MatchRecord.FromString(outcome.record)


def _environment() -> dict[str, str]:
    """Our environment, and our import path, so that a worker finds the same games as we do."""
    path = os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)
    return {"GRPC_VERBOSITY": "ERROR", **os.environ, "PYTHONPATH": path}
