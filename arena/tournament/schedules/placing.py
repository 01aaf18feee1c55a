"""The placing of a tournament: its entrants from first to last by the rules of its format, and how that came about.

A format without such rules leaves the order to ratings, which are the leaderboard's. Entrants are indices, as in a
schedule. The types are also those of the JSON in an output folder (`arena/tournament/folder/placing.py`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Final, Literal

from pydantic import Field as Bounds

from ballcourt.arena.bots.version import BotVersion

Index = Annotated[int, Bounds(ge=0)]
Positive = Annotated[int, Bounds(ge=1)]

POINTS: Final = ("points", "score", "faults")
"""The rules by which results decide, in this order; `standing.py` has what they are."""
FEWER: Final = ("faults", "earlier faults", "sum of places", "seed")
"""The rules by which less is better."""
STATUSES: Final = ["", "disqualified", "on probation", "retired", "withdrawn"]
"""Whether an entrant sits out, and why."""
OUT: Final = ("disqualified", "retired", "withdrawn")
"""Those that are not champions."""


@dataclass(frozen=True, slots=True)
class Placed:
    """An entrant and its place."""

    entrant: Index
    place: Positive
    """From 1; those who are equal by all rules share a place."""
    values: dict[str, float]
    """What decides, by rule; without those that are not compared."""
    decided_by: str
    """The rule by which it stands below the entrant before it; empty if they share a place, and for the first."""
    byes: Index = 0


@dataclass(frozen=True, slots=True)
class AtTable:
    """What an entrant achieved in a block."""

    entrant: Index
    points: float
    score: float
    faults: Index
    absent: bool
    """Whether it sat out, so that matches were left out."""
    lives: Index | None = None
    """How many it has left after the round of an elimination; null in other formats."""


@dataclass(frozen=True, slots=True)
class RoundTable:
    """A block of a round."""

    block: Index
    setup: Index
    """The set-up that was played, from 0."""
    entrants: tuple[AtTable, ...]
    """The best first."""


@dataclass(frozen=True, slots=True)
class Round:
    """The played part of a round of the schedule."""

    name: str
    tables: tuple[RoundTable, ...]
    byes: tuple[Index, ...] = ()
    """Who is in and did not play."""


@dataclass(frozen=True, slots=True)
class PlacedGroup:
    """A group of entrants that play among themselves."""

    name: str
    places: tuple[Placed, ...]


@dataclass(frozen=True, slots=True)
class Placing:
    """All entrants by the rules of a format, with the results that decide."""

    rules: tuple[str, ...]
    """What decides, the first before the others."""
    places: tuple[Placed, ...]
    rounds: tuple[Round, ...] = field(default=())
    groups: tuple[PlacedGroup, ...] = field(default=())

    @property
    def order(self) -> tuple[int, ...]:
        """The entrants from first to last; those who share a place as in the list of entrants."""
        return tuple(placed.entrant for placed in self.places)


@dataclass(frozen=True, slots=True)
class PlacedBot(BotVersion):
    """An entrant of a tournament."""

    status: Annotated[str, Bounds(json_schema_extra={"enum": STATUSES})] = field(kw_only=True)
    """Whether it sits out."""


@dataclass(frozen=True, slots=True)
class PlacingPage:
    """The entrants of a tournament by the rules of its format, what decided, and its rounds.

    Entrants are numbered from 0, as in `bots`. Later versions may add properties.
    """

    format: Literal["ballcourt-placing-1"] = field(default="ballcourt-placing-1", init=False)
    schedule: str
    """The format of the tournament."""
    is_over: bool
    bots: tuple[PlacedBot, ...]
    placing: Placing

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the entrants from first to last."""
        return tuple(self.bots[entrant].name for entrant in self.placing.order)

    @property
    def champions(self) -> tuple[int, ...]:
        """The first of those who were neither withdrawn nor disqualified, once the tournament is over."""
        rows = [row for row in self.placing.places if self.bots[row.entrant].status not in OUT]
        return tuple(row.entrant for row in rows if row.place == rows[0].place) if self.is_over else ()

    def agrees(self, other: "PlacingPage") -> bool:
        """Return whether both say the same, whether the tournament is over or not."""
        return replace(self, is_over=other.is_over) == other


def by_rules(
    rules: Sequence[str], values: Mapping[int, Sequence[float]], byes: Mapping[int, int] | None = None
) -> tuple[Placed, ...]:
    """Place entrants by what each has for each of these rules; the last ones may be missing where others decide."""

    def rank(entrant: int) -> tuple[list[float], int]:
        own = zip(rules, values[entrant], strict=False)
        return [value if rule in FEWER else -value for rule, value in own], entrant

    rows: list[Placed] = []
    for index, entrant in enumerate(sorted(values, key=rank)):
        own = dict(zip(rules, values[entrant], strict=False))
        before = rows[-1] if rows else None
        apart = next((rule for rule in own if before and before.values.get(rule) != own[rule]), "")
        place = before.place if before and not apart else index + 1
        rows.append(Placed(entrant, place, own, apart, (byes or {}).get(entrant, 0)))
    return tuple(rows)
