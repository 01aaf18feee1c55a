"""The drill: many decisions in a row, which show a bot's think times and memory."""

from math import inf
from pathlib import Path

import pytest

from ballcourt.arena.checks import Outcome
from ballcourt.arena.checks.drill import Drill, answered, drill, growth, remembered
from ballcourt.arena.match.spec import Clock
from tests.arena.checks.conftest import meet
from tests.bluff import GAME


def drilled(tmp_path: Path, way: str, decisions: int, seconds: float = inf) -> Drill:
    return meet(tmp_path, way, lambda harness: drill(harness, GAME, decisions, seconds))


@pytest.mark.slow
def test_a_good_bot_passes_and_its_time_and_memory_are_reported(tmp_path: Path) -> None:
    done = drilled(tmp_path, "", 150)
    times, memory = answered([done], Clock()), remembered([done])
    assert [times.outcome, memory.outcome] == [Outcome.PASS, Outcome.PASS]
    assert times.detail.startswith("150 decisions of bluff: half of them within ")
    assert times.figures["p50_ms"] <= times.figures["p95_ms"] <= times.figures["p99_ms"] <= times.figures["max_ms"]
    assert memory.figures["last_bytes"] > 1 << 20


def test_a_bot_that_crashes_midway_fails(tmp_path: Path) -> None:
    done = drilled(tmp_path, "tires", 60)
    check = answered([done], Clock())
    assert check.outcome is Outcome.FAIL
    assert "bluff, after 40 answers: crash: " in check.detail
    assert "| that is enough" in check.detail
    assert remembered([done]).outcome is Outcome.SKIP


def test_an_illegal_answer_fails(tmp_path: Path) -> None:
    done = drilled(tmp_path, "illegal", 10)
    assert "illegal: the bot answered with action 77; legal were 1, 2, 3" in answered([done], Clock()).detail


@pytest.mark.slow
def test_a_memory_leak_fails(tmp_path: Path) -> None:
    check = remembered([drilled(tmp_path, "leaks", 120)])
    assert check.outcome is Outcome.FAIL
    assert "more than 16 MB and 20 KB per decision" in check.detail
    assert check.figures["growth_per_decision_bytes"] > 200_000


def test_a_slow_bot_is_asked_fewer_questions(tmp_path: Path) -> None:
    done = drilled(tmp_path, "", 1000, seconds=0)
    assert answered([done], Clock()).detail.startswith("1 decisions of bluff (1000 would have taken too long): ")
    assert "needs at least 100 answered decisions" in remembered([done]).detail


def test_a_bot_that_does_not_start_for_a_game_fails(tmp_path: Path) -> None:
    check = answered([drilled(tmp_path, "other game", 10)], Clock())
    assert check.outcome is Outcome.FAIL
    assert "plays chess (rules any) and this match is bluff" in check.detail


def test_growth_ignores_the_warm_up() -> None:
    samples = [(count, 10_000 if count < 20 else 50_000 + 7 * count) for count in range(0, 100, 2)]
    grown, per_decision, last = growth(samples)
    assert (grown, last) == (7 * 78, 50_000 + 7 * 98)
    assert per_decision == pytest.approx(7)
