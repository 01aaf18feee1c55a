"""What runs on a system that lacks what Windows lacks: see `tests/windows/sitecustomize.py`."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from ballcourt.arena.bots import contents
from tests.arena.conftest import PATIENCE_S
from tests.cli.conftest import every, write_bot
from tests.cli.test_host import connecting, event, hosting, messages, records  # noqa: F401  # a fixture and its helpers
from tests.test_documents import PAGES

ROOT = Path(__file__).parents[2]
LACKING = os.pathsep.join([str(ROOT / "tests" / "windows"), str(ROOT)])

Elsewhere = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def elsewhere(tmp_path: Path) -> Elsewhere:
    """Run a command in a process that lacks what Windows lacks."""
    return lambda *words, given="": ended(tmp_path, LACKING, words, given)


def ended(folder: Path, path: str, words: Sequence[str], given: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, with this path for imports."""
    return subprocess.run(
        [sys.executable, "-m", "ballcourt", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path, "BALLCOURT_CACHE": str(folder / "cache")},
        input=given,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def done(ended: subprocess.CompletedProcess[str]) -> str:
    """Return what a command that succeeded has written."""
    assert ended.returncode == 0, ended.stderr
    return ended.stdout + ended.stderr


@pytest.mark.slow
def test_a_process_there_has_no_unix_sockets_no_file_locks_of_unix_and_no_proc() -> None:
    tries = ["import fcntl", "import resource, termios", "from socket import AF_UNIX", "from os import fork, geteuid"]
    tries += ["open('/proc/self/stat')", "import sys; assert sys.platform == 'linux'"]
    environment = {**os.environ, "PYTHONPATH": LACKING}
    for program in tries:
        tried = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=False)
        assert tried.returncode == 1, program


@pytest.mark.slow
def test_a_bot_is_made_played_and_its_match_shown(elsewhere: Elsewhere, tmp_path: Path) -> None:
    done(elsewhere("new-bot", "mine"))
    assert "mine 1 " in done(elsewhere("play", "maya", "./mine", "random", "--seed", "1", "--record-dir", "played"))
    [record] = (tmp_path / "played").glob("*.match")
    assert "agrees in all" in done(elsewhere("replay", "verify", str(record)))
    assert "position 2 of" in done(elsewhere("replay", "show", str(record), "--step", given="nnq"))


@pytest.mark.slow
def test_a_bot_is_checked_and_debugged_and_a_person_plays_against_it(elsewhere: Elsewhere, tmp_path: Path) -> None:
    done(elsewhere("new-bot", "mine"))
    checked = done(elsewhere("check", "bot", "mine", "--game", "maya", "--decisions", "120"))
    assert "the bot is ready to play" in checked
    assert re.search(r"skip +memory +it is measured on Linux alone", checked)
    assert "the match is saved" in done(elsewhere("play", "maya", "human", "mine", given="0\nq\n"))
    done(elsewhere("play", "maya", "mine", "random", "--record-dir", "played"))
    [record] = (tmp_path / "played").glob("*.match")
    assert "recorded" in done(elsewhere("debug", f"{record}@4", "mine"))
    done(elsewhere("replay", "html", str(record), "--output", "page.html"))
    assert (tmp_path / "page.html").stat().st_size > 50_000


FROM_PYTHON = """
from ballcourt import Env, play_match, play_tournament
from ballcourt.arena.extras import OtherSystem

assert not play_match("maya", ["greedy", "random"], seed=1).faults
assert Env("maya", seats=2)
try:
    [*play_tournament(game="maya", bots=["greedy", "random"], rounds=1, output="out")]
except OtherSystem as error:
    print(error)
"""


@pytest.mark.slow
def test_python_plays_a_match_and_is_told_that_a_tournament_needs_linux(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": LACKING}
    script = [sys.executable, "-c", FROM_PYTHON]
    assert "tournaments need Linux" in done(
        subprocess.run(script, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    )
    assert [*tmp_path.iterdir()] == []


@pytest.mark.slow
def test_a_bot_that_cannot_start_is_reported(elsewhere: Elsewhere, tmp_path: Path) -> None:
    write_bot(tmp_path / "crashes", "crashes", "raise SystemExit('no')")
    (tmp_path / "crashes" / "bot.toml").write_text('name = "crashes"\nversion = "1"\ncommand = ["no-such-program"]\n')
    played = elsewhere("play", "maya", "./crashes", "random", "--fail-on-fault")
    assert played.returncode == 1
    assert "could not start 'no-such-program'" in played.stdout


@pytest.mark.slow
def test_the_tables_of_an_event_that_was_played_on_linux_are_shown(elsewhere: Elsewhere, tmp_path: Path) -> None:
    played = "tournament --game maya --bot random --bot again=random --seats 2 --rounds 1 --output out --seed 3"
    done(ended(tmp_path, str(ROOT), played.split()))
    (tmp_path / "out" / "leaderboard.sqlite").unlink()
    assert "again" in done(elsewhere("leaderboard", "out"))
    assert "the tournament is over" in done(elsewhere("event", "watch", "out"))
    done(elsewhere("event", "pause", "out", "--reason", "a storm"))
    assert "a storm" in done(elsewhere("event", "log", "out"))


@pytest.mark.slow
def test_a_bot_connects_to_an_arena_on_linux(
    event: Path,  # noqa: F811  # the fixture
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with hosting(event, "--insecure") as (host, address):
        monkeypatch.setattr("tests.cli.test_host.ROOT", LACKING)
        with (
            connecting(event, "alice-bot", address, "--insecure") as alice,
            connecting(event, "bob-bot", address, "--insecure --streams 2") as bob,
        ):
            assert [process.wait(PATIENCE_S) for process in (host, alice, bob)] == [0, 0, 0], messages(event)
    assert records(event)
    assert "this system cannot fork, so 1 of 2 matches at a time can be played" in messages(event, "bob-bot")


@pytest.mark.parametrize(
    "words",
    [
        ("tournament", "--game", "maya", "--bot", "greedy"),
        ("play", "maya", "greedy", "random", "--sandbox", "1"),
        pytest.param(("play", "maya", "greedy", "random", "--strict"), marks=pytest.mark.slow),
        pytest.param(("play", "maya", "greedy", "random", "--set", "sandbox.memory_mb=300"), marks=pytest.mark.slow),
    ],
    ids=" ".join,
)
def test_what_needs_linux_says_so(elsewhere: Elsewhere, tmp_path: Path, words: tuple[str, ...]) -> None:
    refused = elsewhere(*words)
    assert refused.returncode == 2
    assert re.fullmatch(r"ballcourt: .* needs? Linux; on Windows use WSL 2 .*\n", refused.stderr)
    assert [*tmp_path.iterdir()] == []


def test_the_page_on_systems_names_each_command_that_needs_linux() -> None:
    rows = [line for line in (PAGES / "reference" / "systems.md").read_text().splitlines() if line.endswith("| no |")]
    named = {name for row in rows for name in re.findall("`([^`]+)`", row)}
    declared = {" ".join(words) for words, one in every() if one.linux}
    assert named == declared


def test_a_folder_has_the_same_hash_where_folders_cannot_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "code.py").write_text("1")
    (tmp_path / "link").symlink_to("below")
    before = contents.digest(tmp_path)
    monkeypatch.setattr(contents, "BY_DESCRIPTOR", False)
    assert contents.digest(tmp_path) == before
