"""The file of a contest, `contest.toml`: who may enter, when, and how much."""

import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Final, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, model_validator

from ballcourt.arena.files import read_toml
from ballcourt.arena.models import LAX, Model, Must, Text, unless
from ballcourt.arena.naming import LONGEST_LINE, line_objection, name_objection
from ballcourt.arena.remote.port import split_address
from ballcourt.arena.tournament.event.tables import Moment, Place
from ballcourt.contest.refusals import ContestFileError

FILE: Final = "contest.toml"
GITHUB: Final = "https://github.com"
DAY: Final = timedelta(days=1)
"""Limits count what happened within this time, whenever one looks."""


def _line_objection(value: str) -> str:
    return line_objection(value) or ("" if value.strip() else "it must have a visible character")


def _address(value: str) -> str:
    try:
        parts = urlsplit(value)
        good = parts.scheme in ("http", "https") and parts.hostname and (parts.port or 1)
    except ValueError:
        good = False
    if not good or parts.path.strip("/") or parts.query or parts.fragment or parts.username or "@" in parts.netloc:
        raise ValueError("it must be an address without a path, such as https://cup.example.org")
    return value.rstrip("/")


def _bucket(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme != "s3" or not parts.netloc or "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError("it must be a bucket such as s3://bucket/folder; its credentials come from the environment")
    return value.rstrip("/")


def _slug(value: str) -> str:
    if not re.fullmatch("[a-z0-9][a-z0-9-]{0,19}", value):
        raise ValueError("it must be 1 to 20 small letters, digits and hyphens, the first a letter or digit")
    return value


def _listen_address(value: str) -> str:
    found = split_address(value)
    if not found or not found[1] or not value.isascii() or len(value) > 254:
        raise ValueError("it must be HOST:PORT, such as cup.example.org:7433")
    return value


def _client(value: str) -> str:
    if not (value.isascii() and value.isprintable() and 0 < len(value) <= LONGEST_LINE):
        raise ValueError(f"it must be 1 to {LONGEST_LINE} visible characters of ASCII")
    return value


def _issuer(value: str) -> str:
    if not is_safe_address(value) or "?" in value or len(value) > LONGEST_LINE:
        raise ValueError("it must be an address like https://login.example.org")
    return value


def is_safe_address(value: str) -> bool:
    """Whether this server may send secrets to an address: by HTTPS, or on this machine."""
    if not value.isascii() or not value.isprintable() or " " in value:
        return False
    try:
        parts = urlsplit(value)
        host, port = parts.hostname, parts.port
    except ValueError:
        return False
    is_here = parts.scheme == "http" and host in ("127.0.0.1", "localhost", "::1")
    return (
        bool(host)
        and port != 0
        and not parts.fragment
        and "@" not in parts.netloc
        and (parts.scheme == "https" or is_here)
    )


def mail_objection(value: str) -> str:
    """Return why a string cannot be the address of a mailbox; empty if it can."""
    name, _, host = value.rpartition("@")
    good = value.isascii() and value.isprintable() and len(value) <= 254 and name and host
    if not good or any(char in value for char in ' <>,;:"()[]\\') or "@" in name or value.startswith("-"):
        return "it must be an address such as ann@example.org"
    return ""


Line = Annotated[str, unless(_line_objection)]
Address = Annotated[str, AfterValidator(_address)]
PhaseName = Annotated[str, unless(name_objection)]
Most = Annotated[int, Field(ge=0, le=100_000)]
Megabytes = Annotated[int, Field(ge=1, le=100_000)]


class TeamsTable(Model):
    """`[teams]`: how large teams may be, and how many bots each may enter."""

    members: Annotated[int, Field(ge=1, le=100)] = 3
    """How many people a team may have."""
    bots: Annotated[int, Field(ge=1, le=100)] = 1
    """How many bots, by their names, a team may have in the ladder."""
    copies: Literal["shown", "refused"] = "shown"
    """Whether a bot whose files another team has entered before is shown to organisers alone, or refused too."""


class PhaseTable(Model):
    """`[[phase]]`: a time in which bots may be entered."""

    name: PhaseName
    opens: Annotated[Moment, LAX]
    """When it begins, with its offset from UTC."""
    closes: Annotated[Moment, LAX]
    """When it ends: the first moment in which nothing may be entered."""
    freeze: Annotated[Moment, LAX] | None = None
    """From here on, all but organisers see tables and pages as they were at this moment, until they are revealed."""
    reveal: Annotated[Moment, LAX] | None = None
    """When all see what it hides, as at a ceremony: freeze, board and replays; by default as soon as it closes."""
    board: Literal["public", "anonymous", "hidden"] = "public"
    """Whether all see tables and pages until it reveals them, tables under aliases without matches, or nothing."""
    replays: Literal["public", "hidden"] = "public"
    """Whether all see matches move by move until it reveals them, or organisers alone."""
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
        if self.reveal and self.reveal < self.closes:
            raise ValueError(f"reveal is {shown(self.reveal)}; it must not be before it closes, {shown(self.closes)}")
        if self.reveal and not self.hides:
            raise ValueError("it has reveal and hides nothing; give it freeze, board or replays too, or leave that out")
        return self

    @property
    def reveals(self) -> datetime:
        """The first moment in which all see what it hid."""
        return self.reveal or self.closes

    @property
    def revealed(self) -> str:
        """When that is, in words."""
        return f"{shown(self.reveal)}" if self.reveal else f"phase {self.name} closes, {shown(self.closes)}"

    @property
    def hides(self) -> bool:
        """Whether something is hidden while it is open."""
        return self.freeze is not None or self.hides_matches

    @property
    def hides_matches(self) -> bool:
        """Whether all but organisers see no match move by move while it is open."""
        return self.board != "public" or self.replays == "hidden"

    def is_open(self, at: datetime) -> bool:
        """Whether bots may be entered at a moment."""
        return self.opens <= at < self.closes

    def state_at(self, at: datetime) -> str:
        """Return whether bots may be entered at a moment, and until or from when, in words."""
        if at < self.opens:
            return f"opens {shown(self.opens)} and closes {shown(self.closes)}"
        if self.is_open(at):
            return f"is open until {shown(self.closes)}"
        return f"closed {shown(self.closes)}"

    def is_frozen(self, at: datetime) -> bool:
        """Whether all but organisers see older tables at a moment."""
        return self.freeze is not None and self.freeze <= at < self.reveals


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


class SignInTable(Model):
    """`[[sign_in]]`: an issuer at which people sign in, by OpenID Connect or as GitHub does it."""

    name: Annotated[str, AfterValidator(_slug)]
    """Its name in addresses: people come back from the issuer at URL/sign-in/with/NAME/back."""
    title: Line
    """What pages call it."""
    client: Annotated[str, AfterValidator(_client)]
    """The id that the issuer gave this contest."""
    kind: Literal["openid", "github"] = "openid"
    """How one signs in there."""
    issuer: Annotated[str, AfterValidator(_issuer)] = GITHUB
    """Its address, as its own discovery document says it."""
    secret_file: Place | None = None
    """A file with the secret that the issuer gave this contest, which only its owner may read; relative to this one."""
    entry: Literal["invited", "open"] | None = None
    """Whether everybody who signs in there may make an account; by default as `entry` of the contest says."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.kind == "openid" and self.issuer == GITHUB:
            raise ValueError('it lacks issuer; give its address, or kind = "github"')
        if self.kind == "github" and self.secret_file is None:
            raise ValueError("it lacks secret_file; GitHub gives every OAuth app a secret")
        return self


OWN_HOSTS: Final = ("localhost", "127.0.0.1", "::1")
"""The names of this machine for itself."""


class MailTable(Model):
    """`[mail]`: the server by which mail is sent; without this table there is none.

    The password of `user` is in the environment variable BALLCOURT_MAIL_PASSWORD.
    """

    host: Line
    """The name of the server."""
    sender: Annotated[str, unless(mail_objection)]
    """From whom mail comes."""
    port: Annotated[int, Field(ge=1, le=65_535)] = 25
    """Its port."""
    tls: Literal["none", "starttls", "tls"] = "none"
    """Whether the connection is plain, becomes encrypted, or is so from its beginning."""
    user: Text = ""
    """Who signs in there; empty if that is not needed."""
    accounts: Annotated[int, Field(ge=1, le=1000)] = 1
    """How many accounts an address may have."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.user and self.tls == "none" and self.host not in OWN_HOSTS:
            raise ValueError("tls is none; with a user it must be starttls or tls, or the password would go in clear")
        return self


class HooksTable(Model):
    """`[hooks]`: webhooks, by which programs of teams are called."""

    of_team: Annotated[int, Field(ge=0, le=20)] = 0
    """How many a team may have."""
    private: bool = False
    """Whether they may lead to this machine and into private networks."""


class RemoteTable(Model):
    """`[remote]`: bots that dial in to the ladder from their authors' machines; without this table there are none."""

    address: Annotated[str, AfterValidator(_listen_address)]
    """Where they dial in, HOST:PORT, as people reach it: the ladder listens there, see `ballcourt ladder --listen`."""
    tokens: Place = Field("tokens.json", validate_default=True)
    """The file of their tokens, which the server writes and the ladder reads (`--tokens`); relative to this one."""


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
    files: Place = Field("files", validate_default=True)
    """The folder of what is received and kept, relative to this file."""
    archives: Annotated[Text, AfterValidator(_bucket)] = ""
    """The S3 bucket of archives, such as s3://bucket/folder; else they are in `files`."""
    entry: Literal["invited", "open", "closed"] = "invited"
    """Who may make an account: those whom the organiser invited, everyone, or no one any more."""
    teams: TeamsTable = TeamsTable()
    phase: Annotated[tuple[PhaseTable, ...], LAX, Field(min_length=1)]
    """When bots may be entered."""
    upload: UploadTable = UploadTable()
    examine: ExamineTable = ExamineTable()
    sign_in: Annotated[tuple[SignInTable, ...], LAX] = ()
    """Where people sign in besides by links."""
    mail: MailTable | None = None
    hooks: HooksTable = HooksTable()
    remote: RemoteTable | None = None
    ca_file: Place | None = None
    """Certificates of authorities to trust besides those of this machine, for issuers, mail and hooks."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        _check_distinct("phases are called", [phase.name.casefold() for phase in self.phase])
        _check_distinct("tables [[sign_in]] are called", [table.name for table in self.sign_in])
        _check_distinct("tables [[sign_in]] have the issuer", [table.issuer for table in self.sign_in])
        for one, other in pairwise(self.in_order):
            if other.opens < one.reveals:
                what = "closes" if other.opens < one.closes else "reveals what it hides"
                raise ValueError(
                    f"phase {other.name} opens at {shown(other.opens)}, before phase {one.name} {what}, "
                    f"{shown(one.reveals)}; phases must not overlap"
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
        return self.url.startswith("https:")

    @property
    def host(self) -> str:
        """The name of its host, without the port."""
        return str(urlsplit(self.url).hostname)

    def phase_at(self, at: datetime) -> PhaseTable | None:
        """Return the phase that is open at a moment; None if there is none."""
        return next((phase for phase in self.phase if phase.is_open(at)), None)

    def hiding_at(self, at: datetime) -> PhaseTable | None:
        """Return the phase that is open at a moment, or has closed and still hides something; None if none."""
        return next((phase for phase in self.phase if phase.opens <= at < phase.reveals), None)

    def over_at(self, at: datetime) -> str:
        """Return why the ladder has no more to play at a moment; empty until the last phase closes."""
        last = self.in_order[-1]
        if at < last.closes:
            return ""
        return f"the last phase, {last.name}, closed {shown(last.closes)}; a later [[phase]] in {FILE} lets it go on"

    def times(self) -> str:
        """Return when bots may be entered, in words."""
        found = (f"{one.name} from {shown(one.opens)} to {shown(one.closes)}" for one in self.in_order)
        return "; ".join(found)


def _check_distinct(what: str, names: list[str]) -> None:
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise ValueError(f"two {what} {twice}; give each one of its own")


def read_contest_file(path: Path, written: Path | None = None) -> ContestFile:
    """Read the file of a contest, which is `written` where it is not yet. Raises ContestFileError."""
    try:
        values = read_toml(written or path)
    except OSError as error:
        raise ContestFileError(f"cannot read {path}: {error.strerror or error}") from error
    except ValueError as error:
        raise ContestFileError(f"{path} is not valid TOML: {error}") from error
    return ContestFile.read(values, str(path), ContestFileError, base=path.parent)


def shown(moment: datetime) -> str:
    """Return a moment in words that need no knowledge of zones: its time in UTC."""
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")


def in_results(moment: datetime) -> str:
    """Return a moment in UTC as results and contest.toml have it, such as "2026-11-22T18:30:05Z"."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def at_time(seconds: float) -> datetime:
    """Return the moment of a Unix time."""
    return datetime.fromtimestamp(seconds, UTC)
