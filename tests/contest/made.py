"""A contest in a folder, for tests: its clock stands still until a test moves it."""

import io
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from sqlalchemy import Executable, Result

from ballcourt.arena.bots.version import BotVersion
from ballcourt.contest.create import make_contest
from ballcourt.contest.decisions.inviting import Inviting
from ballcourt.contest.examining.sources import ToUnpack
from ballcourt.contest.examining.work import Leased, WorkFinding, lease, settle
from ballcourt.contest.people.accounts import AccountRole, Member, account_named, person_of
from ballcourt.contest.people.sessions import begin_session
from ballcourt.contest.people.tokens import new_token
from ballcourt.contest.settings import PhaseTable, at_time
from ballcourt.contest.store.contest import Contest, open_contest
from ballcourt.contest.submissions.states import SubmissionState, move
from ballcourt.contest.submissions.submissions import enter
from ballcourt.contest.submissions.uploads import appending, begin_upload, upload_of
from ballcourt.contest.web.application import contest_app

NOON = 1_900_000_000.0


@dataclass
class Clock:
    """A clock that stands still."""

    now: float = NOON

    def __call__(self) -> float:
        return self.now


@dataclass
class Made:
    """A contest that a test made."""

    contest: Contest
    clock: Clock = field(default_factory=Clock)
    app: FastAPI | None = None

    def served(self) -> FastAPI:
        """Return the application of the contest, which is made once."""
        if self.app is None or self.app.state.contest is not self.contest:
            self.app = contest_app(self.contest, FastAPI())
        return self.app

    def person(self, handle: str, team: str = "", *, organiser: bool = False) -> Member:
        """Make an account, and its team."""
        role = AccountRole.ORGANISER if organiser else AccountRole.CONTESTANT
        Inviting(self.contest, role, 1000).invite([(handle, team)])
        with self.contest.store.reading() as connection:
            found = person_of(connection, account_named(connection, handle).id)
        assert found
        return found

    def token(self, person: Member) -> str:
        """Make a token."""
        with self.contest.store.writing() as connection:
            return new_token(connection, person.account, self.clock.now)[1]

    def read(self, query: Executable) -> Result[Any]:
        """Ask the database."""
        with self.contest.store.reading() as connection:
            return connection.execute(query).freeze()()

    def session(self, person: Member) -> str:
        """Sign in; return what the cookie holds."""
        with self.contest.store.writing() as connection:
            return begin_session(connection, person.account, "test", self.clock.now)

    def upload(self, person: Member, archive: bytes) -> str:
        """Send an archive."""
        upload, offset = begin_upload(self.contest, person, len(archive), sha256(archive).hexdigest())
        with self.contest.store.reading() as connection:
            row = upload_of(connection, self.contest, person, upload)
        with appending(self.contest, row, offset, len(archive) - offset) as file:
            file.write(archive[offset:])
        return upload

    def enter(self, person: Member, archive: bytes, bot: str = "mine") -> str:
        """Send an archive and enter it."""
        return enter(self.contest, person, self.upload(person, archive), bot)

    def accept(self, content_hash: str = "0" * 64, version: str = "1", *, code: str = "") -> None:
        """Accept the next submission as an examiner does, with the hash `code` of its files without bot.toml."""
        self.settle(self.leased(), content_hash, version, code)

    def leased(self) -> Leased:
        """Take up the next submission."""
        found = lease(self.contest, "test")
        assert found
        return found

    def settle(self, leased: Leased, content_hash: str = "0" * 64, version: str = "1", code: str = "") -> None:
        """Accept what was taken up."""
        settle(self.contest, leased, WorkFinding(True, "", "{}", BotVersion("mine", version, content_hash), code))

    def accepted(self, person: Member, version: str = "1") -> str:
        """Enter a bot of a person who has nothing waiting, and accept it; return its submission."""
        submission = self.enter(person, bot_archive(version))
        self.accept()
        return submission

    def playing(self, person: Member, bot: str = "mine", archive: bytes = b"", content_hash: str = "") -> str:
        """Enter a bot of a person who has nothing waiting, and let it play in the ladder; return its submission."""
        submission = self.enter(person, archive or bot_archive("1", bot), bot)
        self.accept(content_hash or sha256(submission.encode()).hexdigest())
        with self.contest.store.writing() as connection:
            move(connection, submission, SubmissionState.PLAYING, self.clock.now)
        return submission


class UnpackedAtOnce:
    """What stands for unpacking archives of which no test needs the files."""

    is_over = True

    def __init__(self, unpacking: ToUnpack) -> None:
        del unpacking

    def outcome(self) -> str:
        """Return that all are unpacked."""
        return ""

    def end(self) -> None:
        """Do nothing."""


def made_in(folder: Path, **changes: object) -> Made:
    """Make a contest whose only phase is open, unless `changes`, other settings, say otherwise."""
    make_contest(folder, "cup", "http://127.0.0.1:8000", "maya", 2, unconfined=True)
    with open_contest(folder / "contest.toml", unconfined=True) as opened:
        pass
    clock = Clock()
    settings = opened.settings.replaced(**{"phase": (phase(),), **changes})
    found = replace(opened, settings=settings, now=clock)
    return Made(found, clock)


def phase(**changes: object) -> PhaseTable:
    """Return a phase that is open at noon."""
    times = {"opens": at_time(NOON - 1000), "closes": at_time(NOON + 10**6)}
    return PhaseTable.model_validate({"name": "training", **times, **changes})


def packed(files: Mapping[str, str]) -> bytes:
    """Return a tar file."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text.encode())
            archive.addfile(entry, io.BytesIO(text.encode()))
    return stream.getvalue()


def bot_archive(version: str = "1", name: str = "mine") -> bytes:
    """Return the archive of a bot, of which no test needs that it plays."""
    toml = f'name = "{name}"\nversion = "{version}"\ncommand = ["{{python}}", "bot.py"]\ngames = ["maya"]\n'
    return packed({"bot.toml": toml, "bot.py": "print()\n"})
