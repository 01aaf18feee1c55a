"""`ballcourt ladder` with bots that dial in by `ballcourt connect`, as processes."""

import asyncio
import json
import os
import re
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from itertools import chain
from pathlib import Path
from subprocess import Popen

import pytest

from ballcourt.arena.ladder.arrivals.dialled import DialledArrivals
from ballcourt.arena.ladder.roster import Roster, Version
from ballcourt.arena.records.replay import verify
from ballcourt.arena.records.store import read_record
from ballcourt.arena.remote.hosting import Hosting
from ballcourt.arena.remote.tokens import TokenFile
from ballcourt.arena.secrets import hash_of
from ballcourt.arena.workers.runner import HostRunner
from tests.arena.conftest import PATIENCE_S, Traces, wait_until
from tests.arena.hosted import Door, dialled, hello
from tests.cli.conftest import Refused, Run, write_bot
from tests.cli.test_host import messages, records, started

LADDER = """
game = "bluff"
bots = "bots"
seats = 2
output = "out"

[clock]
bank_ms = 600000
cap_ms = 2000

[faults]
disqualify = { percent = 50, matches = 3 }
"""
BOT = """
import time
from pathlib import Path
from ballcourt import Decision, run
from tests.bots.honest import Random

class Guest(Random):
    def choose(self, decision: Decision) -> int:
        if Path(__file__).parent.name == "mute":
            time.sleep(3600)
        return super().choose(decision)

run(Guest)
"""


@pytest.fixture
def league(place: Path, run: Run) -> Path:
    """A ladder that no bot of this machine plays, and two remote bots with their tokens; a third one never answers."""
    (place / "bots").mkdir()
    (place / "ladder.toml").write_text(LADDER)
    for name in ("ann", "bob", "mute"):
        write_bot(place / name, name, script=str(place / name / "bot.py"))
        (place / name / "bot.py").write_text(BOT)
        (place / f"{name}.token").write_text(run("admin", "token", "new", name, "--owner", f"{name}-s").stdout)
    return place


@contextmanager
def open_ladder(place: Path, address: str, flags: str = "") -> Iterator[tuple["Popen[bytes]", str]]:
    """Start the ladder; yield its process and its address."""
    line = f"ladder ladder.toml --insecure --listen {address} --reconnect-ms 2000 {flags}"
    with started(place, "ladder", line) as process:
        assert wait_until(lambda: "listening on" in messages(place, "ladder") or process.poll() is not None)
        [port] = re.findall(r"listening on 127\.0\.0\.1:(\d+) without TLS for all bots with", messages(place, "ladder"))
        yield process, f"127.0.0.1:{port}"


def connect(name: str, address: str, flags: str = "") -> str:
    return f"connect ./{name} {address} --token-file {name}.token --insecure {flags}"


@pytest.mark.slow
def test_a_ladder_of_remote_bots_is_killed_and_goes_on_and_one_that_never_answers_holds_up_no_other(
    league: Path, traces: Traces
) -> None:
    with (
        open_ladder(league, "127.0.0.1:0") as (first, address),
        started(league, "ann", connect("ann", address, "--streams 2")) as ann,
        started(league, "bob", connect("bob", address)) as bob,
    ):
        assert wait_until(lambda: len(records(league)) >= 5), messages(league, "ladder")
        first.kill()
        first.wait(PATIENCE_S)
        before = {path: path.read_bytes() for path in records(league)}
        with (
            open_ladder(league, address, "--matches 40") as (second, _),
            started(league, "mute", connect("mute", address)),
        ):
            assert second.wait(PATIENCE_S) == 0, messages(league, "ladder")
        assert [process.wait(PATIENCE_S) for process in (ann, bob)] == [0, 0], "they got Goodbye"
    played = {path: read_record(path) for path in records(league)}
    assert len(played) == 40
    assert all(path.read_bytes() == content for path, content in before.items())
    assert all(verify(record).agrees and [*record.remote] == [0, 1] for record in played.values())
    names = [[entrant.name for entrant in record.entrants] for record in played.values()]
    at_fault = {record.entrants[fault.seat].name for record in played.values() for fault in record.faults}
    assert at_fault == {"mute"}, "neither the kill nor the bot that does not answer harms the others"
    assert Counter(chain(*names)).keys() == {"ann", "bob", "mute"}
    assert re.search(r"ann plays match \d+ against (bob|mute)\n", messages(league, "ann"))
    assert traces.all_gone()


@pytest.mark.slow
def test_three_hundred_bots_are_here_at_once_in_bounded_memory(tmp_path: Path) -> None:
    tokens = TokenFile(tmp_path / "tokens.json")
    secrets = {f"bot-{number:03}": f"secret {number}" for number in range(300)}
    known = [
        {"id": name, "owner": f"of-{name}", "bot": name, "hash": hash_of(secret), "created": "2026-11-27"}
        for name, secret in secrets.items()
    ]
    tokens.path.write_text(json.dumps({"tokens": known}))  # at once
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    door = Door(listener.getsockname()[1], tokens, None)
    hosting = Hosting(listener=listener.fileno(), games=("bluff",), bots=None, tokens=str(tokens.path), forfeits=True)

    async def crowd(runner: HostRunner) -> tuple[int, int]:
        """Connect all, the last one with two connections; return what the host has in memory before and then."""
        before = _memory_kb()
        async with AsyncExitStack() as stack:
            for name, secret in chain(secrets.items(), [("bot-299", secrets["bot-299"])]):
                line = await stack.enter_async_context(dialled(door))
                await line.say(hello(secret, name))
                assert (await line.hear()).HasField("welcome")
            ladder = DialledArrivals(tokens, runner.here)
            admitted = [one for one in ladder.step(Roster(())) if isinstance(one, Version)]
            assert sorted(one.bot.name for one in admitted) == sorted(secrets)
            return before, _memory_kb()

    with listener, HostRunner(hosting, orders=8) as runner:
        runner.here()  # it is open
        before, after = asyncio.run(crowd(runner))
        assert wait_until(lambda: not runner.here())
    assert after - before < 300 * 200, "200 KB for each of them, of which most are gRPC's"


def _memory_kb() -> int:
    """Return the memory of all processes below this one, in KB."""

    def below(pid: int) -> Iterator[int]:
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            yield int(child)
            yield from below(int(child))

    found = "".join(Path(f"/proc/{pid}/status").read_text() for pid in below(os.getpid()))
    return sum(map(int, re.findall(r"VmRSS:\s+(\d+) kB", found)))


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (["--listen", "127.0.0.1:0"], "no certificate is given; give --cert and --key, or --insecure"),
        (["--concurrent", "2"], "no certificate is given; give --cert and --key, or --insecure"),
        (["--insecure", "--listen", "0.0.0.0:0"], "--insecure is for this machine alone"),
        (["--insecure", "--cluster", "tcp://127.0.0.1:1"], "bots that dial in play on this machine; leave out"),
    ],
)
def test_a_door_that_cannot_be_opened_is_one_sentence(
    refused: Refused, place: Path, flags: list[str], sentence: str
) -> None:
    (place / "bots").mkdir()
    (place / "ladder.toml").write_text(LADDER)
    assert sentence in refused("ladder", "ladder.toml", *flags)


def test_processors_for_each_bot_do_not_go_with_bots_that_dial_in(refused: Refused, place: Path) -> None:
    (place / "bots").mkdir()
    (place / "ladder.toml").write_text(f"cpus = 1\n{LADDER}")
    assert "cpus is 1; where bots dial in" in refused("ladder ladder.toml --insecure --listen 127.0.0.1:0")
