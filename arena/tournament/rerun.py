"""The manifest of an output folder as a tournament file, so that it can be run again without the original file."""

from collections.abc import Mapping
from typing import Final

from ballcourt.arena.tournament.setups import TABLE
from ballcourt.arena.tournament.stages import LADDER

KEPT_ONLY: Final = ("rules_version", "entrants", "owners", "clocks", "blocks", "length")
"""Entries of a manifest that follow from the settings; a tournament file does not have them, or not in this form."""


def is_manifest(values: Mapping[str, object]) -> bool:
    """Whether these are the values of a manifest, not of a tournament file that a person wrote."""
    return "entrants" in values and ("rules_version" in values or TABLE in values)


def as_settings(values: Mapping[str, object]) -> dict[str, object]:
    """Return the values of the tournament file that continues a tournament in the folder of its manifest.

    A drawn seed is left out: it is read from the folder. Raises ValueError or KeyError for a manifest that is damaged
    or was written before manifests kept the bots.
    """
    if values.get("format") == LADDER:
        raise ValueError("it is a ladder, which `ballcourt ladder` plays")
    settings = {name: value for name, value in values.items() if name not in KEPT_ONLY}
    if not isinstance(values.get("seed"), int):
        settings.pop("seed", None)
    if isinstance(tables := values.get(TABLE), list):
        settings[TABLE] = [
            {name: value for name, value in table.items() if name != "rules_version"} for table in tables
        ]
    entrants, focus = values["entrants"], values.get("focus")
    if isinstance(focus, list) and isinstance(entrants, Mapping):
        names = [str(entrant).partition(" ")[0] for entrant in entrants]
        settings["focus"] = [names[int(index)] for index in focus]
    sandbox = values.get("sandbox")
    if isinstance(sandbox, Mapping) and not sandbox.get("tier"):  # what is left out is not limited
        settings["sandbox"] = {name: value for name, value in sandbox.items() if value}
    number, unit = str(values["length"]).split()
    if not {"bots", "bot"} & settings.keys():
        raise KeyError("bots")
    return {**settings, unit: int(number), "output": "."}
