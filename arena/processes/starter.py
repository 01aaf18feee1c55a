"""What starts bot processes, as the matches that need them see it: the launcher on Linux, plain processes elsewhere."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.sandbox.launch import GRACE_S, Launch
from ballcourt.arena.sandbox.tiers import NO_SANDBOX, Sandbox


@dataclass(frozen=True, slots=True)
class Exit:
    """How a process ended: its exit code, negative for a signal, and the end of its output."""

    code: int
    tail: str
    by_itself: bool = False
    """Whether it ended before the arena asked it to."""
    failure: str = ""
    """Why it could not be started; empty if it was."""
    ours: bool = False
    """Whether the arena was at fault for that."""
    cpu_us: int = 0
    """Its CPU time and that of the children it waited for, in microseconds."""
    limits: Mapping[str, str] = field(default_factory=dict)
    """What shows that it ran into limits, by the termination that this is, such as OUT_OF_MEMORY."""
    lacked_processes: bool = False
    """Whether the kernel has refused it another process or thread, as it had all that its limit allows."""


class Process:
    """A process that was asked for."""

    def __init__(self) -> None:
        self.pid = 0
        """0 until it has started."""
        self.exited: asyncio.Future[Exit] = asyncio.get_running_loop().create_future()
        """How it ended; ArenaError if what started it ended first."""

    def stop(self) -> None:
        """Stop all its processes until `resume`, if the system can."""

    def resume(self) -> None:
        """Resume all its processes."""

    def pids(self) -> list[int]:
        """Return the pids of its processes that are known."""
        return [self.pid] if self.pid else []

    async def news(self) -> str:
        """Return what it has printed since the last call, at most the end of it; empty once it has ended."""
        return ""

    def cpu_us(self) -> int:
        """Return the CPU time it has used, in microseconds; 0 if that is not known before it ends."""
        return self.exited.result().cpu_us if self.exited.done() else 0

    def stolen_us(self) -> int:
        """Return the CPU time it has used while it was stopped, in microseconds."""
        return 0


class Starter(ABC):
    """Starts and ends processes. An async context manager; on leaving, every process it started ends."""

    socket_folder: Path
    """A private folder for sockets, which confined bots can enter even as another user."""

    @abstractmethod
    async def __aenter__(self) -> Self:
        """Begin. Raises ArenaError."""

    @abstractmethod
    async def __aexit__(self, *_: object) -> None:
        """End all processes."""

    @abstractmethod
    def spawn(self, bot: Bot, environment: Mapping[str, str], sandbox: Sandbox = NO_SANDBOX) -> Process:
        """Start a bot, in a copy of its image. A failure to start shows in `exited`."""

    @abstractmethod
    def start(self, wanted: Launch) -> Process:
        """Start a program. A failure to start shows in `exited`."""

    @abstractmethod
    def kill(self, process: Process, grace_s: float = GRACE_S) -> None:
        """End a process, after `grace_s` seconds with force; `exited` is done when it has ended."""
