"""What a team learns about its own bot, by page, API and command line alike: rank, matches, logs, and lost seats."""

import json
import re
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from typer.testing import CliRunner, Result

from ballcourt.arena.checks.check import Outcome
from ballcourt.arena.debug.cases import find_question
from ballcourt.arena.records.bundle import FILES, write_bundles
from ballcourt.arena.records.store import write_record
from ballcourt.cli.commands import app as commands
from ballcourt.contest.people.accounts import Member
from ballcourt.contest.settings import at_time
from ballcourt.contest.visible import Visible
from ballcourt.contest.web.application import contest_app
from ballcourt.contest.web.embargo import Embargo
from ballcourt.contest.web.viewers import COOKIE
from ballcourt.contest.web.visits import around
from ballcourt.leaderboard.pages.app import create_app
from tests.arena.debug.test_cases import cheated
from tests.arena.recorded import recorded
from tests.contest.made import NOON, Made, bot_archive, made_in, phase
from tests.contest.test_api import HERE, bearer, serving_app
from tests.contest.test_pages import browser
from tests.leaderboard.pages.made_site import Site, bluff, site_at

KEY = "b000000-r0"
HASH = "5" * 64
ENTRY = f"{KEY}-seat1"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A leaderboard with matches of lowest and highest."""
    with bluff():
        for key in ("m1", "m2"):
            record = recorded(key)
            record.entrants[1].content_hash = HASH
            write_record(tmp_path / "results" / "records", record)
        with site_at(str(tmp_path / "results"), tmp_path) as found:
            yield found


def entered(made: Made, ann: Member) -> None:
    """Enter highest, which prints something, and loses its seat in a match of a complete block."""
    made.playing(ann, "highest", content_hash=HASH)
    output, record = made.contest.ladder.output, cheated()
    record.key = KEY
    record.entrants[1].name = "highest"
    for rotation in range(len(record.entrants)):
        record.key = f"b000000-r{rotation}"
        write_record(output / "records", record)
    record.key = KEY
    write_bundles(output / "faults", record)
    log = output / "logs" / "highest@1" / f"{ENTRY}.txt"
    log.parent.mkdir(parents=True)
    log.write_text("my cards are ...\n")


def application(made: Made, site: Site) -> FastAPI:
    embargo = Embargo(made.contest, create_app(site.views, None, around(made.contest)))
    return contest_app(made.contest, embargo, shown_to=embargo.views)


def unpack(folder: Path) -> None:
    """Make the folder of a bot."""
    folder.mkdir()
    with tarfile.open(fileobj=BytesIO(bot_archive())) as archive:
        for one in archive:
            file = archive.extractfile(one)
            assert file
            (folder / one.name).write_bytes(file.read())


def test_what_the_check_of_submit_finds_is_printed_in_lines_and_nothing_is_sent(
    made: Made, ann: Member, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = SimpleNamespace(outcome=Outcome.FAIL, line="5, full match: crash\n| Traceback\n| x", advice="fix it")
    monkeypatch.setattr("ballcourt.cli.submit.BotCheck", lambda *_, **__: SimpleNamespace(run=lambda: [found]))
    monkeypatch.setenv("BALLCOURT_CONTEST_TOKEN", made.token(ann))
    unpack(tmp_path / "mine")
    with serving_app(made.served()) as place:
        done = CliRunner().invoke(commands, ["submit", str(tmp_path / "mine"), "--to", f"http://{place}"])
    assert done.exit_code == 1 and "was not sent" in done.stderr
    assert done.stdout.splitlines() == ["check 5, full match: crash", "| Traceback", "| x", "-> fix it"]
    assert not Visible(made.contest, ann).submissions()


def test_a_team_asks_how_its_newest_submission_stands_and_nothing_is_sent(
    made: Made, ann: Member, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BALLCOURT_CONTEST_TOKEN", made.token(ann))
    unpack(tmp_path / "mine")
    with serving_app(made.served()) as place:
        line = ["submit", str(tmp_path / "mine"), "--to", f"http://{place}", "--status"]
        none = CliRunner().invoke(commands, line)
        assert (none.exit_code, none.stdout) == (2, "")
        assert none.stderr == "ballcourt: your team has not entered mine here; ballcourt submit enters it\n"
        made.playing(ann)
        newest = made.enter(ann, bot_archive("2"))
        asked = CliRunner().invoke(commands, line)
        assert asked.exit_code == 0
        assert asked.stdout.splitlines() == ["submission 2, mine: waiting", f"http://{place}/submissions/{newest}"]
    assert len(Visible(made.contest, ann).submissions()) == 2


def test_a_team_chooses_among_the_versions_that_passed_while_a_phase_is_open(made: Made, ann: Member) -> None:
    older, newer = made.playing(ann), made.playing(ann, archive=bot_archive("2"))
    made.enter(ann, bot_archive("3"))
    page, organiser = browser(made, ann), browser(made, made.person("olga", organiser=True))

    def buttons(client: TestClient) -> list[str]:
        """Return the submissions for which there is a button."""
        return re.findall(r'name="submission" value="(\w+)"', client.get("/my-bots/mine").text)

    assert {*buttons(page)} == {older, newer} and not buttons(organiser)
    chosen = page.post("/my-bots/mine/chosen", data={"submission": older})
    assert chosen.status_code == 303
    assert buttons(page) == [newer] and "plays in the finals" in page.get("/my-bots/mine").text
    made.clock.now += 10**7
    later = browser(made, ann)
    assert not buttons(later) and "plays in the finals" in later.get("/my-bots/mine").text


@contextmanager
def author(made: Made, ann: Member, site: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Result]]:
    """Yield what runs `ballcourt contest bot` on an author's machine."""
    monkeypatch.setenv("BALLCOURT_CONTEST_TOKEN", made.token(ann))
    with serving_app(application(made, site)) as place:

        def run(*words: str) -> Result:
            return CliRunner().invoke(commands, ["contest", "bot", *words, "--to", f"http://{place}"])

        yield run


@pytest.mark.slow
def test_a_team_reads_rank_matches_logs_and_lost_seats_of_its_bot_on_its_page_and_by_the_api(
    made: Made, ann: Member, site: Site
) -> None:
    entered(made, ann)
    client = TestClient(application(made, site), base_url=HERE)
    found = client.get("/api/v1/bots/highest", headers=bearer(made, ann)).json()
    assert [one["state"] for one in found["versions"]] == ["playing"]
    assert found["standing"]["tables"][0]["rank"] >= 1 and found["standing"]["tables"][0]["history"]
    assert "highest" in {seat["bot"] for match in found["matches"] for seat in match["seats"]}
    assert (found["logs"], found["faults"]) == ([ENTRY], [ENTRY])
    other = bearer(made, made.person("bob", "blues"))
    for address in ("", f"/logs/{ENTRY}", f"/faults/{ENTRY}"):
        answer = client.get(f"/api/v1/bots/highest{address}", headers=other)
        assert (answer.status_code, [*answer.json()]) == (404, ["error", "detail"]), address
    client.cookies.set(COOKIE, made.session(ann))
    page = client.get("/my-bots/highest").text
    assert "<svg" in page and f"faults/{ENTRY}.zip" in page and "/matches/" in page
    assert client.get(f"/my-bots/highest/faults/{ENTRY}.zip").content[:2] == b"PK"


@pytest.mark.slow
def test_the_command_line_fetches_logs_and_a_bundle_that_debug_takes(
    made: Made, ann: Member, site: Site, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    entered(made, ann)
    monkeypatch.chdir(tmp_path)
    with author(made, ann, site, monkeypatch) as run:
        told = run().stdout
        assert "rank" in told and f"faults: {ENTRY}" in told
        assert json.loads(run("highest", "--json").stdout)["faults"] == [ENTRY]
        assert run("--log", ENTRY).stdout == "my cards are ...\n"
        assert run("--fault", ENTRY).exit_code == 0
        folder = tmp_path / f"{ENTRY}-highest"
        assert {one.name for one in folder.iterdir()} == {*FILES}
        assert find_question(str(folder)).game.name == "bluff"
        again, missing = run("--fault", ENTRY), run("--log", "b000009-r0-seat0")
    assert (again.exit_code, missing.exit_code) == (2, 2)
    assert "is there already" in again.stderr and "there is nothing at this address" in missing.stderr


@pytest.mark.slow
def test_a_team_learns_no_more_about_its_bot_than_its_phase_shows(tmp_path: Path, site: Site) -> None:
    made = made_in(tmp_path / "cup", phase=(phase(board="hidden"),))
    ann = made.person("ann", "reds")
    entered(made, ann)
    client = TestClient(application(made, site), base_url=HERE)
    found = client.get("/api/v1/bots/highest", headers=bearer(made, ann)).json()
    assert (found["standing"], found["matches"]) == (None, [])
    frozen = made_in(tmp_path / "frozen", phase=(phase(freeze=at_time(NOON - 10)),))
    ann = frozen.person("ann", "reds")
    entered(frozen, ann)
    found = TestClient(application(frozen, site), base_url=HERE).get(
        "/api/v1/bots/highest", headers=bearer(frozen, ann)
    )
    assert found.json()["standing"] is None, "the copy is being made"
