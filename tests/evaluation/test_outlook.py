"""What a comparison takes, before it is played."""

import pytest

from ballcourt.evaluation.duels import Duel
from ballcourt.evaluation.evidence import Measure, Method, Weighing
from ballcourt.evaluation.outlook import outlooks, rows
from ballcourt.evaluation.question import Question
from tests.calibrate.versions import WORLDS, fate

WEIGHING = Weighing(Question(), Method.BETTING, 10.0)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4])
def test_the_forecast_is_what_simulated_comparisons_take(seats: int) -> None:
    by_duels, by_points = outlooks(WEIGHING, seats, 2, [])
    world = WORLDS[f"normal, {seats} seats"]
    for found, truth in ((by_duels.fates[0], 0.5), (by_duels.fates[2], 0.55)):
        played = fate(world.with_share(truth), truth, Question(), Method.BETTING, 200)
        assert found.truth == truth
        assert found.better == pytest.approx(played.better, abs=0.06)
        assert found.blocks == pytest.approx(played.blocks, rel=0.2)
    assert (by_duels.by, by_points.by) == (Measure.DUELS, Measure.POINTS)
    assert by_points.fates[0].blocks < by_duels.fates[0].blocks
    assert by_points.fates[2].better > 0.9


@pytest.mark.slow
def test_blocks_that_were_played_say_how_they_scatter() -> None:
    """Versions that always win one duel and lose the other need few blocks."""
    split = [Duel(0, 1, 1.0, 3.0), Duel(1, 0, 0.0, -3.0)]
    assumed, recorded = outlooks(WEIGHING, 2, 2, [])[0], outlooks(WEIGHING, 2, 2, [split] * 100)[0]
    assert (assumed.recorded, recorded.recorded) == (0, 100)
    assert recorded.fates[0].blocks < 0.3 * assumed.fates[0].blocks


@pytest.mark.slow
def test_the_table_counts_matches() -> None:
    by_duels, by_points = outlooks(WEIGHING, 2, 2, [])
    head, first, *others = rows([by_duels, by_points], 2)
    assert head[:4] == ("if new wins", "by duels: better", "matches", "9 in 10 by")
    assert first[0] == "50%"
    assert first[2] == f"{2 * by_duels.fates[0].blocks:.0f}"
    assert [row[0] for row in others] == ["52.5%", "55%", "60%"]
