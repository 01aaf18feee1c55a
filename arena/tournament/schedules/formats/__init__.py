"""The formats of tournaments: one file each, found by scanning this folder.

`round_robin.py` is the format "round-robin". A format's file has one function,

    def schedule(field: Field, length: Length, options: FormatOptions) -> Schedule: ...

which raises ScheduleError if there is no schedule for the field. It lists in OPTIONS which format options it takes, and
has KEEPS_OWNERS_APART = True if it keeps bots of one owner apart where it can. A format elsewhere registers such a
module in the entry point group `ballcourt.formats`, under its name.
"""

import importlib
import pkgutil
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from math import comb
from types import ModuleType
from typing import Final

from ballcourt.arena.tournament.schedules.mixed import Mixed
from ballcourt.arena.tournament.schedules.schedule import Design, Field, Length, Schedule, ScheduleError
from ballcourt.arena.tournament.schedules.stop import Rule, Separated

ENTRY_POINTS: Final = "ballcourt.formats"
MOST_BLOCKS: Final = 500
"""A field in which a round robin takes more blocks than this is balanced unless a format is named."""
MANY: Final = 20
"""In larger fields, the adaptive format finds the best in half of the matches or less."""


def known_formats() -> list[str]:
    """Return the names of all formats, sorted."""
    return sorted([module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__)] + [*registered()])


def keeps_owners_apart(name: str) -> bool:
    """Return whether a format keeps bots of one owner apart where it can."""
    return getattr(_module(name), "KEEPS_OWNERS_APART", False)


def default_format(field: Field, stop: Sequence[Rule]) -> str:
    """Return the format for a field when none is named: round-robin, or balanced where that takes too long.

    A tournament that may end after any round is balanced, as its rounds are short; or adaptive if it asks for the best
    of a field in which that saves matches.
    """
    if field.seats > 1 and field.entrants > MANY and any(isinstance(rule, Separated) for rule in stop):
        return "adaptive"
    return "round-robin" if not stop and comb(field.entrants, field.group_size) <= MOST_BLOCKS else "balanced"


def schedule_of(design: Design, field: Field) -> Schedule:
    """Return the schedule of a design. Raises ScheduleError, also for an option that the format does not take."""
    name = design.format
    if name not in known_formats():
        raise ScheduleError(f"there is no format '{name}'; known formats: {', '.join(known_formats())}")
    for option in design.options.given():
        if option not in _options(name):
            takers = ", ".join(known for known in known_formats() if option in _options(known))
            raise ScheduleError(f"the format '{name}' takes no {option}; formats that do: {takers}")
    if not design.table_sizes:
        return _module(name).schedule(field, design.length, design.options)  # type: ignore[no-any-return]

    def of_setup(setup: int, length: Length) -> Schedule:
        alike = design.smaller[setup] if design.smaller else ()
        smaller = tuple((design.table_sizes[other], other) for other in alike)
        own = replace(field, seats=design.table_sizes[setup], draw=setup, smaller=smaller)
        return schedule_of(replace(design, length=length, table_sizes=(), smaller=()), own)

    return Mixed(of_setup, len(design.table_sizes), design.length)


def _options(name: str) -> tuple[str, ...]:
    return getattr(_module(name), "OPTIONS", ())


@cache
def registered() -> dict[str, EntryPoint]:
    """Return the formats of other distributions, by name."""
    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


def _module(name: str) -> ModuleType:
    if point := registered().get(name):
        return point.load()  # type: ignore[no-any-return]
    return importlib.import_module(f"{__name__}.{name.replace('-', '_')}")
