"""What goes wrong, in two types that are never mixed: the bot's own fault and a fault of the arena.

A `BotFault` costs the bot its seat and nobody else anything. An `ArenaError` voids the match, which is played again.
"""

import signal

from ballcourt.v1.protocol_pb2 import Termination


class BotFault(Exception):
    """A bot broke the contract: `termination` says how, the message is a sentence for its author."""

    def __init__(self, termination: Termination, sentence: str) -> None:
        super().__init__(sentence)
        self.termination = termination
        self.sentence = sentence


class ArenaError(RuntimeError):
    """The arena, or the rules of a game, failed; no bot is to blame."""


def describe_exit(code: int) -> str:
    """Put an exit code into words; a negative one is the signal that ended the process."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"
