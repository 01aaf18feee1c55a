"""The file of a contest, `contest.toml`: who may enter, when, and how much."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Final, Literal, Self
from urllib.parse import SplitResult, urlsplit

from pydantic import AfterValidator, Field, model_validator

from ballcourt.arena.files import read_toml
from ballcourt.arena.models import LAX, Model, Must, Text
from ballcourt.arena.naming import line_objection, name_objection
from ballcourt.arena.tournament.event.tables import Moment, Place
from ballcourt.contest.refusals import ContestFileError

DAY: Final = timedelta(days=1)
"""Limits count what happened within this time, whenever one looks."""


def _line(value: str) -> str:
    if objection := line_objection(value) or ("" if value.strip() else "it must have a visible character"):
        raise ValueError(objection)
    return value


def _name(value: str) -> str:
    if objection := name_objection(value):
        raise ValueError(objection)
    return value


def _address(value: str) -> str:
    try:
        parts = urlsplit(value)
        good = parts.scheme in ("http", "https") and parts.hostname and (parts.port or 1)
    except ValueError:
        good = False
    if not good or parts.path.strip("/") or parts.query or parts.fragment or parts.username or "@" in parts.netloc:
        raise ValueError("it must be an address without a path, such as https://cup.example.org")
    return value.rstrip("/")


def _mail_address(value: str) -> str:
    if objection := mail_objection(value):
        raise ValueError(objection)
    return value


def mail_objection(value: str) -> str:
    """Return why a string cannot be the address of a mailbox; empty if it can."""
    name, _, host = value.rpartition("@")
    good = value.isascii() and value.isprintable() and len(value) <= 254 and name and host
    if not good or any(char in value for char in ' <>,;:"()[]\\') or "@" in name or value.startswith("-"):
        return "it must be an address such as ann@example.org"
    return ""


Line = Annotated[str, AfterValidator(_line)]
Address = Annotated[str, AfterValidator(_address)]
PhaseName = Annotated[str, AfterValidator(_name)]
Most = Annotated[int, Field(ge=0, le=100_000)]
Megabytes = Annotated[int, Field(ge=1, le=100_000)]


class TeamsTable(Model):
    """`[teams]`: how large teams may be, and how many bots each may enter."""

    members: Annotated[int, Field(ge=1, le=100)] = 3
    """How many people a team may have."""
    bots: Annotated[int, Field(ge=1, le=100)] = 1
    """How many bots, by their names, a team may have in the ladder."""


class PhaseTable(Model):
    """`[[phase]]`: a time in which bots may be entered."""

    name: PhaseName
    opens: Annotated[Moment, LAX]
    """When it begins, with its offset from UTC."""
    closes: Annotated[Moment, LAX]
    """When it ends: the first moment in which nothing may be entered."""
    freeze: Annotated[Moment, LAX] | None = None
    """From here to its end, all but organisers see tables and pages as they were at this moment."""
    board: Literal["public", "hidden"] = "public"
    """Whether all see tables and pages while it is open, or organisers alone."""
    replays: Literal["public", "hidden"] = "public"
    """Whether all see matches move by move while it is open, or organisers alone."""
    accepted: Most = 5
    """How many submissions of a team may be accepted within 24 hours."""
    attempts: Most = 20
    """How many submissions of a team may be examined within 24 hours, whatever becomes of them."""
    scrimmages: Most = 10
    """How many matches that count nowhere a team may ask for within 24 hours."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.closes <= self.opens:
            raise ValueError(f"it closes at {shown(self.closes)}, which is not after it opens, {shown(self.opens)}")
        if self.freeze and not self.opens <= self.freeze <= self.closes:
            raise ValueError(
                f"freeze is {shown(self.freeze)}; it must be between the times at which it opens and closes"
            )
        return self

    def is_open(self, at: datetime) -> bool:
        """Whether bots may be entered at a moment."""
        return self.opens <= at < self.closes

    def is_frozen(self, at: datetime) -> bool:
        """Whether all but organisers see older tables at a moment."""
        return self.freeze is not None and self.freeze <= at < self.closes


class UploadTable(Model):
    """`[upload]`: how large archives may be."""

    mb: Megabytes = 100
    """The size of one archive."""
    unpacked_mb: Megabytes = 512
    """The size of the files in it."""
    team_mb: Megabytes = 2000
    """The size of all archives that are kept of a team; the server removes old ones by itself."""


class ExamineTable(Model):
    """`[examine]`: how submissions are examined."""

    processes: Annotated[int, Field(ge=0, le=64)] = 2
    """How many submissions are examined at once by `ballcourt serve`; 0 leaves all to `ballcourt examiner`."""


class MailTable(Model):
    """`[mail]`: the server by which mail is sent; without this table there is none.

    The password of `user` is in the environment variable BALLCOURT_MAIL_PASSWORD.
    """

    host: Line
    """The name of the server."""
    sender: Annotated[str, AfterValidator(_mail_address)]
    """From whom mail comes."""
    port: Annotated[int, Field(ge=1, le=65_535)] = 25
    """Its port."""
    tls: Literal["none", "starttls", "tls"] = "none"
    """Whether the connection is plain, becomes encrypted, or is so from its beginning."""
    user: Text = ""
    """Who signs in there; empty if nobody has to."""


class HooksTable(Model):
    """`[hooks]`: web hooks, by which programs of teams are called."""

    of_team: Annotated[int, Field(ge=0, le=20)] = 0
    """How many a team may have."""
    private: bool = False
    """Whether they may lead to this machine and into private networks."""


class ContestFile(Model):
    """A contest as its organiser asked for it."""

    name: Line
    """What pages call it."""
    url: Address
    """The address at which people find it; links, cookies and allowed host names are made of it."""
    ladder: Annotated[Place, Must("the path of a ladder file")]
    """The file of its ladder, relative to this one."""
    database: Text = "sqlite:///contest.sqlite"
    """An SQLite file, relative to this one, or a PostgreSQL database."""
    files: Place = Path("files")
    """The folder of archives, relative to this file."""
    entry: Literal["invited", "open", "closed"] = "invited"
    """Who may make an account: those whom the organiser invited, everybody, or nobody any more."""
    teams: TeamsTable = TeamsTable()
    phase: Annotated[tuple[PhaseTable, ...], LAX, Field(min_length=1)]
    """When bots may be entered."""
    upload: UploadTable = UploadTable()
    examine: ExamineTable = ExamineTable()
    mail: MailTable | None = None
    hooks: HooksTable = HooksTable()

    @model_validator(mode="after")
    def _check(self) -> Self:
        names = [phase.name.casefold() for phase in self.phase]
        if twice := next((name for name in names if names.count(name) > 1), ""):
            raise ValueError(f"two phases are called {twice}; give each a name of its own")
        for one, other in pairwise(self.in_order):
            if other.opens < one.closes:
                raise ValueError(
                    f"phase {other.name} opens at {shown(other.opens)}, before phase {one.name} closes, "
                    f"{shown(one.closes)}; phases must not overlap"
                )
        if self.upload.team_mb < self.upload.mb:
            raise ValueError(
                f"upload.team_mb is {self.upload.team_mb}; it must be at least upload.mb, which is {self.upload.mb}"
            )
        return self

    @property
    def in_order(self) -> list[PhaseTable]:
        """The phases in the order of their times."""
        return sorted(self.phase, key=lambda phase: phase.opens)

    @property
    def is_secure(self) -> bool:
        """Whether people reach it by HTTPS."""
        return self._parts.scheme == "https"

    @property
    def host(self) -> str:
        """The name of its host, without the port."""
        return str(self._parts.hostname)

    @property
    def _parts(self) -> SplitResult:
        return urlsplit(self.url)

    def phase_at(self, at: datetime) -> PhaseTable | None:
        """Return the phase that is open at a moment; None if there is none."""
        return next((phase for phase in self.phase if phase.is_open(at)), None)

    def times(self) -> str:
        """Return when bots may be entered, in words."""
        return "; ".join(self._times())

    def _times(self) -> Iterator[str]:
        for phase in self.in_order:
            yield f"{phase.name} from {shown(phase.opens)} to {shown(phase.closes)}"


def read_contest_file(path: Path) -> ContestFile:
    """Read the file of a contest. Raises ContestFileError."""
    try:
        values = read_toml(path)
    except OSError as error:
        raise ContestFileError(f"cannot read {path}: {error.strerror or error}") from error
    except ValueError as error:
        raise ContestFileError(f"{path} is not valid TOML: {error}") from error
    return ContestFile.read(values, str(path), ContestFileError, base=path.parent)


def shown(moment: datetime) -> str:
    """Return a moment in words that need no knowledge of zones: its time in UTC."""
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")


def at_time(seconds: float) -> datetime:
    """Return the moment of a Unix time."""
    return datetime.fromtimestamp(seconds, UTC)
