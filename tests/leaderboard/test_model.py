"""The truncated normal distribution, compared with SciPy."""

import numpy as np
import pytest
from scipy.stats import truncnorm

from ballcourt.leaderboard.model.fit.trueskill import truncated_above, truncated_between


@pytest.mark.parametrize("x", [-20.0, -8.001, -7.999, -3.3, -0.001, 0.0, 0.7, 2.0, 7.999, 8.001, 30.0])
def test_mean_and_variance_above_zero_are_those_of_scipy(x: float) -> None:
    (v,), (w,) = truncated_above(np.array([x]))
    mean, variance = truncnorm.stats(-x, np.inf, loc=x)
    assert x + v == pytest.approx(mean, rel=1e-8)
    assert 1 - w == pytest.approx(variance, rel=1e-6, abs=1e-9)


@pytest.mark.slow
def test_the_interpolation_is_as_precise_as_what_it_is_made_of() -> None:
    x = np.linspace(-9, 9, 100_001)
    v, w = truncated_above(x)
    exact = np.array([truncated_above(np.array([one]))[0][0] for one in x[::1000]])
    assert v[::1000] == pytest.approx(exact, abs=1e-15)
    assert np.diff(v) / np.diff(x) == pytest.approx(-(w[1:] + w[:-1]) / 2, abs=1e-7)  # w is the slope of v


@pytest.mark.parametrize("shift", [0.0, 0.3, -2.0, 9.0])
def test_mean_and_variance_between_margins_are_those_of_scipy(shift: float) -> None:
    (v,), (w,) = truncated_between(np.array([shift]), np.array([0.4]))
    mean, variance = truncnorm.stats(-0.4 - shift, 0.4 - shift, loc=shift)
    assert shift + v == pytest.approx(mean, rel=1e-8, abs=1e-12)
    assert 1 - w == pytest.approx(variance, rel=1e-4)
