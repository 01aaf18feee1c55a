"""What a launcher needs to start a program. Launchers import it, so it imports nothing heavy."""

from dataclasses import dataclass

TAIL_BYTES = 16 * 1024
"""How many bytes of the end of a process's output are kept by default."""


@dataclass(frozen=True)
class Launch:
    """How a launcher starts a bot: the command, where, with which environment, and under which limits."""

    command: list[str]
    directory: str
    environment: dict[str, str]
    rlimits: dict[int, int]
    memory_mb: int
    wrappers: int
    """How many generations of processes are above the bot's own."""
    tail_bytes: int = TAIL_BYTES
    """How many bytes of the end of its output are kept."""
