"""The event under torture: a small tournament, ladder or race of honest bots, in a process of its own."""

import os
import shlex
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from ballcourt.arena.temporary import PREFIX
from ballcourt.engine import registry
from tests.arena.conftest import Traces, wait_until
from tests.arena.ladder.in_process import let_in
from tests.bluff.installed import bluff_installed
from tests.cli.conftest import write_bot

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "ballcourt"]
GAME = "tests.bluff:GAME"
RUNS = 6
"""How often the command may be needed until the tournament is complete."""
LONGEST_S = 600
PARTS = {
    "member": "-m ballcourt admin worker ",
    "keeper": "ballcourt.arena.workers.keeper",
    "worker": "ballcourt.arena.workers.worker",
    "launcher": "ballcourt.arena.processes.launcher",
}
"""The processes of an arena, by what is in their command lines."""


class Failure(Exception):
    """A table that differs, a run that cannot be completed, or something that is left; the sentence says which."""


@dataclass(frozen=True)
class Subject:
    """A tournament in a folder of its own."""

    place: Path
    rounds: int = 15
    workers: int = 2

    @property
    def out(self) -> Path:
        """Its output folder."""
        return self.place / "out"

    @property
    def traces(self) -> Traces:
        """Its processes and temporary files."""
        return Traces(self.place / "tmp")

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of processes that can be hit; see `pids`."""
        return "main", "worker", "keeper", "launcher", "arena", "all"

    @property
    def command(self) -> str:
        """What starts or continues it."""
        return (
            f"tournament --game bluff --bot ./low --bot ./any --rounds {self.rounds} --seed 3 {self.machines} "
            "--output out"
        )

    @property
    def machines(self) -> str:
        """The flags that say where it is played."""
        return f"--workers {self.workers}"

    def prepare(self) -> Self:
        """Make the bots and the folder for temporary files."""
        for name, play in (("low", ()), ("any", ("random",))):
            write_bot(self.place / name, name, *play)
        (self.place / "tmp").mkdir()
        return self

    def start(self, prefix: tuple[str, ...] = ()) -> "subprocess.Popen[str]":
        """Start or continue the event."""
        return subprocess.Popen(
            [*prefix, *COMMAND, *shlex.split(self.command)],
            cwd=self.place,
            env=self._environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=(self.place / "messages").open("a"),
            text=True,
            start_new_session=True,
        )

    def finish(self) -> str:
        """Run the command until the tournament is complete; return its table. Raises Failure."""
        for _ in range(RUNS):
            if self.start().wait(LONGEST_S) == 0:
                return self.table()
        raise Failure(f"not complete after {RUNS} runs: {self.last_words()}")

    def table(self, *flags: str) -> str:
        """Return the table as `ballcourt leaderboard` shows it."""
        command = [*COMMAND, "leaderboard", "out", "--json", *flags]
        shown = subprocess.run(command, cwd=self.place, env=self._environment(), capture_output=True, text=True)
        if shown.returncode:
            raise Failure(f"no table: {shown.stderr.strip()}")
        return shown.stdout

    def check(self, expected: str) -> None:
        """Complete the tournament, compare its table and a rebuilt one, look for remains. Raises Failure."""
        if self.finish() != expected:
            raise Failure(f"the table differs: {self.lost_seats() or self.last_words()}")
        if self.table("--rebuild") != expected:
            raise Failure("the rebuilt table differs")
        if lost := self.lost_seats():
            raise Failure(lost)
        if not wait_until(lambda: not self.traces.processes()):
            raise Failure(f"processes are left: {self.traces.processes()}")
        if left := [path.name for path in self.traces.folder.iterdir() if not path.name.startswith(PREFIX)]:
            raise Failure(f"files are left: {', '.join(left)}")  # folders of killed launchers go with the next one

    def kept(self) -> int:
        """Return how many matches are kept so far."""
        return len([*self.out.glob("records/*.match")])

    def wait_for(self, process: "subprocess.Popen[str]", records: int) -> bool:
        """Wait until there are this many records; return whether the process still runs."""
        assert wait_until(lambda: process.poll() is not None or self.kept() >= records)
        return process.poll() is None

    def pids(self, kind: str) -> list[int]:
        """Return the running processes of a kind; "arena" for all but bots, "all" for these too."""
        found = self.traces.processes()
        parts = {"main": f"-m ballcourt {self.command.partition(' ')[0]} ", **PARTS}
        texts = parts.values() if kind == "arena" else [parts.get(kind, "")]
        return [pid for pid, command in found.items() if any(text in command for text in texts)]

    def send(self, kind: str, number: int) -> int:
        """Send a signal to all processes of a kind, or to one if it is of a single kind; return how many got it."""
        sent = 0
        for pid in self.pids(kind):
            with suppress(ProcessLookupError):
                os.kill(pid, number)
                sent += 1
        return sent

    def lost_seats(self) -> str:
        """Say how many seats were lost, and why the first of them; empty if none was."""
        faults = sorted(self.out.glob("faults/*"))
        return f"{len(faults)} honest seats lost: {(faults[0] / 'README.txt').read_text()}" if faults else ""

    def last_words(self) -> str:
        """Return the end of what the runs said."""
        ends = [file.read_text().splitlines()[-3:] for file in sorted(self.place.glob("said*"))]
        return " | ".join(line for end in ends for line in end)

    def _environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            registry.ENVIRONMENT: GAME,
            "TMPDIR": str(self.place / "tmp"),
        }


class ClusterSubject(Subject):
    """A tournament on a cluster: its scheduler is in the main process, and each member has one table."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """All kinds of processes, with the members of the cluster."""
        return *super().kinds, "member"

    @property
    def machines(self) -> str:
        """The flag that says where it is played."""
        return f"--cluster local:{self.workers}"


class LadderSubject(Subject):
    """A ladder in a folder of its own: two bots that have been let in, and one that is refused again and again."""

    @property
    def command(self) -> str:
        """What starts or continues it."""
        return f"ladder ladder.toml --matches {2 * self.rounds}"

    def prepare(self) -> Self:
        """Make the bots, let two of them in without their checks, and play the first block in this process."""
        watched = self.place / "bots"
        for name, play in (("low", ()), ("any", ("random",))):
            write_bot(watched / name, name, *play)
        (watched / "empty").mkdir()
        (self.place / "ladder.toml").write_text(
            f'game = "bluff"\nbots = "bots"\nseats = 2\nseed = 3\nworkers = {self.workers}\noutput = "out"\n'
        )
        with bluff_installed():
            let_in(self.place / "ladder.toml")
        (self.place / "tmp").mkdir()
        return self


class RaceSubject(Subject):
    """A race of three candidates against one opponent: what is kept of it stands for its table."""

    @property
    def out(self) -> Path:
        """The file in which results are kept."""
        return self.place / "kept.sqlite"

    @property
    def command(self) -> str:
        """What starts or continues it."""
        return (
            "evaluate ./low ./any ./two --game bluff --seats 2 --against ./low --sandbox 0 --seed 3 "
            f"--budget '{10 * self.rounds} matches' --cache {self.out.name} {self.machines}"
        )

    def prepare(self) -> Self:
        """Make one more candidate."""
        write_bot(self.place / "two", "two", "random")
        return super().prepare()

    def table(self, *_: str) -> str:
        """Return all blocks that are kept, without what they cost."""
        blocks = self._asked("SELECT candidate, deals, number, share, matches, played, lost, points FROM block")
        return "\n".join(sorted(map(str, blocks)))

    def kept(self) -> int:
        """Return how many matches are kept so far."""
        return sum(size for (size,) in self._asked("SELECT matches FROM block"))

    def lost_seats(self) -> str:
        """Say how many seats candidates lost; empty if none."""
        lost = sum(seats for (seats,) in self._asked("SELECT lost FROM block"))
        return f"{lost} honest seats lost" if lost else ""

    def _asked(self, query: str) -> list[tuple[Any, ...]]:
        """Ask the file; nothing if it is not made yet."""
        try:
            with closing(sqlite3.connect(f"file:{self.out}?mode=ro", uri=True)) as base:
                return base.execute(query).fetchall()
        except sqlite3.OperationalError:
            return []
