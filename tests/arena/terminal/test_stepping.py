"""Recorded matches at a terminal, decision by decision."""

import io
import os
import pty
import termios

import pytest
from rich.console import Console

from ballcourt.arena.replays.kept import Replay
from ballcourt.arena.terminal.stepping import Stepper, show_step_by_step
from ballcourt.engine.core.observation import SPECTATOR
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.recorded import recorded

LAST = 9
"""The decisions of the recorded match."""


@pytest.fixture
def record() -> MatchRecord:
    return recorded()


def shown(keys: bytes, stepper: Stepper) -> str:
    """Press keys at something that is not a terminal; return what is shown."""
    screen = Console(file=io.StringIO(), width=100, highlight=False)
    reading, writing = os.pipe()
    os.write(writing, keys)
    os.close(writing)
    show_step_by_step(stepper, screen, reading)
    os.close(reading)
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue()


@pytest.mark.parametrize(
    ("keys", "number"),
    [(b"nn", 2), (b"np", 0), (b"p", 0), (b"G", LAST), (b"Gn", LAST), (b"Gg", 0), (b"\x1b[C\x1b[C\x1b[D", 1), (b"x", 0)],
)
def test_keys_step_through_the_match_and_no_further(record: MatchRecord, keys: bytes, number: int) -> None:
    stepper = Stepper(Replay(record))
    assert shown(keys, stepper).rpartition("position ")[2].startswith(f"{number} of {LAST}")
    assert stepper.number == number


def test_the_end_of_the_keys_and_q_end_the_show(record: MatchRecord) -> None:
    assert shown(b"qnn", Stepper(Replay(record))).count("position ") == 1
    assert shown(b"n", Stepper(Replay(record))).count("position ") == 2


def test_a_followed_match_goes_on_by_itself_until_a_key_or_its_end(record: MatchRecord) -> None:
    stepper = Stepper(Replay(record), LAST - 2)
    stepper.press("f")
    assert stepper.follows
    stepper.press("")
    assert (stepper.number, stepper.follows) == (LAST - 1, True)
    stepper.press("")
    assert (stepper.number, stepper.follows) == (LAST, False)
    stepper.press("p")
    stepper.press("f")
    stepper.press("p")
    assert (stepper.number, stepper.follows) == (LAST - 2, False)


def test_digits_show_the_view_of_a_seat_and_hide_what_it_could_not_know(record: MatchRecord) -> None:
    stepper = Stepper(Replay(record), 1)
    assert "Bid" in shown(b"", stepper)
    other = next(seat for seat in range(len(record.entrants)) if seat != record.decisions.seats[0])
    seen = shown(str(other).encode(), stepper)
    assert stepper.observer == other
    assert f"as seat {other} sees it" in seen
    assert "(hidden)" in seen.rpartition("position 1")[2]
    stepper.press("s")
    assert stepper.observer == SPECTATOR
    stepper.press("a")
    assert stepper.observer is None


def test_w_shows_what_the_points_were_for(record: MatchRecord) -> None:
    seen = shown(b"Gw", Stepper(Replay(record))).rpartition(f"position {LAST}")[2]
    totals = next(line.split()[2:] for line in seen.splitlines() if line.startswith("in all"))
    assert [float(total) for total in totals] == [result.score for result in record.results]


def test_a_view_that_is_fixed_cannot_be_changed(record: MatchRecord) -> None:
    stepper = Stepper(Replay(record), 0, 1, fixed=True)
    for key in ("a", "s", "0"):
        stepper.press(key)
    assert stepper.observer == 1


def test_a_terminal_is_left_as_it_was(record: MatchRecord) -> None:
    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    os.write(ours, b"nq")
    show_step_by_step(Stepper(Replay(record)), Console(file=io.StringIO()), theirs)
    assert termios.tcgetattr(theirs) == before
    os.close(ours)
    os.close(theirs)
