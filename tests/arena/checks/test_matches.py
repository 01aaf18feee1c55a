"""Checks of matches: bots that fail in a match, in their second one, or when two processes play at once."""

from functools import partial
from pathlib import Path

import pytest

from ballcourt.arena.checks import CheckResult, Outcome
from ballcourt.arena.checks.matches import full_matches, second_match, two_at_once
from ballcourt.arena.faults import BotFault
from ballcourt.arena.match.spec import Clock
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.checks.conftest import IMPATIENT, PATIENT, meet
from tests.bluff import GAME


def played(tmp_path: Path, way: str, clock: Clock = PATIENT) -> list[CheckResult]:
    return meet(tmp_path, way, lambda harness: full_matches(harness, GAME, []), clock)


def test_a_good_bot_plays_at_every_table_size_and_its_matches_are_kept(tmp_path: Path) -> None:
    records: list[MatchRecord] = []
    checks = meet(tmp_path, "", lambda harness: full_matches(harness, GAME, records))
    assert [(check.outcome, check.title) for check in checks] == [
        (Outcome.PASS, f"full match: bluff, table of {seats}") for seats in (1, 2, 3, 4)
    ]
    assert [record.key for record in records] == [f"check-bluff-{seats}" for seats in (1, 2, 3, 4)]
    assert all(bot.name == "random" for record in records for bot in record.entrants[:-1])


slow = partial(pytest.param, marks=pytest.mark.slow)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("way", "detail", "advice"),
    [
        ("illegal", "illegal at decision 0: the bot answered with action 77", "one of the numbers in Decide.legal"),
        slow("crashes", "(exit code 4)\n| Segmentation fault, or so", "the last output of the bot"),
        slow("hangs", "timeout at decision 0", "within Decide.limit_ms"),
        slow("garbage", "protocol error at decision 0", "protocol.proto"),
    ],
)
def test_a_vacated_seat_fails_with_advice(tmp_path: Path, way: str, detail: str, advice: str) -> None:
    check = played(tmp_path, way, IMPATIENT if way == "hangs" else PATIENT)[0]
    assert check.outcome is Outcome.FAIL
    assert detail in check.detail
    assert advice in check.advice


def test_a_bot_that_fails_in_its_second_match_is_noticed(tmp_path: Path) -> None:
    (check,) = meet(tmp_path, "plays once", lambda harness: second_match(harness, GAME))
    assert check.outcome is Outcome.FAIL
    assert "| I have played already" in check.detail


def test_a_bot_that_exits_after_its_match_passes_with_a_remark(tmp_path: Path) -> None:
    (check,) = meet(tmp_path, "ends with its match", lambda harness: second_match(harness, GAME))
    assert check.outcome is Outcome.PASS
    assert "the arena has to start it again every time" in check.detail


@pytest.mark.slow
def test_a_good_bot_plays_two_matches_on_one_stream_and_two_at_once(tmp_path: Path) -> None:
    (twice,) = meet(tmp_path, "", lambda harness: second_match(harness, GAME))
    at_once, repeated = meet(tmp_path, "", lambda harness: two_at_once(harness, GAME))
    assert [check.outcome for check in (twice, at_once, repeated)] == [Outcome.PASS] * 3
    assert repeated.figures == {"same": 3, "asked": 3}


@pytest.mark.slow
def test_a_bot_that_plays_several_matches_in_one_process_is_checked_so(tmp_path: Path) -> None:
    at_once, repeatable = meet(tmp_path, "", lambda harness: two_at_once(harness, GAME), toml="matches = 3\n")
    assert (at_once.outcome, at_once.detail) == (Outcome.PASS, "3 matches of bluff in one process")
    assert (repeatable.outcome, repeatable.figures["same"]) == (Outcome.PASS, repeatable.figures["asked"])


@pytest.mark.slow
def test_a_bot_that_fails_next_to_a_second_process_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(BotFault) as fault:
        meet(tmp_path, "insists on being alone", lambda harness: two_at_once(harness, GAME))
    assert "| somebody has my port" in fault.value.sentence


@pytest.mark.slow
def test_a_bot_that_is_not_repeatable_passes_with_a_remark(tmp_path: Path) -> None:
    _, check = meet(tmp_path, "whimsical", lambda harness: two_at_once(harness, GAME))
    assert check.outcome is Outcome.PASS
    assert check.detail == "for information: the same bot_seed led to another answer at decision 1 of 3"
    assert check.figures == {"same": 0, "asked": 3}
