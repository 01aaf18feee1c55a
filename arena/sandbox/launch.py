"""What a launcher needs to start a program. Launchers import it, so it imports nothing heavy."""

import os
from dataclasses import dataclass

INHERITED = ("PATH", "HOME", "LANG", "SYSTEMROOT", "TEMP", "USERPROFILE", "PATHEXT")
"""The variables that programs get from the launcher's own environment. The last four are those of Windows."""
TAIL_BYTES = 16 * 1024
"""How many bytes of the end of a process's output are kept by default."""
LINE_LIMIT = 1 << 20
"""The longest line, in bytes, between a worker and its launcher, in either direction."""
GRACE_S = 0.5
"""Between SIGTERM and SIGKILL when a process is ended, unless who ends it says otherwise."""

SANDBOX_MB = 8
"""Room for the processes, namespaces and mounts of bubblewrap in the control group of a program."""


def inherited() -> dict[str, str]:
    """Return the variables of this process that programs get."""
    return {name: os.environ[name] for name in INHERITED if name in os.environ}


@dataclass(frozen=True)
class Launch:
    """How a launcher starts a bot: the command, where, with which environment, and under which limits."""

    command: list[str]
    directory: str
    environment: dict[str, str]
    rlimits: dict[str, int]
    memory_mb: int
    wrappers: int
    """How many generations of processes are above the bot's own."""
    processes: int = 0
    """How many processes and threads it may have, without those; 0 means unlimited."""
    tail_bytes: int = TAIL_BYTES
    """How many bytes of the end of its output are kept."""
    sandbox_mb: int = SANDBOX_MB
    """The memory of the sandbox itself, which its control group may use in addition."""
