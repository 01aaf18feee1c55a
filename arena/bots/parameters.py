"""Parameters of a bot: numbers that its bot.toml declares, and that an entrant may set to other values."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from ballcourt.engine.core import did_you_mean

KEYS: Final = ("default", "least", "most", "scale")
SCALES: Final = ("linear", "log")
MOST: Final = 1e15
"""The largest number that a parameter can be, in either direction; floats represent all whole numbers up to there."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number that a bot can be given, from `least` to `most`; an int if all three numbers are written as ints."""

    name: str
    default: float
    least: float
    most: float
    scale: str = "linear"
    """How its range is divided for a search: "log" where ratios matter, not differences."""
    given: float | None = None
    """What the organiser has set it to; None: its default."""

    @property
    def word(self) -> str:
        """Its name and its value, as the bot gets them: a whole number has no point."""
        value = self.default if self.given is None else self.given
        return f"{self.name}={value if self.is_int else float(value)}"

    @property
    def is_int(self) -> bool:
        """Whether only whole numbers are allowed."""
        return all(isinstance(number, int) for number in (self.default, self.least, self.most))

    @property
    def range(self) -> str:
        """What is allowed, in words."""
        return f"a {'whole ' if self.is_int else ''}number from {self.least} to {self.most}"

    def at(self, place: float) -> float:
        """Return the value at a place in the range, from 0 to 1."""
        low, high = self._scaled(self.least), self._scaled(self.most)
        value = low + place * (high - low)
        number = math.exp(value) if self.scale == "log" else value
        return round(number) if self.is_int else min(max(float(f"{number:.6g}"), self.least), self.most)

    def place_of(self, value: float) -> float:
        """Return the place of a value in the range, from 0 to 1."""
        low, high = self._scaled(self.least), self._scaled(self.most)
        return (self._scaled(value) - low) / (high - low)

    def read(self, written: str) -> float:
        """Return the value that a word stands for. Raises ValueError, which says what is allowed."""
        try:
            value: float = int(written) if self.is_int else float(written)
        except ValueError:
            value = math.nan
        if not self.least <= value <= self.most:
            raise ValueError(f"{self.name} is '{written}'; it must be {self.range}")
        return value

    def _scaled(self, value: float) -> float:
        return math.log(value) if self.scale == "log" else float(value)


def declared(name: str, table: object) -> Parameter:
    """Return the parameter that a table of bot.toml declares. Raises ValueError, which says what is wrong."""
    if not name.isidentifier():
        raise ValueError(f"'{name}' cannot name a parameter; use letters, digits and underscores")
    if not isinstance(table, Mapping) or not {"default", "least", "most"} <= set(table) <= set(KEYS):
        raise ValueError(f"parameters.{name} must be a table with default, least and most, and perhaps scale")
    numbers = [table[key] for key in ("default", "least", "most")]
    if not all(map(_is_number, numbers)):
        raise ValueError(f"parameters.{name}: default, least and most must be numbers from {-MOST:g} to {MOST:g}")
    default, least, most = numbers
    if not (least < most and least <= default <= most):
        raise ValueError(f"parameters.{name} goes from {least} to {most} by default {default}; order them")
    scale = table.get("scale", "linear")
    if not isinstance(scale, str) or scale not in SCALES or (scale == "log" and least <= 0):
        raise ValueError(f'parameters.{name}: scale is {scale!r}; it must be "linear", or "log" if least is above 0')
    if scale == "log" and math.log(least) == math.log(most):
        raise ValueError(f"parameters.{name} goes from {least} to {most}, whose logarithms are one number; widen it")
    return Parameter(name, default, least, most, scale)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= MOST


def words(values: Mapping[str, float]) -> tuple[str, ...]:
    """Return the arguments that pass these values to a bot."""
    return tuple(f"{name}={value}" for name, value in values.items())


def objection(parameters: Sequence[Parameter], arguments: Sequence[str]) -> str:
    """Return what is wrong with arguments NAME=VALUE for a bot that declares parameters; empty if nothing is."""
    for argument in arguments if parameters else ():
        name, equals, value = argument.partition("=")
        try:
            if equals:
                parameter_called(name, parameters).read(value)
        except ValueError as error:
            return str(error)
    return ""


def set_to(parameters: Sequence[Parameter], arguments: Sequence[str]) -> tuple[Parameter, ...]:
    """Return the parameters with the values that arguments without an objection give them; the last one counts."""
    given = dict(argument.split("=", 1) for argument in arguments if "=" in argument)
    return tuple(replace(one, given=one.read(given[one.name])) if one.name in given else one for one in parameters)


def parameter_called(name: str, parameters: Sequence[Parameter]) -> Parameter:
    """Return the parameter of this name. Raises ValueError, which names those that there are."""
    known = {parameter.name: parameter for parameter in parameters}
    if name not in known:
        raise ValueError(f"it has no parameter '{name}'; its parameters: {', '.join(known)}{did_you_mean(name, known)}")
    return known[name]


def parameters_of(tables: Mapping[str, Any]) -> tuple[Parameter, ...]:
    """Return the parameters that the table `parameters` of bot.toml declares. Raises ValueError."""
    return tuple(declared(name, table) for name, table in tables.items())
