"""Archives: the best program of each way to play."""

from random import Random

import pytest

from ballcourt.evaluation.archive import CellError
from tests.evaluation.conftest import Opened


@pytest.mark.slow
def test_a_cell_keeps_its_best_program_and_others_have_cells_of_their_own(opened: Opened) -> None:
    pytest.importorskip("ribs")
    arena = opened()
    one_cell = arena.archive(lambda match: (match.score,), [(-99.0, 99.0)], (1,))
    with pytest.raises(CellError, match="the archive is empty"):
        one_cell.draw(Random(1))
    means = {bot: arena.evaluate(bot, "8 matches").mean for bot in ("./any", "./low")}
    assert one_cell.add("./any", "8 matches")
    assert one_cell.add("./low", "8 matches") == (means["./low"] > means["./any"])
    (best,) = one_cell.elites
    assert best.assessment.mean == max(means.values())
    assert one_cell.draw(Random(1)) == best
    two_cells = arena.archive(lambda match: (len(match.actions),), [(0.0, 8.0)], (64,))
    for bot in means:
        two_cells.add(bot, "8 matches")
    assert {elite.program for elite in two_cells.elites} == {"./any", "./low"}


def test_a_grid_without_sides_is_refused(opened: Opened) -> None:
    with pytest.raises(CellError, match="give a range from low to high"):
        opened().archive(lambda match: (match.score,), [(3, 1)], (4,))
