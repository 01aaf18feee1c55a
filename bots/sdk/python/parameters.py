"""The parameters of a bot, which the arena passes in an environment variable."""

from __future__ import annotations

import re
from typing import Final

VARIABLE: Final = "BALLCOURT_PARAMETERS"
WORD: Final = re.compile(r"([^=]+)=(-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?)")
MOST: Final = 1e15
"""The largest number that a parameter can be, in either direction."""


class ParameterError(LookupError):
    """The bot has no such parameter; the message is a sentence for its author."""


class Parameters(dict[str, float]):
    """The values of parameters by name: an int for a whole number, else a float."""

    @classmethod
    def read(cls, written: str) -> Parameters:
        """Return the parameters in a list such as "depth=4,trust=0.5". Raises ValueError."""
        values = cls()
        for word in filter(None, written.split(",")):
            found = WORD.fullmatch(word)
            if not found or abs(float(found[2])) > MOST:
                raise ValueError(
                    f"{VARIABLE} is '{written}'; it must be NAME=NUMBER, several separated by commas, for example "
                    "depth=4,trust=0.5"
                )
            values[found[1]] = float(found[2]) if found[3] or found[4] else int(found[2])
        return values

    def __missing__(self, name: str) -> float:
        """Raise ParameterError, which names those that there are."""
        raise ParameterError(f"there is no parameter '{name}'; bot.toml declares {', '.join(self) or 'none'}")

    def whole(self, name: str) -> int:
        """Return the value of a parameter whose numbers in bot.toml are whole. Raises ParameterError."""
        value = self[name]
        if not isinstance(value, int):
            raise ParameterError(
                f"the parameter '{name}' is {value}; it must be a whole number: write its default, least and most in "
                "bot.toml without a point"
            )
        return value

    def number(self, name: str) -> float:
        """Return the value of a parameter. Raises ParameterError."""
        return float(self[name])
