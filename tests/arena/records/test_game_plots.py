"""Plots of a game, whose marks are where the report has its numbers."""

from pathlib import Path

import numpy as np
import pytest

from ballcourt.arena.records.game_report import GameReport, random_match
from ballcourt.engine.registry import find_game
from tests.bluff import GAME as BLUFF
from tests.needs import library

library("matplotlib")

from matplotlib.axes import Axes  # noqa: E402
from matplotlib.container import ErrorbarContainer  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.patches import Rectangle  # noqa: E402

from ballcourt.arena.records.game_plots import BINS, plots, write_plots  # noqa: E402


@pytest.fixture(scope="module")
def report() -> GameReport:
    """Matches of bluff with two and three seats."""
    found = GameReport(BLUFF)
    for seed in range(20):
        found.add(random_match(BLUFF, 2 + seed % 2, seed))
    return found


@pytest.mark.gate
@pytest.mark.slow
def test_every_plot_becomes_a_png_file(report: GameReport, tmp_path: Path) -> None:
    paths = write_plots(report, tmp_path)
    assert [path.name for path in paths] == ["lengths.png", "scores.png", "seats.png", "actions.png"]
    assert sorted(tmp_path.iterdir()) == sorted(paths)
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in paths)


def test_every_match_has_its_place_in_the_histogram_of_lengths(report: GameReport) -> None:
    (axes,) = plots(report)["lengths"].axes
    assert sum(bar.get_height() for bar in bars(axes)) == 20
    assert len(axes.patches) <= BINS
    assert {line.get_label() for line in axes.lines} == {f"mean {sum(report.lengths) / 20:.0f}"}


@pytest.mark.slow
def test_labels_of_axes_lie_within_the_picture() -> None:
    found = GameReport(find_game("maya"))  # its actions have long names
    found.add(random_match(found.game, 2, 1))
    for figure in plots(found).values():
        figure.draw_without_rendering()
        for axes in figure.axes:
            box = axes.xaxis.label.get_window_extent()
            assert figure.bbox.x0 <= box.x0 < box.x1 <= figure.bbox.x1


def test_winners_and_others_have_a_curve(report: GameReport) -> None:
    (axes,) = plots(report)["scores"].axes
    curves = {str(line.get_label()): np.asarray(line.get_ydata()).tolist() for line in axes.lines}
    assert curves == report.values()["score_curves"]


def test_seats_have_points_with_intervals(report: GameReport) -> None:
    seats = report.values()["seats"]
    figure = plots(report)["seats"]
    returns, scores = figure.axes
    assert names(figure) == ["seat 0 of 2", "seat 1 of 2", "seat 0 of 3", "seat 1 of 3", "seat 2 of 3"]
    assert intervals(returns) == [
        pytest.approx(
            (one["return"]["mean"] - one["return"]["interval"], one["return"]["mean"] + one["return"]["interval"])
        )
        for one in seats
    ]
    assert points(scores) == [one["score"]["mean"] for one in seats]


def test_actions_have_bars_and_points(report: GameReport) -> None:
    actions = report.values()["actions"]
    figure = plots(report)["actions"]
    often, returns = figure.axes
    assert names(figure) == [one["name"] for one in actions]
    assert [bar.get_width() for bar in bars(often)] == [one["per_match"] for one in actions]
    assert points(returns) == [one["return"]["mean"] for one in actions]


@pytest.mark.parametrize("seats", [1, 2])
def test_a_single_match_can_be_drawn(seats: int) -> None:
    game = find_game("ahau")
    found = GameReport(game)
    found.add(random_match(game, seats, 1))
    drawn = plots(found)
    assert len(names(drawn["actions"])) == 20
    assert len(points(drawn["seats"].axes[0])) == seats


def names(figure: Figure) -> list[str]:
    return [label.get_text() for label in figure.axes[0].get_yticklabels()]


def bars(axes: Axes) -> list[Rectangle]:
    return [bar for bar in axes.patches if isinstance(bar, Rectangle)]


def points(axes: Axes) -> list[float]:
    (drawn,) = axes.containers
    assert isinstance(drawn, ErrorbarContainer)
    found: list[float] = np.asarray(drawn[0].get_xdata()).tolist()
    return found


def intervals(axes: Axes) -> list[tuple[float, float]]:
    (drawn,) = axes.containers
    assert isinstance(drawn, ErrorbarContainer)
    (lines,) = drawn[2]
    return [(float(left), float(right)) for (left, _), (right, _) in lines.get_segments()]
