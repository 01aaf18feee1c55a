"""What goes wrong, in two types that are never mixed: the bot's own fault and a fault of the arena.

A `BotFault` costs the bot its seat and nobody else anything. An `ArenaError` voids the match, which is played again.
"""

import signal

from ballcourt.v1.protocol_pb2 import Termination


class BotFault(Exception):
    """A bot broke the contract: `termination` says how, the message is a sentence for its author.

    `think_us` is the time it took, in microseconds, where the fault is an answer or the lack of one.
    """

    def __init__(self, termination: Termination, sentence: str, think_us: int = 0) -> None:
        super().__init__(sentence)
        self.termination = termination
        self.sentence = sentence
        self.think_us = think_us


class ArenaError(RuntimeError):
    """The arena, or the rules of a game, failed; no bot is to blame."""


def short_name(termination: Termination) -> str:
    """Name a termination without the prefix: `OUT_OF_MEMORY`; by its number where it is of a newer arena."""
    if termination not in Termination.values():
        return f"TERMINATION {termination}"
    return Termination.Name(termination).removeprefix("TERMINATION_")


def describe_termination(termination: Termination) -> str:
    """Put a termination into words: `out of memory`."""
    return short_name(termination).lower().replace("_", " ")


def excerpt(written: str, most: int) -> list[str]:
    """Quote about `most` lines of what a program wrote: some say why they end in the first lines, some in the last."""
    lines = written.expandtabs(4).splitlines()
    if len(lines) <= most:
        return lines
    half = most // 2
    return [*lines[:half], f"... {len(lines) - 2 * half} lines left out ...", *lines[-half:]]


def describe_exit(code: int) -> str:
    """Put an exit code into words; a negative one is the signal that ended the process."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"
