"""The quick form of `make calibrate` for comparisons; a wrong formula misses these bounds by far."""

import numpy as np
import pytest

from ballcourt.evaluation.evidence import Method
from ballcourt.evaluation.points import in_points
from ballcourt.evaluation.question import Question
from tests.calibrate.versions import BY_POINTS, SKEWED, WORLDS, fate, fixed_blocks

TESTS = 300
RARELY = 0.05 + 2.6 * (0.05 * 0.95 / TESTS) ** 0.5
"""5 %, and what 300 tests may show by chance."""


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS)
def test_the_risks_hold_and_the_test_is_shorter_than_one_of_fixed_length(world: str) -> None:
    versions, question = WORLDS[world], Question()
    fixed = fixed_blocks(versions.with_share(0.5), question)
    equal, better, twice = (
        fate(versions.with_share(share), share, question, Method.BETTING, TESTS) for share in (0.5, 0.55, 0.6)
    )
    assert equal.better <= RARELY
    assert better.better >= 1 - RARELY
    assert twice.better >= 1 - RARELY
    assert max(equal.blocks, better.blocks) <= 0.7 * fixed
    assert twice.blocks <= 0.3 * fixed
    assert min(found.covered for found in (equal, better, twice)) >= 0.9


@pytest.mark.slow
def test_points_keep_the_risks_and_take_about_as_many_blocks_as_duels() -> None:
    name, question = "a deal suits a version", in_points(Question())
    by_duels, by_points = WORLDS[name], BY_POINTS[name]
    equal, better = (fate(by_points.with_share(share), 0.5, question, Method.BETTING, TESTS) for share in (0.5, 0.55))
    duels = fate(by_duels.with_share(0.5), 0.5, Question(), Method.BETTING, TESTS)
    assert equal.better <= RARELY
    assert better.better >= 1 - RARELY
    assert equal.blocks <= 1.3 * duels.blocks
    assert equal.covered >= 0.9


@pytest.mark.slow
@pytest.mark.parametrize("world", SKEWED)
def test_rare_and_skewed_differences_deceive_the_ratio_test_but_not_the_bets(world: str) -> None:
    draw, effect = SKEWED[world]
    betting, ratio = (fate(draw, 0.5, Question(effect=effect), method, TESTS) for method in Method)
    assert betting.better <= RARELY
    assert ratio.better > RARELY
    assert betting.covered >= 0.9


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("share", [0.5, 0.55])
def test_a_world_has_the_share_that_it_was_asked_for(world: str, share: float) -> None:
    shares = WORLDS[world].with_share(share)(np.random.default_rng(3), (400, 100))
    assert shares.mean() == pytest.approx(share, abs=0.006)


@pytest.mark.parametrize("world", SKEWED)
def test_skewed_worlds_are_fair(world: str) -> None:
    assert SKEWED[world][0](np.random.default_rng(3), (1000, 1000)).mean() == pytest.approx(0.5, abs=0.001)
