"""The tables of a tournament file: set-ups, bots, clock, sandbox and faults.

A validator gets the folder that paths are relative to as the context `base`; without it paths are kept as they are.
"""

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final, Self

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag, ValidationInfo, model_validator

from ballcourt.arena.bots.bot import BotError
from ballcourt.arena.bots.entries import REMOTE, Entry, split_label
from ballcourt.arena.bots.parameters import objection, set_to
from ballcourt.arena.fetching.configured import place_of
from ballcourt.arena.match.policy import Disqualification, FaultPolicy, Probation, parse_entry, parse_policy
from ballcourt.arena.match.spec import Clock, Scale
from ballcourt.arena.models import LAX, Model, Must, OneOrSeveral, Text, unless
from ballcourt.arena.naming import command_objection, line_objection, name_objection
from ballcourt.arena.records.store import MOST_SEATS
from ballcourt.arena.sandbox.tiers import CONFINED_ONLY, MOST, PROXIED_ONLY, PUBLIC, TIERS, Sandbox, sandbox_of
from ballcourt.arena.tournament.event.seeds import SEED_LIMIT

DAY_S: Final = 24 * 3600
DAY_MS: Final = DAY_S * 1000


def placed(name: str, base: Path) -> Path:
    """Return the path that a name in a file of the folder `base` means; nothing need be there."""
    return base / os.path.expanduser(name)  # noqa: PTH111  # Path raises for a user who does not exist


def _place(value: object, info: ValidationInfo) -> object:
    if not isinstance(value, str):
        return value
    if not value or "\0" in value:  # which no path can have
        raise ValueError("it must be a non-empty string without NUL characters")
    return placed(value, _base(info) or Path())


def _base(info: ValidationInfo) -> Path | None:
    return (info.context or {}).get("base")


def _bot(entry: str, info: ValidationInfo) -> str:
    """Return the name of a bot, or its absolute folder where it is a path."""
    label, name = split_label(entry)
    base = _base(info)
    if base is None or not (os.sep in name or name.startswith((".", "~"))):
        return entry
    resolved = os.path.realpath(placed(name, base))
    return f"{label}={resolved}" if label else resolved


def _option(value: object) -> object:
    """Return the value of a game's option as a string."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int) else value


def _readable(path: str, info: ValidationInfo) -> str:
    base = _base(info)
    return path if base is None else os.path.realpath(placed(path, base))


def _host(name: str) -> str:
    if name != PUBLIC:
        place_of(name)
    return name


def _form(value: object) -> str:
    return "table" if isinstance(value, Mapping | Model) else "words"


def _fault(value: object, info: ValidationInfo) -> str:
    """Return an entry of `[faults]` in words. Raises PolicyError."""
    words = str(value)
    parse_entry(str(info.field_name), words)
    return words


def _moment(value: object) -> object:
    """Return a time from what JSON and flags write; TOML has times of its own, and dates."""
    if type(value) is date:
        raise ValueError(f"it must have a time of day too, such as {value}T18:00:00Z")
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        moment = None
    if not isinstance(moment, datetime):
        raise ValueError("it must be a time with its offset, such as 2026-12-01T18:00:00Z")
    if moment.tzinfo is None:
        raise ValueError(f"it has no offset; write {moment.isoformat()}Z for UTC")
    return moment


Place = Annotated[Path, LAX, BeforeValidator(_place), Must("a non-empty string without NUL characters")]
Readable = Annotated[Text, AfterValidator(_readable)]
Host = Annotated[Text, AfterValidator(_host)]
BotName = Annotated[Text, AfterValidator(_bot)]
EntrantName = Annotated[str, unless(lambda name: name and name_objection(name))]
Option = Annotated[str, BeforeValidator(_option), unless(line_objection), Must("a string or a whole number")]
Seats = Annotated[int, Field(ge=1, le=MOST_SEATS)]
MOST_ENTRANTS: Final = 2000
"""Of an event when it begins: some formats keep a number for each pair of them."""
Count = Annotated[int, Field(ge=1, le=1_000_000)]
Budget = Annotated[int, Field(ge=1, le=DAY_MS)]
"""Milliseconds."""
Extra = Annotated[int, Field(ge=0, le=DAY_MS)]
"""Milliseconds that may be none."""
Limit = Annotated[int, Field(ge=0, le=MOST)]
Moment = Annotated[datetime, BeforeValidator(_moment), Must("a time with its offset, such as 2026-12-01T18:00:00Z")]
Remedies = Annotated[Text, AfterValidator(_fault)]


class Absent(StrEnum):
    """What happens to a remote bot that is not there."""

    FORFEIT = "forfeit"
    """Its matches begin without it, and it loses its seat in them; it may come later and play the rest."""
    SKIP = "skip"
    """A bot that is not there at the start is withdrawn; later, matches wait for their bots."""


class SetUpTable(Model):
    """Set-ups as an organiser asks for them: every combination of the games, numbers of seats and options."""

    game: OneOrSeveral[Text] | None = None
    """The game; `ballcourt games` lists them. Several: all bots play each of them."""
    seats: OneOrSeveral[Seats] | None = None
    """The seats at a table; by default as many as there are bots, up to what the game takes."""
    options: dict[str, OneOrSeveral[Option]] = Field(default_factory=dict)
    """Options of the game; `ballcourt games NAME` lists them. Of several values each is played."""

    def with_defaults(self, other: "SetUpTable") -> "SetUpTable":
        """Return a copy in which what is left open is as in another one."""
        return SetUpTable(
            game=self.game or other.game, seats=self.seats or other.seats, options={**other.options, **self.options}
        )


class ClockTable(Model):
    """`[clock]`: time budgets in milliseconds, and work."""

    startup_ms: Budget | None = None
    """From the start of the process to its Hello."""
    match_start_ms: Budget | None = None
    """From MatchStart to Ready."""
    bank_ms: Budget | None = None
    """The thinking time of the whole match."""
    increment_ms: Extra | None = None
    """Added to the bank after every decision."""
    cap_ms: Budget | None = None
    """The most time for one decision."""
    grace_ms: Extra | None = None
    """How late an answer may be while the arena itself is late."""
    work: Annotated[int, Field(ge=0, le=SEED_LIMIT - 1)] | None = None
    """Units of work per decision, for bots that count their work."""
    ponder: bool | None = None
    """Whether bots may think while others decide."""
    scale: Annotated[Scale, LAX] | None = None
    """"reference": times are for the reference machine; a machine of half its speed gives twice the time."""

    def clock(self) -> Clock:
        """Return the default clock with these values replaced."""
        return replace(Clock(), **self.given())


class BuildTable(Model):
    """`[sandbox.build]`: what the build step of a bot may use; 0 for no limit. A build that exceeds one ends."""

    time_s: Annotated[int, Field(ge=1, le=DAY_S)] | None = None
    """How long it may take, in seconds; 1200 by default."""
    memory_mb: Limit | None = None
    """The memory of all its processes together; 8192 by default in tiers 1 and 2."""
    processes: Limit | None = None
    """Simultaneous processes and threads; it ends when it has this many. 4096 by default in tiers 1 and 2."""
    disk_mb: Limit | None = None
    """What the built bot and the home of the build take together; 8192 by default in tiers 1 and 2."""
    fetch_mb: Limit | None = None
    """What it exchanges through its proxy, in both directions; 8192 by default. Needs tier 1 or 2."""
    at_once: Annotated[int, Field(ge=1, le=1024)] | None = None
    """How many builds run at the same time, of all commands that share a cache; 4 by default."""
    hosts: Annotated[tuple[Host, ...], LAX, Must('a list of hosts, such as ["mirror.example.org:8081"]')] | None = None
    """What it may reach besides the configured registries: HOST, which means port 443, HOST:PORT, or "*", port 443 of
    all public hosts, which is the default. Needs tier 1 or 2."""
    packages: Readable | None = None
    """A file of pip, relative to this one, with the Python packages that bots may require, each with its exact version
    and hashes, and all that they need; without it they may require any."""


class SandboxTable(Model):
    """`[sandbox]`: how bots are confined, and their limits; 0 for no limit."""

    tier: Annotated[int, Field(ge=0, le=max(TIERS))] | None = None
    """0: plain processes, 1: bubblewrap, 2: gVisor; `ballcourt doctor` shows what works here."""
    memory_mb: Limit | None = None
    """The memory of all processes of a bot together."""
    processes: Limit | None = None
    """Simultaneous processes and threads."""
    file_mb: Limit | None = None
    """The largest file."""
    tmp_mb: Limit | None = None
    """The size of /tmp, and of /dev/shm."""
    cpu_s: Limit | None = None
    """Processor time of one process, over all its matches."""
    readable: Annotated[tuple[Readable, ...], LAX, Must("a list of paths")] | None = None
    """Paths that bots and their builds may read besides the system's programs."""
    build: BuildTable = BuildTable()
    """What builds may use."""

    def opened(self) -> Self:
        """Return it for tier 0, with the limits that hold there."""
        build = self.build.model_copy(update=dict.fromkeys(PROXIED_ONLY))
        return self.model_copy(update={**dict.fromkeys(CONFINED_ONLY), "tier": 0, "build": build})

    def sandbox(self) -> Sandbox:
        """Return the sandbox; what is left open is as usual in its tier. Raises SandboxError."""
        own, build = (
            given if self.tier else {name: value for name, value in given.items() if value}
            for given in (self.given(), self.build.given())
        )
        return sandbox_of(own | {"build": build})


class DisqualificationTable(Model):
    """A bot is disqualified when more than `percent` of at least `matches`, or of its `last` matches, had a fault."""

    percent: Annotated[int, Field(ge=0, le=99)]
    matches: Count | None = None
    last: Count | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if (self.matches is None) == (self.last is None):
            raise ValueError("it needs 'matches' or 'last', and not both")
        return self

    def __str__(self) -> str:
        return str(Disqualification(self.percent, self.matches or self.last or 0, of_last=self.last is not None))


class ProbationTable(Model):
    """A bot sits out for `rounds` rounds when `faults` of its last `matches` matches had a fault."""

    rounds: Count
    faults: Count
    matches: Count

    def __str__(self) -> str:
        return str(Probation(self.rounds, self.faults, self.matches))


Disqualify = Annotated[
    Annotated[Text, Tag("words")] | Annotated[DisqualificationTable, Tag("table")],
    Discriminator(_form),
    AfterValidator(_fault),
    Must('a table such as { percent = 10, matches = 20 } or { percent = 50, last = 20 }, or "never"'),
]
Probate = Annotated[
    Annotated[Text, Tag("words")] | Annotated[ProbationTable, Tag("table")],
    Discriminator(_form),
    AfterValidator(_fault),
    Must('a table such as { rounds = 2, faults = 3, matches = 10 }, or "never"'),
]


class FaultsTable(Model):
    """`[faults]`: what is done about faults of bots; see ballcourt.arena.match.policy."""

    illegal: Remedies | None = None
    """An action that is not legal: "retry 2", this often in a match, "substitute 1", or "forfeit"."""
    timeout: Remedies | None = None
    """No answer in time: "substitute 1" or "forfeit"."""
    failed_to_start: Remedies | None = None
    """No Hello in time: "retry 1" or "forfeit"."""
    fallback: Remedies | None = None
    """An action that a bot says it did not choose itself, as when a model gave no answer: "accept 50%", in half of its
    decisions, which is the default; "accept 10", this often in a match; "forfeit"; or "never" a fault."""
    disqualify: Disqualify | None = None
    """After faults in more than 10 % of at least 20 matches, by { percent = 10, matches = 20 }, or in more than half of
    the last 20, by { percent = 50, last = 20 }; default: "never"."""
    probation: Probate | None = None
    """For 2 rounds after 3 faults in the last 10 matches, by { rounds = 2, faults = 3, matches = 10 }; default:
    "never"."""

    def policy(self) -> FaultPolicy:
        """Return the policy; what is left open is as `FaultPolicy` says."""
        return parse_policy(self.given())


class BotTable(Model):
    """`[[bot]]`: an entrant, where a string in `bots` says too little."""

    path: Annotated[BotName, Must("the name or the folder of a bot")]
    """A bot's name or folder, or "remote:NAME"; without a label, also LABEL=BOT."""
    label: EntrantName = ""
    """The name it plays under; two entrants have two names."""
    args: Annotated[tuple[str, ...], LAX, unless(command_objection)] = ()
    """Words that are added to its command; NAME=VALUE sets a parameter that its bot.toml declares."""
    clock: ClockTable = ClockTable()
    """What differs from the clock of the event."""
    owner: EntrantName = ""
    """Bots of one owner are kept apart where the format allows."""
    hash: Annotated[str, Field(pattern=r"^([0-9a-f]{64})?$"), Must("64 hexadecimal digits in lower case")] = ""
    """The content hash that it must have; `ballcourt bots --json` shows it."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.label and split_label(self.path)[0]:
            raise ValueError(f"path is {self.path!r} and label is {self.label!r}; give the label only once")
        if self.clock.scale is not None:
            raise ValueError("clock has scale, which holds for all bots; give it in [clock]")
        return self

    @property
    def written(self) -> str:
        """The bot as a string in `bots` would name it."""
        return f"{self.label}={self.path}" if self.label else self.path

    @property
    def is_plain(self) -> bool:
        """Whether it can be written as a string in `bots`."""
        return not (self.given().keys() - {"path", "label"})

    def entry(self, resolve: Callable[[str], Entry]) -> Entry:
        """Return the entrant and its bot; `resolve` returns what a name means.

        With arguments it counts as another bot: its content hash covers the folder and the arguments. Raises BotError,
        and whatever `resolve` raises.
        """
        entry = resolve(self.written)
        if entry.bot is None and (self.args or self.owner):
            given, why = ("args", "its program is its owner's") if self.args else ("owner", "its token names the owner")
            raise BotError(f"{self.path.removeprefix(REMOTE)} is a remote bot, so {why}; leave {given} out")
        entrant, bot = replace(entry.entrant, owner=self.owner or entry.entrant.owner), entry.bot
        if bot and self.args:
            if sentence := objection(bot.parameters, self.args):
                raise BotError(f"args of {entrant.bot}: {sentence}")
            identity = json.dumps([entrant.bot.content_hash, *self.args]).encode()
            entrant = replace(entrant, bot=replace(entrant.bot, content_hash=hashlib.sha256(identity).hexdigest()))
            parameters = set_to(bot.parameters, self.args)
            bot = replace(bot, command=(*bot.command, *self.args), parameters=parameters)
        if self.hash and entrant.bot.content_hash != self.hash:
            raise BotError(
                f"the files of {entrant.bot} are not those that are asked for: their content hash is "
                f"{entrant.bot.content_hash}, not {self.hash}; get them from the bot's owner"
            )
        return Entry(entrant, bot)
