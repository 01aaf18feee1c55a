"""The formats of tournaments: one file each, found by scanning this folder.

`round_robin.py` is the format "round-robin". A format's file has one function:

    def schedule(field: Field, length: Length) -> Schedule: ...

It raises ScheduleError if there is no schedule for the field.
"""

import importlib
import pkgutil
from collections.abc import Callable

from ballcourt.arena.tournament.schedule import Field, Length, Schedule, ScheduleError

Format = Callable[[Field, Length], Schedule]


def known_formats() -> list[str]:
    """Return the names of all formats, sorted."""
    return sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__))


def find_format(name: str) -> Format:
    """Return the function that makes the schedules of a format. Raises ScheduleError if there is no such format."""
    if name not in known_formats():
        raise ScheduleError(f"there is no format '{name}'; known formats: {', '.join(known_formats())}")
    found: Format = importlib.import_module(f"{__name__}.{name.replace('-', '_')}").schedule
    return found
