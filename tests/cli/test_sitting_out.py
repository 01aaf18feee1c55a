"""A tournament whose policy suspends entrants, and one in which the arena fails."""

import csv
import io
import os
import signal
from pathlib import Path

import pytest

from ballcourt.arena.records.store import read_record
from ballcourt.arena.tournament.folder.output import DATABASE
from ballcourt.arena.workers.runner import Runner
from ballcourt.engine import registry
from ballcourt.leaderboard.store.database import open_database
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.conftest import Traces
from tests.cli.conftest import Run, write_bot
from tests.cli.fragile import DEFECT

CUP = """
game = "bluff"
bots = ["./low", "./any", "./bad"]
seats = 2
seed = 4
output = "out"
workers = 1
[faults]
disqualify = "above 50% of 8 matches"
"""


@pytest.fixture
def fragile(place: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A tournament of a game whose rules fail in one of its blocks while a file exists."""
    monkeypatch.setenv(registry.ENVIRONMENT, "tests.cli.fragile:GAME")
    registry.registered.cache_clear()
    (place / DEFECT).touch()
    return "tournament --game fragile --bot ./low --bot ./any --rounds 4 --seed 6 --set seeds=block --workers 1"


@pytest.fixture
def cup(place: Path) -> Path:
    """A tournament in which one of three bots is at fault in every match; a round is six matches."""
    write_bot(place / "bad", "bad", "illegal", script="misbehaving.py")
    (place / "cup.toml").write_text(CUP)
    return place


def records(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "records").iterdir())


def table(run: Run, folder: str) -> list[dict[str, str]]:
    rows = csv.DictReader(io.StringIO(run("leaderboard", folder, "--csv").stdout))
    return sorted(rows, key=lambda row: row["bot"])


def test_a_disqualified_bot_sits_out_but_keeps_its_results_and_its_row(succeeds: Run, cup: Path) -> None:
    result = succeeds("tournament cup.toml --rounds 4")
    assert "suspensions are decided after each of the 4 rounds" in result.stderr
    assert "bad 1 is disqualified: 8 of its 8 matches had a fault" in result.stderr
    assert "bad (disqualified)" in result.stdout
    assert [(row["bot"], row["matches"], row["faults"], row["status"]) for row in table(succeeds, "out")] == [
        ("any", "12", "0", ""),
        ("bad", "8", "8", "disqualified"),
        ("low", "12", "0", ""),
    ]
    again = succeeds("tournament cup.toml --rounds 4")
    assert again.stdout == result.stdout
    assert "16 of them have been played before\n" in again.stderr, "nothing is missing"


@pytest.mark.slow
def test_a_resumed_tournament_reaches_the_same_verdicts(run: Run, cup: Path) -> None:
    run("tournament cup.toml --rounds 4 --output straight")
    run("tournament cup.toml --rounds 3")
    for lost in records(cup / "out")[1::3]:
        (cup / "out" / "records" / lost).unlink()
    run("tournament cup.toml --rounds 4")
    assert records(cup / "out") == records(cup / "straight")
    assert table(run, "out") == table(run, "straight")


@pytest.mark.slow
def test_a_voided_block_leaves_no_result_in_records_and_databases(
    succeeds: Run, place: Path, processes: None, traces: Traces, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The voided match gets an impossible score, which would show if it stayed."""
    play = Runner.run_blocks

    def disturbed(self: Runner, *given: object) -> object:
        played = 0
        for event in play(self, *given):  # type: ignore[arg-type]
            played += isinstance(event, MatchRecord)
            if isinstance(event, MatchRecord) and played == 3:
                event.results[0].score += 100
                os.kill(traces.pid_of("ballcourt.arena.workers.worker"), signal.SIGKILL)
            yield event

    monkeypatch.setattr(Runner, "run_blocks", disturbed)
    monkeypatch.setattr("ballcourt.leaderboard.store.feed.BEHIND_S", 0.0)
    flags = "tournament --game bluff --bot ./low --bot ./any --rounds 4 --seed 3 --workers 1 --output out"
    result = succeeds(*flags.split(), "--set", f"database=sqlite:///{place}/all.sqlite")
    assert "matches b000001-r0, b000001-r1 do not count and are played again: its worker process died" in result.stderr
    voided = read_record(place / "out" / "voided" / "b000001-r0.match")
    assert voided.results[0].score > 90
    for database in (place / "out" / DATABASE, place / "all.sqlite"):
        with open_database(database) as opened:
            matches = opened.results()
        assert len(matches) == len(records(place / "out")) == 8
        assert max(seat.score for match in matches for seat in match.seats) < 90


@pytest.mark.slow
def test_a_run_that_gives_up_keeps_whole_blocks_and_can_be_resumed(
    run: Run, succeeds: Run, place: Path, processes: None, fragile: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ballcourt.arena.workers.queue.PAUSES_S", (0.0, 0.0))
    failed = run(*fragile.split(), "--output", "out")
    assert failed.exit_code == 3
    assert "could not be played in 3 attempts: " in failed.stderr
    assert "points shared among nobody" in failed.stderr
    assert "all rotations of a table play the same deal" in failed.stderr
    kept = records(place / "out")
    whole = {name.partition("-")[0] for name in kept}
    assert kept == [f"{block}-r{rotation}.match" for block in sorted(whole) for rotation in (0, 1)]
    assert {"b000000", "b000001"} <= whole
    assert "b000002" not in whole  # the one that fails; others go on meanwhile
    assert len([*(place / "out" / "voided").iterdir()]) == 3
    (place / DEFECT).unlink()
    succeeds(*fragile.split(), "--output", "out")
    run(*fragile.split(), "--output", "undisturbed")
    assert table(run, "out") == table(run, "undisturbed")
