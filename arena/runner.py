"""Plays many matches at the same time with worker processes of its own, and outlives the death of any of them."""

import contextlib
import itertools
import os
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Self

from arena.faults import ArenaError
from arena.match import MatchSpec
from arena.orders import Order, Outcome
from ballcourt.v1.record_pb2 import MatchRecord

ATTEMPTS = 3
LEAVE_S = 20.0


class RunnerError(ArenaError):
    """A match could not be played, however often it was tried. Its notes hold the trace of the last attempt."""


class Runner:
    """Worker processes that play matches. Use it as a context manager; leaving ends all that it started.

    The workers end by themselves also when this process is killed.
    """

    def __init__(self, workers: int, matches_per_worker: int = 1) -> None:
        for name, value in (("workers", workers), ("matches_per_worker", matches_per_worker)):
            if value < 1:
                raise ValueError(f"{name} is {value}; it must be at least 1")
        self._count = workers
        self._capacity = matches_per_worker
        self._workers: list[_WorkerProcess] = []
        self._numbers = itertools.count()

    def __enter__(self) -> Self:
        self._workers = [_WorkerProcess() for _ in range(self._count)]
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.hang_up()
        for worker in self._workers:
            worker.join()
        self._workers = []

    def run(self, specs: Iterable[MatchSpec]) -> Iterator[MatchRecord]:
        """Play matches and yield their records as they finish; no more specs are taken than can be played at once.

        Raises RunnerError for a match that fails by the arena's or its game's own fault every time it is tried.
        """
        upcoming = iter(specs)
        again: deque[_Attempt] = deque()
        self._replace_busy()
        while True:
            self._hand_out(upcoming, again)
            busy = [worker for worker in self._workers if worker.attempts]
            if not busy:
                return
            for connection in wait([worker.connection for worker in busy]):
                worker = next(worker for worker in busy if worker.connection is connection)
                outcome = worker.receive()
                if outcome is None:
                    again.extend(self._bury(worker))
                elif outcome.failure:
                    again.append(worker.attempts.pop(outcome.number).failed(outcome.failure, outcome.trace))
                else:
                    del worker.attempts[outcome.number]
                    yield MatchRecord.FromString(outcome.record)

    def _hand_out(self, upcoming: Iterator[MatchSpec], again: "deque[_Attempt]") -> None:
        """Fill the free places, the least busy worker first."""
        while True:
            worker = min(self._workers, key=lambda worker: len(worker.attempts))
            if len(worker.attempts) >= self._capacity:
                return
            attempt = again.popleft() if again else _next_attempt(upcoming)
            if attempt is None:
                return
            worker.play(next(self._numbers), attempt)

    def _bury(self, worker: "_WorkerProcess") -> "list[_Attempt]":
        """Put a new worker in the place of a dead one; return what the dead one was playing."""
        code = worker.join()
        self._workers[self._workers.index(worker)] = _WorkerProcess()
        return [attempt.failed(f"its worker process died (exit code {code})") for attempt in worker.attempts.values()]

    def _replace_busy(self) -> None:
        """Forget the matches of an earlier run that was not read to its end."""
        for worker in [worker for worker in self._workers if worker.attempts]:
            worker.hang_up()
            self._bury(worker)


class _Attempt:
    """A match on its way, and how often it has failed."""

    def __init__(self, spec: MatchSpec) -> None:
        self.spec = spec
        self.failures = 0

    def failed(self, reason: str, trace: str = "") -> "_Attempt":
        """Count a failure. Raises RunnerError when it was the last one allowed."""
        self.failures += 1
        if self.failures < ATTEMPTS:
            return self
        error = RunnerError(f"match {self.spec.key} could not be played in {ATTEMPTS} attempts: {reason}")
        if trace:
            error.add_note(trace)
        raise error


class _WorkerProcess:
    """A worker as its runner sees it: a connection, a process, and the matches it is playing."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        self.attempts: dict[int, _Attempt] = {}  # by number of the order
        # a session of its own: what a terminal sends to the foreground reaches the runner alone
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "arena.worker", str(theirs.fileno())],
            env=_environment(),
            stdin=subprocess.DEVNULL,
            pass_fds=(theirs.fileno(),),
            start_new_session=True,
        )
        theirs.close()
        self.connection: Connection[Order, Outcome] = Connection(ours.detach())

    def play(self, number: int, attempt: _Attempt) -> None:
        """Send a match; that the worker is dead will show when it is read from."""
        self.attempts[number] = attempt
        with contextlib.suppress(OSError):
            self.connection.send(Order(number, attempt.spec))

    def receive(self) -> Outcome | None:
        """Read what a worker has to say; None when it is dead."""
        try:
            return self.connection.recv()
        except (EOFError, OSError):
            return None

    def hang_up(self) -> None:
        """Tell the worker to end."""
        self.connection.close()

    def join(self) -> int:
        """Wait for the end of the process, by force if need be, and return its exit code."""
        self.connection.close()
        try:
            return self._process.wait(LEAVE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()


def _next_attempt(upcoming: Iterator[MatchSpec]) -> _Attempt | None:
    spec = next(upcoming, None)
    return _Attempt(spec) if spec else None


def _environment() -> dict[str, str]:
    """Our environment, and our import path, so that a worker finds the same games as we do."""
    path = os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)
    return {"GRPC_VERBOSITY": "ERROR", **os.environ, "PYTHONPATH": path}
