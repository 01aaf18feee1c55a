"""What a contest knows about a person, in one file."""

import json
from contextlib import suppress
from typing import IO, Any, Final
from zipfile import ZIP_DEFLATED, ZipFile

from sqlalchemy import Row, Select, select

from ballcourt.arena.temporary import scratch_folder
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.private_files import PrivateFiles
from ballcourt.contest.refusals import ContestError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import (
    ACCOUNTS,
    IDENTITIES,
    MEMBERS,
    SCRIMMAGES,
    SESSIONS,
    STATES,
    SUBMISSIONS,
    TEAMS,
    TOKENS,
)
from ballcourt.contest.visible import Visible

LEFT_OUT: Final = frozenset({"hash", "look", "secret"})
"""The columns that no file of a person has: hashes of secrets, and what is derived from names."""


def export_person(contest: Contest, person: Member, into: IO[bytes]) -> None:
    """Write what a contest knows about a person as a ZIP: rows as JSON, the archives they sent, logs of their bots.

    Logs are those which they may read now. Raises OSError.
    """
    with contest.store.reading() as connection:
        queries = _queries(person.account).items()
        rows = {name: [_plain(row) for row in connection.execute(query)] for name, query in queries}
    with ZipFile(into, "w", ZIP_DEFLATED) as file, scratch_folder() as folder:
        file.writestr("about.json", json.dumps(rows, indent=2))
        for row in rows["submissions"]:
            if row["kept"]:
                with suppress(FileNotFoundError):
                    archive = contest.archives.get(str(row["archive"]), folder)
                    file.write(archive, f"archives/{row['number']}-{row['bot']}")
        files = PrivateFiles(contest, person)
        for bot in Visible(contest, person).bots():
            for entry in files.newest_logs(bot) if bot.team == person.team_name else ():
                with suppress(ContestError):
                    file.writestr(f"logs/{bot.name}/{entry}.txt", files.read_log(bot, entry))


def _queries(account: str) -> dict[str, Select[Any]]:
    teams = select(MEMBERS.c.team).where(MEMBERS.c.account == account)
    entered = select(SUBMISSIONS.c.id).where(SUBMISSIONS.c.account == account)
    return {
        "account": select(ACCOUNTS).where(ACCOUNTS.c.id == account),
        "teams": select(TEAMS).where(TEAMS.c.id.in_(teams)),
        "memberships": select(MEMBERS).where(MEMBERS.c.account == account),
        "identities": select(IDENTITIES).where(IDENTITIES.c.account == account),
        "tokens": select(TOKENS).where(TOKENS.c.account == account),
        "sessions": select(SESSIONS).where(SESSIONS.c.account == account),
        "submissions": select(SUBMISSIONS).where(SUBMISSIONS.c.account == account).order_by(SUBMISSIONS.c.created),
        "scrimmages": select(SCRIMMAGES).where(SCRIMMAGES.c.account == account).order_by(SCRIMMAGES.c.created),
        "states": select(STATES).where(STATES.c.submission.in_(entered)).order_by(STATES.c.id),
    }


def _plain(row: Row[Any]) -> dict[str, Any]:
    return {name: value for name, value in row._mapping.items() if name not in LEFT_OUT}
