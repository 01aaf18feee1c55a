"""What flags say, as the tables of a tournament file."""

import json
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

import typer

from ballcourt.cli.flags import DuelFlags, EventFlags, Treatment
from ballcourt.engine.errors import did_you_mean

OF_BOTS: Final = ("clock", "sandbox")
"""The keys that --set may give where bots are only started."""
OF_COMPARISONS: Final = (*OF_BOTS, "options", "faults", "workers", "cpus", "cluster")
"""Those where the command says who plays how long."""
SWITCHES: Final = {"true": True, "false": False}


def event_table(flags: EventFlags) -> dict[str, Any]:
    """Return what is played, and by whom. Raises BadParameter."""
    return {
        "game": one_or_several(flags.game),
        "bots": flags.bots or None,
        "seats": one_or_several(flags.seats),
        "format": flags.format,
        "seed": flags.seed,
        "options": pairs("--option", flags.option or ()),
    }


def settings_table(treatment: Treatment, known: Collection[str], **keys: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return flags as the table of a tournament file: those of a treatment, `keys`, and what --set gives.

    `known` are the keys that --set may give; if it is empty, the reader of the table knows better. Raises BadParameter.
    """
    table: dict[str, Any] = {**keys, "clock": clock_table(treatment.clock or ())}
    if treatment.sandbox is not None:
        table["sandbox"] = {"tier": treatment.sandbox}
    for entry in treatment.set or ():
        for key, value in _setting(entry).items():
            if known and key not in known:
                raise typer.BadParameter(
                    f"the key '{key}' cannot be set here; known keys: {', '.join(known)}{did_you_mean(key, known)}",
                    param_hint="--set",
                )
            _put(table, key, value, key)
    return table


def duel_table(duel: DuelFlags, treatment: Treatment, **keys: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return what two versions of a bot play as the table of a tournament file. Raises BadParameter."""
    options = pairs("--option", duel.option or ())
    return settings_table(treatment, OF_COMPARISONS, game=duel.game, seats=duel.seats, options=options, **keys)


def _setting(entry: str) -> dict[str, Any]:
    """Return KEY=VALUE as the table that TOML makes of it; anything else is a string."""
    key, equals, value = entry.partition("=")
    for written in (value, json.dumps(value)):
        try:
            found = tomllib.loads(f"{key} = {written}") if equals else {}
        except tomllib.TOMLDecodeError:
            continue
        if len(found) == 1:
            return found
    raise typer.BadParameter(f"'{entry}' is not of the form KEY=VALUE, such as rounds=3", param_hint="--set")


def _put(table: dict[str, Any], key: str, value: object, name: str) -> None:
    """Put a value into a table, a table's keys into the table that is there."""
    there = table.get(key)
    if isinstance(value, Mapping) and isinstance(there, dict):
        for inner, entry in value.items():
            _put(there, inner, entry, f"{name}.{inner}")
    elif there is None:
        table[key] = value
    else:
        raise typer.BadParameter(f"'{name}' is given twice, as {there} and {value}", param_hint="--set")


def clock_table(given: Iterable[str]) -> dict[str, int | str]:
    """Return the flags --clock as the table of a tournament file, whose reader knows each key. Raises BadParameter."""
    return {
        name: int(value) if value.isascii() and value.removeprefix("-").isdecimal() else SWITCHES.get(value, value)
        for name, value in pairs("--clock", given).items()
    }


def one_or_several(given: Sequence[object] | None) -> object:
    """Return the values of a flag that may be repeated as a tournament file has them; None if it was not given."""
    return (given[0] if len(given) == 1 else list(given)) if given else None


def pairs(flag: str, given: Iterable[str]) -> dict[str, str]:
    """Read NAME=VALUE flags. Raises BadParameter."""
    read: dict[str, str] = {}
    for entry in given:
        name, equals, value = entry.partition("=")
        if not (name and equals and value):
            raise typer.BadParameter(f"'{entry}' is not of the form NAME=VALUE", param_hint=flag)
        if name in read:
            raise typer.BadParameter(f"'{name}' is given twice, as {read[name]} and {value}", param_hint=flag)
        read[name] = value
    return read


def give_one(given: dict[str, bool]) -> None:
    """Raise BadParameter if more than one of these flags is given."""
    if sum(given.values()) > 1:
        *names, last = given
        raise typer.BadParameter(f"give one of {', '.join(names)} and {last}")
