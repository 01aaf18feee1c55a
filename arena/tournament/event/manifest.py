"""The manifest of an event: the event with everything filled in, and its bots as they were when it began."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Final, Self

from pydantic import AfterValidator, Field, model_validator

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.models import LAX, Must, OneOrSeveral, Text
from ballcourt.arena.tournament.event.model import BotNames, BotTables, Event, Stop
from ballcourt.arena.tournament.event.seeds import Deals
from ballcourt.arena.tournament.event.setups import MOST, SetUp
from ballcourt.arena.tournament.event.stages import LADDER
from ballcourt.arena.tournament.event.tables import (
    MOST_ENTRANTS,
    ClockTable,
    FaultsTable,
    Option,
    SandboxTable,
    Seats,
    SetUpTable,
)
from ballcourt.arena.tournament.schedules.schedule import FormatOptions, Length
from ballcourt.arena.workers.playable import Lifetime

MANIFEST: Final = "tournament.toml"
"""Its name in the folder."""
APART: Final = "not among the settings that stay as they are when the event goes on"
"""Marks fields that may change, or that are compared in their own way."""


def _entrants(listed: dict[str, str]) -> dict[str, str]:
    for identity in listed:
        BotVersion.parse(identity)
    return listed


class Manifest(FormatOptions):
    """What is played in a folder."""

    game: Text | None = None
    """The game, if there is one set-up."""
    seats: Seats | None = None
    options: dict[str, Option] = Field(default_factory=dict)
    setup: Annotated[tuple[SetUp, ...], LAX, Field(min_length=1), APART] | None = None
    """The set-ups, where there are several."""
    seed: Annotated[int | str, Must("a whole number or a commitment")] | None = None
    """The seed, or what was committed to where it was drawn."""
    seeds: Annotated[Deals, LAX] | None = None
    lifetime: Annotated[Lifetime, LAX] | None = None
    clock: ClockTable = ClockTable()
    faults: FaultsTable = FaultsTable()
    sandbox: SandboxTable = SandboxTable()
    focus: Annotated[tuple[int, ...], LAX, Must("a list of numbers of entrants")] = ()
    """The bots in focus, by their place in the list of entrants, from 0."""
    bots: Annotated[BotNames | None, APART] = None
    bot: Annotated[BotTables | None, APART] = None
    format: str = ""
    """The name of a format, or "ladder"."""
    blocks: Annotated[int, Field(ge=0), APART] = 0
    """The number of blocks, or the most that there can be."""
    stop: Annotated[OneOrSeveral[Stop] | None, APART] = None
    rules_version: str | None = None
    """The version of the rules of the game."""
    length: Annotated[
        str, Field(pattern=r"^[0-9]+ (rounds|blocks|matches)$"), Must("a number and a unit, such as '10 rounds'"), APART
    ] = "1 rounds"
    """The length that was asked for."""
    entrants: Annotated[dict[str, str], Field(max_length=MOST_ENTRANTS), AfterValidator(_entrants), APART]
    """The content hash of each entrant, by its name and version."""
    owners: dict[str, str] = Field(default_factory=dict)
    """Who entered which of them."""
    clocks: dict[str, ClockTable] = Field(default_factory=dict)
    """Of those that have one of their own."""

    @property
    def versions(self) -> tuple[BotVersion, ...]:
        """The entrants."""
        return tuple(BotVersion.parse(*listed) for listed in self.entrants.items())

    @model_validator(mode="after")
    def _check_set_up(self) -> Self:
        if not self.setup and not (self.game and self.seats and self.rules_version):
            raise ValueError("it lacks game, seats or rules_version")
        return self

    @property
    def setups(self) -> tuple[SetUp, ...]:
        """What is played. Raises ValueError for a table of several."""
        one = ("game", "seats", "options", "rules_version")
        found = self.setup or (SetUp(**{name: getattr(self, name) for name in one}),)
        if len(found) > MOST or any(one in found[:number] for number, one in enumerate(found)):
            raise ValueError(f"it has a set-up twice, or more than {MOST}")
        return found

    @property
    def asked(self) -> Length:
        """The length that was asked for."""
        number, unit = self.length.split()
        return Length(unit, int(number))  # type: ignore[arg-type]  # its pattern says so

    @property
    def format_options(self) -> FormatOptions:
        """What the format takes in addition."""
        return FormatOptions(**{name: getattr(self, name) for name in FormatOptions.model_fields})

    def settled(self) -> dict[str, object]:
        """Return what stays as it is when the event goes on, with the values that a table leaves to their defaults."""
        clocks = {identity: asdict(clock.clock()) for identity, clock in self.clocks.items()}
        faults = self.faults.policy().table()
        table = self.to_table() | {"clock": asdict(self.clock.clock()), "clocks": clocks, "faults": faults}
        table["sandbox"] = {name: value for name, value in table.get("sandbox", {}).items() if name != "build"}
        if self.format == LADDER:
            del table["sandbox"]  # it plays for months; each record names the sandbox of its match
        return {name: value for name, value in table.items() if APART not in Manifest.model_fields[name].metadata}

    @property
    def conditions(self) -> Event:
        """How it is played, and the bots: the event without set-ups, seed, format and length."""
        kept = ("seeds", "lifetime", "clock", "faults", "sandbox", "bots", "bot", "stop")
        return Event(**{name: getattr(self, name) for name in kept})

    def as_event(self) -> Event:
        """Return the event that goes on. A drawn seed is left out: it is kept in the folder. Raises ValueError."""
        if self.format == LADDER:
            raise ValueError("it is a ladder, which `ballcourt ladder` plays")
        if not (self.bots or self.bot):
            raise ValueError("it does not name its bots")
        names = [bot.name for bot in self.versions]
        if not all(number in range(len(names)) for number in self.focus):
            raise ValueError(f"its focus is {[*self.focus]}; there are entrants from 0 to {len(names) - 1}")
        played = tuple(
            SetUpTable.model_validate(one.model_dump(include={"game", "seats", "options"})) for one in self.setups
        )
        return self.conditions.replaced(
            **({"setup": played} if self.setup else played[0].given()),
            seed=self.seed if isinstance(self.seed, int) else None,
            format=self.format,
            **self.format_options.given() | {"focus": tuple(names[number] for number in self.focus) or None},
            **{self.asked.unit: self.asked.number},
        )


def is_manifest(values: Mapping[str, object]) -> bool:
    """Whether these are the values of a manifest, not of a tournament file that a person wrote."""
    return "entrants" in values and ("rules_version" in values or "setup" in values)
