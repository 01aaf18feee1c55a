"""What a launcher needs to know to start a program. It loads nothing heavy, for launchers load it."""

from dataclasses import dataclass

TAIL_BYTES = 16 * 1024
"""How much of what a process wrote last is kept, unless another number is asked for."""


@dataclass(frozen=True)
class Launch:
    """How a launcher starts a bot: the command, where, with which environment, and under which limits."""

    command: list[str]
    directory: str
    environment: dict[str, str]
    rlimits: dict[int, int]
    memory_mb: int
    wrappers: int
    """How many generations of processes come before the bot's own."""
    tail_bytes: int = TAIL_BYTES
    """How much is kept of what it wrote last."""
