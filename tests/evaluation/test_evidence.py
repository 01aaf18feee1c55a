"""What the evidence says about a comparison, and what cannot be asked."""

import numpy as np
import pytest

from ballcourt.evaluation.evidence import Method, weigh
from ballcourt.evaluation.question import Question, QuestionError

BOTH = pytest.mark.parametrize("test", list(Method))


@BOTH
def test_without_blocks_nothing_is_known(test: Method) -> None:
    found = weigh(np.zeros(0), Question(), test)
    assert (found.blocks, found.low, found.high, found.is_decided) == (0, 0, 1, False)
    assert found.blocks_to_go > 100


@BOTH
def test_a_clear_winner_is_better_and_a_clear_loser_is_not(test: Method) -> None:
    shares = np.tile([0.5, 0.75, 0.75, 1.0], 20)
    won, lost = weigh(shares, Question(), test), weigh(1 - shares, Question(), test)
    assert (won.is_better, won.is_short) == (True, False)
    assert (lost.is_better, lost.is_short) == (False, True)
    assert won.low > 0.5 > lost.high
    assert won.share == pytest.approx(0.75)


@BOTH
def test_a_version_that_is_only_a_little_worse_is_not_inferior(test: Method) -> None:
    shares = np.tile([0.5, 0.25, 0.75, 0.5], 300)
    assert weigh(shares, Question(floor=0.45, effect=0.5), test).is_better
    assert not weigh(shares, Question(), test).is_better


def test_the_blocks_to_go_follow_from_how_fast_the_evidence_grew() -> None:
    shares = np.tile([0.25, 0.75, 0.75], 100)
    decided = next(n for n in range(1, 300) if weigh(shares[:n], Question(), Method.BETTING).is_decided)
    half = decided // 2
    assert weigh(shares[:half], Question(), Method.BETTING).blocks_to_go == pytest.approx(decided - half, rel=0.3)
    assert weigh(shares[:decided], Question(), Method.BETTING).blocks_to_go == 0


def test_chance_in_the_beginning_does_not_make_the_guess_endless() -> None:
    found = weigh(np.tile([0.0, 1.0], 30), Question(), Method.BETTING)
    assert 0 < found.blocks_to_go < 1000


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"effect": 0.5}, "the effect is 50% of the duels; it must be above 50% and below 100%"),
        ({"effect": 1.0}, "the effect is 100% of the duels; it must be above 50% and below 100%"),
        ({"effect": float("nan")}, "the effect is nan% of the duels"),
        ({"floor": 0.48, "effect": 0.47}, "the effect is 47% of the duels; it must be above 48% and below 100%"),
        ({"floor": 0.6, "effect": 0.7}, "not inferior is 60% of the duels; it must be above 0% and at most 50%"),
        ({"floor": 0.0}, "not inferior is 0% of the duels"),
        ({"alpha": 0.5}, "alpha is 50%; it must be above 0% and below 50%"),
        ({"alpha": 0.0}, "alpha is 0%"),
        ({"beta": -0.1}, "beta is -10%"),
    ],
)
def test_a_question_out_of_range_is_refused(values: dict[str, float], sentence: str) -> None:
    with pytest.raises(QuestionError, match=sentence.replace("%", "%")):
        Question(**values)
