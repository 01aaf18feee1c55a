"""A worker process, as seen by the code that sends it matches."""

import contextlib
import math
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from multiprocessing.connection import Connection, wait
from pathlib import Path

from ballcourt.arena.processes.tree import end_strays
from ballcourt.arena.remote.hosting import Hosting
from ballcourt.arena.workers.cores import Cores
from ballcourt.arena.workers.orders import BEAT_S, Beat, Begun, FromWorker, MatchOutcome, Order, Outfit, Told, ToWorker
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.arena.workers.queue import Failure

LEAVE_S = 20.0
KEEPER = "ballcourt.arena.workers.keeper"
INTERRUPTIONS = signal.SIGINT, signal.SIGTERM
HANG_S = 60.0
"""How long a worker's event loop may be silent before the worker is killed."""


class WorkerProcess:
    """A process, a connection to it, and the numbers of the matches that it is playing."""

    def __init__(self, hosting: Hosting | None, cores: Cores | None) -> None:
        """With `cores`, its bots have processors of their own; with `hosting`, it admits remote bots."""
        ours, theirs = socket.socketpair()
        self.playing: set[int] = set()
        self.here: Mapping[str, str] = {}
        """The versions of the remote bots that were connected at its last beat, by name."""
        self._silent_s = 0.0
        # a new session, so that signals from the terminal reach only the runner
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", KEEPER, str(theirs.fileno())],
            env=environment(),
            stdin=subprocess.DEVNULL,
            pass_fds=(theirs.fileno(), *([hosting.listener] if hosting else ())),
            start_new_session=True,
        )
        theirs.close()
        for direction in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):  # a worker may hang in the middle of a message
            ours.setsockopt(socket.SOL_SOCKET, direction, struct.pack("@ll", int(HANG_S), 0))
        self.connection: Connection[Outfit | ToWorker, FromWorker] = Connection(ours.detach())
        self._send(Outfit(cores, hosting))

    @property
    def hangs(self) -> bool:
        """Whether it has been silent for too long although it has a match to play."""
        return self._silent_s > HANG_S

    def play(self, number: int, match: PlayableMatch) -> None:
        """Send a match, unless the worker hangs. If it is dead, reading from it will show that."""
        if not self.playing:
            self._silent_s = 0.0
        self.playing.add(number)
        self._send(Order(number, match))

    def tell(self, told: Told) -> None:
        """Send what owners of remote bots are shown, as `play` sends a match."""
        self._send(told)

    def _send(self, message: Outfit | ToWorker) -> None:
        if self.hangs:
            return
        try:
            with uninterrupted():
                self.connection.send(message)
        except BlockingIOError:  # it takes no orders; what it got of this one would spoil the next
            self._silent_s = math.inf
        except OSError:
            pass

    def receive(self) -> Begun | MatchOutcome | Beat | None:
        """Read a message of the worker; return None if it is dead, or hangs in the middle of a message."""
        self._silent_s = 0.0
        try:
            with uninterrupted():
                message = self.connection.recv()
        except BlockingIOError:
            self._silent_s = math.inf
            return None
        except (EOFError, OSError):
            return None
        assert isinstance(message, Begun | MatchOutcome | Beat), "the roll is called before there are matches"
        if isinstance(message, MatchOutcome):
            self.playing.remove(message.number)
        elif isinstance(message, Beat):
            self.here = message.here
        return message

    def note_silence(self, seconds: float) -> None:
        """Add time without a message."""
        self._silent_s += seconds

    def kill(self) -> None:
        """Have the keeper kill the worker and all it started, even if they are stopped."""
        os.killpg(self._process.pid, signal.SIGCONT)
        self._process.terminate()

    def hang_up(self) -> None:
        """Close the connection, which makes the worker end."""
        self.connection.close()

    def bury(self) -> Failure:
        """End a worker that is dead or hangs, and whatever it left behind; return what happened to it."""
        hung = self.hangs
        if hung:
            self.kill()
        code = self.join()
        end_strays()
        if hung:
            return Failure(f"its worker process hung for {HANG_S:g} s")
        return Failure(f"its worker process died (exit code {code})", died=True)

    def join(self) -> int:
        """Wait for the process to end, killing it if necessary; return its exit code."""
        self.connection.close()
        for by_force in (self.kill, self._process.kill):
            try:
                return self._process.wait(LEAVE_S)
            except subprocess.TimeoutExpired:
                by_force()
        return self._process.wait()


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold back Ctrl-C and SIGTERM while a message is sent or read: half of one would spoil the connection."""
    if threading.current_thread() is not threading.main_thread():  # signals interrupt only the main thread
        yield
        return
    held: list[int] = []
    before = [(number, signal.signal(number, lambda one, _: held.append(one))) for number in INTERRUPTIONS]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)
        for came in held:
            signal.raise_signal(came)


def heard(busy: Sequence[WorkerProcess]) -> Iterator[tuple[WorkerProcess, Begun | MatchOutcome | None]]:
    """Wait for messages, for a limited time; yield what workers say of matches, and None for a dead or hanging worker.

    Only time spent waiting counts as silence, so workers are not blamed if the runner itself was stopped.
    """
    began = time.monotonic()
    ready = wait([worker.connection for worker in busy], BEAT_S)
    waited_s = min(time.monotonic() - began, BEAT_S)
    for worker in busy:
        if worker.connection not in ready:
            worker.note_silence(waited_s)
        elif not isinstance(message := worker.receive(), Beat):
            yield worker, message
            continue
        if worker.hangs:
            yield worker, None


def end_of(outcome: MatchOutcome) -> bytes | Failure:
    """Return the serialised record of a match, or why the arena failed to play it."""
    return Failure(outcome.failure, outcome.trace, outcome.suspect) if outcome.failure else outcome.record


def environment() -> dict[str, str]:
    """Return our environment with our import path, so that a worker finds the same games.

    gRPC's C library is silent, because a bot could make it write to our terminal; what matters is raised as well. Its
    EventEngine is off: it hands every message from thread to thread, and without it a message takes a third less CPU
    time.
    """
    path = os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)
    grpc = {"GRPC_VERBOSITY": "NONE", "GRPC_EXPERIMENTS": "-event_engine_client,-event_engine_listener"}
    return {**grpc, **os.environ, "PYTHONPATH": path}
