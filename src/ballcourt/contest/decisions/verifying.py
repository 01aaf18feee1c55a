"""Checks that a contest is whole: its decisions, its archives, and what the ladder says of its submissions."""

from collections.abc import Iterator
from hashlib import file_digest
from pathlib import Path

from sqlalchemy import select

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.ladder.roster import Roster
from ballcourt.arena.ladder.score import counting
from ballcourt.arena.temporary import scratch_folder
from ballcourt.arena.tournament.decisions.trail import read_trail
from ballcourt.arena.tournament.event.stages import read_stages
from ballcourt.arena.tournament.folder.manifest import kept_plan
from ballcourt.arena.tournament.folder.output import record_files
from ballcourt.contest.decisions.audit import first_break
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import SUBMISSIONS
from ballcourt.contest.submissions.following import follow_ladder
from ballcourt.contest.submissions.states import SubmissionState, states_of
from ballcourt.leaderboard.store.retention import dropped_results


def complaints(contest: Contest) -> Iterator[str]:
    """Yield a sentence for everything that is missing or was changed. Raises WrongInput and OSError."""
    follow_ladder(contest)
    with contest.store.reading() as connection:
        if number := first_break(connection):
            yield f"decision {number} of the audit chain was changed, or one before it is missing"
        submissions = connection.execute(select(SUBMISSIONS).order_by(SUBMISSIONS.c.created)).all()
        last = {row.submission: row.state for row in states_of(connection, [row.id for row in submissions])}
    for sha256 in sorted({row.archive for row in submissions if row.kept}):
        yield from _of_archive(contest, sha256)
    yield from _of_results(contest.ladder.output)
    roster = Roster(read_trail(contest.ladder.output))
    for row in submissions:
        if last.get(row.id) != row.state:
            yield f"submission {row.id} is {row.state}, and the list of its states ends with {last.get(row.id)}"
        if row.state == SubmissionState.PLAYING:
            bot = BotVersion(row.bot, row.version, row.content_hash)
            found = roster.find(bot)
            if found is None or found.bot != bot:
                yield f"submission {row.id} is playing as {bot}, and the ladder's trail lacks it"


def _of_results(output: Path) -> Iterator[str]:
    """Compare what the ladder noted at the end of each stage with the results that are kept of its matches."""
    kept, places = kept_plan(output), {}
    if kept is None:
        return
    for stage, results in read_stages(output):
        for key, seats in counting(stage, results or {}, kept.changes).items():
            places[key] = [seat.placement for seat in seats]
    dropped, damaged = dropped_results(output)
    yield from damaged
    changed = [
        one.key for one in dropped if places.get(one.key, ()) not in ((), [seat.placement for seat in one.seats])
    ]
    here = {file.stem for file in record_files(output)} | {one.key for one in dropped}
    lost = [] if damaged else [key for key in places if key not in here]
    for keys, what in ((changed, "changed"), (lost, "lost")):
        if keys:
            yield f"of the ladder's results {len(keys)} were {what}, such as that of match {keys[0]}"


def _of_archive(contest: Contest, sha256: str) -> Iterator[str]:
    try:
        with scratch_folder() as folder, contest.archives.get(sha256, folder).open("rb") as file:
            found = file_digest(file, "sha256").hexdigest()
    except OSError as error:
        reason = "it is not there" if isinstance(error, FileNotFoundError) else error.strerror or error
        yield f"the archive {sha256} cannot be read: {reason}"
        return
    if found != sha256:
        yield f"the archive {sha256} was changed: its SHA-256 is {found}"
