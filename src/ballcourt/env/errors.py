"""Errors of environments, and the numbers that they take."""

from contextlib import suppress
from operator import index
from typing import SupportsIndex

from ballcourt.engine.core import WrongInput

WHICH = "a whole number, one of those that are legal"
"""What an action must be."""
SHOWN = 80
"""How much of a wrong value an error shows, in characters."""


class EnvError(WrongInput):
    """An environment cannot do what it was asked."""


class WrongType(EnvError, TypeError):
    """A value is of a type that an environment does not take."""


def whole(value: SupportsIndex, what: str, allowed: str = "a whole number") -> int:
    """Return a whole number of Python, NumPy, PyTorch or the like as an int; `what` names it, as "the seed".

    Raises WrongType for everything else, such as 1.0 and True.
    """
    if type(value) is int:
        return value
    truth = isinstance(value, bool) or str(getattr(value, "dtype", "")).endswith("bool")
    with suppress(TypeError):
        if not truth:
            return index(value)  # compiled rules take only ints, which NumPy's integers are not
    shown = " ".join(repr(value).split())[:SHOWN]
    raise WrongType(f"{what} is {shown} ({type(value).__name__}); it must be {allowed}")
