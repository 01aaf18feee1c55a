"""A format added as one file, whose second stage depends on the results of the first."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ballcourt.arena.records.store import read_record
from ballcourt.arena.tournament.schedules import formats
from ballcourt.arena.tournament.schedules.formats import known_formats, schedule_of
from ballcourt.arena.tournament.schedules.schedule import Design, Field, FormatOptions, Length
from tests.arena.conftest import PATIENCE_S, Traces, bounded, wait_until
from tests.arena.tournament import more_formats
from tests.cli.conftest import write_bot

FOLDER = more_formats.__path__[0]
ROOT = Path(__file__).parents[3]
COMMAND = f"""
from ballcourt.arena.tournament.schedules import formats
formats.__path__.append({FOLDER!r})
from ballcourt.cli import main
main()
"""
CUP = """
game = "bluff"
format = "winners-meet"
bots = ["./low", "./any", "./other", "./last"]
seats = 2
blocks = 20
seed = 11
workers = 2
"""
MATCHES = 40


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for name, *arguments in (["low"], ["any", "random"], ["other", "random"], ["last"]):
        write_bot(tmp_path / name, name, *arguments)
    (tmp_path / "cup.toml").write_text(CUP)
    return tmp_path


def ballcourt(place: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", COMMAND, *arguments],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(place: Path, *arguments: str) -> tuple[str, str]:
    """Run a command to its end; return its stdout and stderr."""
    with bounded(ballcourt(place, *arguments)) as process:
        shown, messages = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, messages
    return shown, messages


def kill(place: Path, output: str, after: int) -> None:
    """Kill a run once it has left this number of records."""
    with bounded(ballcourt(place, "tournament", "cup.toml", "--output", output)) as process:
        records = place / output / "records"
        assert wait_until(lambda: len(list(records.glob("*.match"))) >= after or process.poll() is not None)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=PATIENCE_S)


def tables(folder: Path) -> dict[str, list[str]]:
    """Return the entrants at each table, by key."""
    played = [read_record(file) for file in sorted((folder / "records").iterdir())]
    return {record.key: [entrant.name for entrant in record.entrants] for record in played}


@pytest.mark.slow
def test_a_killed_tournament_with_stages_resumes_to_the_same_table(place: Path, traces: Traces) -> None:
    shown, messages = finish(place, "tournament", "cup.toml", "--output", "straight", "--json")
    assert f"{MATCHES} matches of bluff with 2 seats" in messages
    assert "balanced" not in messages, "it is not known yet who meets in the second stage"
    for after in (2, 10):  # in either stage
        kill(place, "killed", after)
        assert traces.all_gone()
    resumed, messages = finish(place, "tournament", "cup.toml", "--output", "killed", "--json")
    assert "of them have been played before; going on" in messages
    assert json.loads(resumed) == json.loads(shown)
    assert tables(place / "killed") == tables(place / "straight")
    meeting = {tuple(sorted(table)) for table in list(tables(place / "killed").values())[4:]}
    assert len(tables(place / "killed")) == MATCHES
    assert len(meeting) == 1


def test_a_format_needs_only_one_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, FOLDER])
    assert "winners-meet" in known_formats()
    planned = schedule_of(Design("winners-meet", Length("rounds", 1), FormatOptions()), Field(9, 3))
    assert [block.tables[0] for block in planned.stage(())] == [(0, 1, 2), (3, 4, 5), (6, 7, 8)]
