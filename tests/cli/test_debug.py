"""`ballcourt debug`: bots are asked recorded questions in the terminal."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

import tests.bots
from ballcourt import Session
from ballcourt.arena.debug import foreground
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.arena.records.store import write_record
from ballcourt.cli.debug import _announce
from tests.arena.conftest import PATIENCE_S, Traces
from tests.bots.honest import Lowest, Random
from tests.cli.conftest import Refused, Run, files, write_bot

BOTS = Path(tests.bots.__file__).parent


@pytest.fixture
def record(place: Path) -> Path:
    """Lowest in seat 0, random in seat 1."""
    return write_record(place, play_in_process("bluff", [Session(Lowest()), Session(Random())], seed=2, key="m"))


def test_a_bot_is_asked_again_and_gives_the_same_answer(succeeds: Run, record: Path, traces: Traces) -> None:
    result = succeeds("debug", f"{record}@4", "./low")
    lines = result.stdout.splitlines()
    assert lines[0] == "match m of bluff, decision 4: seat 0 of 2,  "
    assert lines[2] == "  legal: 1 BID_1, 2 BID_2, 3 BID_3"
    assert lines[-2] == "recorded 1 BID_1"
    assert lines[-1].startswith("now      1 BID_1 in ")
    assert lines[-1].endswith(" ms, as recorded")
    assert traces.all_gone()


def test_history_restores_the_memory_of_a_bot_before_the_question(run: Run, record: Path) -> None:
    result = run("debug", f"{record}@5", "./any", "--history", "--json")
    shown = json.loads(result.stdout)
    assert result.exit_code == 0
    assert (shown["agrees"], shown["answered_otherwise_before"], shown["fault"]) == (True, 0, None)
    assert shown["legal"] == ["BID_1", "BID_2", "BID_3"]


@pytest.mark.parametrize(
    ("way", "sentence"),
    [
        ("illegal", "at fault: action 77 (no action of bluff) was not offered"),
        ("crashes", "stream ended in the middle of the match (exit code 4)"),
    ],
)
def test_a_bot_that_would_lose_its_seat_again_exits_1(
    run: Run, place: Path, record: Path, way: str, sentence: str
) -> None:
    write_bot(place / "bad", "bad", way, script="misbehaving.py")
    result = run("debug", f"{record}@0", "./bad")
    assert result.exit_code == 1
    assert sentence in result.stdout


@pytest.mark.slow
def test_a_lost_seat_can_be_reproduced_from_its_bundle(run: Run, succeeds: Run, place: Path) -> None:
    write_bot(place / "bad", "bad", "illegal", script="misbehaving.py")
    succeeds("play bluff ./low ./bad --record-dir kept")
    (file,) = (place / "kept").iterdir()
    run("replay", "faults", str(file), "--output", "given")
    (bundle,) = (place / "given").iterdir()
    result = run("debug", str(bundle), "./bad")
    assert result.exit_code == 1
    assert "recorded 77 (no action of bluff)\n         at fault: the bot answered with action 77" in result.stdout
    succeeds("debug", str(bundle), "./low")


def test_a_bot_that_does_not_exit_is_killed(
    succeeds: Run, place: Path, record: Path, traces: Traces, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(foreground, "LEAVE_S", 0.1)
    write_bot(place / "bad", "bad", "stays", script="misbehaving.py")
    succeeds("debug", f"{record}@0", "./bad")
    assert traces.all_gone()


def test_a_bot_that_fails_before_the_question_is_reported_as_such(run: Run, place: Path, record: Path) -> None:
    write_bot(place / "bad", "bad", "exits on start", script="misbehaving.py")
    result = run("debug", f"{record}@0", "./bad")
    assert result.exit_code == 1
    assert "bad failed before the question: the bot ended before it sent Hello (exit code 3)" in result.stderr


@pytest.mark.slow
def test_a_bot_with_a_build_step_is_built_first(
    succeeds: Run, place: Path, record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BALLCOURT_CACHE", str(place / "cache"))
    (place / "made").mkdir()
    step = ["{python}", "-c", f"import shutil; shutil.copy({str(BOTS / 'honest.py')!r}, 'bot.py')"]
    manifest = {"name": "made", "version": "1", "command": ["{python}", "bot.py"], "build": step}
    (place / "made" / "bot.toml").write_text(
        "".join(f"{key} = {json.dumps(entry)}\n" for key, entry in manifest.items())
    )
    result = succeeds("debug", f"{record}@0", "./made")
    assert result.stdout.endswith("as recorded\n")


def test_a_bot_can_be_started_by_hand(succeeds: Run, record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = []

    def start(environment: Mapping[str, str]) -> None:
        command = [sys.executable, str(BOTS / "honest.py")]
        started.append(subprocess.Popen(command, env={**os.environ, **environment}))

    monkeypatch.setattr(sys.modules[_announce.__module__], "_announce", start)
    succeeds("debug", f"{record}@0", "./low", "--attach")
    assert [process.wait(PATIENCE_S) for process in started] == [0]


def test_the_announced_command_can_be_pasted_into_a_shell(capsys: pytest.CaptureFixture[str]) -> None:
    _announce({"BALLCOURT_SOCKET": "/tmp/a b", "BALLCOURT_TOKEN": "t"})
    assert "export BALLCOURT_SOCKET='/tmp/a b'\nexport BALLCOURT_TOKEN=t\n" in capsys.readouterr().err


def test_wrong_input_is_one_sentence_and_starts_nothing(run: Run, place: Path, record: Path) -> None:
    (write_bot(place / "chess", "chess") / "bot.toml").open("a").write('games = ["chess"]\n')
    write_bot(place / "lost", "lost")
    (place / "lost" / "bot.toml").write_text('name = "lost"\nversion = "1"\ncommand = ["./not-there"]\n')
    before = files(place)
    for words, sentence in (
        (["none.match@1", "./low"], "none.match cannot be read: No such file"),
        ([str(record), "./low"], "does not name a decision; give RECORD@DECISION"),
        ([f"{record}@6", "./low"], "match m has decisions 0 to 5, not 6"),
        ([f"{record}@0", "./nobody"], "nobody does not exist; a bot is a folder"),
        ([f"{record}@0", "./chess"], "bot chess does not play bluff; it plays chess"),
        ([f"{record}@0", "./lost"], "could not start './not-there' in"),
    ):
        result = run("debug", *words)
        assert (result.exit_code, result.stdout) == (2, ""), result.output
        assert sentence in result.stderr
        assert result.stderr.count("\n") == 1
    assert files(place) == before


LATE_FAULT = """
from ballcourt import Bot, run

class Late(Bot):
    asked = 0

    def choose(self, decision):
        self.asked += 1
        return 77 if self.asked == 40 else decision.legal[0]

run(Late)
"""


@pytest.mark.slow
def test_a_fault_that_needs_a_long_memory_is_reproduced_from_its_bundle(run: Run, place: Path) -> None:
    (place / "late").mkdir()
    (place / "late" / "bot.py").write_text(LATE_FAULT)
    (place / "late" / "bot.toml").write_text('name = "late"\nversion = "1"\ncommand = ["{python}", "bot.py"]\n')
    run("play bluff ./late ./low -o rounds=100 --record-dir kept")
    [record] = (place / "kept").iterdir()
    run("replay", "faults", str(record), "--output", "for")
    [bundle] = (place / "for").iterdir()
    asked = json.loads(run("debug", str(bundle), "./late", "--history", "--json").stdout)
    assert (asked["agrees"], asked["answer"]["action"]) == (True, 77)
    assert "all requests of the match" in (bundle / "README.txt").read_text()


def test_the_launch_file_of_a_new_bot_asks_a_recorded_question_again(
    succeeds: Run, refused: Refused, place: Path, record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    succeeds("new-bot mine")
    launch = json.loads((place / "mine" / ".vscode" / "launch.json").read_text())
    (configuration,), (question,) = launch["configurations"], launch["inputs"]
    given = {"${workspaceFolder}": str(place / "mine"), f"${{input:{question['id']}}}": f"{record}@4"}
    words = [given.get(word, word) for word in configuration["args"]]
    assert configuration["module"] == "ballcourt"
    # the starter says that it plays the games that come with Ballcourt
    assert "bot mine does not play bluff" in refused(*words)
    (place / "mine" / "bot.toml").write_text((place / "low" / "bot.toml").read_text())
    assert "recorded 1 BID_1" in succeeds(*words).stdout


def suite(folder: Path, *positions: tuple[int, str]) -> str:
    tables = [
        f"[[position]]\nrecord = 'm.match'\ndecision = {at}\naccepted = {names}\nwhy = 'so'" for at, names in positions
    ]
    (folder / "suite.toml").write_text("\n".join(tables))
    return str(folder / "suite.toml")


@pytest.mark.slow
def test_the_positions_that_a_bot_gets_right_are_counted(
    run: Run, succeeds: Run, place: Path, record: Path, traces: Traces
) -> None:
    result = run("check", "positions", suite(place, (4, "['BID_1', 'BID_3']"), (5, "['BID_3']")), "./low")
    assert result.exit_code == 1, result.output
    assert result.stdout.splitlines() == [
        "ok      m.match@4: 1 BID_1",
        "MISSED  m.match@5: 1 BID_1",
        "        accepted: BID_3; so",
        "low answered 1 of 2 positions with an accepted action",
    ]
    result = succeeds(
        "check", "positions", suite(place, (4, "['BID_1']"), (5, "['BID_1', 'BID_2']")), "./low", "--json"
    )
    assert json.loads(result.stdout)["positions"][0] == {
        "position": "m.match@4",
        "answer": "BID_1",
        "fault": None,
        "accepted": True,
    }
    assert traces.all_gone()


def test_a_bot_that_fails_at_a_position_is_started_again_for_the_next(run: Run, place: Path, record: Path) -> None:
    write_bot(place / "bad", "bad", "crashes", script="misbehaving.py")
    result = run("check", "positions", suite(place, (4, "['BID_1']"), (5, "['BID_1']")), "./bad", "--json")
    shown = json.loads(result.stdout)
    assert (result.exit_code, shown["accepted"]) == (1, 0)
    assert ["exit code 4" in one["fault"] for one in shown["positions"]] == [True, True]


def test_a_suite_that_cannot_be_answered_is_refused_before_the_bot_is_started(
    run: Run, place: Path, record: Path
) -> None:
    for content, sentence in (
        (
            (4, "['BID_9']"),
            "m.match@4: 'BID_9' is not an action of bluff; the legal actions are BID_1, BID_2, BID_3 (did you mean",
        ),
        ((4, "[]"), "suite.toml: position 2: accepted is []; it must be a list of at least one name of an action"),
        ((99, "['BID_1']"), "match m has decisions 0 to"),
    ):
        result = run("check", "positions", suite(place, (5, "['BID_1']"), content), "./low")
        assert (result.exit_code, sentence in result.stderr) == (2, True), result.stderr
        assert result.stdout == ""
    result = run("check positions nowhere.toml ./low")
    assert (result.exit_code, result.stderr) == (
        2,
        "ballcourt: nowhere.toml cannot be read: No such file or directory\n",
    )
