"""`ballcourt host` and `ballcourt connect`, as processes: a tournament of a local bot and remote bots."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ballcourt.arena.records.replay import verify
from ballcourt.arena.records.store import read_record
from tests.arena.conftest import PATIENCE_S, Traces, wait_until
from tests.arena.hosted import Certificate, make_certificate
from tests.cli.conftest import Refused, Run, files, write_bot

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "ballcourt"]
ROUNDS = 3
MATCHES = 2 * 3 * ROUNDS  # three pairs, two seatings


BOT = """
import time
from pathlib import Path
from ballcourt import Decision, run
from ballcourt.v1.protocol_pb2 import MatchEnd
from tests.bots.honest import Random

FOLDER = Path(__file__).parent

class Guest(Random):
    matches = 0

    def choose(self, decision: Decision) -> int:
        while (FOLDER.parent / f"hold-{self.matches}").exists():
            (FOLDER / "held").touch()
            time.sleep(0.01)
        return super().choose(decision)

    def match_ended(self, end: MatchEnd) -> None:
        self.matches += 1

run(Guest)
"""


@pytest.fixture
def event(place: Path, run: Run) -> Path:
    """A tournament of a local bot and two remote ones, with their tokens and a certificate.

    While a file `hold-3` exists in the folder, the two wait in their fourth match, and a file `held` in theirs says so.
    """
    make_certificate(place)
    for name in ("alice-bot", "bob-bot"):
        write_bot(place / name, name, script=str(place / name / "bot.py"))
        (place / name / "bot.py").write_text(BOT)
        token = run("admin", "token", "new", name, "--owner", name.partition("-")[0]).stdout
        (place / f"{name}.token").write_text(token)
    (place / "event.toml").write_text(
        'game = "bluff"\nbots = ["./low", "remote:alice-bot", "remote:bob-bot"]\nseats = 2\nseed = 3\n'
        f'rounds = {ROUNDS}\noutput = "out"\n'
        "[clock]\nbank_ms = 600000\ncap_ms = 600000\n"  # a bot that waits is not late
    )
    return place


@contextmanager
def started(place: Path, name: str, line: str) -> Iterator[subprocess.Popen[bytes]]:
    """A command in a separate process that writes to files named after it; it is terminated with the context."""
    with (place / f"{name}.out").open("wb") as out, (place / f"{name}.err").open("wb") as err:
        process = subprocess.Popen(
            [*COMMAND, *line.split()], cwd=place, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=out, stderr=err
        )
        try:
            yield process
        finally:
            process.terminate()
            process.wait(PATIENCE_S)


@contextmanager
def hosting(place: Path, flags: str = "--cert cert.pem --key key.pem") -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Start a host on a free port; yield its process and its address."""
    with started(
        place, "host", f"host event.toml {flags if '--listen' in flags else '--listen 127.0.0.1:0 ' + flags}"
    ) as process:
        assert wait_until(lambda: "listening on" in messages(place) or process.poll() is not None)
        assert process.poll() is None, messages(place)
        [port] = re.findall(r"listening on 127\.0\.0\.1:(\d+)", messages(place))
        yield process, f"localhost:{port}"


def messages(place: Path, name: str = "host") -> str:
    return (place / f"{name}.err").read_text()


def connecting(
    place: Path, name: str, address: str, flags: str = "--ca cert.pem"
) -> AbstractContextManager[subprocess.Popen[bytes]]:
    return started(place, name, f"connect ./{name} {address} --token-file {name}.token {flags}")


def records(place: Path) -> list[Path]:
    return sorted((place / "out" / "records").glob("*.match"))


def test_a_tournament_with_remote_bots_is_played_over_tls_and_resumed_after_an_interruption(
    event: Path, traces: Traces
) -> None:
    (event / "hold-3").touch()
    with (
        hosting(event) as (host, address),
        connecting(event, "alice-bot", address, "--ca cert.pem --streams 2") as alice,
    ):
        assert wait_until(lambda: messages(event).count('"arrived"') == 2)
        assert records(event) == [], "nothing is played before all are there"
        with connecting(event, "bob-bot", address) as bob:
            assert wait_until(lambda: len(records(event)) >= 2)
            host.send_signal(signal.SIGINT)
            (event / "hold-3").unlink()
            assert host.wait(PATIENCE_S) == 130, messages(event)
            assert "to continue: ballcourt host event.toml" in messages(event)
            assert [process.wait(PATIENCE_S) for process in (alice, bob)] == [0, 0], "they got Goodbye"
        assert f"the arena at {address} is open; bob-bot dials in" in messages(event, "bob-bot")

    before = {path: path.read_bytes() for path in records(event)}
    with (
        hosting(event) as (host, address),
        connecting(event, "bob-bot", address) as bob,
        connecting(event, "alice-bot", address) as alice,
    ):
        assert [process.wait(PATIENCE_S) for process in (host, alice, bob)] == [0, 0, 0], messages(event)
    assert len(records(event)) == MATCHES
    assert all(path.read_bytes() == content for path, content in before.items())
    played = [read_record(path) for path in records(event)]
    assert all(verify(record).agrees and not record.faults for record in played)
    hashes = {entrant.name: entrant.content_hash for record in played for entrant in record.entrants}
    assert set(hashes) == {"low", "alice-bot", "bob-bot"}
    assert len(set(hashes.values())) == 3
    assert "alice-bot" in (event / "host.out").read_text()
    for name in ("alice-bot", "bob-bot"):
        heard = messages(event, name)
        assert f"the event is over; {name} has played 12 matches, 0 of them with a fault" in heard
        assert re.search(rf"bluff, rules 1, 2 seats.*: {name} has rank \d of 3, a rating of -?\d+\.\d, won \d+%", heard)
    assert traces.all_gone()


@pytest.mark.slow
def test_connect_says_who_is_missing_then_the_match_and_its_opponent(event: Path, traces: Traces) -> None:
    (event / "hold-3").touch()
    with (
        hosting(event, "--cert cert.pem --key key.pem --set start_at=2040-12-01T18:00:00Z") as (host, address),
        connecting(event, "alice-bot", address) as alice,
    ):
        waits = "alice-bot is connected; waiting for bob-bot until 2040-12-01T18:00:00+00:00"
        assert wait_until(lambda: waits in messages(event, "alice-bot")), messages(event, "alice-bot")
        with connecting(event, "bob-bot", address) as bob:
            plays = r"alice-bot plays match 4 of 12 against (low|bob-bot)\n"
            assert wait_until(lambda: bool(re.search(plays, messages(event, "alice-bot")))), messages(
                event, "alice-bot"
            )
            (event / "hold-3").unlink()
            assert [process.wait(PATIENCE_S) for process in (host, alice, bob)] == [0, 0, 0], messages(event)
    assert "connected; waiting for" not in messages(event, "bob-bot"), "it came last"
    assert traces.all_gone()


def in_a_moment(seconds: float) -> str:
    return (datetime.now(UTC) + timedelta(seconds=seconds)).isoformat()


@pytest.mark.slow
@pytest.mark.parametrize("absent", ["forfeit", "skip"])
def test_play_does_not_wait_for_a_bot_that_does_not_come_by_the_start(event: Path, absent: str, traces: Traces) -> None:
    flags = f"--insecure --set start_at={in_a_moment(20)} --set absent={absent}"
    with hosting(event, flags) as (host, address), connecting(event, "alice-bot", address, "--insecure") as alice:
        assert [process.wait(PATIENCE_S) for process in (host, alice)] == [0, 0], messages(event)
    assert "here: alice-bot; waiting for bob-bot until" in messages(event)
    assert "play begins without bob-bot" in messages(event)
    played = [read_record(path) for path in records(event)]
    of_bob = [one for one in played if "bob-bot" in [entrant.name for entrant in one.entrants]]
    assert len(played) == (MATCHES if absent == "forfeit" else MATCHES // 3)
    assert len(of_bob) == (2 * MATCHES // 3 if absent == "forfeit" else 0)
    assert all([one.entrants[fault.seat].name for fault in one.faults] == ["bob-bot"] for one in of_bob)
    assert not any(one.faults for one in played if one not in of_bob)
    with hosting(event, flags) as (host, _):
        assert host.wait(PATIENCE_S) == 0, "a run that is over has nothing to wait for"
    assert traces.all_gone()


@pytest.mark.slow
def test_an_organiser_withdraws_a_bot_before_the_first_match(event: Path, run: Run, traces: Traces) -> None:
    with hosting(event, "--insecure") as (host, address), connecting(event, "alice-bot", address, "--insecure"):
        assert wait_until(lambda: "waiting for bob-bot" in messages(event))
        run("event withdraw out bob-bot --reason ill")
        assert host.wait(PATIENCE_S) == 0, messages(event)
    assert len(records(event)) == MATCHES // 3
    assert traces.all_gone()


def test_a_start_that_has_passed_is_refused(event: Path, refused: Refused) -> None:
    assert "has passed, and no match has been played; give a later time" in refused(
        "host", "event.toml", "--insecure", "--listen", "127.0.0.1:0", "--set", f"start_at={in_a_moment(-60)}"
    )


@pytest.mark.slow
def test_bots_reconnect_when_the_worker_dies_and_its_matches_are_replayed(event: Path, traces: Traces) -> None:
    (event / "hold-3").touch()
    with (
        hosting(event, "--insecure") as (host, address),
        connecting(event, "alice-bot", address, "--insecure") as alice,
        connecting(event, "bob-bot", address, "--insecure") as bob,
    ):
        assert wait_until(lambda: [*event.glob("*/held")] != [])
        os.kill(traces.pid_of("ballcourt.arena.workers.worker"), signal.SIGKILL)
        (event / "hold-3").unlink()
        assert [process.wait(PATIENCE_S) for process in (host, alice, bob)] == [0, 0, 0], messages(event)
    assert messages(event).count('"arrived"') == 4
    assert "do not count and are played again: its worker process died" in messages(event)
    assert len(records(event)) == MATCHES
    assert not any(read_record(path).faults for path in records(event))
    assert traces.all_gone()


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_bots_dial_again_when_the_command_ends_early_and_meet_the_one_started_next(
    event: Path, traces: Traces, how: signal.Signals
) -> None:
    (event / "hold-3").touch()
    with (
        hosting(event, "--insecure") as (first, address),
        connecting(event, "alice-bot", address, "--insecure") as alice,
        connecting(event, "bob-bot", address, "--insecure") as bob,
    ):
        assert wait_until(lambda: [*event.glob("*/held")] != [])
        before = {path: path.read_bytes() for path in records(event)}
        first.send_signal(how)
        code = first.wait(PATIENCE_S)
        if how == signal.SIGTERM:
            assert code == 143, messages(event)
            assert "to continue: ballcourt host event.toml" in messages(event)
            assert messages(event).endswith("terminated\n")
        assert wait_until(lambda: not any("workers.worker" in command for command in traces.processes().values()))
        (event / "hold-5").touch()
        (event / "hold-3").unlink()
        with hosting(event, f"--insecure --listen 127.0.0.1:{address.rpartition(':')[2]}") as (second, _):
            assert wait_until(lambda: re.search("come back\n.", messages(event, "bob-bot")) is not None), (
                "it follows again"
            )
            (event / "hold-5").unlink()
            assert [process.wait(PATIENCE_S) for process in (second, alice, bob)] == [0, 0, 0], messages(event)
    assert messages(event, "bob-bot").count("the connection to the arena broke; waiting for it to come back") == 1
    assert "the event is over; bob-bot has played 12 matches" in messages(event, "bob-bot")
    assert len(records(event)) == MATCHES
    assert all(path.read_bytes() == content for path, content in before.items())
    assert not any(read_record(path).faults for path in records(event))
    assert traces.all_gone()


@pytest.mark.slow
def test_connect_fails_with_the_reason_if_a_bot_is_refused(event: Path, traces: Traces) -> None:
    (event / "alice-bot.token").write_text("ballcourt_of-somebody-else\n")
    with hosting(event) as (_, address), connecting(event, "alice-bot", address) as alice:
        assert alice.wait(PATIENCE_S) == 1
    assert "the arena refused the bot: the token is unknown here; check BALLCOURT_TOKEN" in messages(event, "alice-bot")
    refused = [json.loads(line) for line in messages(event).splitlines() if line.startswith("{")]
    assert {(line["event"], line["reason"]) for line in refused} == {("refused", "unknown token")}
    assert traces.all_gone()


@pytest.mark.slow
def test_connect_says_whose_certificate_is_not_trusted_and_what_to_do(event: Path, tmp_path: Path) -> None:
    other: Certificate = make_certificate(tmp_path)
    with hosting(event) as (_, address):
        with connecting(event, "bob-bot", address, f"--ca {other.path}") as bob:
            assert bob.wait(PATIENCE_S) == 1
            assert wait_until(lambda: "bad handshake" in messages(event))
        assert f"the certificate of {address} is not trusted (self-signed certificate)" in messages(event, "bob-bot")
        assert f"ask the organiser for the certificate that belongs into {other.path}" in messages(event, "bob-bot")
        with connecting(event, "bob-bot", address, "") as bob:
            assert bob.wait(PATIENCE_S) == 1
        assert "if the organiser gave you a certificate, give it with --ca" in messages(event, "bob-bot")
    assert not re.search(r"Traceback|^[IWE]\d{4} ", messages(event, "bob-bot"), re.MULTILINE), "the library's own log"


@pytest.mark.slow
def test_connect_without_tls_is_refused_by_a_host_with_tls(event: Path) -> None:
    with hosting(event) as (_, address), connecting(event, "bob-bot", address, "--insecure") as bob:
        assert bob.wait(PATIENCE_S) == 1
    assert "the arena refused the bot: this arena speaks TLS and the bot does not" in messages(event, "bob-bot")


@pytest.mark.slow
def test_connect_with_tls_to_a_host_without_says_so(event: Path) -> None:
    with hosting(event, "--insecure") as (_, address), connecting(event, "bob-bot", address) as bob:
        assert bob.wait(PATIENCE_S) == 1
    assert f"{address} does not speak TLS" in messages(event, "bob-bot")


@pytest.mark.slow
def test_connect_waits_for_a_host_that_is_not_open_yet(event: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    flags = "--insecure"
    with (
        connecting(event, "alice-bot", f"localhost:{port}", flags) as alice,
        connecting(event, "bob-bot", f"localhost:{port}", flags) as bob,
        hosting(event, f"--insecure --listen 127.0.0.1:{port}") as (host, _),
    ):
        assert [process.wait(PATIENCE_S) for process in (host, alice, bob)] == [0, 0, 0], messages(event)


@pytest.mark.slow
def test_connect_gives_up_on_a_host_that_does_not_open(event: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"localhost:{free.getsockname()[1]}"
    with connecting(event, "bob-bot", address, "--insecure --wait 0") as bob:
        assert bob.wait(PATIENCE_S) == 1
    assert f"no arena answers at {address}, tried for 0 s (Connection refused)" in messages(event, "bob-bot")


WRONG = [
    ("host", "Missing argument"),
    ("host none.toml --insecure", "cannot read none.toml"),
    ("host local.toml --insecure", 'no bot of the tournament is remote; name those that dial in "remote:NAME"'),
    (
        "host stranger.toml --insecure",
        "no token in tokens.json lets the bot 'eve-bot' in; make one: ballcourt admin token new",
    ),
    ("host event.toml", "no certificate is given; give --cert and --key, or --insecure"),
    ("host event.toml --insecure --cert cert.pem", "give one of --cert and --insecure"),
    (
        "host event.toml --insecure --listen 0.0.0.0:0",
        "--insecure is for this machine alone (127.0.0.1, ::1, localhost)",
    ),
    ("host event.toml --cert cert.pem", "cannot use --cert cert.pem"),
    ("host event.toml --cert none.pem --key key.pem", "cannot use --cert none.pem with --key key.pem: No such file"),
    ("host event.toml --insecure --listen 7433", "--listen is '7433'; it must be HOST:PORT"),
    ("host event.toml --insecure --listen localhost:99999", "it must be HOST:PORT"),
    ("host event.toml --cert cert.pem --key key.pem --listen 203.0.113.1:0", "cannot listen on 203.0.113.1:0"),
    ("tournament event.toml", "remote:alice-bot dials in from elsewhere, so only `ballcourt host` can play with it"),
    ("play bluff ./low remote:alice-bot", "remote:alice-bot dials in from elsewhere"),
    ("connect ./low localhost:1", "no token is given; give --token-file, or set BALLCOURT_TOKEN"),
    ("connect ./low localhost:1 --token-file none", "cannot read the token in none: No such file or directory"),
    ("connect ./low localhost:1 --token-file event.toml", "event.toml does not hold a token"),
    (
        "connect ./low localhost:1 --token-file bob-bot.token --ca none.pem",
        "--ca is none.pem, and there is no such file",
    ),
    (
        "connect ./low localhost:1 --token-file bob-bot.token --ca event.toml",
        "--ca is event.toml, which has no certificate in PEM form",
    ),
    (
        "connect ./low localhost:1 --token-file bob-bot.token --ca cert.pem --insecure",
        "give one of --ca and --insecure",
    ),
    ("connect ./low localhost --token-file bob-bot.token", "the address is 'localhost'; it must be HOST:PORT"),
    (
        "connect ./low 203.0.113.1:7433 --token-file bob-bot.token --insecure",
        "--insecure is for this machine alone (127.0.0.1, ::1, localhost) and the address names 203.0.113.1",
    ),
    ("connect ./nowhere localhost:1 --token-file bob-bot.token", "nowhere does not exist"),
]


@pytest.mark.parametrize(("line", "sentence"), WRONG)
def test_wrong_input_is_explained_and_nothing_is_written(
    refused: Refused, event: Path, monkeypatch: pytest.MonkeyPatch, line: str, sentence: str
) -> None:
    monkeypatch.delenv("BALLCOURT_TOKEN", raising=False)
    text = (event / "event.toml").read_text()
    (event / "local.toml").write_text(text.replace("remote:alice-bot", "./any").replace(', "remote:bob-bot"', ""))
    (event / "stranger.toml").write_text(text.replace("remote:alice-bot", "remote:eve-bot"))
    before = files(event)
    assert sentence in refused(line)
    assert files(event) == before
