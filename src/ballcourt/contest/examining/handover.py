"""Hands accepted submissions over to the ladder, and follows them there.

The contest and its ladder speak by files in the ladder's folder, so either may be ended at any time; what was written
before its end is found there, and done once.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, select, update

from ballcourt.arena.bots.bot import BotError, load_bot
from ballcourt.arena.bots.contents import ContentsError
from ballcourt.arena.ladder.arrivals.handed import Handed, files_of, hand_over, handed_over
from ballcourt.arena.ladder.copies import copied
from ballcourt.arena.temporary import scratch_folder
from ballcourt.contest.examining.unpacking import GridError, Unpack, unpack
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import SUBMISSIONS, TEAMS
from ballcourt.contest.submissions.allowance import MB
from ballcourt.contest.submissions.following import LadderFollower
from ballcourt.contest.submissions.remote_bots import keep_tokens, token_file
from ballcourt.contest.submissions.states import SubmissionState, move


class Handover:
    """What the contest and the ladder say to each other. Call `step` again and again."""

    def __init__(self, contest: Contest, unpacked: Unpack = unpack) -> None:
        self._contest = contest
        self._unpack = unpacked
        self._output = contest.ladder.output.absolute()  # the sandbox begins in another folder
        self._following = LadderFollower(contest)
        self._tokens = token_file(contest)

    def step(self, *, is_busy: bool = False) -> None:
        """Hand over what was accepted and the tokens of bots that dial in, and follow answers and trail.

        An examiner that is busy unpacks nothing: its lease could end meanwhile. Raises OSError and WrongInput.
        """
        if self._tokens:
            keep_tokens(self._contest, self._tokens)
        self._hand_over(is_busy=is_busy)
        self._following.step()

    def keep(self, copy: Path, content_hash: str) -> None:
        """Put the files of a bot where the ladder finds them."""
        home = files_of(self._output, content_hash)
        if home.exists():  # the same files, of an examination whose answer came too late
            shutil.rmtree(copy)
        else:
            copy.rename(home)

    def _hand_over(self, *, is_busy: bool) -> None:
        with self._contest.store.reading() as connection:
            due = [*_due(connection)]
        for handed, archive in due:
            is_here = files_of(self._output, handed.hash).is_dir()
            if not is_here and (is_busy or not self._brings_files(handed, archive)):
                continue
            with self._contest.store.writing() as connection:  # one writer at a time: no other examiner is here
                before = {one.submission for one in handed_over(self._output)}
                if handed.submission not in before:  # or one was killed before it could say so
                    hand_over(self._output, handed)
                is_it = SUBMISSIONS.c.id == handed.submission
                connection.execute(update(SUBMISSIONS).where(is_it).values(handed=self._contest.now()))

    def _brings_files(self, handed: Handed, archive: str) -> bool:
        """Put the files of a bot in place that was examined on another machine; return whether they are there now.

        Those that are not what was accepted are refused: so no examiner elsewhere can put other files into the ladder.
        """
        home = files_of(self._output, handed.hash)
        home.parent.mkdir(parents=True, exist_ok=True)
        most, tier = self._contest.settings.upload.unpacked_mb, self._contest.ladder.sandbox.tier
        with scratch_folder(home.parent) as folder:
            try:
                source = self._unpack(self._contest.archives.get(archive, folder), folder, most, tier)
                copy = copied(load_bot(source), source, folder / "copy", most * MB)
                trouble = "" if copy.content_hash == handed.hash else "its files are not those that were examined"
            except FileNotFoundError:
                trouble = "its archive was removed before it could be handed over; enter it again"
            except (BotError, ContentsError, GridError) as error:
                trouble = str(error).replace(f"{folder}/", "")
            if not trouble:
                self.keep(folder / "copy", handed.hash)
                return True
        with self._contest.store.writing() as connection:
            move(connection, handed.submission, SubmissionState.REFUSED, self._contest.now(), trouble)
        return False


def _due(connection: Connection) -> Iterator[tuple[Handed, str]]:
    """Yield what the ladder has to get, and the archive in which it is."""
    joined = SUBMISSIONS.join(TEAMS, TEAMS.c.id == SUBMISSIONS.c.team)
    accepted = (SUBMISSIONS.c.state == SubmissionState.ACCEPTED) & SUBMISSIONS.c.handed.is_(None)
    rows = select(SUBMISSIONS, TEAMS.c.name.label("owner")).select_from(joined).where(accepted)
    for row in connection.execute(rows.order_by(SUBMISSIONS.c.changed)):
        handed = Handed(submission=row.id, name=row.bot, version=row.version, hash=row.content_hash, owner=row.owner)
        yield handed, row.archive
