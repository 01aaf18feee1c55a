"""The number of a bot in a benchmark."""

import pytest

from ballcourt.arena.bots.version import BotVersion
from ballcourt.evaluation.benchmark import BenchmarkResult, PlayedSuite, result_of
from ballcourt.leaderboard.model.results import Ladder, LeaderboardError, MatchResult, SeatResult

SUITE = PlayedSuite("bluff-1", "Bluff", "ab" * 32, {"bluff": "1"}, 2)


def match(key: str, *order: str) -> MatchResult:
    """Return a match of bots, the best first."""
    seats = [SeatResult(BotVersion(name, "1", "00"), place, 9.0 - place, False) for place, name in enumerate(order, 1)]
    return MatchResult(key, key, key, Ladder("bluff", "1", len(order), ()), tuple(seats))


def found(*matches: MatchResult) -> BenchmarkResult:
    """Return the result of matches of two seats, of which the rounds have two, and of one of three seats each."""
    return result_of(SUITE, matches, "candidate", "mine_&_co", {one.key: int(one.key[0]) for one in matches})


PLAYED = (
    match("0a", "candidate", "weak"), match("0b", "strong", "candidate"), match("0c", "strong", "candidate", "weak"),
    match("1a", "candidate", "weak"), match("1b", "candidate", "strong"), match("1c", "weak", "strong", "candidate"),
)  # fmt: skip


def test_the_number_is_the_mean_of_the_set_ups_whatever_they_have_matches() -> None:
    result = found(*PLAYED)
    assert {name: mean.value for name, mean in result.by_setup.items()} == {
        "bluff, 2 seats": 0.75,
        "bluff, 3 seats": 0.25,
    }
    assert (result.score.value, result.score.blocks, result.is_whole) == (0.5, 2, True)
    assert {name: mean.value for name, mean in result.by_opponent.items()} == {"strong": 0.25, "weak": 0.75}
    assert result.score.low < 0.5 < result.score.high


def test_only_some_of_the_rounds_are_no_number_of_the_suite() -> None:
    result = found(*PLAYED[:3])
    assert not result.is_whole
    assert next(result.lines()).endswith(", after 1 of 2 rounds only")
    assert "only" not in next(found(*PLAYED).lines())


def test_without_a_round_there_is_no_number() -> None:
    with pytest.raises(LeaderboardError, match="no round of the suite is complete yet"):
        found()


def test_the_forms_for_papers_have_the_number_the_interval_and_the_hash_of_the_suite() -> None:
    result = found(*PLAYED)
    assert r"mine\_\&\_co 1 & bluff-1 & $50.0$ & $[" in result.latex()
    assert "ab" * 32 in result.latex()
    assert r"| mine\_\&\_co 1 | bluff-1 | 50.0 (" in result.markdown()
    assert "ab" * 8 in result.markdown()
    assert result.to_json()["is_whole"] is True
