"""The manifest of an output folder as a tournament file, so that it can be run again without the original file."""

from collections.abc import Mapping
from typing import Final

from ballcourt.arena.tournament.event.setups import TABLE
from ballcourt.arena.tournament.event.stages import LADDER

KEPT_ONLY: Final = ("rules_version", "entrants", "owners", "clocks", "blocks", "length")
"""Entries of a manifest that follow from the settings; a tournament file does not have them, or not in this form."""


def is_manifest(values: Mapping[str, object]) -> bool:
    """Whether these are the values of a manifest, not of a tournament file that a person wrote."""
    return "entrants" in values and ("rules_version" in values or TABLE in values)


def as_settings(values: Mapping[str, object]) -> dict[str, object]:
    """Return the values of the tournament file that continues a tournament in the folder of its manifest.

    A drawn seed is left out: it is read from the folder. Raises ValueError for a manifest that is damaged or was
    written before manifests kept the bots.
    """
    if values.get("format") == LADDER:
        raise ValueError("it is a ladder, which `ballcourt ladder` plays")
    settings = {name: value for name, value in values.items() if name not in KEPT_ONLY}
    if not isinstance(values.get("seed"), int):
        settings.pop("seed", None)
    if TABLE in values:
        settings[TABLE] = _set_ups(values[TABLE])
    if "focus" in values:
        settings["focus"] = _focus(values["focus"], values.get("entrants"))
    sandbox = values.get("sandbox")
    if isinstance(sandbox, Mapping) and not sandbox.get("tier"):  # what is left out is not limited
        settings["sandbox"] = {name: value for name, value in sandbox.items() if value}
    if not {"bots", "bot"} & settings.keys():
        raise ValueError("it does not name its bots")
    return {**settings, **_length(values.get("length")), "output": "."}


def _set_ups(tables: object) -> list[dict[str, object]]:
    """Return the tables of set-ups without the versions of their rules. Raises ValueError."""
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise ValueError(f"its {TABLE} is {tables}, not a list of tables")
    return [{name: value for name, value in table.items() if name != "rules_version"} for table in tables]


def _focus(numbers: object, entrants: object) -> list[str]:
    """Return the names of the entrants with these numbers. Raises ValueError."""
    names = [entrant.partition(" ")[0] for entrant in entrants] if isinstance(entrants, dict) else []
    if not isinstance(numbers, list) or not all(
        isinstance(number, int) and number in range(len(names)) for number in numbers
    ):
        raise ValueError(f"its focus is {numbers}, not a list of numbers of entrants, from 0 to {len(names) - 1}")
    return [names[number] for number in numbers]


def _length(written: object) -> dict[str, int]:
    """Return the entry of a tournament file that says how long it is. Raises ValueError."""
    number, _, unit = str(written).partition(" ")
    if not (number.isascii() and number.isdecimal() and unit):
        raise ValueError(f"its length is {written}, not a number and a unit, such as '10 rounds'")
    return {unit: int(number)}
