"""The contest under torture: its server, examiners and ladder are killed at any line; no submission may suffer.

What it comes to is its table: the submissions with their states, what the limits counted, and the mail of teams.
"""

import json
import random
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from itertools import pairwise, zip_longest
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import cast
from unittest.mock import patch

from sqlalchemy import func, select

from ballcourt.arena.ladder.arrivals.handed import ARRIVALS, HANDED
from ballcourt.arena.tournament.decisions.trail import read_trail
from ballcourt.cli.loopback import listening
from ballcourt.contest.client import connection
from ballcourt.contest.client.connection import ContestServer
from ballcourt.contest.create import make_contest
from ballcourt.contest.decisions.inviting import Inviting
from ballcourt.contest.decisions.verifying import complaints
from ballcourt.contest.examining.work import LEASE_S
from ballcourt.contest.notifications.webhooks import add_hook
from ballcourt.contest.people.accounts import AccountRole, account_named, person_of
from ballcourt.contest.people.tokens import new_token
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import OUTBOX, SCRIMMAGES, STATES, SUBMISSIONS, TEAMS, UPLOADS, WORK
from ballcourt.contest.submissions.allowance import allowance
from ballcourt.contest.submissions.states import FROM, SubmissionState, states_of
from ballcourt.contest.submissions.uploads import begin_upload
from tests.bluff.installed import bluff_installed
from tests.contest.made import packed
from tests.serving import serving
from tests.torture.contest_parts import KINDS, Part, Spot, context, started
from tests.torture.subject import Failure, Subject

TEAM = {
    "reds": [{"version": "1"}, {"version": "2"}],
    "blues": [{"version": "1", "large": "x" * (5 << 20)}],
    "greens": [{"version": "1", "bad": "its check fails"}, {"": "no bot"}],
}
"""What each team enters, one after the other: the files of bots besides bot.toml."""
LONGEST_S = 300
"""Seconds after which a trial is stuck; a webhook that failed is called again within them."""
STUCK_S = 180
"""Seconds of the contest's clock that a kill may cost a submission."""
AGAIN = (SubmissionState.WAITING, SubmissionState.EXAMINING)
"""The states in which a submission may be several times."""
OVER = ("playing", "refused", "failed", "retired")


class _Hook(BaseHTTPRequestHandler):
    """Takes calls of webhooks."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        cast("set[str]", self.server.called).add(self.headers["webhook-id"])  # type: ignore[attr-defined]
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@dataclass
class Kills:
    """What was killed, and when by the clock of the contest."""

    done: list[str] = field(default_factory=list)
    last: float = 0.0


@dataclass(frozen=True)
class ContestSubject(Subject):
    """A contest in a folder of its own, of three teams that enter bots, broken ones too."""

    def prepare(self) -> "ContestSubject":
        """Make the contest and its ladder."""
        (self.place / "tmp").mkdir()
        with bluff_installed():
            make_contest(self.place / "cup", "cup", "http://127.0.0.1:8000", "bluff", 2, unconfined=True)
        with (self.place / "cup" / "contest.toml").open("a") as file:
            file.write("[hooks]\nof_team = 1\nprivate = true\n")
        (self.place / "cup" / "ladder.toml").write_text(
            'game = "bluff"\nbots = "bots"\noutput = "ladder"\nseats = 2\nversions = 1\nresidents = ["random"]\n'
            "provisional = 2\n[sandbox]\ntier = 0\n"
        )
        return self

    @property
    def noted(self) -> Path:
        """Where its parts note the lines that they reach."""
        return self.place / "noted"

    def finish(self) -> str:
        """Run the contest undisturbed, and note the lines; return its table. Raises Failure."""
        self.noted.mkdir()
        return self.disturbed([], Kills())

    def disturbed(self, blows: list[Spot], kills: Kills, kind: str = "") -> str:
        """Run the contest, with blows to a part, one in each of its lives; return its table. Raises Failure."""
        with bluff_installed(), ExitStack() as stack:
            hooks = stack.enter_context(_hooks())
            authors = stack.enter_context(ThreadPoolExecutor(len(TEAM)))  # which end once nothing listens
            listener = stack.enter_context(closing(listening(0)))
            ahead = context().RawValue("d", 0.0)
            stack.enter_context(patch.object(connection, "PAUSES_S", (0.1,) * 100))
            stack.enter_context(patch.object(connection, "LOOK_S", 0.1))
            part = Part("", self.place, ahead, listener)
            contest = stack.enter_context(part.contest())
            tokens = _entrants(contest, hooks.server_address[1])
            parts = stack.enter_context(_Parts(self, part, kind, [*blows], kills).running())
            url = f"http://127.0.0.1:{listener.getsockname()[1]}"
            sent = [authors.submit(_enter, contest, ContestServer(url, tokens[team]), team) for team in TEAM]
            parts.watch(lambda: _is_settled(contest, sent), lambda: _left(contest))
            parts.end()
            called: set[str] = hooks.called  # type: ignore[attr-defined]
            return _table(contest, called, kills)

    def spots(self, kind: str) -> list[Spot]:
        """Return the lines that a part reached when it ran undisturbed."""
        words = (line.split() for line in (self.noted / kind).read_text().splitlines())
        return sorted({Spot(place, int(hit)) for place, hit in words}, key=lambda spot: (spot.place, spot.hit))


def kill(subject: Subject, expected: str, chance: random.Random) -> str:
    """Kill parts of a contest at random lines; return what was done. Raises Failure."""
    assert isinstance(subject, ContestSubject)
    undisturbed = replace(subject, place=subject.place.parent / "undisturbed")
    kind, kills = chance.choice(KINDS), Kills()
    blows = chance.sample(undisturbed.spots(kind), chance.choice((1, 1, 2)))
    try:
        found = subject.disturbed(blows, kills, kind)
    except Failure as error:
        raise Failure(f"after {', '.join(kills.done)}: {error}") from error
    if found != expected:
        raise Failure(f"after {', '.join(kills.done)} the table differs: {_difference(found, expected)}")
    return "killed " + (", ".join(kills.done) or "nothing: the line was not reached")


class _Parts:
    """The running processes of a contest."""

    def __init__(self, subject: ContestSubject, part: Part, kind: str, blows: list[Spot], kills: Kills) -> None:
        self._subject = subject
        self._part = part
        self._kind = kind
        self._blows = blows
        self._kills = kills
        self._running: list[tuple[Part, BaseProcess]] = []

    @contextmanager
    def running(self) -> Iterator["_Parts"]:
        """Start a server, a ladder and two examiners, and end them when the context ends."""
        try:
            for kind in (*KINDS, "examiner"):
                self._start(kind)
            yield self
        finally:
            self.end()

    def _start(self, kind: str) -> None:
        is_due = kind == self._kind and self._blows and not any(part.blow for part, _ in self._running)
        blow = self._blows.pop(0) if is_due else None
        noted = self._subject.noted / kind if self._subject.noted.exists() else None
        part = replace(self._part, kind=kind, blow=blow, noted=noted)
        self._running.append((part, started(part)))

    def watch(self, is_settled: Callable[[], bool], left: Callable[[], str]) -> None:
        """Start parts again that were killed, until all has come to its end.

        Raises Failure; if nothing comes to its end, with what is `left`.
        """
        deadline = time.monotonic() + LONGEST_S
        while not is_settled():
            if time.monotonic() > deadline:
                raise Failure(f"it is stuck with {left()}: {self._subject.last_words()}")
            for part, process in [*self._running]:
                if not process.is_alive():
                    self._running.remove((part, process))
                    self._note(part, process)
                    self._start(part.kind)
            time.sleep(0.1)

    def _note(self, part: Part, process: BaseProcess) -> None:
        """Note the death of a part, and let leases end, without a wait."""
        if process.exitcode != -signal.SIGKILL or part.blow is None:
            raise Failure(f"the {part.kind} ended with {process.exitcode}: {self._subject.last_words()}")
        self._kills.done.append(f"{part.kind} at {part.blow.place} ({part.blow.hit})")
        self._kills.last = self._part.now()
        self._part.ahead.value += LEASE_S + 1

    def end(self) -> None:
        """End all parts."""
        for _, process in self._running:
            process.kill()
            process.join()
        self._running.clear()


@contextmanager
def _hooks() -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Hook)
    server.called = set()  # type: ignore[attr-defined]
    with serving(server):
        yield server


def _entrants(contest: Contest, port: int) -> dict[str, str]:
    """Make an account, a token and a webhook for each team; return the tokens."""
    found = {}
    Inviting(contest, AccountRole.CONTESTANT, 1000).invite([(f"of-{team}", team) for team in TEAM])
    for team in TEAM:
        with contest.store.writing() as connection:
            person = person_of(connection, account_named(connection, f"of-{team}").id)
            assert person and person.team
            found[team] = new_token(connection, person.account, contest.now())[1]
        add_hook(contest, person.team, f"http://127.0.0.1:{port}/{team}")
    return found


def _enter(contest: Contest, server: ContestServer, team: str) -> None:
    """Enter the bots of a team, each when the one before has come to its end."""
    for files in TEAM[team]:
        archive = _archive(team, files)
        entered = server.submit(BytesIO(archive), len(archive), sha256(archive).hexdigest(), f"{team}-bot", "", "")
        is_it, deadline = SUBMISSIONS.c.id == entered["id"], time.monotonic() + LONGEST_S
        state = ""
        while state not in OVER and time.monotonic() < deadline:
            time.sleep(0.1)
            with contest.store.reading() as connection:
                state = connection.execute(select(SUBMISSIONS.c.state).where(is_it)).scalar_one()


def _archive(team: str, files: dict[str, str]) -> bytes:
    version = files.get("version")
    toml = f'name = "{team}-bot"\nversion = "{version}"\ncommand = ["true"]\n'
    named = {name: text for name, text in files.items() if name and name != "version"}
    return packed(({"bot.toml": toml} if version else {"README": "nothing"}) | named)


def _is_settled(contest: Contest, sent: list[Future[None]]) -> bool:
    """Whether all bots were entered, are in their last state, and all notifications were sent. Raises Failure."""
    _raise_failures(sent)
    if not all(one.done() for one in sent):
        return False
    with contest.store.reading() as connection:
        states = connection.execute(select(SUBMISSIONS.c.state)).scalars().all()
        due = connection.execute(select(func.count()).select_from(OUTBOX).where(OUTBOX.c.state == "due")).scalar_one()
    return not due and states.count("retired") == 1 and all(state in OVER for state in states)


def _left(contest: Contest) -> str:
    """Return the states of all submissions and scrimmages, the work that is queued and the messages that are due."""
    now = contest.now()
    with contest.store.reading() as connection:
        entered = connection.execute(select(SUBMISSIONS)).all()
        asked = connection.execute(select(SCRIMMAGES.c.id, SCRIMMAGES.c.state)).all()
        work = connection.execute(select(WORK)).all()
        due = connection.execute(select(OUTBOX).where(OUTBOX.c.state == "due")).all()
    found = [
        *(f"{row.bot} {row.id} {row.state}" + ", not handed over" * (row.handed is None) for row in entered),
        *(f"scrimmage {row.id} {row.state}" for row in asked),
        *(f"{row.kind} of {row.subject} {row.state}, try {row.tries}, until {row.until - now:.0f} s" for row in work),
        *(f"message {row.event}, try {row.tries}, due in {row.due - now:.0f} s" for row in due),
    ]
    return "; ".join(found)


def _raise_failures(sent: list[Future[None]]) -> None:
    for one in sent:
        if one.done() and (error := one.exception()):
            raise Failure(f"an author could not enter a bot: {error}")


def _table(contest: Contest, called: set[str], kills: Kills) -> str:
    """Return what the contest has come to. Raises Failure for anything that is lost, doubled or left."""
    with contest.store.reading() as connection:
        rows = connection.execute(
            select(SUBMISSIONS, TEAMS.c.name)
            .join(TEAMS, TEAMS.c.id == SUBMISSIONS.c.team)
            .order_by(TEAMS.c.name, SUBMISSIONS.c.number)
        ).all()
        limits = {row.name: allowance(connection, contest, row.team) for row in rows}
    for sentence in (*_wrong_states(contest, kills), *_wrong_words(contest, called), *_wrong_files(contest)):
        raise Failure(sentence)
    lines = [[row.name, row.number, row.bot, row.version, row.state, row.sentence, row.note] for row in rows]
    counts = [[team, left.accepted.used, left.attempts.used] for team, left in sorted(limits.items()) if left]
    return json.dumps(lines + counts, indent=1)


def _wrong_states(contest: Contest, kills: Kills) -> Iterator[str]:
    """Yield what is wrong with the states of submissions, and what the contest itself finds wrong."""
    yield from complaints(contest)
    with contest.store.reading() as connection:
        ids = connection.execute(select(SUBMISSIONS.c.id)).scalars().all()
        states = {one: states_of(connection, [one]) for one in ids}
    for one, found in states.items():
        names = [SubmissionState(state.state) for state in found]
        if names[0] is not SubmissionState.WAITING or any(old not in FROM[new] for old, new in pairwise(names)):
            yield f"submission {one} went through {names}"
        if any(names.count(state) > 1 for state in names if state not in AGAIN):
            yield f"submission {one} was in a state twice: {names}"
        if kills.last and found[-1].at - kills.last > STUCK_S:
            yield f"submission {one} was stuck for {found[-1].at - kills.last:.0f} s"


def _wrong_words(contest: Contest, called: set[str]) -> Iterator[str]:
    """Yield the messages of the outbox that are missing, doubled or were not delivered."""
    with contest.store.reading() as connection:
        numbers = connection.execute(select(STATES.c.id)).scalars().all()
        rows = connection.execute(select(OUTBOX)).all()
    events = sorted(row.event for row in rows)
    if events != sorted(f"state-{number}" for number in numbers):
        yield f"there are {len(numbers)} states, and the outbox has {len(events)} messages"
    for row in rows:
        if row.state != "sent" or f"{row.event}-{row.id}" not in called:
            yield f"message {row.event}, {row.title}, is {row.state} and has not come"
    if len(called) != len(rows):
        yield f"{len(called)} messages came, and {len(rows)} were sent"


def _wrong_files(contest: Contest) -> Iterator[str]:
    """Yield which files are left, are missing or say something twice."""
    output = contest.ladder.output
    with contest.store.reading() as connection:
        someone = person_of(connection, account_named(connection, "of-reds").id)
    assert someone
    begin_upload(contest, someone, 1, "0" * 64)  # which removes what was left
    with contest.store.reading() as connection:
        rows = connection.execute(select(SUBMISSIONS)).all()
        uploads = set(connection.execute(select(UPLOADS.c.id)).scalars())
    handed = [json.loads(line)["submission"] for line in (output / HANDED).read_text().splitlines()]
    accepted = sorted(row.id for row in rows if row.state in ("playing", "retired"))
    if sorted(handed) != accepted:
        yield f"{accepted} were accepted, and {sorted(handed)} were handed over"
    joined = [one.bot for one in read_trail(output) if one.action == "add"]
    if len(joined) != len(set(joined)):
        yield f"the ladder let bots in twice: {joined}"
    for what, found, wanted in (
        ("uploads", _names(contest.uploads) | uploads, uploads),
        ("archives", {path.name for path in contest.files.glob("archives/*/*")}, {row.archive for row in rows}),
        ("arrivals", _names(output / ARRIVALS), {row.content_hash for row in rows if row.id in accepted}),
    ):
        if found != wanted:
            yield f"{what} are {sorted(found)}, and these should be there: {sorted(wanted)}"


def _names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} if folder.exists() else set()


def _difference(found: str, expected: str) -> str:
    pairs = zip_longest(found.split("\n"), expected.split("\n"))
    return "; ".join(f"{one} != {other}" for one, other in pairs if one != other)
