"""Kills and pauses of any process of a tournament, at any moment."""

import random
import signal
import subprocess
import time
from collections.abc import Callable

from tests.torture.subject import Subject

PAUSES_S = (25, 70)
"""Below these it goes unnoticed; above, other programs would suffer."""


def kill(subject: Subject, expected: str, chance: random.Random) -> str:
    """Kill something at a random moment, sometimes twice in a row; return what was done. Raises Failure."""
    done = []
    for _ in range(chance.choice((1, 1, 2))):
        process = subject.start()
        if _moment(chance)(subject, process) and process.poll() is None:
            kind = chance.choice(subject.kinds)
            done.append(f"{kind} x{subject.send(kind, signal.SIGKILL)}")
        process.wait()
    subject.check(expected)
    return "killed " + ", ".join(done or ["nothing: it was over"])


def pause(subject: Subject, expected: str, chance: random.Random) -> str:
    """Stop something for a while at a random moment; return what was done. Raises Failure."""
    process = subject.start()
    kind, seconds = chance.choice(subject.kinds), chance.uniform(*PAUSES_S)
    hit = _moment(chance)(subject, process)
    stopped = subject.send(kind, signal.SIGSTOP) if hit else 0
    time.sleep(seconds if stopped else 0)
    subject.send(kind, signal.SIGCONT)
    process.wait()
    subject.check(expected)
    return f"stopped {kind} x{stopped} for {seconds:.0f} s"


def _moment(chance: random.Random) -> Callable[[Subject, "subprocess.Popen[str]"], bool]:
    """Return a function that waits for a moment: while processes start, or when some matches have been played.

    It returns whether the process was still running then.
    """
    records, delay_s = chance.choice((0, chance.randrange(1, 25))), chance.uniform(0, 1.5)

    def wait(subject: Subject, process: "subprocess.Popen[str]") -> bool:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and process.poll() is None:
            started = subject.pids("launcher")
            if started and subject.kept() >= records:
                time.sleep(delay_s)
                return True
            time.sleep(0.02)
        return False

    return wait
