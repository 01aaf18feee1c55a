"""The placing of a tournament as a file in its folder: who is where by the rules of its format, and why.

A run writes it after each round that it plays, and at its end. Readers compare it with what follows from the records,
which count if they say something else: a run may have been killed, or the organiser may have decided something since.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, TypeVar

from pydantic import TypeAdapter

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.files import MOST_JSON, read_regular, write_atomically
from ballcourt.arena.models import from_json
from ballcourt.arena.printable import as_json
from ballcourt.arena.tournament.decisions.course import Course
from ballcourt.arena.tournament.event.setups import SetUp, in_words
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.schedules.placing import PlacedBot, PlacedGroup, Placing, PlacingPage, Round
from ballcourt.arena.tournament.schedules.schedule import Outcomes

Part = TypeVar("Part", Round, PlacedGroup)
PLACING: Final = "placing.json"
"""Its name in the folder."""
_PAGE: Final = TypeAdapter(PlacingPage)


@dataclass(frozen=True, slots=True)
class FolderField:
    """The field of a tournament, as far as its folder says more than its matches."""

    entrants: Mapping[BotVersion, str] = field(default_factory=dict)
    """All, also those without a match, each with its status: "disqualified", "on probation", "withdrawn" or nothing."""
    placing: PlacingPage | None = None
    """Who is where by the rules of the format; None if it leaves that to ratings."""


def kept_field(plan: Plan, outcomes: Outcomes, folder: Path) -> FolderField:
    """Return the standing of the entrants, given how matches ended so far, and what a run wrote into the folder.

    That knows whether the tournament is over, and counts if it says the same.
    """
    course = plan.course()
    course.follow(outcomes)
    page = placing_page(plan, course, is_over=False)
    written = read_placing(folder) if page else None
    entrants = {one.bot: course.status(index) for index, one in enumerate(plan.entrants)}
    return FolderField(entrants, written if page and written and page.agrees(written) else page)


def placing_page(kept: Plan, course: Course, *, is_over: bool) -> PlacingPage | None:
    """Return the placing that follows from a course; None if the format leaves the order to ratings."""
    if (placing := course.placing()) is None:
        return None
    bots = tuple(
        PlacedBot(one.bot.name, one.bot.version, one.bot.content_hash, status=course.status(index))
        for index, one in enumerate(kept.entrants)
    )
    return PlacingPage(kept.design.format, is_over, bots, _named(placing, kept.setups))


def _named(placing: Placing, setups: Sequence[SetUp]) -> Placing:
    """Name the set-ups by what is played in them where rounds and groups have their numbers."""
    if len(setups) == 1:
        return placing
    names = {f"set-up {number}": in_words(setup, setups) for number, setup in enumerate(setups, start=1)}

    def named(one: Part) -> Part:
        number, comma, rest = one.name.partition(", ")
        return replace(one, name=f"{names[number]}{comma}{rest}")

    return replace(placing, rounds=tuple(map(named, placing.rounds)), groups=tuple(map(named, placing.groups)))


def write_placing(folder: Path, page: PlacingPage) -> None:
    """Write the placing into the folder of its tournament. Raises OSError."""
    write_atomically(folder / PLACING, as_json(page).encode())


def read_placing(folder: Path) -> PlacingPage | None:
    """Return the placing that a run wrote; None if there is none that can be read."""
    try:
        return from_json(_PAGE, read_regular(folder / PLACING, MOST_JSON))
    except (OSError, ValueError):
        return None
