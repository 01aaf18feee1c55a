"""Plots of a game, whose marks are where the report has its numbers."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element, fromstring

import pytest

from ballcourt.arena.records.game_report import GameReport, random_match
from ballcourt.engine.registry import find_game
from ballcourt.leaderboard.pages.charts import as_file
from ballcourt.leaderboard.pages.game_charts import BINS, NAMES, PANEL, game_charts
from tests.bluff import GAME as BLUFF


def reported(name: str, seats: int, matches: int) -> GameReport:
    found = GameReport(BLUFF if name == "bluff" else find_game(name))
    for seed in range(matches):
        found.add(random_match(found.game, seats, seed))
    return found


def drawn(report: GameReport) -> dict[str, Element]:
    """The charts of a report, as a browser reads their files."""
    return {name: fromstring(as_file(one)) for name, one in game_charts(report.values(), report.lengths).items()}


def marks(chart: Element, kind: str) -> list[dict[str, str]]:
    return [dict(one.attrib) for one in chart.iter() if one.get("class") == kind]


def words(chart: Element) -> list[str]:
    return [one.text or "" for one in chart.iter() if one.tag.endswith("text")]


@pytest.mark.parametrize("name", ["bluff", "ahau"])
def test_the_bars_of_lengths_are_as_high_as_matches_are_many(name: str) -> None:
    report = reported(name, 2, 7)
    chart = drawn(report)["lengths"]
    heights = [float(bar["height"]) for bar in marks(chart, "bar")]
    assert 0 < len(heights) <= BINS
    tallest = max(heights)
    most = max(round(7 * height / sum(heights)) for height in heights)
    assert sum(round(most * height / tallest) for height in heights) == 7
    assert f"mean {sum(report.lengths) / 7:.0f}" in words(chart)


def test_winners_and_others_have_a_curve_with_a_point_for_each_mean() -> None:
    report = reported("bluff", 2, 7)
    chart = drawn(report)["scores"]
    curves = [line["points"].split() for line in marks(chart, "line")]
    assert [len(points) for points in curves] == [len(one) for one in report.values()["score_curves"].values()]
    assert {"winners", "others"} <= {*words(chart)}


@pytest.mark.parametrize("name", ["seats", "actions"])
def test_rows_have_points_in_the_order_of_their_numbers_within_their_intervals(name: str) -> None:
    report = reported("bluff", 3, 12)
    chart = drawn(report)[name]
    rows = report.values()[name]
    dots = [float(dot["cx"]) for dot in marks(chart, "dot")]
    assert len(dots) == 2 * len(rows)
    assert all(NAMES < x < NAMES + PANEL for x in dots[: len(rows)])
    returns = dots[: len(rows)] if name == "seats" else dots[len(rows) :]
    order = sorted(range(len(rows)), key=lambda row: rows[row]["return"]["mean"])
    assert [returns[row] for row in order] == sorted(returns)
    for dot, line in zip(dots, marks(chart, "whisker"), strict=True):
        assert float(line["x1"]) <= dot <= float(line["x2"])


@pytest.mark.parametrize("seats", [1, 2])
def test_a_single_match_can_be_drawn_and_all_lies_within_the_picture(seats: int) -> None:
    for chart in drawn(reported("ahau", seats, 1)).values():
        _, _, width, height = map(float, chart.attrib["viewBox"].split())
        assert all(0 <= x <= width for x in numbers(chart, "x", "cx", "x1", "x2"))
        assert all(0 <= y <= height for y in numbers(chart, "y", "cy", "y1", "y2"))


def numbers(chart: Element, *names: str) -> Iterator[float]:
    yield from (float(one.attrib[name]) for one in chart.iter() for name in names if name in one.attrib)
