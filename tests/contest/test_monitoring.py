"""What an organiser's machines ask: is it alive, is it ready, what are its figures; what the log says of requests."""

import asyncio
import json
import logging
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from prometheus_client import CollectorRegistry
from starlette.types import Receive, Scope, Send

from ballcourt.cli import journal
from ballcourt.cli.journal import LogForm, gather_servers, keep_log
from ballcourt.cli.output import NOTES, note
from ballcourt.contest.decisions.inviting import Inviting
from ballcourt.contest.examining.work import BEAT_S, LEASE_S, beat, lease
from ballcourt.contest.monitoring import readiness
from ballcourt.contest.monitoring.application import monitor_app, on_port, request_times
from ballcourt.contest.monitoring.figures import ContestFigures, LadderPlay
from ballcourt.contest.monitoring.readiness import AWAY_S
from ballcourt.contest.monitoring.requests import Noted, OfRequest, route_of
from ballcourt.contest.people.accounts import AccountRole
from ballcourt.contest.web.application import contest_app
from tests.contest.made import Made, bot_archive, made_in

HERE = "http://127.0.0.1:8000"
MONITOR = "http://127.0.0.1:9000"


@pytest.fixture
def made(tmp_path: Path) -> Made:
    found = made_in(tmp_path / "cup")
    found.contest.ladder.output.mkdir()
    return found


@pytest.fixture
def monitored(made: Made) -> Iterator[tuple[TestClient, TestClient]]:
    """A browser of people, and one of the organiser's machines."""
    registry = CollectorRegistry()
    registry.register(ContestFigures(made.contest, lambda: LadderPlay(40, 3)))
    people = Noted(contest_app(made.contest, FastAPI()), request_times(registry))
    app = on_port(monitor_app(made.contest, registry), 9000, people)
    with TestClient(app, base_url=HERE) as client, TestClient(app, base_url=MONITOR) as machine:
        yield client, machine


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Iterator[StringIO]:
    """The log for programs, which ends with the test."""
    written = StringIO()
    monkeypatch.setattr("ballcourt.cli.output.typer.echo", lambda line, err: written.write(f"{line}\n"))
    loggers = (NOTES, logging.getLogger(journal.REQUESTS), logging.root)
    before = [(one, one.handlers[:], one.level, one.propagate) for one in loggers]
    keep_log(LogForm.JSON, "serve")
    gather_servers(OfRequest())
    yield written
    for one, handlers, level, propagates in before:
        one.handlers[:] = handlers
        one.setLevel(level)
        one.propagate = propagates


def missing(machine: TestClient) -> list[str]:
    answer = machine.get("/readyz")
    parts = [part["name"] for part in answer.json()["parts"] if not part["is_ready"]]
    assert answer.status_code == (503 if parts else 200)
    return parts


def test_a_contest_is_ready_when_each_part_works(
    made: Made, monitored: tuple[TestClient, TestClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, machine = monitored
    assert machine.get("/healthz").text == "ok\n"
    assert missing(machine) == ["examiner", "ladder"]
    monkeypatch.setattr(readiness, "holder", lambda _: 1)
    lease(made.contest, "one")
    assert missing(machine) == []
    monkeypatch.setattr(readiness, "shortage", lambda *_: "only 3 MB are free")
    assert missing(machine) == ["disk"]
    made.contest.store.close()
    Path(str(made.contest.store.file)).unlink()
    Path(str(made.contest.store.file)).mkdir()
    assert "database" in missing(machine)
    assert machine.get("/healthz").status_code == 200


def test_what_an_organiser_reads_of_a_folder_that_is_missing_is_a_sentence_without_its_place(
    tmp_path: Path,
) -> None:
    sentences = [part.sentence for part in readiness.readiness(made_in(tmp_path / "cup").contest) if not part.is_ready]
    assert "Cannot use ladder: No such file or directory" in sentences


def test_an_examiner_that_is_silent_for_a_minute_is_missed_unless_it_holds_a_submission(
    made: Made, monitored: tuple[TestClient, TestClient]
) -> None:
    _, machine = monitored
    lease(made.contest, "one")
    made.clock.now += AWAY_S + 1
    assert "examiner" in missing(machine)
    made.enter(made.person("ann", "reds"), bot_archive())
    leased = lease(made.contest, "one")
    made.clock.now += LEASE_S - BEAT_S
    assert leased and beat(made.contest, leased)
    made.clock.now += LEASE_S - BEAT_S
    assert "examiner" not in missing(machine)


def test_the_figures_are_those_of_the_queue_the_ladder_and_the_requests(
    made: Made, monitored: tuple[TestClient, TestClient]
) -> None:
    client, machine = monitored
    made.enter(made.person("ann", "reds"), bot_archive())
    made.clock.now += 90
    assert client.get("/sign-in?link=secret-link").status_code == 200
    assert client.get("/nowhere").status_code == 404
    lines = set(machine.get("/metrics").text.splitlines())
    assert {
        'ballcourt_submissions{state="waiting"} 1.0',
        'ballcourt_submissions{state="playing"} 0.0',
        'ballcourt_queue{part="waiting"} 1.0',
        "ballcourt_oldest_waiting_seconds 90.0",
        "ballcourt_matches_total 40.0",
        "ballcourt_faults_total 3.0",
        'ballcourt_ready{part="ladder"} 0.0',
        'ballcourt_request_seconds_count{method="GET",route="/sign-in",status="200"} 1.0',
        'ballcourt_request_seconds_count{method="GET",route="other",status="404"} 1.0',
    } <= lines
    assert any(line.startswith('ballcourt_disk_free_bytes{files="archives"}') for line in lines)


@pytest.mark.slow
def test_people_do_not_reach_what_is_for_the_organisers_machines(monitored: tuple[TestClient, TestClient]) -> None:
    client, machine = monitored
    assert [client.get(path).status_code for path in ("/healthz", "/readyz", "/metrics")] == [404] * 3
    assert machine.get("/healthz", headers={"Host": "evil.example.org:9000"}).status_code == 400
    assert machine.get("/submissions").status_code == 404


@pytest.mark.slow
@pytest.mark.gate
def test_the_log_has_a_line_for_each_request_and_no_secret_of_its_address(
    made: Made, monitored: tuple[TestClient, TestClient], log: StringIO
) -> None:
    client, _ = monitored
    (invited,) = Inviting(made.contest, AccountRole.CONTESTANT, 1000).invite([("ann", "reds")])
    token = made.token(made.person("bob", "blues"))
    client.get(f"/sign-in?link={invited.secret}")
    client.get(f"/feed/{invited.secret}.atom")
    client.get("/api/v1/submissions", headers={"Authorization": f"Bearer {token}"})
    answer = client.post("/sign-in", data={"link": invited.secret}, headers={"Origin": HERE}, follow_redirects=False)
    note("a sentence")
    logging.getLogger("uvicorn.error").error("it broke")
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    assert [line.get("route", line.get("sentence")) for line in lines] == [
        "/sign-in",
        "/feed/{secret}.atom",
        "/api/v1/submissions",
        "/sign-in",
        "a sentence",
        "it broke",
    ]
    assert {line["command"] for line in lines} == {"serve"}
    assert (lines[3]["status"], lines[3]["method"]) == (303, "POST")
    assert lines[3]["request"] == answer.headers["X-Request-Id"] != lines[2]["request"]
    assert [line["level"] for line in lines[-2:]] == ["info", "error"]
    session = answer.headers["set-cookie"].partition("=")[2].partition(";")[0]
    assert not [secret for secret in (invited.secret, token, session) if secret in log.getvalue()]


def test_a_request_whose_connection_was_cut_is_not_noted_as_a_fault_of_the_server(log: StringIO) -> None:
    async def cut(scope: Scope, receive: Receive, send: Send) -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(Noted(cut)({"type": "http", "method": "GET"}, None, None))  # type: ignore[arg-type]
    assert json.loads(log.getvalue())["status"] == 499


def test_the_log_tells_a_page_from_the_address_for_programs_of_the_same_name(tmp_path: Path) -> None:
    app, found = contest_app(made_in(tmp_path / "cup").contest, FastAPI()), []

    async def noted(scope: Scope, receive: Receive, send: Send) -> None:
        await app(scope, receive, send)
        found.append(route_of(scope))

    for address in ("/scrimmages", "/api/v1/scrimmages", "/api/v1/submissions", "/api/v1/examiner/terms"):
        TestClient(noted, base_url="http://127.0.0.1").get(address)
    assert found == ["/scrimmages", "/api/v1/scrimmages", "/api/v1/submissions", "/api/v1/examiner/terms"]
