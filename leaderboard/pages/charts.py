"""Charts as SVG, drawn on the server: no script, no style attribute, and the same in a static file and on paper.

Each is an image with a description for screen readers; the pages also have the numbers as a table.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log2, log10
from typing import Final

from markupsafe import Markup

from ballcourt.leaderboard.model.scale import Z95
from ballcourt.web.render import number

WIDTH: Final = 440
HEIGHT: Final = 200
LEFT, RIGHT, TOP, BOTTOM = 44, 14, 10, 36
STYLE: Final = (
    "<style>text{font:11px sans-serif}.grid{stroke:#ddd}.line{fill:none;stroke:#246}.whisker{stroke:#246}"
    ".dot{fill:#246}.bar{fill:#8ac}</style>"
)


@dataclass(frozen=True, slots=True)
class Axis:
    """Maps values from `low` to `high` to coordinates from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Return the coordinate of a value, to a tenth of a pixel."""
        share = (value - self.low) / ((self.high - self.low) or 1)
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self, about: int = 5) -> list[float]:
        """Return round values along the axis."""
        rough = ((self.high - self.low) or 1) / about
        magnitude = 10.0 ** floor(log10(rough))
        step = next(one * magnitude for one in (1, 2, 5, 10) if one * magnitude >= rough)
        return [step * number for number in range(ceil(self.low / step), floor(self.high / step) + 1)]


def history_chart(points: Sequence[Sequence[float]]) -> Markup:
    """Draw a rating over the matches of its ladder, with its 95 % band; a point is matches, rating, error, rank."""
    low = min(rating - Z95 * error for _, rating, error, _ in points)
    high = max(rating + Z95 * error for _, rating, error, _ in points)
    across = Axis(0, points[-1][0], LEFT, WIDTH - RIGHT)
    up = Axis(low, high, HEIGHT - BOTTOM, TOP)
    upper = [(across.at(x), up.at(rating + Z95 * error)) for x, rating, error, _ in points]
    lower = [(across.at(x), up.at(rating - Z95 * error)) for x, rating, error, _ in points]
    line = [(across.at(x), up.at(rating)) for x, rating, *_ in points]
    first, last = points[0], points[-1]
    description = (
        f"Rating: {first[1]:.1f} after match {first[0]:,.0f}, {last[1]:.1f} after match {last[0]:,.0f}; between "
        f"{min(one[1] for one in points):.1f} and {max(one[1] for one in points):.1f} at all times."
    )
    labels = [written(across.at(tick), HEIGHT - BOTTOM + 14, f"{tick:,.0f}", "middle") for tick in across.ticks()]
    shapes = [
        *(*levels(up), *labels, footer("matches of the ladder")),
        shape("polygon", "band", points=path([*upper, *reversed(lower)])),
        shape("polyline", "line", points=path(line)),
        shape("circle", "dot", cx=line[-1][0], cy=line[-1][1], r=3),
    ]
    return image(description, shapes)


def budgets_chart(points: Sequence[tuple[float, float, float]], what: str) -> Markup:
    """Draw ratings over budgets, which double along the axis; a point is budget, rating, error."""
    across = Axis(log2(points[0][0]), log2(points[-1][0]), LEFT + 16, WIDTH - RIGHT - 16)
    ends = [rating + sign * Z95 * error for _, rating, error in points for sign in (-1, 1)]
    up = Axis(min(ends), max(ends), HEIGHT - BOTTOM, TOP)
    places = [(across.at(log2(budget)), rating, error) for budget, rating, error in points]
    bars = [
        shape("line", "whisker", x1=x, x2=x, y1=up.at(rating - Z95 * error), y2=up.at(rating + Z95 * error))
        for x, rating, error in places
    ]
    dots = [shape("circle", "dot", cx=x, cy=up.at(rating), r=3) for x, rating, _ in places]
    line = shape("polyline", "line", points=path((x, up.at(rating)) for x, rating, _ in places))
    labels = [
        written(x, HEIGHT - BOTTOM + 14, f"{budget:g}", "middle")
        for (x, *_), (budget, *_) in zip(places, points, strict=True)
    ]
    described = ", ".join(f"{rating:.1f} at {budget:g}" for budget, rating, _ in points)
    return image(f"Rating over {what}: {described}.", [*levels(up), *labels, line, *bars, *dots, footer(what)])


def as_file(chart: Markup) -> str:
    """Return a chart as a file of its own, with the little style that it needs."""
    head, rest = chart.split(">", 1)
    return f'{head} xmlns="http://www.w3.org/2000/svg">{STYLE}{rest}\n'


def seats_chart(spreads: Sequence[Sequence[float]]) -> Markup:
    """Draw the points of each seat: 5 to 95 % as a line, 25 to 75 % as a box, median and mean; as `summaries` has."""
    known = [spread for spread in spreads if spread]
    height = TOP + BOTTOM + 34 * len(spreads)
    low, high = min(spread[0] for spread in known), max(spread[4] for spread in known)
    across = Axis(low, high if high > low else low + 1, LEFT + 66, WIDTH - RIGHT)
    ticks = [(across.at(tick), number(tick)) for tick in across.ticks(6)]
    shapes = [shape("line", "grid", x1=x, x2=x, y1=TOP, y2=height - BOTTOM) for x, _ in ticks]
    shapes += [written(x, height - BOTTOM + 14, label, "middle") for x, label in ticks]
    for seat, spread in enumerate(spreads):
        middle = TOP + 34 * seat + 17
        shapes.append(written(LEFT + 56, middle + 4, f"player {seat + 1}", "end"))
        if spread:
            shapes += _box(across, middle, spread)
    means = ", ".join(f"player {seat} {number(round(one[5], 1))}" for seat, one in enumerate(spreads, 1) if one)
    return image(f"Points by seat. Means: {means}.", [*shapes, footer("points", height)], height)


def interval(low: float, rating: float, high: float, axis: Axis) -> Markup:
    """Draw a rating and its interval on a line, to be compared with those above and below; the cells have the words."""
    return Markup(
        '<svg class="interval" viewBox="0 0 120 12" aria-hidden="true"><line x1="{}" x2="{}" y1="6" y2="6"/>'
        '<circle cx="{}" cy="6" r="3"/></svg>'
    ).format(axis.at(low), axis.at(high), axis.at(rating))


def _box(across: Axis, middle: float, spread: Sequence[float]) -> list[Markup]:
    least, lower, median, upper, most, mean = map(across.at, spread)
    width = max(1, round(upper - lower, 1))
    return [
        shape("line", "whisker", x1=least, x2=most, y1=middle, y2=middle),
        shape("rect", "box", x=lower, y=middle - 9, width=width, height=18),
        shape("line", "median", x1=median, x2=median, y1=middle - 9, y2=middle + 9),
        shape("circle", "dot", cx=mean, cy=middle, r=3.5),
    ]


def levels(up: Axis) -> list[Markup]:
    """Draw lines and numbers for round values of the axis that goes up."""
    levels = [(up.at(one), number(one)) for one in up.ticks()]
    lines = [shape("line", "grid", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y) for y, _ in levels]
    return [*lines, *(written(LEFT - 6, y + 4, label, "end") for y, label in levels)]


def footer(what: str, height: int = HEIGHT) -> Markup:
    """Write below a chart what its axis across has."""
    return written((LEFT + WIDTH) / 2, height - 4, what, "middle")


def shape(tag: str, kind: str, **at: float | str) -> Markup:
    """Return a shape, to which the style sheet gives the look of its kind."""
    attributes = "".join(f' {name}="{value}"' for name, value in at.items())
    return Markup(f'<{tag} class="{kind}"{attributes}/>')


def written(x: float, y: float, text: str, anchor: str) -> Markup:
    """Return words; `anchor` says which part of them is at `x`: start, middle or end."""
    return Markup('<text x="{}" y="{}" text-anchor="{}">{}</text>').format(round(x, 1), round(y, 1), anchor, text)


def path(points: Iterable[tuple[float, float]]) -> str:
    """Return coordinates as the shapes with many points have them."""
    return " ".join(f"{x:g},{y:g}" for x, y in points)


def image(description: str, shapes: Iterable[Markup], height: int = HEIGHT, width: int = WIDTH) -> Markup:
    """Return a chart with its description."""
    return Markup('<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>').format(
        width, height, description, Markup("").join(shapes)
    )
