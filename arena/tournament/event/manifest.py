"""The manifest of an event: the event with everything filled in, and its bots as they were when it began."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Final, Self

from pydantic import AfterValidator, Field, model_validator

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.models import LAX, Must
from ballcourt.arena.tournament.event.model import Event
from ballcourt.arena.tournament.event.setups import MOST, SetUp
from ballcourt.arena.tournament.event.stages import LADDER
from ballcourt.arena.tournament.event.tables import MOST_ENTRANTS, ClockTable, SetUpTable
from ballcourt.arena.tournament.schedules.schedule import Length

MANIFEST: Final = "tournament.toml"
"""Its name in the folder."""
OWN: Final = ("rules_version", "length", "blocks", "entrants", "owners", "clocks")
"""What a manifest has and a tournament file has not, or not in this form."""


def _entrants(listed: dict[str, str]) -> dict[str, str]:
    for identity in listed:
        BotVersion.parse(identity)
    return listed


class PlayedSetUp(SetUpTable):
    """What is played at a table."""

    rules_version: str
    after: str = ""

    def setup(self) -> SetUp:
        """Return it. Raises ValueError unless it has one game and one number of seats."""
        (game,), (seats,) = self.game or (), self.seats or ()
        options = {name: value for name, (value,) in self.options.items()}
        return SetUp(game, self.rules_version, seats, options, self.after)


class Manifest(Event):
    """What is played in a folder."""

    format: str = ""
    """The name of a format, or "ladder"."""
    rules_version: str | None = None
    """The version of the rules of the game."""
    setup: Annotated[tuple[PlayedSetUp, ...], LAX, Field(min_length=1)] | None = None
    """The set-ups, where there are several."""
    focus: Annotated[tuple[int, ...], LAX, Must("a list of numbers of entrants")] = ()  # type: ignore[assignment]
    """The bots in focus, by their place in the list of entrants, from 0."""
    blocks: Annotated[int, Field(ge=0)] = 0
    """The number of blocks, or the most that there can be."""
    length: Annotated[
        str, Field(pattern=r"^[0-9]+ (rounds|blocks|matches)$"), Must("a number and a unit, such as '10 rounds'")
    ] = "1 rounds"
    """The length that was asked for."""
    seed: Annotated[int | str, Must("a whole number or a commitment")] | None = None  # type: ignore[assignment]
    """The seed, or what was committed to where it was drawn."""
    entrants: Annotated[dict[str, str], Field(max_length=MOST_ENTRANTS), AfterValidator(_entrants)]
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
        own = {"game": self.game, "seats": self.seats, "options": self.options, "rules_version": self.rules_version}
        found = tuple(table.setup() for table in self.setup or (PlayedSetUp(**own),))  # type: ignore[arg-type]
        if len(found) > MOST or any(one in found[:number] for number, one in enumerate(found)):
            raise ValueError(f"it has a set-up twice, or more than {MOST}")
        return found

    @property
    def asked(self) -> Length:
        """The length that was asked for."""
        number, unit = self.length.split()
        return Length(unit, int(number))  # type: ignore[arg-type]  # its pattern says so

    def complete(self) -> dict[str, object]:
        """Return it as a table, with default values for what older versions of the arena do not know."""
        clocks = {identity: asdict(clock.clock()) for identity, clock in self.clocks.items()}
        faults = self.faults.policy().table()
        return self.to_table() | {"clock": asdict(self.clock.clock()), "clocks": clocks, "faults": faults}

    def as_event(self) -> Event:
        """Return the event that goes on. A drawn seed is left out: it is kept in the folder. Raises ValueError."""
        if self.format == LADDER:
            raise ValueError("it is a ladder, which `ballcourt ladder` plays")
        if not self.entered:
            raise ValueError("it does not name its bots")
        names = [bot.name for bot in self.versions]
        if not all(number in range(len(names)) for number in self.focus):
            raise ValueError(f"its focus is {[*self.focus]}; there are entrants from 0 to {len(names) - 1}")
        given = {name: value for name, value in self.given().items() if name not in OWN}
        given["seed"] = self.seed if isinstance(self.seed, int) else None
        given["focus"] = tuple(names[number] for number in self.focus) or None
        return Event().replaced(**given, **{self.asked.unit: self.asked.number})


def is_manifest(values: Mapping[str, object]) -> bool:
    """Whether these are the values of a manifest, not of a tournament file that a person wrote."""
    return "entrants" in values and ("rules_version" in values or "setup" in values)
