"""Plays many matches in parallel with worker processes, and survives the death of any of them."""

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

from ballcourt.arena.files import raise_file_limit
from ballcourt.arena.processes.tree import adopting, end_strays
from ballcourt.arena.remote.hosting import Hosting
from ballcourt.arena.workers.blocks import Failure, Match, Queue, Started, Voided
from ballcourt.arena.workers.cores import Cores
from ballcourt.arena.workers.orders import BEAT_S, Beat, Begun, FromWorker, MatchOutcome, Order, ToWorker
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.v1.record_pb2 import MatchRecord

LEAVE_S = 20.0
KEEPER = "ballcourt.arena.workers.keeper"
HANG_S = 60.0
"""How long a worker's event loop may be silent before the worker is killed."""


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
        self._workers: list[_WorkerProcess] = []
        self._numbers = itertools.count()

    def __enter__(self) -> Self:
        raise_file_limit()
        self._adopting = adopting()  # bots whose keeper is killed together with its worker
        self._adopting.__enter__()
        self._workers = [_WorkerProcess(self._hosting, cores) for cores in self._cores]
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

    def run_blocks(
        self, blocks: Iterable[Sequence[PlayableMatch]], done: Container[str] = ()
    ) -> Iterator[Started | MatchRecord | Voided]:
        """Play the matches of blocks, except those whose keys are in `done`; yield their records as they finish.

        A `Started` is yielded when a match begins. A failure of the arena voids the whole block: a `Voided` is yielded
        and the block is played again, in the end without the bot that may have caused it. Raises RunnerError, when no
        other block is left, for one that fails at every attempt.
        """
        queue = Queue(blocks, done)
        self._replace_busy()
        while True:
            self._hand_out(queue)
            busy = [worker for worker in self._workers if worker.matches]
            if not busy:
                if (pause_s := queue.pause_s()) is None:
                    return
                time.sleep(pause_s)
            for worker, said in _heard(busy):
                match said:
                    case None:
                        failure = self._bury(worker)
                        for match in worker.matches.values():
                            yield from queue.void(match, failure)
                    case Begun():
                        yield from _started(worker.matches[said.number])
                    case MatchOutcome():
                        yield from _settled(worker.matches.pop(said.number), said, queue)

    def _hand_out(self, queue: Queue) -> None:
        """Give matches to workers with free capacity, the least busy first."""
        while True:
            worker = min(self._workers, key=lambda worker: len(worker.matches))
            if len(worker.matches) >= self._capacity:
                return
            match = queue.next()
            if match is None:
                return
            worker.play(next(self._numbers), match)

    def _bury(self, worker: "_WorkerProcess") -> Failure:
        """Replace a worker that is dead or hangs; return what happened to it."""
        hung = worker.hangs
        if hung:
            worker.kill()
        code = worker.join()
        end_strays()
        place = self._workers.index(worker)
        self._workers[place] = _WorkerProcess(self._hosting, self._cores[place])
        if hung:
            return Failure(f"its worker process hung for {HANG_S:g} s")
        return Failure(f"its worker process died (exit code {code})", died=True)

    def _replace_busy(self) -> None:
        """Replace the workers that still play matches of an earlier run that was abandoned."""
        for worker in [worker for worker in self._workers if worker.matches]:
            worker.hang_up()
            self._bury(worker)


class _WorkerProcess:
    """A worker as its runner sees it: a connection, a process, and the matches it is playing."""

    def __init__(self, hosting: Hosting | None, cores: Cores | None) -> None:
        ours, theirs = socket.socketpair()
        self.matches: dict[int, Match] = {}  # by number of the order
        self._silent_s = 0.0
        arguments = [str(theirs.fileno()), cores.to_json() if cores else "", hosting.to_json() if hosting else ""]
        # a new session, so that signals from the terminal reach only the runner
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", KEEPER, *arguments],
            env=_environment(),
            stdin=subprocess.DEVNULL,
            pass_fds=(theirs.fileno(), *([hosting.listener] if hosting else ())),
            start_new_session=True,
        )
        theirs.close()
        for direction in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):  # a worker may hang in the middle of a message
            ours.setsockopt(socket.SOL_SOCKET, direction, struct.pack("@ll", int(HANG_S), 0))
        self.connection: Connection[ToWorker, FromWorker] = Connection(ours.detach())

    @property
    def hangs(self) -> bool:
        """Whether it has been silent for too long although it has a match to play."""
        return self._silent_s > HANG_S

    def play(self, number: int, match: Match) -> None:
        """Send a match. If the worker is dead, reading from it will show that."""
        if not self.matches:
            self._silent_s = 0.0
        self.matches[number] = match
        with contextlib.suppress(OSError):
            self.connection.send(Order(number, match.playable))

    def receive(self) -> Begun | MatchOutcome | Beat | None:
        """Read a message of the worker; return None if it is dead, or hangs in the middle of a message."""
        self._silent_s = 0.0
        try:
            said = self.connection.recv()
        except BlockingIOError:
            self._silent_s = math.inf
            return None
        except (EOFError, OSError):
            return None
        assert isinstance(said, Begun | MatchOutcome | Beat), "the roll is called before there are matches"
        return said

    def note_silence(self, seconds: float) -> None:
        """Add time without a message."""
        self._silent_s += seconds

    def kill(self) -> None:
        """Have the keeper kill the worker and all it started, even if they are stopped."""
        os.killpg(self._process.pid, signal.SIGCONT)
        self._process.terminate()

    def hang_up(self) -> None:
        """Close the connection, which tells the worker to end."""
        self.connection.close()

    def join(self) -> int:
        """Wait for the process to end, killing it if necessary; return its exit code."""
        self.connection.close()
        for by_force in (self.kill, self._process.kill):
            try:
                return self._process.wait(LEAVE_S)
            except subprocess.TimeoutExpired:
                by_force()
        return self._process.wait()


def _heard(busy: "list[_WorkerProcess]") -> "Iterator[tuple[_WorkerProcess, Begun | MatchOutcome | None]]":
    """Wait for messages, for a limited time; yield what workers say of matches, and None for a dead or hanging worker.

    Only time spent waiting counts as silence, so workers are not blamed if the runner itself was stopped.
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


def _started(match: Match) -> Iterator[Started]:
    """Say that a match has begun, unless its block has been voided."""
    if not match.attempt.is_void:
        yield Started(match.playable.key, tuple(entrant.name for entrant in match.playable.spec.entrants))


def _settled(match: Match, outcome: MatchOutcome, queue: Queue) -> Iterator[MatchRecord | Voided]:
    """Handle the end of a match; ignore it if its block has been voided."""
    if outcome.failure:
        yield from queue.void(match, Failure(outcome.failure, outcome.trace, outcome.suspect))
    elif not match.attempt.is_void:
        queue.played(match)
        yield MatchRecord.FromString(outcome.record)


def _environment() -> dict[str, str]:
    """Return our environment with our import path, so that a worker finds the same games.

    gRPC's C library is silent, because a bot could make it write to our terminal; what matters is raised as well.
    """
    path = os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)
    return {"GRPC_VERBOSITY": "NONE", **os.environ, "PYTHONPATH": path}
