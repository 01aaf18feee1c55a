"""The processes of a contest under torture: its server, its examiners and its ladder, each killed at any of its lines.

They run what `ballcourt serve`, `examiner` and `ladder` run. To be cheap they are forked from a process that has
imported everything, exams only copy a bot, matches are played without processes, and the clock of the contest can be
put forward.
"""

import os
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing import get_context
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from socket import socket
from types import FrameType
from typing import Any

from fastapi import FastAPI

from ballcourt.arena.ladder import run
from ballcourt.contest import background
from ballcourt.contest.examining import examiner
from ballcourt.contest.examining.desks import OwnDesk
from ballcourt.contest.examining.handover import Handover
from ballcourt.contest.notifications import delivery
from ballcourt.contest.store.contest import Contest, open_contest
from ballcourt.contest.web.application import contest_app
from ballcourt.web.server import web_server
from tests.arena.ladder.in_process import Looked, play

ROOT = Path(__file__).parents[2]
TRACED = tuple(
    str(ROOT / "src" / "ballcourt" / place)
    for place in (
        "contest/",
        "arena/ladder/",
        "arena/files.py",
        "arena/tournament/decisions/trail.py",
        "arena/tournament/event/json_lines.py",
    )
)
"""Where processes are killed."""
KINDS = ("server", "examiner", "ladder")
MOST_HITS = 3
"""How many times a line is noted."""
LOOK_S = 0.1


@dataclass(frozen=True)
class Spot:
    """A line of a program, when it is reached for the n-th time."""

    place: str
    hit: int


@dataclass(frozen=True)
class Part:
    """A process of a contest."""

    kind: str
    place: Path
    """The folder of its trial."""
    ahead: Any
    """A shared number: by how many seconds the clock of the contest is ahead of that of this machine."""
    listener: socket | None = None
    blow: Spot | None = None
    """Where it is killed."""
    noted: Path | None = None
    """The file in which it notes the spots that it reaches."""

    def now(self) -> float:
        """Return the Unix time in seconds by the clock of the contest."""
        return time.time() + float(self.ahead.value)

    @contextmanager
    def contest(self) -> Iterator[Contest]:
        """Open the contest, with its own clock."""
        with open_contest(self.place / "cup" / "contest.toml") as opened:
            yield replace(opened, now=self.now)


class Lines:
    """Counts the lines that this process executes, notes them, and kills it at one of them."""

    def __init__(self, part: Part) -> None:
        self._blow = part.blow
        self._noted = part.noted.open("a", buffering=1) if part.noted else None
        self._counts: Counter[str] = Counter()

    def begin(self) -> None:
        """Count from now on, in all threads."""
        if self._blow or self._noted:
            threading.settrace(self._call)
            sys.settrace(self._call)

    def _call(self, frame: FrameType, event: str, argument: object) -> Any:  # noqa: ANN401 - as `sys` has it
        return self._line if frame.f_code.co_filename.startswith(TRACED) else None

    def _line(self, frame: FrameType, event: str, argument: object) -> Any:  # noqa: ANN401
        if event == "line":
            _, _, file = frame.f_code.co_filename.rpartition("/ballcourt/")
            place = f"{file}:{frame.f_lineno}"
            self._counts[place] += 1
            hit = self._counts[place]
            if self._blow and self._blow == Spot(place, hit):
                os.kill(os.getpid(), signal.SIGKILL)
            if self._noted and hit <= MOST_HITS:
                self._noted.write(f"{place} {hit}\n")
        return self._line


def context() -> ForkServerContext:
    """Return what starts parts; they are forked from a process that has imported this module."""
    found = get_context("forkserver")
    found.set_forkserver_preload([__name__])
    return found


def started(part: Part) -> BaseProcess:
    """Start a part."""
    process = context().Process(target=_run, args=(part,), daemon=True)
    process.start()
    return process


def _run(part: Part) -> None:
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    tempfile.tempdir = str(part.place / "tmp")
    log = (part.place / f"said-{part.kind}").open("a", buffering=1)
    os.dup2(log.fileno(), 1)
    os.dup2(log.fileno(), 2)
    {"server": _serve, "examiner": _examine, "ladder": _play}[part.kind](part, Lines(part))


def _end_with(parent: int) -> None:
    """End this process when the one that forks is gone."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)


def _serve(part: Part, lines: Lines) -> None:
    background.LOOK_S = LOOK_S  # type: ignore[misc]
    assert part.listener
    with part.contest() as contest:
        server = web_server(contest_app(contest, FastAPI()))
        lines.begin()
        threading.Thread(target=delivery.send_for_ever, args=(contest, threading.Event(), print), daemon=True).start()
        server.run(sockets=[part.listener])


def _examine(part: Part, lines: Lines) -> None:
    examiner.LOOK_S = examiner.CALM_S = LOOK_S  # type: ignore[misc]
    with part.contest() as contest:
        lines.begin()
        examiner.examine_for_ever(lambda _: OwnDesk(contest, Handover(contest)), lambda: False, print, Looked)


def _play(part: Part, lines: Lines) -> None:
    run.LOOK_S = LOOK_S  # type: ignore[misc]
    with part.contest() as contest:
        ladder = contest.ladder
    lines.begin()
    for _ in play(ladder):
        time.sleep(LOOK_S)  # so that matches leave the processor to others
