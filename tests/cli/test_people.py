"""`ballcourt play` with people: the command as they run it, with what they type on its standard input."""

import re
import signal
import subprocess
import sys
from itertools import takewhile
from pathlib import Path

import pytest

from ballcourt.arena.records.replay import verify
from ballcourt.arena.records.store import read_record, write_record
from tests.arena.conftest import PATIENCE_S, Traces, bounded, wait_until
from tests.arena.recorded import recorded
from tests.cli.conftest import Refused, Run
from tests.cli.test_interruptions import environment

COMMAND = [sys.executable, "-m", "ballcourt", "play"]


def start(place: Path, *arguments: str) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [*COMMAND, *arguments], cwd=place, env=environment(), stdin=pipe, stdout=pipe, stderr=pipe, text=True
    )


@pytest.mark.slow
def test_a_match_is_saved_by_ctrl_c_and_continued_to_a_record_that_verifies(place: Path, traces: Traces) -> None:
    with bounded(
        start(
            place,
            "bluff",
            "anna=human",
            "./low",
            "--seed",
            "5",
            "--hints",
            "./low",
            "--record-dir",
            "kept",
            "--turn-s",
            "600",
        )
    ) as first:
        assert first.stdin and first.stdout
        first.stdin.write("2\nh\n")
        first.stdin.flush()
        assert any("low would choose 1: Bid 1" in line for line in first.stdout)
        first.send_signal(signal.SIGINT)
        _, messages = first.communicate(timeout=PATIENCE_S)
    assert first.returncode == 130
    (saved,) = (place / "kept").iterdir()
    assert f"to continue it: ballcourt play --resume kept/{saved.name}" in messages
    with bounded(start(place, "--resume", str(saved))) as second:
        shown, messages = second.communicate("3\n3\n", timeout=PATIENCE_S)
    assert second.returncode == 0, messages
    (path,) = (place / "kept").iterdir()
    record = read_record(path)
    assert verify(record).agrees
    assert list(record.decisions.actions) == [2, 1, 3, 1, 3, 1]
    assert [(entrant.name, entrant.bot) for entrant in record.entrants] == [("anna", "human"), ("low", "")]
    assert f"the record is {path}" in shown
    assert re.search(r"anna: .* \(\d+ s\)", shown), "the limit is kept"
    assert wait_until(lambda: not traces.processes())


def test_wrong_input_is_refused_before_anything_is_played(refused: Refused, place: Path) -> None:
    match = write_record(place, recorded())
    for arguments, sentence in (
        (("bluff", "human", "human", "--hints", "nobody"), "there is no bot 'nobody'"),
        (("bluff",), "give a game and its bots"),
        (("--resume", "nothing.saved"), "cannot read nothing.saved"),
        (
            ("bluff", "human", "./low", "--turn-s", "90000"),
            "the time for a turn is 90000 s; it must be from 1 to 86400",
        ),
        (("bluff", "human", "--resume", "x.saved"), "give only --resume FILE"),
        (("--resume", "low/bot.toml"), "is not a saved match"),
        (("--resume", "x.saved", "--branch", "m.match"), "give only --resume FILE"),
        (("--resume", "x.saved", "--watch"), "give only --resume FILE"),
        (("bluff", "human", "./low", "--watch"), "--watch repeats matches of bots alone"),
        (("bluff", "./low", "./low", "--watch", "--option", "x=1"), "has no option 'x'"),
        (("bluff", "human", "--branch", "m.match"), "--branch RECORD and --at DECISION go together"),
        (("bluff", "human", "--branch", "m.match", "--at", "1", "--seed", "1"), "drop --seed and --option"),
        (("bluff", "human", "--branch", "m.match", "--at", "1"), "m.match cannot be read"),
        (
            ("bluff", "human", "--branch", str(match), "--at", "1"),
            "is a match of bluff with 3 seats, not of bluff with",
        ),
        (("bluff", *["./low"] * 3, "--branch", str(match), "--at", "9"), "decisions 0 to 8; it cannot branch off at 9"),
    ):
        assert sentence in refused("play", *arguments)


@pytest.mark.slow
def test_bots_play_a_recorded_match_on_from_one_of_its_decisions(succeeds: Run, place: Path) -> None:
    match = write_record(place, recorded())
    succeeds("play", "bluff", "./low", "b=./low", "./low", "--branch", str(match), "--at", "4", "--record-dir", "on")
    (path,) = (place / "on").iterdir()
    record = read_record(path)
    assert verify(record).agrees
    assert list(record.decisions.actions) == [1, 3, 1, 1, 1, 1, 1, 1, 1]
    assert [entrant.name for entrant in record.entrants] == ["low", "b", "low"]


@pytest.mark.slow
def test_a_watched_match_is_played_again_at_every_save_until_ctrl_c(place: Path, traces: Traces) -> None:
    bot = place / "low" / "bot.toml"
    good = bot.read_text()
    with bounded(start(place, "bluff", "./low", "./any", "--watch", "--record-dir", "on")) as playing:
        assert playing.stderr
        messages = iter(playing.stderr)
        assert "waiting for a change" in next(messages)
        for content, reason in ((good + "x =", "is not valid TOML"), (good.replace("low", "new"), "")):
            bot.write_text(content)
            assert reason in "".join(takewhile(lambda line: "waiting for a change" not in line, messages))
        playing.send_signal(signal.SIGINT)
        playing.communicate(timeout=PATIENCE_S)
    assert playing.returncode == 130
    records = [read_record(path) for path in (place / "on").iterdir()]
    assert {record.entrants[0].name for record in records} == {"low", "new"}
    assert len(records) == 2
    assert len({record.seed for record in records}) == 1
    assert wait_until(lambda: not traces.processes())


@pytest.mark.slow
def test_a_person_who_branches_off_can_save_the_match(run: Run, place: Path) -> None:
    match = write_record(place, recorded())
    arguments = ("bluff", "./low", "human", "b=./low", "--branch", str(match), "--at", "4", "--record-dir", "on")
    with bounded(start(place, *arguments)) as first:
        first.communicate("q\n", timeout=PATIENCE_S)
    (saved,) = (place / "on").iterdir()
    with bounded(start(place, "--resume", str(saved))) as second:
        _, messages = second.communicate("2\n2\n", timeout=PATIENCE_S)
    assert second.returncode == 0, messages
    (path,) = (place / "on").iterdir()
    record = read_record(path)
    assert verify(record).agrees
    assert (record.branched_from.decision, list(record.decisions.actions)) == (4, [1, 3, 1, 1, 2, 1, 1, 2, 1])


def test_an_analysis_that_cannot_be_opened_is_refused(refused: Refused, place: Path) -> None:
    match = str(write_record(place, recorded()))
    for arguments, sentence in (
        (("nothing.match",), "nothing.match cannot be read"),
        ((match, "--at", "9"), "has decisions 0 to 8; 9 is not one of them"),
        ((match, "./low"), "the match has 3 seats; name a bot for each"),
        ((match, "--hints", "nobody"), "there is no bot 'nobody'"),
        ((match, "--hints", "planner"), "planner does not play bluff; name a bot that does with --hints BOT"),
    ):
        assert sentence in refused("replay", "analyse", *arguments)
