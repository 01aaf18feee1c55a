"""The options of a match, and their validation."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ballcourt.engine.errors import InvalidOption, did_you_mean

SEEDED: Final = "seeded"
"""The choice of options that the match seed decides."""


@dataclass(frozen=True, slots=True)
class Option:
    """One setting of a game. Values are strings, so that flags, TOML files, records and the wire agree."""

    name: str
    help: str
    choices: tuple[str, ...]
    default: str


def complete(game: str, known: tuple[Option, ...], given: Mapping[str, str]) -> dict[str, str]:
    """Fill in the defaults and return every option of the game in the game's order.

    Raises InvalidOption for an unknown name or a value that is not among the choices.
    """
    names = [option.name for option in known]
    for name in given:
        if name not in names:
            raise InvalidOption(
                f"{game} has no option '{name}'; it has {', '.join(names) or 'none'}{did_you_mean(name, names)}"
            )
    completed = {option.name: given.get(option.name, option.default) for option in known}
    for option in known:
        if completed[option.name] not in option.choices:
            raise InvalidOption(
                f"option {option.name} of {game} is '{completed[option.name]}'; "
                f"it must be one of {', '.join(option.choices)}"
            )
    return completed


def unusual(known: tuple[Option, ...], given: Mapping[str, str]) -> list[str]:
    """Return the options that differ from the defaults, or are not known, in words: "board night"."""
    usual = {option.name: option.default for option in known}
    return [f"{name} {value}".replace("_", " ") for name, value in given.items() if usual.get(name) != value]


def check_seat(game: str, name: str, chosen: str, seats: int) -> None:
    """Raise InvalidOption if an option, unless it is SEEDED, names a seat that is not at the table."""
    if chosen != SEEDED and int(chosen) >= seats:
        raise InvalidOption(f"option {name} of {game} is '{chosen}', but {seats} seats are numbered 0 to {seats - 1}")
