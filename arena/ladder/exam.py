"""The admission of a bot: the checks of `ballcourt check bot`, in a process of their own.

The ladder goes on playing, and a bot under check cannot harm its process. `python -m ballcourt.arena.ladder.exam`
reads a line of JSON, an `Examined`, and prints the outcome as one: the checks that failed, each a paragraph. It ends
when its parent does.
"""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile

from ballcourt.arena.checks.bot_check import BotCheck
from ballcourt.arena.checks.check import CheckResult, Outcome
from ballcourt.arena.faults import ArenaError
from ballcourt.arena.models import Model
from ballcourt.arena.processes.tree import PR_SET_PDEATHSIG, load_libc
from ballcourt.arena.tournament.event.tables import ClockTable, SandboxTable
from ballcourt.arena.workers.process import environment
from ballcourt.arena.workers.speed import speed
from ballcourt.engine.core import WrongInput


class Examined(Model):
    """What is checked: a bot's folder, with which game, clock and sandbox."""

    folder: str
    game: str
    clock: ClockTable = ClockTable()
    sandbox: SandboxTable = SandboxTable()


class Exam:
    """The check of one bot, in a process that this starts."""

    def __init__(self, examined: Examined) -> None:
        self._printed, self._complained = TemporaryFile(), TemporaryFile()  # noqa: SIM115  # until the exam is read
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", __name__],
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=self._printed,
            stderr=self._complained,
            start_new_session=True,  # signals from the terminal reach only the ladder, which ends it
        )
        assert self._process.stdin, "it is a pipe"
        with suppress(BrokenPipeError), self._process.stdin as pipe:  # if it has ended, `failures` says so
            pipe.write(examined.model_dump_json().encode() + b"\n")

    @property
    def is_over(self) -> bool:
        """Whether the process has ended."""
        return self._process.poll() is not None

    def failures(self) -> list[str]:
        """Wait for the end; return what failed, each a paragraph; nothing if the bot may play. Raises ArenaError."""
        code = self._process.wait()
        for file in (self._printed, self._complained):
            file.seek(0)
        try:
            found = json.loads(self._printed.read())
        except ValueError:
            lines = self._complained.read().decode(errors="replace").splitlines()
            raise ArenaError(f"its check ended with exit code {code}: {lines[-1] if lines else 'no output'}") from None
        return [str(paragraph) for paragraph in found]

    def end(self) -> None:
        """End the process and all that it started."""
        self._process.kill()
        self._process.wait()


def examine(examined: Examined) -> list[str]:
    """Check a bot; return what failed, each a paragraph."""
    clock = examined.clock.clock().on(speed())
    check = BotCheck(Path(examined.folder), examined.game, clock, examined.sandbox.sandbox())
    try:
        return [*map(_paragraph, (found for found in check.run() if found.outcome is Outcome.FAIL))]
    except WrongInput as error:
        return [str(error)]


def _paragraph(check: CheckResult) -> str:
    advice = f"\n-> {check.advice}" if check.advice else ""
    return f"check {check.number}, {check.title}: {check.detail}{advice}"


def _main() -> None:
    load_libc().prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if line := sys.stdin.readline():  # nothing if the parent has ended already
        found = examine(Examined.model_validate_json(line))
        os.write(sys.stdout.fileno(), json.dumps(found).encode())


if __name__ == "__main__":
    _main()
