"""Bots that play for time: `python stalling.py WAY`. Apart from that they answer like the honest bot."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from hostile import RawLine, frame  # type: ignore[import-not-found]
from misbehaving import FOREVER, Line, action, hello, honest, play  # type: ignore[import-not-found]

from ballcourt.v1 import protocol_pb2 as wire

THOUGHT_S = 1.4
"""Less than the limit of a decision, but two of them are more."""
SPINNERS = 30
STILL_S = 6


def think_on_grace(line: Line, decide: wire.Decide) -> None:
    """Take half of the grace of 500 ms for every decision."""
    time.sleep((decide.limit_ms + 250) / 1000)
    honest(line, decide)


def think_on_empty_bank(line: Line, decide: wire.Decide) -> None:
    """Take nearly all of a bank of 3 s, and as much again whenever it is empty."""
    time.sleep(2.8)
    honest(line, decide)


class SpinsThenHangs:
    """Makes the machine busy for its first decision, and does not answer the second."""

    def __init__(self) -> None:
        self.spinners: list[subprocess.Popen[bytes]] = []

    def __call__(self, line: Line, decide: wire.Decide) -> None:
        if self.spinners:
            time.sleep(FOREVER)
        self.spinners = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(SPINNERS)]
        time.sleep(1)
        honest(line, decide)


def stop_itself(line: Line, decide: wire.Decide) -> None:
    os.kill(os.getpid(), signal.SIGSTOP)
    honest(line, decide)


def worker() -> int:
    """Return the pid of the arena's worker, which a bot outside of a sandbox can signal."""
    return int(Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(")")[2].split()[1])


def stop_arena(line: Line, decide: wire.Decide) -> None:
    """Stop the worker for a while, and leave before it can judge."""
    victim = worker()
    os.kill(victim, signal.SIGSTOP)
    time.sleep(STILL_S)
    os.kill(victim, signal.SIGCONT)
    os._exit(1)


def kill_arena(line: Line, decide: wire.Decide) -> None:
    os.kill(worker(), signal.SIGKILL)
    time.sleep(FOREVER)


class ReluctantLine(RawLine):  # type: ignore[misc]
    """A line that lets in no byte before it is asked for."""

    def __init__(self) -> None:
        super().__init__(window=0)

    def message(self, pause_s: float = 0) -> wire.ArenaMessage:
        """Return the next message; pause before its last byte is let in."""
        size = int.from_bytes(self._take(5)[1:])
        first = self._take(size - 1)
        time.sleep(pause_s)
        return wire.ArenaMessage.FromString(first + self._take(1))

    def _take(self, size: int) -> bytes:
        self.line.sendall(frame(8, 0, 1, size.to_bytes(4)))
        data = b""
        while len(data) < size:
            data += self.data()
        return data

    def ready(self) -> None:
        """Say Hello, and be ready for the match."""
        self.say(hello())
        while not (message := self.message()).HasField("match_start"):
            pass
        self.say(wire.BotMessage(ready=wire.Ready(match_id=message.match_start.match_id)).SerializeToString())


def hold_back() -> None:
    """Receive all of a question but its last byte; think about it before the clock starts for it, and after."""
    line = ReluctantLine()
    line.ready()
    while not (message := line.message(THOUGHT_S)).HasField("goodbye"):
        if message.HasField("decide"):
            time.sleep(THOUGHT_S)
            line.say(action(message.decide.decision_id, message.decide.legal[0]))


def take_nothing() -> None:
    """Receive no message after MatchStart."""
    line = ReluctantLine()
    line.ready()
    time.sleep(FOREVER)


WAYS: dict[str, Callable[[], None]] = {
    "thinks on the grace": lambda: play(think_on_grace),
    "thinks on an empty bank": lambda: play(think_on_empty_bank),
    "spins, then hangs": lambda: play(SpinsThenHangs()),
    "stops itself": lambda: play(stop_itself),
    "stops the arena and leaves": lambda: play(stop_arena),
    "kills the arena": lambda: play(kill_arena),
    "holds back the last byte": hold_back,
    "takes no question": take_nothing,
}

if __name__ == "__main__":
    WAYS[sys.argv[1]]()
