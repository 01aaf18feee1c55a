"""What the values of a tournament file may be: each function parses one kind, or returns what does.

A parser gets where the value stands, such as "cup.toml: seats", for its error messages; the value; and the folder that
paths are relative to. It raises SettingsError.
"""

import os
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from ballcourt.arena.bots.naming import name_objection
from ballcourt.engine.core import WrongInput

Value = object
Chosen = TypeVar("Chosen")
Parser = Callable[[str, Value, Path], Chosen]


class SettingsError(WrongInput):
    """A tournament file or a flag is wrong; the sentence names key, value and what is allowed."""


def text(where: str, value: Value, _base: Path) -> str:
    """Return a non-empty string."""
    if not isinstance(value, str) or not value or "\0" in value:  # which no path can have
        raise SettingsError(f"{where} is {value!r}; it must be a non-empty string without NUL characters")
    return value


def name(where: str, value: Value, _base: Path) -> str:
    """Return the name of an entrant or an owner; an empty one is left open."""
    if not isinstance(value, str) or (value and (objection := name_objection(value))):
        raise SettingsError(f"{where} is {value!r}; {objection if isinstance(value, str) else 'it must be a string'}")
    return value


def path(where: str, value: Value, base: Path) -> Path:
    """Return a path; a relative one begins at `base`."""
    return placed(text(where, value, base), base)


def placed(name: str, base: Path) -> Path:
    """Return the path that a name in a file of the folder `base` means; nothing need be there."""
    return base / os.path.expanduser(name)  # noqa: PTH111  # Path raises for a user who does not exist


def flag(where: str, value: Value, _base: Path) -> bool:
    """Return true or false."""
    if not isinstance(value, bool):
        raise SettingsError(f"{where} is {value!r}; it must be true or false")
    return value


def one_of(kind: type[StrEnum]) -> Parser[str]:
    """Return what parses one of the values of `kind`."""
    choices = " or ".join(f'"{known}"' for known in kind)

    def parse(where: str, value: Value, _base: Path) -> str:
        if value not in list(kind):
            raise SettingsError(f"{where} is {value!r}; it must be {choices}")
        return str(value)

    return parse


def whole(low: int, high: int) -> Parser[int]:
    """Return what parses a whole number in this range."""

    def parse(where: str, value: Value, _base: Path) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise SettingsError(f"{where} is {value!r}; it must be a whole number from {low} to {high}")
        return value

    return parse


def one_or_several(
    parse: Callable[[str, Value, Path], Chosen],
) -> Callable[[str, Value, Path], Chosen | tuple[Chosen, ...]]:
    """Return what parses a value, or a list of different ones."""

    def choice(where: str, value: Value, base: Path) -> Chosen | tuple[Chosen, ...]:
        if not isinstance(value, list):
            return parse(where, value, base)
        chosen = tuple(parse(where, entry, base) for entry in value)
        if not chosen or len({*chosen}) < len(chosen):
            raise SettingsError(f"{where} is {value!r}; a list must have entries, and each of them once")
        return chosen

    return choice
