"""Two kinds of errors that are never mixed: a bot's own fault and a failure of the arena.

A `BotFault` costs the bot its seat and affects no other seat. An `ArenaError` voids the match, which is played again.
"""

import signal

from ballcourt.v1.protocol_pb2 import Termination


class BotFault(Exception):
    """A bot broke the contract: `termination` says how, the message is a sentence for its author.

    `think_us` is the time it took, in microseconds, if the fault is an answer or a missing answer.
    """

    def __init__(self, termination: Termination, sentence: str, think_us: int = 0) -> None:
        super().__init__(sentence)
        self.termination = termination
        self.sentence = sentence
        self.think_us = think_us


class ArenaError(RuntimeError):
    """The arena or the rules of a game failed; no bot is at fault."""


class ServerError(ArenaError):
    """A server that was asked failed or cannot be reached; neither this arena nor a bot is at fault."""


class Unjudged(ArenaError):
    """A bot gave up the arena after the arena had failed. It counts as a fault only if it happens again and again."""

    seat: int | None = None
    """The bot's seat."""


def notes_of(error: BaseException) -> list[str]:
    """Return the lines that follow the sentence of an error, such as the output of a program."""
    return [line for note in getattr(error, "__notes__", ()) for line in note.splitlines()]


def short_name(termination: Termination) -> str:
    """Return a termination without its prefix, such as `OUT_OF_MEMORY`; an unknown one of a newer arena by number."""
    if termination not in Termination.values():
        return f"TERMINATION {termination}"
    return Termination.Name(termination).removeprefix("TERMINATION_")


def describe_termination(termination: Termination) -> str:
    """Return a termination in words, such as `out of memory`."""
    return in_words(short_name(termination))


def in_words(short: str) -> str:
    """Return the short name of a termination in words."""
    return short.lower().replace("_", " ").replace("cpu", "CPU")


def excerpt(written: str, most: int) -> list[str]:
    """Return about `most` lines of a program's output: the first and last, as either may hold the reason of its end."""
    lines = written.expandtabs(4).splitlines()
    if len(lines) <= most:
        return lines
    half = most // 2
    return [*lines[:half], f"... {len(lines) - 2 * half} lines left out ...", *lines[-half:]]


def describe_end(code: int) -> str:
    """Return what a sentence says of a process: "ended with exit code 1" or "was killed by SIGKILL"."""
    return f"{'ended with' if code >= 0 else 'was'} {describe_exit(code)}"


def describe_exit(code: int) -> str:
    """Return an exit code in words; a negative one is the signal that ended the process."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"
