"""Processes that step the parts of a batch. They share its memory, which has no name, so nothing is left of it.

A process learns by a socket what to do, in single bytes. When the process that began them ends, in whatever way, the
socket is closed and they end too; when one of them ends, its batch learns it in the same way.
"""

import os
import pickle
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from mmap import mmap
from socket import MSG_WAITALL, socket, socketpair
from typing import Final, NoReturn

from ballcourt.env.errors import EnvError
from ballcourt.env.part import BatchPart, arrays_in, bytes_of
from ballcourt.env.single import Env

STEP: Final = b"s"
RESET: Final = b"r"
"""Then a seed of 8 bytes."""
NEXT: Final = b"n"
"""Begin the next matches."""
DONE: Final = b"."
LENGTH: Final = 8
"""The bytes of a length and of a seed."""
GRACE_S: Final = 0.5
"""Between the end of the line to a process and its end."""
MAIN: Final = "from ballcourt.env.processes import main; main()"


class Processes:
    """The processes of a batch, each with a part of its tables."""

    def __init__(self, env: Env, tables: int, count: int) -> None:
        """Start `count` processes. Raises EnvError if one cannot step this game."""
        self._running: list[_Process] = []
        self._busy: list[_Process] = []
        self._owner = os.getpid()
        if sys.platform == "win32":
            raise EnvError(f"processes is {count}; more than one needs Linux or macOS")
        descriptor = _nameless(bytes_of(env, tables))
        self.memory = memoryview(mmap(descriptor, 0))
        ends = [tables * number // count for number in range(count + 1)]
        try:
            for first, end in pairwise(ends):
                self._running.append(_started(descriptor, _Share(env, tables, first, end)))
        finally:
            os.close(descriptor)
        self._busy = self._running[:]
        self.finish()

    def reset(self, seed: int | None) -> None:
        """Begin the matches of all parts. Raises EnvError if a process has ended."""
        self.tell(NEXT if seed is None else RESET + seed.to_bytes(LENGTH, "little"))
        self.finish()

    def tell(self, command: bytes) -> None:
        """Tell all processes what to do. Raises EnvError if one has ended, or they are another process's."""
        self._check_owner()
        if not self._running:
            raise EnvError("the processes of this batch have ended; make another BatchEnv")
        for one in self._running:
            try:
                one.line.sendall(command)
            except OSError:
                self._fail(one)
            self._busy.append(one)

    def finish(self) -> None:
        """Wait until all have carried out their orders. Raises EnvError as `tell` does."""
        self._check_owner()
        while self._busy:
            answer = b""
            with suppress(ConnectionError):
                answer = self._busy[0].line.recv(1)
            if answer != DONE:
                self._fail(self._busy[0])
            self._busy.pop(0)  # only now: an interruption may come before the answer

    def close(self) -> None:
        """End the processes."""
        for one in self._running:
            one.line.close()
        for one in self._running:
            with suppress(subprocess.TimeoutExpired):
                one.process.wait(GRACE_S)
            one.process.kill()
            one.process.wait()
        self._running, self._busy = [], []

    def __del__(self) -> None:
        self.close()

    def _check_owner(self) -> None:
        """Raise EnvError in a fork of the process that began the processes: they cannot obey both."""
        if os.getpid() != self._owner:
            raise EnvError(
                f"the processes of this batch belong to process {self._owner}, of which this is a fork; make another "
                "BatchEnv here"
            )

    def _fail(self, one: "_Process") -> NoReturn:
        with suppress(subprocess.TimeoutExpired):
            one.process.wait(GRACE_S)
        code = one.process.returncode
        self.close()
        raise EnvError(
            f"process {one.process.pid} of the batch ended with exit code {code}, and the matches are lost; make "
            "another BatchEnv"
        )


@dataclass(frozen=True, slots=True)
class _Process:
    process: subprocess.Popen[bytes]
    line: socket


@dataclass(frozen=True, slots=True)
class _Share:
    """What a process steps: of the batch's tables those from `first` to `end - 1`."""

    env: Env
    tables: int
    first: int
    end: int


def _nameless(size: int) -> int:
    """Return the descriptor of zeros in memory that no file system shows."""
    if sys.platform == "linux":
        descriptor = os.memfd_create("ballcourt-batch")
    else:
        with tempfile.TemporaryFile() as file:  # it has no name either
            descriptor = os.dup(file.fileno())
    os.truncate(descriptor, size)
    return descriptor


def _started(descriptor: int, share: _Share) -> _Process:
    """Start a process; whether it could begin, its first answer says."""
    ours, theirs = socketpair()
    with theirs:
        command = [sys.executable, "-c", MAIN, str(descriptor), str(theirs.fileno())]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, pass_fds=(descriptor, theirs.fileno()))
    with suppress(OSError):
        for part in (sys.path, share):
            content = pickle.dumps(part)
            ours.sendall(len(content).to_bytes(LENGTH, "little") + content)
    return _Process(process, ours)


def main() -> None:
    """Step a part until the process that began this one closes the line, or ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for that process
    descriptor, line = int(sys.argv[1]), socket(fileno=int(sys.argv[2]))
    with suppress(ConnectionError, EOFError):
        sys.path[:] = pickle.loads(_message(line))  # before the module of the game is imported
        share: _Share = pickle.loads(_message(line))
        arrays = arrays_in(memoryview(mmap(descriptor, 0)), share.env, share.tables)
        _serve(BatchPart(share.env, arrays.rows(share.first, share.end), share.first), line)


def _serve(part: BatchPart, line: socket) -> None:
    line.sendall(DONE)
    while command := line.recv(1):
        if command == STEP:
            part.step()
        else:
            part.reset(int.from_bytes(_bytes(line, LENGTH), "little") if command == RESET else None)
        line.sendall(DONE)


def _message(line: socket) -> bytes:
    return _bytes(line, int.from_bytes(_bytes(line, LENGTH), "little"))


def _bytes(line: socket, count: int) -> bytes:
    """Read exactly this many bytes. Raises EOFError if the line is closed before."""
    found = line.recv(count, MSG_WAITALL)
    if len(found) < count:
        raise EOFError
    return found
