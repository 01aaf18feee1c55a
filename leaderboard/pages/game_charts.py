"""The plots of `study report`: lengths, scores during a match, seats and actions of a game."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import fmean
from typing import Any, Final

from markupsafe import Markup

from ballcourt.leaderboard.pages.charts import (
    BOTTOM,
    HEIGHT,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    Axis,
    footer,
    image,
    levels,
    path,
    shape,
    written,
)

SHOWN_ACTIONS: Final = 20
BINS: Final = 30
NAMES, PANEL, ROW, MARGIN = 260, 240, 18, 16
"""Pixels: the width for names, the width of a column of estimates, the height of a row, the margin of a column."""


def game_charts(values: Mapping[str, Any], lengths: Sequence[int]) -> dict[str, Markup]:
    """Return the plots of a report by name. `values` are those of `GameReport`, `lengths` the decisions of matches."""
    about = f"{values['game']}, rules {values['rules_version']}, matches: {values['matches']}. "
    seats, actions = values["seats"], values["actions"][:SHOWN_ACTIONS]
    often = [{"mean": row["per_match"], "interval": None} for row in actions]
    return {
        "lengths": _lengths(lengths, about),
        "scores": _scores(values["score_curves"], about),
        "seats": _rows(
            about + "What seats return and score.",
            [f"seat {row['seat']} of {row['seats']}" for row in seats],
            {"return": [row["return"] for row in seats], "score": [row["score"] for row in seats]},
        ),
        "actions": _rows(
            about + "The most frequent actions.",
            [row["name"] for row in actions],
            {
                "times per match, unless forced": often,
                "return of who chose it": [row["return"] for row in actions],
            },
        ),
    }


def _lengths(lengths: Sequence[int], about: str) -> Markup:
    """Draw how many matches have how many decisions."""
    edges = _edges(min(lengths), max(lengths))
    counts = [sum(low < one < high for one in lengths) for low, high in pairwise(edges)]
    across, up = Axis(edges[0], edges[-1], LEFT, WIDTH - RIGHT), Axis(0, max(5, *counts), HEIGHT - BOTTOM, TOP)
    bars = []
    for (low, high), count in zip(pairwise(edges), counts, strict=True):
        left, top = across.at(low), up.at(count)
        width, height = round(across.at(high) - left - 1, 1), round(up.start - top, 1)
        bars.append(shape("rect", "bar", x=left, y=top, width=width, height=height))
    mean = fmean(lengths)
    shapes = [
        *levels(up),
        *bars,
        shape("line", "whisker", x1=across.at(mean), x2=across.at(mean), y1=TOP, y2=up.start),
        written(across.at(mean) + 4, TOP + 10, f"mean {mean:.0f}", "start"),
        *(written(across.at(tick), HEIGHT - BOTTOM + 14, f"{tick:,g}", "middle") for tick in across.ticks()),
        footer("decisions in a match, forced ones included"),
    ]
    return image(f"{about}Decisions in a match: {min(lengths)} to {max(lengths)}, mean {mean:.0f}.", shapes)


def _edges(least: int, most: int) -> list[float]:
    """Return the edges of at most BINS bins of equal width, each around whole numbers."""
    width = -(-(most - least + 1) // BINS)
    count = -(-(most - least + 1) // width)
    return [least - 0.5 + width * bin_ for bin_ in range(count + 1)]


def _scores(curves: Mapping[str, Sequence[float]], about: str) -> Markup:
    """Draw the mean scores of winners and others during a match."""
    everything = [score for curve in curves.values() for score in curve]
    across, up = Axis(0, 100, LEFT, WIDTH - RIGHT - 50), Axis(min(everything), max(everything), HEIGHT - BOTTOM, TOP)
    shapes = levels(up)
    for who, curve in curves.items():
        places = [(across.at(100 * at / (len(curve) - 1)), up.at(score)) for at, score in enumerate(curve)]
        shapes += [shape("polyline", "line", points=path(places)), written(across.end + 4, places[-1][1], who, "start")]
    shapes += [written(across.at(tick), HEIGHT - BOTTOM + 14, f"{tick:g} %", "middle") for tick in across.ticks()]
    ends = ", ".join(f"{who} {curve[-1]:.1f}" for who, curve in curves.items())
    return image(f"{about}Mean scores during a match; in the end: {ends}.", [*shapes, footer("part of a match")])


def _rows(description: str, names: Sequence[str], columns: Mapping[str, Sequence[Mapping[str, Any]]]) -> Markup:
    """Draw a row for each name with a point for each column, and its 95 % interval."""
    height, middles = TOP + BOTTOM + ROW * len(names), [TOP + ROW * row + ROW / 2 for row in range(len(names))]
    shapes = [written(NAMES - 8, middle + 4, name, "end") for name, middle in zip(names, middles, strict=True)]
    for number, (title, estimates) in enumerate(columns.items()):
        reach = [(one["mean"] - (one["interval"] or 0), one["mean"] + (one["interval"] or 0)) for one in estimates]
        start, low, high = NAMES + PANEL * number, min(low for low, _ in reach), max(high for _, high in reach)
        across = Axis(low, high, start + MARGIN, start + PANEL - MARGIN)
        for tick in across.ticks():
            x = across.at(tick)
            shapes.append(shape("line", "grid", x1=x, x2=x, y1=TOP, y2=height - BOTTOM))
            shapes.append(written(x, height - BOTTOM + 14, f"{tick:g}", "middle"))
        for (left, right), one, y in zip(reach, estimates, middles, strict=True):
            shapes.append(shape("line", "whisker", x1=across.at(left), x2=across.at(right), y1=y, y2=y))
            shapes.append(shape("circle", "dot", cx=across.at(one["mean"]), cy=y, r=3))
        shapes.append(written(start + PANEL / 2, height - 4, title, "middle"))
    return image(description, shapes, height, NAMES + PANEL * len(columns))
