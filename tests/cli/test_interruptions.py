"""However a running tournament is interrupted, the next run ends with the table of an undisturbed one."""

import json
import os
import random
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from ballcourt.arena.records.replay import verify
from ballcourt.arena.records.store import read_record
from ballcourt.arena.tournament.folder.output import hold
from tests.arena.conftest import PATIENCE_S, Traces, bounded, wait_until
from tests.cli.conftest import write_bot

ROOT = Path(__file__).parents[2]
ROUNDS = 15
COMMAND = [sys.executable, "-m", "ballcourt"]


def environment() -> dict[str, str]:
    """The variables of this process, with the checkout on the import path."""
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def start(place: Path, output: str) -> subprocess.Popen[str]:
    """The tournament in a separate process."""
    flags = f"tournament --game bluff --bot ./low --bot ./any --rounds {ROUNDS} --seed 3 --workers 2"
    return subprocess.Popen(
        [*COMMAND, *flags.split(), "--output", output],
        cwd=place,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(place: Path, output: str) -> str:
    """Run the tournament to its end; return its leaderboard."""
    with bounded(start(place, output)) as process:
        _, messages = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, messages
    shown = [*COMMAND, "leaderboard", output, "--json"]
    table = subprocess.run(shown, cwd=place, capture_output=True, timeout=PATIENCE_S, check=True)
    return table.stdout.decode()


def interrupt(place: Path, output: str, after: int, how: signal.Signals) -> tuple[int, str]:
    """Send a signal to a run once it has left `after` records; return its exit code and its stderr."""
    records = place / output / "records"
    with bounded(start(place, output)) as process:
        assert wait_until(lambda: len(list(records.glob("*.match"))) >= after or process.poll() is not None)
        process.send_signal(how)
        _, messages = process.communicate(timeout=PATIENCE_S)
    return process.returncode, messages


@pytest.fixture(scope="module")
def moments() -> list[int]:
    chance = random.Random(2012)
    return sorted(chance.sample(range(1, 2 * ROUNDS), 3))


@pytest.mark.slow
def test_a_run_that_is_killed_repeatedly_ends_with_the_same_table(
    place: Path, traces: Traces, moments: list[int]
) -> None:
    undisturbed = finish(place, "undisturbed")
    for after in [0, *moments]:
        code, _ = interrupt(place, "killed", after, signal.SIGKILL)
        assert code == -signal.SIGKILL
        assert traces.all_gone()
    assert finish(place, "killed") == undisturbed
    records = sorted((place / "killed" / "records").iterdir())
    assert len(records) == 2 * ROUNDS
    assert all(verify(read_record(record)).agrees for record in records)


@pytest.mark.parametrize(
    ("how", "code", "word"),
    [(signal.SIGINT, 130, "interrupted"), pytest.param(signal.SIGTERM, 143, "terminated", marks=pytest.mark.slow)],
)
def test_a_run_that_is_asked_to_end_says_how_to_continue(
    place: Path, traces: Traces, how: signal.Signals, code: int, word: str
) -> None:
    ended, messages = interrupt(place, "stopped", 3, how)
    assert ended == code
    assert f"of {2 * ROUNDS} matches, which are in stopped\nto continue: ballcourt tournament --game bluff " in messages
    assert "to see the table so far: ballcourt leaderboard stopped\n" in messages
    assert messages.endswith(f"{word}\n")
    assert "Traceback" not in messages
    assert traces.all_gone()


@pytest.mark.slow
def test_the_command_that_continues_a_run_can_be_pasted_into_a_shell(place: Path) -> None:
    output = "it's half done"
    _, messages = interrupt(place, output, 3, signal.SIGINT)
    (line,) = [line for line in messages.splitlines() if line.startswith("to continue: ")]
    pasted = subprocess.run(
        ["sh", "-c", line.removeprefix("to continue: ")],
        cwd=place,
        env={**environment(), "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert pasted.returncode == 0, pasted.stderr
    assert len(list((place / output / "records").glob("*.match"))) == 2 * ROUNDS


def test_ctrl_c_while_the_command_is_being_imported_ends_it_without_a_word(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nos.abort()\n")
    broken = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([*COMMAND, "games"], env=broken, capture_output=True, timeout=PATIENCE_S, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


@pytest.mark.slow
def test_a_second_run_in_the_same_folder_is_refused(place: Path) -> None:
    (place / "taken").mkdir()
    with hold(place / "taken"), bounded(start(place, "taken")) as process:
        _, messages = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 2
    assert f"taken is in use by another run (process {os.getpid()})" in messages
    assert not (place / "taken" / "records").exists()


PLAYED = "--game bluff --seats 2 --workers 2 --seed 3"
COMMANDS = {
    "tournament": f"tournament --bot ./low --bot ./any {PLAYED} --rounds {4 * ROUNDS} --output {{}} --json",
    "cluster": f"tournament --bot ./low --bot ./any {PLAYED} --rounds {4 * ROUNDS} --output {{}} --json".replace(
        "--workers 2", "--cluster local:2"
    ),
    "compare": f"compare ./any ./low {PLAYED} --sandbox 0 --at-most 60 --output {{}} --json",
    "evaluate": f"evaluate ./any --against ./low {PLAYED} --sandbox 0 --budget 60matches --cache {{}} --json",
    "tune": f"tune ./mine {PLAYED} --sandbox 0 --steps 2 --deals 4 --checks 4 --output {{}} --json",
}
BLOWS = (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT, signal.SIGHUP, signal.SIGKILL)
PASSING = re.compile(r"cpu|new|_s$|output|time|machine|think")


def steady(answer: object) -> object:
    """Leave out of an answer in JSON what differs between two runs: times, and what was played just now."""
    if isinstance(answer, dict):
        return {key: steady(value) for key, value in answer.items() if not PASSING.search(key)}
    return [steady(value) for value in answer] if isinstance(answer, list) else answer


def started(place: Path, command: str, output: str) -> subprocess.Popen[str]:
    words = [word.replace("60matches", "60 matches") for word in COMMANDS[command].format(output).split()]
    return subprocess.Popen(
        [*COMMAND, *words],
        cwd=place,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def answer(place: Path, command: str, output: str) -> object:
    with bounded(started(place, command, output)) as process:
        found, messages = process.communicate(timeout=PATIENCE_S)
    assert process.returncode in (0, 1), messages
    return steady(json.loads(found))


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_whichever_signal_ends_whichever_parts_of_a_command_it_goes_on_to_the_answer_of_an_undisturbed_one(
    place: Path, traces: Traces, command: str
) -> None:
    mine = write_bot(place / "mine", "mine", script="tunable.py") / "bot.toml"
    mine.write_text(mine.read_text() + "[parameters.nerve]\ndefault = 0.5\nleast = 0.0\nmost = 1.0\n")
    undisturbed, chance, hits = answer(place, command, "undisturbed"), random.Random(2012), 0
    parts = ("arena.workers.worker", "arena.workers.keeper", "arena.processes.launcher", "admin worker")
    for blow in BLOWS:
        with bounded(started(place, command, "struck")) as process:
            assert wait_until(lambda: "tests/bots" in str(traces.processes()) or process.poll() is not None)
            others = [pid for pid, line in traces.processes().items() if any(part in line for part in parts)]
            for pid in chance.sample(others, min(len(others), 3)):
                with suppress(ProcessLookupError):
                    os.kill(pid, blow)
            hits += process.poll() is None
            process.send_signal(blow)
            process.communicate(timeout=PATIENCE_S)
        assert wait_until(lambda: not traces.processes())
    assert hits >= 2, "otherwise it was over before anything happened"
    assert answer(place, command, "struck") == undisturbed
