"""The answer of a comparison in words."""

from dataclasses import replace
from math import floor

import numpy as np
import pytest

from ballcourt.arena.bots.version import BotVersion
from ballcourt.evaluation.differences import BlockStory, Conduct, SplitsStory
from ballcourt.evaluation.duels import Duel
from ballcourt.evaluation.evidence import Evidence, Measure, Method, Weighing, weigh
from ballcourt.evaluation.question import Question
from ballcourt.evaluation.report import Report

OPEN = Evidence(50, 0.525, 0.45, 0.6, 0.5, 0.4, is_better=False, is_short=False, blocks_to_go=50)
BETTER, SHORT = replace(OPEN, is_better=True), replace(OPEN, is_short=True)
BOTH = replace(BETTER, is_short=True)
NOT_WORSE = Question(floor=0.48, effect=0.5)
STILL = Conduct(faults=0, decisions=2, own_decisions=2, think_us=10)


def report(
    evidence: Evidence, question: Question | None = None, points: Evidence | None = None, by: Measure = Measure.DUELS
) -> Report:
    new, old = (BotVersion("mine", version, "") for version in ("2", "1"))
    weighing = Weighing(question or Question(), Method.BETTING, None if points is None else 10.0, by)
    return Report("bluff", 2, new, old, weighing, 100, evidence, points, ())


def alike(new: Conduct, old: Conduct) -> BlockStory:
    return BlockStory((SplitsStory((Duel(0, 1, 0.5, 0.0),), None),), new, old)


@pytest.mark.parametrize(
    ("evidence", "question", "verdict", "sentence"),
    [
        (BETTER, None, "better", "Better: mine 2 wins more than 50% of the duels against mine 1."),
        (
            SHORT,
            None,
            "short of the effect",
            "Short of the effect: mine 2 wins less than 55% of the duels against mine 1.",
        ),
        (BOTH, None, "better", "Better: mine 2 wins more than 50% of the duels against mine 1, but less than 55%."),
        (OPEN, None, "undecided", "Undecided: mine 2 may win 50% of the duels against mine 1, or 55%."),
        (BETTER, NOT_WORSE, "not inferior", "Not inferior: mine 2 wins more than 48% of the duels against mine 1."),
        (
            SHORT,
            NOT_WORSE,
            "short of the effect",
            "Short of the effect: mine 2 wins less than 50% of the duels against mine 1.",
        ),
    ],
)
def test_every_answer_has_a_sentence(
    evidence: Evidence, question: Question | None, verdict: str, sentence: str
) -> None:
    found = report(evidence, question)
    assert found.verdict == verdict
    (line,) = found.lines()
    assert line == f"{sentence} It won 52.5% in 100 matches (95% interval 45.0% to 60.0%)."


def test_versions_with_the_same_name_are_told_apart_by_their_files() -> None:
    namesakes = replace(report(BETTER), new=BotVersion("mine", "1", "0a" * 32), old=BotVersion("mine", "1", "0b" * 32))
    (line,) = namesakes.lines()
    assert line.startswith("Better: mine 1 0a0a0a0a wins more than 50% of the duels against mine 1 0b0b0b0b.")


def test_versions_that_always_decide_alike_part_nowhere() -> None:
    lines = [*replace(report(OPEN), stories=(alike(STILL, STILL),)).lines()]
    assert "In 100% of the deals both decide alike to the end." in lines


def test_the_share_of_own_decisions_is_told_of_a_version_that_fell_back() -> None:
    fell_back = replace(STILL, own_decisions=1)
    found = replace(report(OPEN), stories=(alike(STILL, fell_back), alike(STILL, STILL)))
    assert [*found.lines()][-1] == "DECISIONS THAT BOTS CHOSE THEMSELVES, as they fell back in others: old 75%."
    assert not any("THEMSELVES" in line for line in replace(found, stories=found.stories[1:]).lines())
    assert found.to_json()["conduct"]["old"]["own_decisions"] == 3  # type: ignore[index]


def test_a_report_without_blocks_is_valid_json_too() -> None:
    found = report(OPEN).to_json()
    assert found["by_question"] == found["by_seat"] == found["by_opponent"] == []
    nothing = {"faults": 0, "decisions": 0, "own_decisions": 0, "think_us": 0}
    assert found["conduct"] == {"new": nothing, "old": nothing}


def test_an_answer_comes_with_the_bound_of_the_test_that_gave_it() -> None:
    """The two-sided interval is wider: beside "better" it may begin below 50 %."""
    shares = np.tile([1.0, 0.5, 0.0, 1.0, 0.5], 60)
    count = next(n for n in range(8, 300) if weigh(shares[:n], Question(), Method.BETTING).is_better)
    evidence = weigh(shares[:count], Question(), Method.BETTING)
    assert evidence.bound is not None
    assert evidence.low < 0.5 < evidence.bound < evidence.share
    (line,) = report(evidence).lines()
    assert f"more than {floor(1000 * evidence.bound) / 10}% by this one-sided test at 95%; two-sided 95% int" in line
    short = weigh(1 - shares, Question(), Method.BETTING)
    assert short.is_short
    assert short.bound is not None
    assert short.share < short.bound < 0.55
    assert "less than" in next(report(short).lines())
    assert weigh(shares[:8], Question(), Method.BETTING).bound is None


def test_both_answers_stand_side_by_side_and_the_one_that_decides_comes_first() -> None:
    """A share of .525 is a margin of 1 point where the spread is 10 and margins count up to 20."""
    by_duels, by_points = report(SHORT, points=BETTER), report(SHORT, points=BETTER, by=Measure.POINTS)
    points = "new makes +1.0 points a duel"
    assert [*by_duels.lines()][1].startswith(f"By points: Better: {points} (95% interval -2.0 to +4.0);")
    assert next(by_points.lines()).startswith(f"By points: Better: {points} in 100 matches (95% interval")
    assert [*by_points.lines()][1].startswith("By duels: Short of the effect: mine 2 wins less than 55%")
    assert (by_duels.verdict, by_points.verdict) == ("short of the effect", "better")
    found = by_points.to_json()
    assert (found["by"], found["verdict"], found["points"]["verdict"]) == ("points", "better", "better")  # type: ignore[index]


def test_a_version_that_wins_more_duels_and_makes_fewer_points_is_said_to_disagree() -> None:
    fewer = replace(OPEN, share=0.48)
    assert "ahead by duels and behind by points, as it wins by little" in [*report(BETTER, points=fewer).lines()][2]
    assert "ahead by points and behind by duels, as it wins by much" in report(fewer, points=OPEN).disagreement
    assert not report(BETTER, points=OPEN).disagreement
    assert not report(BETTER).disagreement
