"""The certificate of an event: what its schedule gives each bot, counted, in sentences and as JSON values.

The plan counts the blocks that will be played if they are known in advance; afterwards, those that were are counted.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from ballcourt.arena.tournament.schedules.placing import PlacingPage

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from ballcourt.arena.tournament.event.setups import SetUp
    from ballcourt.arena.tournament.schedules.balance import Balance

Count = Annotated[int, Field(ge=0)]


@dataclass(frozen=True, slots=True)
class BotName:
    """A bot version."""

    name: str
    version: str


@dataclass(frozen=True, slots=True)
class Certificate:
    """Counts of matches. The lists have an entry for each bot."""

    matches: list[Count]
    seats: list[list[Count]]
    """For each bot, its matches in each seat."""
    fewest_meetings: Count
    """Of the pair that meets least, in matches."""
    most_meetings: Count
    """Of the pair that meets most."""
    fewest_before: Count
    """Of all ordered pairs, the fewest matches in which the first sits right before the second."""
    most_before: Count
    """The most."""
    variance_factor: Annotated[float, Field(ge=1)] | None
    """How much more rating differences vary than if every pair met equally often; null: some bots do not meet, not even
    through others."""


@dataclass(frozen=True, slots=True)
class SetUpForm:
    """What is played at some tables."""

    game: str
    rules_version: str
    seats: Annotated[int, Field(ge=1)]
    options: dict[str, str]


@dataclass(frozen=True, slots=True)
class CertifiedSetUp(SetUpForm):
    """What is played at some tables, and what that gives each bot."""

    certificate: Certificate | None
    """null: the blocks depend on results, or there are too many to count them."""


@dataclass(frozen=True, slots=True)
class CertificatePage:
    """What `ballcourt event certificate --json` prints: what an event has given each bot so far.

    Later versions may add properties.
    """

    format: Literal["ballcourt-certificate-1"] = field(default="ballcourt-certificate-1", init=False)
    bots: list[BotName]
    """In the order of the event."""
    setups: Annotated[list[CertifiedSetUp], Field(min_length=1)]
    """What is played at the tables; each has a table of its own."""
    placing: PlacingPage | None
    """All bots by the rules of the format, with their byes; null if it leaves the order to ratings."""


def sentences(setups: Sequence[SetUp], counted: Sequence[Balance]) -> Iterator[str]:
    """Say what each set-up gives each bot, if that was counted; set-ups that give the same are named together."""
    if len(setups) == len(counted) == 1:
        yield from _sentences(counted[0], setups[0].seats)
        return
    from ballcourt.arena.tournament.event.setups import in_words

    named: dict[tuple[str, ...], list[str]] = {}
    for setup, of_setup in zip(setups, counted, strict=len(counted) > 0):
        named.setdefault(tuple(_sentences(of_setup, setup.seats)), []).append(in_words(setup, setups))
    for lines, names in named.items():
        yield f"{' and '.join(names)}: {'; '.join(lines)}"


def to_json(setups: Sequence[SetUp], counted: Sequence[Balance]) -> list[CertifiedSetUp]:
    """Return what is played, and what each set-up gives each bot; without the counts if `counted` is empty."""
    found: Iterable[Certificate | None] = map(_certificate, counted) if counted else [None] * len(setups)
    return [
        CertifiedSetUp(setup.game, setup.rules_version, setup.seats, dict(setup.options), certificate)
        for setup, certificate in zip(setups, found, strict=True)
    ]


def _certificate(counted: Balance) -> Certificate:
    """Return counts in the order of the bots, and how often pairs meet."""
    meetings, before, factor = counted.pairs.values(), counted.times_before(), counted.variance_factor()
    return Certificate(
        matches=list(counted.matches),
        seats=[list(sat) for sat in counted.seats],
        fewest_meetings=min(meetings, default=0),
        most_meetings=max(meetings, default=0),
        fewest_before=min(before, default=0),
        most_before=max(before, default=0),
        variance_factor=round(factor, 4) if isfinite(factor) else None,
    )


def _sentences(counted: Balance, seats: int) -> Iterator[str]:
    matches, pairs, sat = counted.matches, counted.pairs.values(), [set(times) for times in counted.seats]
    if not matches:  # of a ladder without bots
        yield "there is no bot yet"
        return
    if seats == 1:
        yield f"each bot plays {_span(matches)} deals alone"
        return
    if counted.even:
        yield f"even: each bot plays {matches[0]} matches, equally often in every seat and with every other"
    else:
        in_seats = (
            "equally often in every seat"
            if all(len(times) == 1 for times in sat)
            else f"{_span([time for times in sat for time in times])} in every seat"
        )
        yield f"each bot plays {_span(matches)} matches, {in_seats}; each pair meets {_span(pairs)} times"
    if seats > 2:
        yield f"each bot plays directly before each rival {_span(counted.times_before())} times"
    if counted.even and any(pairs):
        return
    factor = counted.variance_factor()
    if factor == float("inf"):
        yield "some bots do not meet, not even through others, so they cannot be rated on one scale; play more blocks"
    elif not counted.even:
        yield f"the schedule makes rating differences {factor:.2f} times less certain than an even one would"


def _span(counts: Collection[int]) -> str:
    least, most = min(counts), max(counts)
    return str(least) if least == most else f"{least} to {most}"
