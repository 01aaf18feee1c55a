"""Plots of a report about a game; needs `pip install ballcourt[plot]`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from ballcourt.arena.extras import importing
from ballcourt.arena.files import in_place_of
from ballcourt.arena.records.game_report import GameReport

with importing("plot"):
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator, PercentFormatter

Values = Mapping[str, Any]
"""What `GameReport.values` returns."""

SHOWN_ACTIONS: Final = 20
BINS: Final = 30
WIDTH: Final = 8.0
"""Of a figure, in inches."""
DPI: Final = 120


def write_plots(report: GameReport, folder: Path) -> list[Path]:
    """Write a PNG file for each plot into a folder that exists; return their paths. Raises OSError."""
    return [_write(folder / f"{name}.png", figure) for name, figure in plots(report).items()]


def plots(report: GameReport) -> dict[str, Figure]:
    """Return the plots of a report, by name; at least one match has been added to it."""
    values = report.values()
    return {
        "lengths": _lengths(values, report.lengths),
        "scores": _scores(values),
        "seats": _seats(values),
        "actions": _actions(values),
    }


def _write(path: Path, figure: Figure) -> Path:
    with in_place_of(path) as unfinished:
        figure.savefig(unfinished, dpi=DPI, format="png")
    return path


def _figure(values: Values, about: str, height: float) -> Figure:
    """Return an empty figure of this height in inches, which says what it is about."""
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    figure.suptitle(f"{values['game']}, rules {values['rules_version']}: {about} (matches: {values['matches']})")
    return figure


def _lengths(values: Values, lengths: Sequence[int]) -> Figure:
    """Draw how many matches have how many decisions."""
    figure = _figure(values, "length", 4)
    axes = figure.add_subplot(xlabel="decisions in a match, forced ones included", ylabel="matches")
    axes.hist(lengths, bins=_edges(min(lengths), max(lengths)), edgecolor="white")
    mean = values["decisions"]["per_match"]
    axes.axvline(mean, color="black", linestyle="--", label=f"mean {mean:.0f}")
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend(loc="upper left")
    return figure


def _edges(least: int, most: int) -> list[float]:
    """Return the edges of at most BINS bins of equal width, each around whole numbers."""
    width = -(-(most - least + 1) // BINS)
    count = -(-(most - least + 1) // width)
    return [least - 0.5 + width * bin_ for bin_ in range(count + 1)]


def _scores(values: Values) -> Figure:
    """Draw the mean scores of winners and others during a match."""
    figure = _figure(values, "score", 4)
    axes = figure.add_subplot(xlabel="part of the decisions of a match", ylabel="mean score")
    for who, points in values["score_curves"].items():
        axes.plot([at / (len(points) - 1) for at in range(len(points))], points, marker="o", label=who)
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.grid(alpha=0.3)
    axes.legend(loc="upper left")
    return figure


def _seats(values: Values) -> Figure:
    """Draw what every seat returns and scores."""
    seats = values["seats"]
    figure = _figure(values, "seats", 1.5 + 0.4 * len(seats))
    returns, scores = _rows(figure, [f"seat {row['seat']} of {row['seats']}" for row in seats])
    _returns(returns, seats, "return")
    _estimates(scores, [row["score"] for row in seats], "score")
    return figure


def _actions(values: Values) -> Figure:
    """Draw how often the most frequent actions are chosen, and what the seats that chose them return."""
    actions = values["actions"][:SHOWN_ACTIONS]
    figure = _figure(values, "the most frequent actions", 1.5 + 0.3 * len(actions))
    often, returns = _rows(figure, [row["name"] for row in actions])
    often.barh(range(len(actions)), [row["per_match"] for row in actions])
    often.set_xlabel("times per match, unless forced")
    _returns(returns, actions, "return of who chose it")
    return figure


def _rows(figure: Figure, names: Sequence[str]) -> Sequence[Axes]:
    """Return two plots side by side with a row for each name, from the top."""
    left, right = figure.subplots(1, 2, sharey=True)
    left.set_yticks(range(len(names)), names)
    left.set_ylim(len(names) - 0.5, -0.5)
    return left, right


def _returns(axes: Axes, rows: Sequence[Values], label: str) -> None:
    """Draw the returns of some rows, which are 0 on average."""
    axes.axvline(0, color="grey", linewidth=1)
    _estimates(axes, [row["return"] for row in rows], label)


def _estimates(axes: Axes, estimates: Sequence[Values], label: str) -> None:
    """Draw a point with its interval for each row."""
    means = [one["mean"] for one in estimates]
    halves = [one["interval"] or 0.0 for one in estimates]
    axes.errorbar(means, range(len(means)), xerr=halves, fmt="o", capsize=3)
    axes.set_xlabel(f"{label}, with 95 % intervals")
    axes.grid(axis="x", alpha=0.3)
