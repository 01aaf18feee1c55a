"""Examiners on other machines: what their tokens are good for, and two real ones, of which one is killed."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import select

from ballcourt.arena.bots.bot import BOT_FILE, load_bot
from ballcourt.arena.bots.contents import digest
from ballcourt.arena.ladder.arrivals.exam import Arriving, ExamOutcome, ExamVerdict
from ballcourt.arena.ladder.arrivals.handed import ARRIVALS, HANDED, files_of
from ballcourt.contest.client.connection import ContestServer
from ballcourt.contest.client.keyring import VARIABLE
from ballcourt.contest.examining.examiner import Examiner
from ballcourt.contest.examining.far_desk import FarDesk
from ballcourt.contest.examining.handover import Handover
from ballcourt.contest.examining.unpacking import GridError
from ballcourt.contest.examining.work import LEASE_S
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.people.tokens import Scope, new_token
from ballcourt.contest.store.contest import open_contest
from ballcourt.contest.store.schema import SUBMISSIONS, WORK
from ballcourt.contest.visible import Visible
from ballcourt.contest.web.application import contest_app
from tests.arena.conftest import PATIENCE_S, bounded, wait_until
from tests.contest.made import Made, bot_archive, packed
from tests.contest.test_api import served

HERE = "http://127.0.0.1:8000"


def examining(made: Made, who: Member) -> str:
    """Return a token that may examine."""
    with made.contest.store.writing() as connection:
        return new_token(connection, who.account, made.clock.now, scopes=[Scope.READ, Scope.EXAMINE])[1]


def as_examiner(made: Made, who: Member) -> TestClient:
    headers = {"Authorization": f"Bearer {examining(made, who)}"}
    return TestClient(contest_app(made.contest, FastAPI()), base_url=f"{HERE}/api/v1/examiner", headers=headers)


@pytest.mark.slow
def test_only_organisers_examine_and_only_with_the_newest_number_of_a_lease(
    made: Made, ann: Member, olga: Member
) -> None:
    submission, client = made.enter(ann, archive := bot_archive()), as_examiner(made, olga)
    assert as_examiner(made, ann).post("/lease", json={"holder": "one"}).status_code == 403
    first = client.post("/lease", json={"holder": "one"}).json()["leased"]
    assert (first["subject"], first["fence"]) == (submission, 1)
    address = f"/{first['work']}/archives/{sha256(archive).hexdigest()}"
    assert client.get(address, params={"fence": 1}).content == archive
    assert client.get(f"/{first['work']}/archives/{'0' * 64}", params={"fence": 1}).status_code == 404
    assert client.put(f"/{first['work']}/records/m1.match", params={"fence": 1}, content=b"x").status_code == 204
    made.clock.now += LEASE_S + 1
    second = client.post("/lease", json={"holder": "two"}).json()["leased"]
    assert second["fence"] == 2
    found = {"finding": {"is_good": False, "sentence": "no", "report": "{}"}}
    assert client.post(f"/{first['work']}/beat", json={"fence": 1}).json() == {"held": False}
    assert client.post(f"/{first['work']}/outcome", json={"fence": 1, **found}).json() == {"state": None}
    assert client.get(address, params={"fence": 1}).status_code == 409
    assert client.put(f"/{first['work']}/records/m2.match", params={"fence": 1}, content=b"x").status_code == 409
    assert client.put(f"/{first['work']}/records/.x", params={"fence": 2}, content=b"x").status_code == 422
    for bot in ({"name": "mine", "version": "1", "content_hash": "x"}, {"name": "mine", "version": "a b"}):
        wrong = {"fence": 2, "finding": {**found["finding"], "bot": bot}}
        assert client.post(f"/{first['work']}/outcome", json=wrong).status_code == 422
    assert client.post(f"/{first['work']}/outcome", json={"fence": 2, **found}).json() == {"state": "refused"}
    kept = made.contest.checks(str(ann.team)) / submission
    assert [file.name for file in kept.iterdir()] == ["m1.match"]


@pytest.mark.parametrize(
    "report",
    ["{", "[]", "NaN", '{"failures": 5}', '{"failures": [[1]]}', '{"passed": ["\\ud800"]}', "[" * 60_000, '{"x": 1}'],
    ids=range(8),
)
def test_a_report_that_no_page_could_show_is_refused(made: Made, ann: Member, olga: Member, report: str) -> None:
    submission, client = made.enter(ann, bot_archive()), as_examiner(made, olga)
    work = client.post("/lease", json={"holder": "one"}).json()["leased"]["work"]
    found = {"is_good": False, "sentence": "no"}
    wrong = client.post(f"/{work}/outcome", json={"fence": 1, "finding": {**found, "report": report}})
    assert (wrong.status_code, "the report must be JSON with the lists" in wrong.text) == (422, True)
    right = {**found, "report": '{"failures": ["it crashed"]}'}
    assert client.post(f"/{work}/outcome", json={"fence": 1, "finding": right}).json() == {"state": "refused"}
    assert Visible(made.contest, ann).report(submission)["failures"] == ["it crashed"]


def test_files_that_are_not_those_of_the_archive_are_not_handed_over(made: Made, ann: Member) -> None:
    submission = made.enter(ann, bot_archive())
    made.accept("ab" * 32)

    def unpacked(_: Path, folder: Path, __: int, ___: int | None) -> Path:
        source = folder / "unpacked"
        source.mkdir()
        (source / "bot.toml").write_text('name = "mine"\nversion = "1"\ncommand = ["true"]\ngames = ["maya"]\n')
        return source

    Handover(made.contest, unpacked).step()
    found = Visible(made.contest, ann).submission(submission)
    assert (found.state, found.sentence) == ("refused", "its files are not those that were examined")
    arrivals = files_of(made.contest.ladder.output, "x").parent
    assert [*arrivals.iterdir()] == []


def test_two_examiners_hand_a_bot_over_once(made: Made, ann: Member, tmp_path: Path) -> None:
    made.enter(ann, bot_archive())
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "bot.toml").write_text('name = "mine"\nversion = "1"\ncommand = ["true"]\ngames = ["maya"]\n')
    made.accept(load_bot(tmp_path / "mine").content_hash)

    def unpacked(_: Path, folder: Path, __: int, ___: int | None) -> Path:
        return Path(shutil.copytree(tmp_path / "mine", folder / "unpacked"))

    def slowly_unpacked(archive: Path, folder: Path, most: int, tier: int | None) -> Path:
        Handover(made.contest, unpacked).step()
        return unpacked(archive, folder, most, tier)

    Handover(made.contest, slowly_unpacked).step()
    assert (made.contest.ladder.output / HANDED).read_text().count("\n") == 1


def test_an_examiner_that_is_busy_unpacks_nothing_between_its_beats(made: Made) -> None:
    made.enter(made.person("ann", "reds"), bot_archive())
    made.accept("ab" * 32)

    def unpacked(*_: object) -> Path:
        raise AssertionError("a lease could end meanwhile")

    Handover(made.contest, unpacked).step(is_busy=True)


def test_what_is_handed_over_is_unpacked_wherever_the_examiner_was_started(
    made: Made, ann: Member, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made.enter(ann, bot_archive())
    made.accept("ab" * 32)
    folders: list[Path] = []

    def unpacked(_: Path, folder: Path, __: int, ___: int | None) -> Path:
        folders.append(folder)
        raise GridError("the archive is refused")

    monkeypatch.chdir(tmp_path)
    with open_contest(Path("cup/contest.toml")) as contest:
        Handover(contest, unpacked).step()
    assert [folder.is_absolute() for folder in folders] == [True], "the sandbox begins in another folder"


KILLED = """
import os, signal, sys
from pathlib import Path
from ballcourt.contest.examining.handover import Handover
from ballcourt.contest.store.contest import open_contest
def unpack(_, folder, *rest):
    (folder / "unpacked").mkdir()
    (folder / "unpacked" / "model").touch()
    os.kill(os.getpid(), signal.SIGKILL)
with open_contest(Path(sys.argv[1])) as contest:
    Handover(contest, unpack).step()
"""


@pytest.mark.slow
def test_what_was_unpacked_when_an_examiner_was_killed_is_removed_by_the_next(made: Made, tmp_path: Path) -> None:
    made.enter(made.person("ann", "reds"), bot_archive())
    made.accept("ab" * 32)
    command = [sys.executable, "-c", KILLED, str(tmp_path / "cup" / "contest.toml")]
    assert subprocess.run(command, timeout=PATIENCE_S).returncode == -signal.SIGKILL
    arrivals = files_of(made.contest.ladder.output, "x").parent
    assert [*arrivals.rglob("model")]
    Handover(made.contest).step()
    assert [*arrivals.iterdir()] == []


def finish(examiner: Examiner) -> None:
    """Run an examiner until it has finished one piece of work."""
    examiner.step()
    assert examiner.is_busy and wait_until(lambda: stepped(examiner))


def stepped(examiner: Examiner) -> bool:
    examiner.step()
    return not examiner.is_busy


@contextmanager
def examiner(address: str, token: str, home: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Run an examiner as on another machine: it knows an address and a token."""
    home.mkdir()
    command = [sys.executable, "-m", "ballcourt", "examiner", address, "--unconfined", "--log", "json"]
    environment = os.environ | {VARIABLE: token, "BALLCOURT_CACHE": str(home)}
    with (home / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=home, env=environment, stderr=log, start_new_session=True)
    with bounded(process):
        yield process
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGINT)


class Passed:
    """An exam that every bot passes, and that leaves the record of a match."""

    is_over = True

    def __init__(self, arriving: Arriving) -> None:
        self._arriving = arriving

    def outcome(self) -> ExamOutcome:
        bot = load_bot(Path(self._arriving.source))
        Path(self._arriving.records).mkdir()
        (Path(self._arriving.records) / "m1.match").write_bytes(b"a record")
        shutil.copytree(self._arriving.source, self._arriving.copy_to)
        passed = ExamOutcome(verdict=ExamVerdict.PASSED, bot=bot.entrant.bot)
        return passed.replaced(files_hash=digest(bot.folder, (BOT_FILE,)))

    def end(self) -> None:
        pass


@pytest.mark.slow
def test_what_an_examiner_elsewhere_accepts_is_handed_over_from_the_archive_of_the_contest(
    made: Made, ann: Member, olga: Member, tmp_path: Path
) -> None:
    submission = made.enter(ann, bot_archive())
    output = made.contest.ladder.output
    with served(made) as address:
        desk = FarDesk(ContestServer(address, examining(made, olga)), tmp_path)
        away = Examiner(desk, tmp_path, Passed)
        finish(away)
    found = Visible(made.contest, ann).submission(submission)
    assert (found.state, [*output.glob("*")]) == ("accepted", []), "nothing was sent but what was found out"
    assert (made.contest.checks(str(ann.team)) / submission / "m1.match").read_bytes() == b"a record"
    Handover(made.contest).step()
    assert f'"submission":"{submission}"' in (output / HANDED).read_text()
    [home] = [folder for folder in (output / ARRIVALS).iterdir() if len(folder.name) == 64]
    assert load_bot(home).content_hash == home.name
    assert made.read(select(SUBMISSIONS.c.files_hash)).scalar_one() == digest(home, (BOT_FILE,))


@pytest.mark.slow
def test_of_two_examiners_elsewhere_one_is_killed_and_nothing_is_lost_or_doubled(
    made: Made, olga: Member, tmp_path: Path
) -> None:
    people = [made.person("ann", "reds"), made.person("bob", "blues")]
    with served(made) as address, examiner(address, examining(made, olga), tmp_path / "one") as first:
        submitted = [made.enter(one, packed({"bot.toml": f"name = {n}\n"}), f"b{n}") for n, one in enumerate(people)]
        assert wait_until(lambda: bool(holders(made))), (tmp_path / "one/log").read_text()
        os.killpg(first.pid, signal.SIGKILL)
        first.wait()
        made.clock.now += LEASE_S + 1
        with examiner(address, examining(made, olga), tmp_path / "two"):
            assert wait_until(lambda: not working(made)), (tmp_path / "two/log").read_text()
    gone = [
        [state.state for state in Visible(made.contest, one).states(submission)]
        for one, submission in zip(people, submitted, strict=True)
    ]
    assert sorted(gone) == [
        ["waiting", "examining", "refused"],
        ["waiting", "examining", "waiting", "examining", "refused"],
    ]
    assert [*made.contest.checks(str(people[0].team)).glob("*")] == []


def holders(made: Made) -> list[str]:
    return [*made.read(select(WORK.c.holder).where(WORK.c.state == "leased")).scalars()]


def working(made: Made) -> bool:
    return made.read(select(WORK.c.id)).first() is not None
