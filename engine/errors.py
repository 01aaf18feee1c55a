"""Errors of the engine. Each message names the offender, its value and what is allowed."""

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the end of a sentence about an unknown name, with the known one that is most like it; empty if none is."""
    close = get_close_matches(name, known, n=1)
    return f" (did you mean {close[0]}?)" if close else ""


class WrongInput(ValueError):
    """Base of all errors caused by a person's input, here and in the arena; the message is for that person."""


class EngineError(ValueError):
    """Base of the engine's errors."""


class UnknownGame(EngineError, WrongInput):
    """No game of this name is installed."""


class InvalidOption(EngineError, WrongInput):
    """The game does not allow this seat count or option."""


class IllegalAction(EngineError):
    """A seat acted out of turn, or its action is not legal."""


class MalformedRows(EngineError):
    """Saved rows or an observation are not a position of this game."""
