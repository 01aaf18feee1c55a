"""Failures of the arena itself: exit code 3 and a full explanation."""

import errno
import itertools
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from ballcourt import Session
from ballcourt.arena.faults import ArenaError
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.arena.processes.memory import SHORT
from ballcourt.arena.records.store import write_record
from ballcourt.arena.workers import capacity
from ballcourt.arena.workers.local_match import LocalMatch
from ballcourt.arena.workers.runner import Runner
from ballcourt.cli.announce import Announcer
from ballcourt.contest.client import connection
from ballcourt.engine.core import IllegalAction
from ballcourt.leaderboard.store.database import Database
from tests.arena.conftest import PATIENCE_S, bounded
from tests.bots.honest import Lowest
from tests.cli.conftest import Run, files, write_bot
from tests.leaderboard.recorded import played, record, refuse


def failing_with(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make matches fail, in this process and in others."""

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(Runner, "run_blocks", fail)
    monkeypatch.setattr(LocalMatch, "play", fail)


def test_a_match_that_cannot_be_played_is_a_failure_of_the_arena(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    error = ArenaError("the launcher, which starts and ends the bots, has ended")
    error.add_note("what was seen of it")
    failing_with(error, monkeypatch)
    result = run("play bluff ./low ./any")
    assert result.exit_code == 3
    assert result.stderr == f"ballcourt: the arena failed: {error}\nwhat was seen of it\n"


@pytest.mark.parametrize(
    "line",
    [
        "play bluff ./low ./any",
        "play bluff human ./any",
        "check bot ./low --game bluff",
        "debug runs/m.match@4 ./low",
        "demo",
        "tournament --game bluff --bot ./low --bot ./any",
    ],
)
def test_too_few_open_files_are_noticed_before_anything_is_played(
    run: Run, place: Path, processes: None, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_record(place / "runs", play_in_process("bluff", [Session(Lowest()), Session(Lowest())], seed=2, key="m"))
    before = files(place)
    monkeypatch.setattr(capacity, "WORKER_FILES", 1 << 40)
    result = run(line)
    assert result.exit_code == 2
    assert "open files" in result.stderr
    assert result.stderr.splitlines()[-1].endswith("raise the limit")
    assert files(place) - before <= {"runs/play"}


ABORTING = """import os, runpy, signal, sys
with open({starts!r}, "a+") as starts:
    starts.write("x")
    if starts.tell() in (2, 4):
        os.kill(os.getpid(), signal.SIGABRT)
sys.argv = [{script!r}]
runpy.run_path({script!r}, run_name="__main__")
"""


@pytest.mark.slow
def test_a_run_whose_bots_die_like_ones_without_memory_says_once_what_to_do(
    run: Run, place: Path, processes: None
) -> None:
    honest = Path(__file__).parents[1] / "bots" / "honest.py"
    bot = place / "aborting" / "bot.py"
    write_bot(bot.parent, "aborting")
    bot.write_text(ABORTING.format(starts=str(place / "starts"), script=str(honest)))
    manifest = bot.parent / "bot.toml"
    manifest.write_text(manifest.read_text().replace(str(honest), "bot.py"))
    asked = ("compare", "./aborting", "./low", "--game", "bluff", "--seats", "2", "--at-most", "8", "--workers", "1")
    result = run(*asked, "--output", "out")
    assert result.stderr.count("was killed by SIGABRT before it sent Hello, as when the machine is short of mem") == 2
    assert result.stderr.count("the machine is short of memory: end other programs, or give fewer workers") == 1
    assert "faults in 0 matches" in result.stdout


def test_a_bot_that_the_kernel_kills_for_lack_of_memory_makes_a_run_say_so(capsys: pytest.CaptureFixture[str]) -> None:
    short = record()
    short.faults.add(seat=0, detail=f"the bot ran out of memory: {SHORT}, and the kernel killed it")
    announcer = Announcer(1)
    for event in (played(record()), played(short, is_new=False), played(short), played(short)):
        announcer(event)
    assert capsys.readouterr().err.count("end other programs") == 1


@pytest.mark.slow
def test_a_closed_stdout_is_not_an_error(succeeds: Run, place: Path) -> None:
    cup = ("tournament", "--game", "bluff", "--bot", "./low", "--bot", "./any", "--workers", "1", "--output", "out")
    succeeds(*cup)
    command = [sys.executable, "-m", "ballcourt", "leaderboard", "out"]
    closed = ["sh", "-c", 'exec "$@" >&-', "sh", *command]
    done = subprocess.run(closed, stderr=subprocess.PIPE, text=True, timeout=PATIENCE_S, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
@pytest.mark.parametrize("words", [["games"], ["games", "maya", "--rules"]], ids=["short", "longer than any buffer"])
def test_a_full_stdout_is_said_to_be_one(words: list[str]) -> None:
    command = [sys.executable, "-m", "ballcourt", *words]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=PATIENCE_S, check=False)
    sentence = "ballcourt: the output could not be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (3, sentence)


@pytest.mark.slow
def test_commands_that_do_not_fit_into_the_address_space_say_so(run: Run) -> None:
    run("tournament --game bluff --bot ./low --bot ./any --workers 1 --output o")
    reading = ("leaderboard o", "study history o low", "study head-to-head o", "study seats o", "event watch o --once")
    for command in (*reading, "leaderboard sqlite:///o/leaderboard.sqlite --json", "serve o --site p", "serve o"):
        shell = ["sh", "-c", f'ulimit -v 300000; exec "$@" {command}', "sh", sys.executable, "-m", "ballcourt"]
        done = subprocess.run(shell, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        assert done.returncode == 2, command
        assert done.stderr.splitlines()[-1] == (
            "ballcourt: a process may have 292 MB of address space here (ulimit -v), and this command needs 1024: "
            "raise the limit"
        )


def test_a_lack_of_memory_is_a_failure_of_the_arena(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    failing_with(MemoryError(), monkeypatch)
    result = run("tournament --game bluff --bot ./low --bot ./any")
    assert result.exit_code == 3
    assert "the arena failed: it ran out of memory; raise the limit (ulimit -v), or end" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("room", range(0, 13, 3))
def test_a_full_disk_is_a_failure_of_the_arena_that_names_the_file_and_the_same_command_goes_on(
    run: Run, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    writes = itertools.count()

    def sync(_: int) -> None:
        if next(writes) >= room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    line = "tournament --game bluff --bot ./low --bot ./any --seed 1 --rounds 2 --output o"
    with monkeypatch.context() as full:
        full.setattr(os, "fsync", sync)
        result = run(line)
    assert result.exit_code == 3, result.output
    (last,) = [one for one in result.stderr.splitlines() if one.startswith("ballcourt: ")]
    assert re.fullmatch(
        r"ballcourt: the arena failed: (.*/)?(o|cache)/.+ cannot be written: the disk is full; make space, "
        "and run the same command again, which goes on from there",
        last,
    )
    assert "ballcourt-tmp" not in result.stderr
    again = run(line)
    assert again.exit_code == 0, again.output
    assert "(4 matches)" in again.stderr


def test_a_rebuilt_database_that_does_not_fit_is_named_as_the_person_knows_it(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("tournament --game bluff --bot ./low --bot ./any --seed 1 --output o")
    before = files(Path("o"))

    def full(database: Database, _: object) -> None:
        with database._writing() as writer:
            writer.connection.exec_driver_sql("PRAGMA max_page_count = 1")
            writer.connection.exec_driver_sql("CREATE TABLE large AS SELECT zeroblob(1000000)")

    monkeypatch.setattr(Database, "add", full)
    result = run("leaderboard o --rebuild")
    assert result.exit_code == 3
    assert result.stderr == (
        "ballcourt: sqlite:///o/leaderboard.sqlite cannot be written: the disk is full; make space, and run the same "
        "command again, which goes on from there\n"
    )
    assert files(Path("o")) == before


def test_the_server_of_others_is_not_called_the_arena(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "PAUSES_S", ())
    refused = run("login", "http://127.0.0.1:1")
    assert refused.exit_code == 3
    assert refused.stderr.startswith("ballcourt: http://127.0.0.1:1 cannot be reached: ")


def test_a_database_that_fails_during_play_does_not_stop_the_tournament(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = ("tournament", "--game", "bluff", "--bot", "./low", "--bot", "./any", "--seed", "1", "--workers", "1")
    with monkeypatch.context() as patch:
        patch.setattr(Database, "add", refuse)
        result = run(*cup)
    assert result.exit_code == 3
    assert "the arena failed: disk is full; all results are in the records; to write them: ballcourt" in result.stderr
    again = run(*cup)
    assert (again.exit_code, again.stdout) == (0, result.stdout)


def test_a_failed_rebuild_leaves_the_database_unchanged(run: Run, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played = run("tournament --game bluff --bot ./low --bot ./any --workers 1 --output o")
    before = files(place)
    with monkeypatch.context() as patch:
        patch.setattr(Database, "add", refuse)
        assert run("leaderboard o --rebuild").exit_code == 2
    assert files(place) == before
    assert run("leaderboard o").stdout == played.stdout


def leave_a_hot_journal(database: Path) -> None:
    """Leave the journal of a run killed in the middle of a commit, which SQLite will roll back."""
    journal, kept = database.with_name(f"{database.name}-journal"), database.with_name("kept")
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("PRAGMA cache_size = 1")  # the journal is hot as soon as pages leave the cache
        connection.execute("BEGIN")
        connection.execute("CREATE TABLE large AS SELECT randomblob(1000000)")
        connection.execute("DELETE FROM seats")
        connection.execute("DELETE FROM matches")
        shutil.copy(journal, kept)
    kept.rename(journal)


@pytest.mark.parametrize("removed_by_hand", [False, True])
def test_a_rebuild_is_not_undone_by_the_journal_of_a_killed_run(
    run: Run, place: Path, *, removed_by_hand: bool
) -> None:
    played = run("tournament --game bluff --bot ./low --bot ./any --workers 1 --output o")
    before = files(place)
    database = place / "o" / "leaderboard.sqlite"
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript("DELETE FROM seats; DELETE FROM matches")
    leave_a_hot_journal(database)
    if removed_by_hand:
        database.unlink()
    rebuilt = run("leaderboard o --rebuild")
    assert (rebuilt.exit_code, rebuilt.stdout) == (0, played.stdout)
    assert run("leaderboard o").stdout == played.stdout
    assert files(place) == before


def test_records_that_cannot_be_listed_are_an_error(run: Run, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(folder: Path) -> None:
        raise PermissionError(13, "Permission denied", str(folder))

    played = run("tournament --game bluff --bot ./low --bot ./any --workers 1 --output o")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "iterdir", closed)
        result = run("leaderboard o --rebuild")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "ballcourt: cannot read o/records: Permission denied\n"
    assert run("leaderboard o").stdout == played.stdout


def test_an_internal_error_shows_its_traceback_and_asks_for_a_report(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    failing_with(KeyError("unexpected"), monkeypatch)
    result = run("play bluff ./low ./any")
    assert result.exit_code == 3
    assert "KeyError: 'unexpected'" in result.stderr
    assert "please report it" in result.stderr


def test_an_action_refused_by_the_rules_is_an_internal_error(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    failing_with(IllegalAction("action 9 of seat 0 is not legal"), monkeypatch)
    result = run("play bluff ./low ./any")
    assert result.exit_code == 3
    assert "please report it" in result.stderr


def test_an_interrupted_command_exits_with_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    failing_with(KeyboardInterrupt(), monkeypatch)  # type: ignore[arg-type]
    assert run("play bluff ./low ./any").exit_code == 130


DROPPED = """
import signal
from ballcourt.cli.failures import Terminated, end_on_sigterm, heed_interruptions

class Dropping:
    def __del__(self):
        signal.raise_signal({number})

signal.signal(signal.SIGINT, signal.default_int_handler)
end_on_sigterm()
heed_interruptions()
try:
    Dropping()
    while True:
        pass
except Terminated:
    print("terminated")
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize(("number", "heard"), [(signal.SIGINT, "interrupted"), (signal.SIGTERM, "terminated")])
def test_an_interruption_that_python_drops_comes_again(number: int, heard: str) -> None:
    program = [sys.executable, "-c", DROPPED.format(number=int(number))]
    ended = subprocess.run(program, capture_output=True, text=True, check=True, timeout=PATIENCE_S)
    assert (ended.stdout, ended.stderr) == (f"{heard}\n", "")


def test_a_removed_current_folder_is_named_as_the_reason(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    result = run("tournament --game bluff --bot ./low --bot ./any")
    assert result.exit_code == 2
    assert result.stderr == "ballcourt: the current folder has been removed; change to another one\n"


NO_FILE = r"there can be no file x+ .* x+: its name is too long; .*"
NO_BOT = r"there is no bot 'x+ .* x+'; known bots: .*"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("replay show NAME", NO_FILE),
        ("study report bluff NAME", NO_FILE),
        ("leaderboard NAME", NO_FILE),
        ("play bluff NAME", NO_BOT),
    ],
)
def test_a_name_that_no_file_can_have_is_wrong_input(run: Run, line: str, sentence: str) -> None:
    result = run(*line.replace("NAME", "x" * 5000).split())
    assert result.exit_code == 2
    assert re.fullmatch(rf"ballcourt: {sentence}\n", result.stderr), result.stderr


def test_a_reader_that_has_seen_enough_is_no_failed_check(tmp_path: Path) -> None:
    """As in `ballcourt games | head -1`: exit code 1 would say that a check failed."""
    program = [sys.executable, "-m", "ballcourt", "games", "--json"]
    with bounded(subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)) as process:
        assert process.stdout and process.stderr
        process.stdout.close()
        messages = process.stderr.read()
    assert (process.returncode, messages) == (141, "")
