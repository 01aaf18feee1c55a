"""The answer about a candidate so far: its share of duels with an interval, the verdict, and what it cost.

The interval and the test hold at any time and however often one looks: see `ballcourt.evaluation.evidence`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from operator import itemgetter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.printable import cut, values_of
from ballcourt.engine.core import WrongInput
from ballcourt.evaluation.betting import Floats, interval
from ballcourt.evaluation.evidence import Evidence, Measure, Method, curves, weigh
from ballcourt.evaluation.ledger import KeptBlock
from ballcourt.evaluation.points import in_points, margin_of, typical_worth
from ballcourt.evaluation.question import EFFECT, HALF, Question
from ballcourt.evaluation.terms import FORMAT
from ballcourt.evaluation.together import discoveries, wealth_of

HOPELESS: Final = Question(floor=0.05, effect=0.3)
"""A candidate is given up when it is known to win less than this effect of its duels."""
ALL: Final = 0.999
"""A share of duels above which margins are worth no more."""
GAP: Final = EFFECT - HALF
"""How much more than asked for a candidate is hoped to win; it decides how long the test takes."""
BROKEN: Final = 8
"""In how many matches a candidate loses its seat, from the first on, until it is called broken and not weak."""
MOST: Final = 10_000_000
BUDGET: Final = re.compile(r"(\d+(?:\.\d+)?) (matches|cpu-seconds|seconds|minutes)")
UNITS: Final = {
    "matches": ("matches", 1),
    "cpu-seconds": ("cpu_s", 1),
    "seconds": ("time_s", 1),
    "minutes": ("time_s", 60),
}


class BudgetError(WrongInput):
    """A budget cannot be spent; the sentence says what is allowed."""


class Conclusion(StrEnum):
    """Why no more is played, or that more would be."""

    BROKEN = "broken"
    """It lost its seat in each of its first matches: see `is_broken`."""
    HOPELESS = "hopeless"
    """It wins less than 30 % of its duels, or by points what such bots do, by the test."""
    BETTER = "better"
    """It wins more of its duels than was asked for, by the test."""
    SHORT = "short"
    """It wins less than was hoped for, by the test."""
    PRECISE = "precise"
    """The interval is as narrow as was asked for."""
    SPENT = "spent"
    """The budget is spent."""
    OPEN = "open"
    """There are more matches to play."""


@dataclass(frozen=True, slots=True)
class Budget:
    """When to stop. Raises BudgetError for a value out of range."""

    matches: float | None = None
    cpu_s: float | None = None
    """Processor time of all bots, in seconds."""
    time_s: float | None = None
    """Time by the clock for what is played now, in seconds; blocks that have begun by then are played to their end."""
    half_width: float | None = None
    """Half the width of the interval."""
    better_than: float | None = None
    """The share of duels that the candidate has to win more of."""
    gives_up: bool = True
    """Whether to stop when a candidate is hopeless."""
    by: Measure = Measure.DUELS
    """What decides: who won the duels, or their points."""

    def __post_init__(self) -> None:
        for name, value, most in (("half_width", self.half_width, 0.5), ("better_than", self.better_than, HALF)):
            if value is not None and not 0 < value <= most:
                raise BudgetError(f"{name} is {value:g}; it must be above 0 and at most {most}")
        for name, spent in (("matches", self.matches), ("cpu-seconds", self.cpu_s), ("seconds", self.time_s)):
            if spent is not None and not 0 < spent <= MOST:
                raise BudgetError(f"the budget is {spent:g} {name}; it must be above 0 and at most {MOST}")

    @classmethod
    def of(cls, written: str, **more: Any) -> "Budget":  # noqa: ANN401  # the other fields
        """Return a budget such as "200 matches", "30 cpu-seconds", "2 minutes" or "200 matches, 2 minutes".

        Of several the first that is spent counts. Raises BudgetError.
        """
        spent: dict[str, Any] = {}
        for part in written.split(",") if isinstance(written, str) else ("",):
            if not (read := BUDGET.fullmatch(part.strip())):
                raise BudgetError(
                    f"the budget is {cut(repr(written))}; give a number and a unit: '200 matches', '30 cpu-seconds', "
                    "'2 minutes', or several: '200 matches, 90 seconds'"
                )
            name, worth = UNITS[read[2]]
            spent[name] = worth * float(read[1])
        return cls(**spent, **more)

    @property
    def question(self) -> Question:
        """What the test is to decide."""
        floor = HALF if self.better_than is None else self.better_than
        return self._asked(Question(floor=floor, effect=floor + GAP))

    @property
    def width(self) -> float | None:
        """Half the width of the interval of what decides; by points, of what the margins of such bots are worth."""
        if self.half_width is None or self.by is Measure.DUELS:
            return self.half_width
        return typical_worth(min(HALF + self.half_width, ALL)) - HALF

    @property
    def hopeless(self) -> Question:
        """What the test decides that gives a candidate up."""
        return self._asked(HOPELESS)

    def decides(self, block: KeptBlock) -> float:
        """Return what counts of a block, from 0 to 1: the share of duels won, or what their points are worth."""
        if self.by is Measure.DUELS:
            return block.share
        assert block.points is not None, "the game states its spread of points"
        return block.points

    def _asked(self, question: Question) -> Question:
        return question if self.by is Measure.DUELS else in_points(question)


@dataclass(frozen=True, slots=True)
class PointsAhead:
    """By how many points a candidate is ahead in a duel, and the ends of the 95 % interval, which holds at any time.

    A margin of more than twice the game's spread counts as that.
    """

    mean: float
    low: float
    high: float


def points_ahead(blocks: Sequence[KeptBlock], spread: float | None) -> PointsAhead | None:
    """Return by how many points a candidate is ahead; None without a spread or blocks."""
    shares = [block.points for block in blocks if block.points is not None]
    if not spread or not shares:
        return None
    found = weigh(shares, Question(), Method.BETTING)
    return PointsAhead(*(margin_of(share, spread) for share in (found.share, found.low, found.high)))


@dataclass(frozen=True, slots=True)
class Assessment:
    """What is known about a candidate. Shares are from 0 to 1."""

    bot: BotVersion
    verdict: Conclusion
    mean: float
    """The share of duels won, a tie counting half."""
    low: float
    high: float
    """The ends of its 95 % interval, which holds at any time."""
    better: bool
    """Whether it wins more than was asked for, by the test: more than half, if nothing was."""
    bound: float | None
    """Where the same one-sided test puts what decides: above it if better, below it if short."""
    by: Measure
    """What decides. By points, `bound` is what the points of duels are worth, from 0 to 1: 1/2 for equal bots."""
    score: float
    """The mean of what decides, from 0 to 1."""
    by_points: PointsAhead | None
    """The same in points; None if the game does not state how far apart points are."""
    blocks: int
    matches: int
    new_matches: int
    """Those that were played for this answer; the others were known."""
    lost: int
    """The matches in which it lost its seat."""
    faults: tuple[str, ...]
    """What it lost its seat by, each kind once, with its last output."""
    own_cpu_s: float
    cpu_s: float
    """Processor time of the candidate, and of all bots."""
    deals: str
    """The deals it met: those "shared" with other candidates, or "fresh" ones, which no other candidate met."""

    @property
    def is_over(self) -> bool:
        """Whether nothing more is to be played."""
        return self.verdict is not Conclusion.OPEN

    @property
    def candidate(self) -> str:
        """What tells the candidate from others: its name and the beginning of its content hash."""
        return f"{self.bot.name}-{self.content_hash[:8]}"

    @property
    def content_hash(self) -> str:
        """The content hash of the candidate."""
        return self.bot.content_hash

    def to_json(self) -> dict[str, object]:
        """Return it as JSON values."""
        values: dict[str, object] = values_of(self)
        del values["bot"]
        return {"format": FORMAT, "candidate": self.candidate, "content_hash": self.content_hash, **values}

    @property
    def in_words(self) -> str:
        """The verdict, and the share of duels with its interval."""
        share = f"won {self.mean:.1%} of its duels ({self.low:.1%} to {self.high:.1%})"
        return f"{self.verdict}; {share} in {self.matches} matches"

    def __str__(self) -> str:
        return f"{self.candidate}: {self.in_words}, {self.new_matches} of them new, on {self.deals} deals"


def verdict_of(blocks: Sequence[KeptBlock], budget: Budget, too_few: int = 0) -> tuple[Conclusion, Evidence]:
    """Return the verdict on some blocks, in order, and its evidence: the blocks up to the one that ended it.

    What was played beyond that, since it had begun or for a larger budget, changes nothing: an answer depends on the
    matches and their order alone. `too_few` is a number of blocks that are known not to end it.
    """
    shares = np.array([budget.decides(block) for block in blocks])
    ends = [(int(over.argmax()), verdict) for verdict, over in _ends(blocks, shares, budget, too_few) if over.any()]
    last, verdict = min(ends, key=itemgetter(0), default=(len(blocks) - 1, Conclusion.OPEN))  # of equals the first
    return verdict, weigh(shares[: last + 1], budget.question, Method.BETTING, budget.width)


def _ends(
    blocks: Sequence[KeptBlock], shares: Floats, budget: Budget, too_few: int
) -> Iterator[tuple[Conclusion, NDArray[np.bool_]]]:
    """Yield what may end an evaluation, the most important first, and after which blocks it is so."""
    sizes = np.arange(1, len(blocks) + 1)
    yield Conclusion.BROKEN, np.array([is_broken(blocks[:size]) for size in sizes[:BROKEN]])
    if budget.better_than is not None:
        better, short = curves(shares, budget.question, Method.BETTING)
        yield Conclusion.BETTER, better >= 1
        yield Conclusion.SHORT, short >= 1
    if (width := budget.width) is not None:
        narrow = (size for size in sizes[too_few:] if _half_width(shares[:size], width) <= width)
        yield Conclusion.PRECISE, sizes == next(narrow, 0)
    if budget.gives_up:
        _, below = curves(shares, budget.hopeless, Method.BETTING)
        is_low = np.cumsum(shares) / sizes < budget.hopeless.effect
        yield Conclusion.HOPELESS, np.logical_or.accumulate(below >= 1) & is_low
    if budget.matches is not None:
        yield Conclusion.SPENT, np.cumsum([block.matches for block in blocks]) >= budget.matches
    if budget.cpu_s is not None:
        yield Conclusion.SPENT, np.cumsum([block.cpu_us for block in blocks]) / 1e6 >= budget.cpu_s


def _half_width(shares: Floats, asked: float) -> float:
    low, high = interval(shares, half_width=asked)
    return float(high - low) / 2


def believed(answers: Sequence[tuple[Assessment, Sequence[KeptBlock]]], asked: Budget) -> list[Assessment]:
    """Return several answers from blocks of their own, calling better what can be believed when one looks at all.

    Of those that are called better, the expected share of wrong ones is 5 % at most.
    """
    kept = discoveries([wealth_of([*map(asked.decides, blocks)], asked.question) for _, blocks in answers])
    return [
        answer if is_believed or not answer.better else replace(answer, better=False, bound=None)
        for (answer, _), is_believed in zip(answers, kept, strict=True)
    ]


def is_broken(blocks: Sequence[KeptBlock]) -> bool:
    """Whether a candidate lost its seat in each of its first matches.

    Those of the first block are enough if it never made a decision. Else there are more, as chance may end a bot that
    crashes in some of its matches in all of a few.
    """
    first = blocks[:BROKEN]
    played, lost, mute = (sum(getattr(block, name) for block in first) for name in ("played", "lost", "mute"))
    return bool(0 < played <= lost and (mute >= played or played >= BROKEN))
