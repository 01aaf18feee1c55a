"""Shares won with intervals by blocks."""

import numpy as np
import pytest

from ballcourt.leaderboard.model.fit.shares import by_opponent, by_seat, shares
from tests.calibrate.worlds import WORLDS, draw_bots, play


def one_group(block: list[int], won: list[float]) -> tuple[float, float, float]:
    found = shares(np.zeros(len(won), np.int64), 1, np.array(block, np.int64), np.array(won))
    return float(found.share[0]), float(found.low[0]), float(found.high[0])


def test_independent_blocks_have_the_width_of_a_binomial_interval() -> None:
    share, low, high = one_group(list(range(400)), [1.0, 0.0] * 200)
    assert share == 0.5
    assert high - low == pytest.approx(2 * 1.96 * 0.5 / 20, rel=0.02)


def test_repeating_each_result_in_its_block_does_not_narrow_the_interval() -> None:
    """An interval of 400 independent comparisons would be half as wide."""
    _, low, high = one_group([n // 4 for n in range(400)], [1.0] * 200 + [0.0] * 200)
    assert high - low == pytest.approx(2 * 1.96 * 0.5 / 10, rel=0.05)


def test_a_share_of_all_or_nothing_still_has_a_width() -> None:
    share, low, high = one_group([0, 0, 0, 0, 1, 1, 1, 1], [1.0] * 8)
    assert (share, high) == (1.0, 1.0)
    assert 0.3 < low < 0.7
    assert one_group([], []) == (0.5, 0.0, 1.0)


def test_blocks_weigh_by_what_the_share_is_without_them() -> None:
    """Without one of four blocks the share moves by 1/6, not by 1/8, so 16 comparisons are worth 2.87."""
    _, low, high = one_group([n // 4 for n in range(16)], [1.0] * 8 + [0.0] * 8)
    worth = 16 * (4 + 2) / (4 * (8 / 3) ** 2 + 5)  # with two imagined blocks above and below
    assert high - low == pytest.approx(1.96 / (worth + 1.96**2) * (worth + 1.96**2) ** 0.5, rel=1e-3)


@pytest.mark.parametrize("world", ["own model, 60 blocks", "a deal suits a bot"])
def test_intervals_hold_the_truth(world: str) -> None:
    chance = np.random.default_rng(3)
    bots = draw_bots(WORLDS[world], chance)
    many = [by_opponent(play(WORLDS[world], bots, chance)) for _ in range(150)]
    met = np.sum([found.count for found in many], axis=0)
    truth = np.sum([found.share * found.count for found in many], axis=0)[met > 0] / met[met > 0]
    held = [(found.low[met > 0] <= truth) & (truth <= found.high[met > 0]) for found in many]
    known = [found.blocks[met > 0] >= 4 for found in many]
    assert 0.94 < np.concatenate(held)[np.concatenate(known)].mean() < 0.995


def test_shares_by_seat_find_the_effect_of_a_seat() -> None:
    world = WORLDS["Maya's seats doubled, no rotation"]
    chance = np.random.default_rng(3)
    tables = play(world, draw_bots(world, chance), chance)
    found = by_seat(tables)
    assert list(found.share) == sorted(found.share, reverse=True)
    assert found.low[0] > 0.5 > found.high[3]
    assert np.average(found.share, weights=found.count) == pytest.approx(0.5)
    own = [by_seat(tables, entrant).count for entrant in range(world.bots)]
    assert np.sum(own, axis=0) == pytest.approx(found.count)
