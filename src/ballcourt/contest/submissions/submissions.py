"""Submissions: how an archive becomes one, waits for its examination, and is taken back."""

from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, func, insert, select, update

from ballcourt.arena.ladder.arrivals.names import look_of
from ballcourt.arena.secrets import new_id
from ballcourt.contest.people.accounts import Member, checked_line
from ballcourt.contest.refusals import ContestError, NotAllowedError, StateError, TooLargeError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import BOTS, SUBMISSIONS, TEAMS, WORK
from ballcourt.contest.submissions.allowance import MB, check_entry
from ballcourt.contest.submissions.following import follow_ladder
from ballcourt.contest.submissions.states import (
    LET_IN,
    PASSED,
    PENDING,
    PLAYABLE,
    UNCOUNTED,
    SubmissionState,
    begin,
    move,
)
from ballcourt.contest.submissions.uploads import (
    check_complete,
    discard_archives,
    forget_upload,
    holding,
    part_of,
    upload_of,
)
from ballcourt.contest.submissions.work_queue import WorkKind, dequeue, enqueue

MAGIC: Final = {b"PK\x03\x04": 0, b"\x1f\x8b": 0, b"ustar": 257}
"""What archives have at which place: zip, gzip, tar."""


class ArchiveKindError(ContestError):
    """The upload is not an archive that can be unpacked here."""

    status = 415
    word = "kind"


def enter(contest: Contest, person: Member, upload: str, bot: str, note: str = "", origin: str = "api") -> str:
    """Turn an archive that has arrived into a submission of a bot; return its id.

    The same archive gives the same submission again. A submission of the same bot that still waits is superseded.
    No other request removes it meanwhile. Raises ContestError.
    """
    with contest.store.reading() as connection:
        upload_of(connection, contest, person, upload)
    with holding(contest, upload):
        return enter_held(contest, person, upload, bot, note, origin)


def enter_held(contest: Contest, person: Member, upload: str, bot: str, note: str, origin: str) -> str:
    """Enter as `enter` does what the caller holds."""
    checked_line(note, "note")
    if person.bot and bot != person.bot:
        raise NotAllowedError(f"this token is only good for the bot {person.bot}, not for {bot}")
    with contest.store.reading() as connection:
        arrived = upload_of(connection, contest, person, upload)
    path = check_complete(contest, arrived)
    _check_kind(path)
    contest.archives.put(path, arrived.sha256)  # the upload stays until the submission is in the database
    freed: list[str] = []
    with contest.store.writing() as connection:
        upload_of(connection, contest, person, upload)
        submission = _same(connection, person, arrived.sha256, bot)
        if submission is None:
            phase = check_entry(connection, contest, person, arrived.bytes, bot)
            assert person.team, "otherwise nothing may be entered"
            freed = _make_room(connection, contest, person.team, arrived.bytes)
            _supersede(connection, contest, person.team, bot)
            values = {"phase": phase.name, "archive": arrived.sha256, "bytes": arrived.bytes, "note": note}
            submission = _insert(connection, contest, person, bot, {**values, "origin": origin})
        forget_upload(connection, upload)
    part_of(contest, upload).unlink(missing_ok=True)
    discard_archives(contest, [*freed, arrived.sha256])
    return submission


def cancel(contest: Contest, submission: str) -> None:
    """Take a submission back that waits. Raises StateError for one that does not."""
    with contest.store.writing() as connection:
        if not cancel_waiting(connection, SUBMISSIONS.c.id == submission, contest.now(), "its team took it back"):
            raise StateError("only a submission that waits can be taken back")


def cancel_waiting(connection: Connection, wanted: ColumnElement[bool], now: float, why: str) -> int:
    """Take submissions back as far as they wait; return how many that were."""
    waiting = select(SUBMISSIONS.c.id).where(wanted, SUBMISSIONS.c.state == SubmissionState.WAITING)
    found = connection.execute(waiting).scalars().all()
    for submission in found:
        move(connection, submission, SubmissionState.CANCELLED, now, why)
        dequeue(connection, WorkKind.EXAM, submission)
    return len(found)


def may_be_again() -> ColumnElement[bool]:
    """Return whether a submission may be examined again, and a new verdict about it counts."""
    later = SUBMISSIONS.alias()
    same = (later.c.team == SUBMISSIONS.c.team) & (later.c.bot == SUBMISSIONS.c.bot)
    is_newest = ~select(later.c.id).where(same, later.c.number > SUBMISSIONS.c.number).exists()
    refused = (SUBMISSIONS.c.state == SubmissionState.REFUSED) & SUBMISSIONS.c.handed.is_(None) & is_newest
    return SUBMISSIONS.c.kept & (SUBMISSIONS.c.state.in_(LET_IN) | refused)


def examine_again(connection: Connection, wanted: ColumnElement[bool], now: float) -> int:
    """Queue submissions that were examined behind those that were not; return how many, without those that wait so.

    They are those that the ladder has let in, those that play first, and the newest of each bot if it was refused.
    """
    queued = select(WORK.c.subject).where(WORK.c.kind == WorkKind.AGAIN)
    rows = connection.execute(
        select(SUBMISSIONS.c.id, SUBMISSIONS.c.team)
        .where(wanted, may_be_again(), SUBMISSIONS.c.id.not_in(queued))
        .order_by(SUBMISSIONS.c.state, SUBMISSIONS.c.created.desc())
    ).all()
    for row in rows:
        enqueue(connection, WorkKind.AGAIN, row.id, row.team, now)
    return len(rows)


def _check_kind(path: Path) -> None:
    with path.open("rb") as file:
        first = file.read(512)
    if not any(first[at : at + len(magic)] == magic for magic, at in MAGIC.items()):
        raise ArchiveKindError(
            "this is neither a zip nor a tar file (plain or gzip); pack the folder of the bot as one"
        )


def _same(connection: Connection, person: Member, sha256: str, bot: str) -> str | None:
    """Return the submission of the same archive, unless it failed."""
    same = (SUBMISSIONS.c.team == person.team) & (SUBMISSIONS.c.archive == sha256) & (SUBMISSIONS.c.bot == bot)
    return connection.execute(
        select(SUBMISSIONS.c.id)
        .where(same, SUBMISSIONS.c.state.not_in(UNCOUNTED))
        .order_by(SUBMISSIONS.c.number.desc())
        .limit(1)
    ).scalar()


def _insert(connection: Connection, contest: Contest, person: Member, bot: str, values: dict[str, object]) -> str:
    now, submission = contest.now(), new_id()
    connection.execute(update(TEAMS).where(TEAMS.c.id == person.team).values(submitted=TEAMS.c.submitted + 1))
    number = connection.execute(select(TEAMS.c.submitted).where(TEAMS.c.id == person.team)).scalar_one()
    connection.execute(
        insert(SUBMISSIONS).values(
            **values,
            id=submission,
            number=number,
            team=person.team,
            account=person.account,
            bot=bot,
            state=SubmissionState.WAITING,
            created=now,
            changed=now,
        )
    )
    begin(connection, submission, now)
    enqueue(connection, WorkKind.EXAM, submission, str(person.team), now)
    return submission


def _supersede(connection: Connection, contest: Contest, team: str, bot: str) -> None:
    waiting = (SUBMISSIONS.c.team == team) & (SUBMISSIONS.c.state == SubmissionState.WAITING)
    for row in connection.execute(select(SUBMISSIONS.c.id, SUBMISSIONS.c.bot).where(waiting)).all():
        if look_of(row.bot) == look_of(bot):
            move(connection, row.id, SubmissionState.SUPERSEDED, contest.now(), "a newer one arrived while it waited")
            dequeue(connection, WorkKind.EXAM, row.id)


def _make_room(connection: Connection, contest: Contest, team: str, size: int) -> list[str]:
    """Drop the oldest archives of a team until another one has room; return their hashes.

    Kept are those that wait, those that are chosen, and the newest of each bot that was accepted.
    Raises TooLargeError if these alone leave no room.
    """
    most = contest.settings.upload.team_mb * MB
    own = (SUBMISSIONS.c.team == team) & SUBMISSIONS.c.kept
    used = connection.execute(select(func.coalesce(func.sum(SUBMISSIONS.c.bytes), 0)).where(own)).scalar_one()
    freed: list[str] = []
    if used + size <= most:
        return freed
    spared = _spared(connection, team)
    for row in connection.execute(select(SUBMISSIONS).where(own).order_by(SUBMISSIONS.c.created)).all():
        if used + size <= most:
            break
        if row.id not in spared:
            connection.execute(update(SUBMISSIONS).where(SUBMISSIONS.c.id == row.id).values(kept=False))
            used -= row.bytes
            freed.append(row.archive)
    if used + size > most:
        raise TooLargeError(
            f"the archives of your team's newest bots have {used // MB} MB, and {most // MB} MB are allowed in all"
        )
    return freed


def _spared(connection: Connection, team: str) -> Collection[str]:
    rows: list[Row[Any]] = [
        *connection.execute(select(SUBMISSIONS).where(SUBMISSIONS.c.team == team).order_by(SUBMISSIONS.c.created))
    ]
    newest = {row.bot: row.id for row in rows if row.state in PASSED}
    chosen = connection.execute(select(BOTS.c.chosen).where(BOTS.c.team == team)).scalars()
    return {*newest.values(), *filter(None, chosen), *(row.id for row in rows if row.state in PENDING)}


def choose(contest: Contest, team: str, bot: str, submission: str) -> None:
    """Choose a submission of a bot, instead of the newest, for the finals. Raises WrongInput and OSError."""
    if contest.phase is None:
        raise StateError("no phase is open, so the field of the finals cannot be changed any more")
    follow_ladder(contest)
    with contest.store.writing() as connection:
        own = (SUBMISSIONS.c.id == submission) & (SUBMISSIONS.c.team == team) & (SUBMISSIONS.c.bot == bot)
        row = connection.execute(select(SUBMISSIONS.c.state, SUBMISSIONS.c.number).where(own)).one_or_none()
        if row is None or row.state not in PLAYABLE:
            raise StateError(f"only a submission of {bot} that was accepted, and was not withdrawn, can be chosen")
        connection.execute(update(BOTS).where(BOTS.c.name == bot, BOTS.c.team == team).values(chosen=submission))
