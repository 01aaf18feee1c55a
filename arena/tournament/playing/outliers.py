"""Workers of a cluster that stand out among the others with the same bots, by their faults or by their overhead.

Faults: of each bot's seats, as many as elsewhere should have a fault. Given how many seats of a bot a worker had, the
number with a fault is hypergeometric (Mantel and Haenszel 1959), so its sum over all bots is as probable as one of
independent trials, whose tail Bennett's inequality (1962) bounds by mean and variance.

Overhead: the median time that the arena itself needs around a decision, in units of the machine's speed and of what is
usual for the bots at the table. Its ranks are compared with those of all other workers (Mann and Whitney 1947), and it
must be 1.5 times that of a typical one: a small difference does not make a result doubtful.

A run looks when the number of matches has doubled. Look k spends the share 1/(k(k+1)) of the risk, which both tests of
all workers divide. So in a run in which all workers are alike, one is flagged with a probability of at most 1%.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import exp, log, sqrt
from statistics import NormalDist, fmean, median, median_high
from typing import Final

from ballcourt.arena.tournament.folder.events import BlockVoided, MatchesSkipped, MatchPlayed, RunEvent, WorkerChanged
from ballcourt.arena.tournament.folder.played import outcomes_of
from ballcourt.arena.workers.queue import WorkerChange
from ballcourt.v1.record_pb2 import MatchRecord

Counts = Mapping[str, int]
"""By name of the bot."""

RISK: Final = 0.01
FIRST_LOOK: Final = 16
"""A run looks for the first time after this number of matches."""
FEWEST: Final = 8
"""Matches that a worker and the others need before their overhead is compared."""
LARGER: Final = 1.5
REMEDY: Final = "`ballcourt event repeat --worker` has its blocks played again"


@dataclass(frozen=True, slots=True)
class Sight:
    """What a match shows about the worker that played it."""

    worker: str
    bots: tuple[str, ...]
    """In seat order."""
    faults: tuple[bool, ...]
    """Whether each seat had a fault, one that was forgiven included."""
    overhead: float
    """The logarithm of the median overhead in microseconds, as a machine of speed 1 would have it."""


def sight_of(record: MatchRecord) -> Sight:
    """Return what a record shows of its worker."""
    return Sight(
        record.worker,
        tuple(entrant.name for entrant in record.entrants),
        tuple(outcome.fault for outcome in outcomes_of(record)),
        log(max(record.overhead_p50_us, 1.0) * (record.host.speed or 1.0)),
    )


class Outliers:
    """Follows the events of a run and says which workers stand out, each for one reason once."""

    def __init__(self) -> None:
        self._sights: dict[str, Sight] = {}  # by key of the match
        self._looks = 0
        self._reported: set[tuple[str, bool]] = set()

    def follow(self, event: RunEvent) -> Iterator[WorkerChanged]:
        """Handle an event; yield who stands out now."""
        match event:
            case MatchPlayed() if event.record.worker:
                self._sights[event.key] = sight_of(event.record)
            case BlockVoided() | MatchesSkipped():
                for key in event.keys:
                    self._sights.pop(key, None)
                return
            case _:
                return
        if len(self._sights) >= FIRST_LOOK << self._looks:
            self._looks += 1
            risk = RISK / (self._looks * (self._looks + 1))
            for found in standing_out(self._sights.values(), risk):
                if (found.worker, found.by_faults) not in self._reported:
                    self._reported.add((found.worker, found.by_faults))
                    yield WorkerChanged(found.worker, WorkerChange.FLAGGED, f"{found.sentence}; {REMEDY}")


@dataclass(frozen=True, slots=True)
class StandsOut:
    """A worker that stands out, and the sentence about it, which does not name it."""

    worker: str
    by_faults: bool
    sentence: str


def standing_out(sights: Collection[Sight], risk: float = RISK) -> Iterator[StandsOut]:
    """Yield the workers that stand out; if all are alike, there is one at most with the probability `risk`."""
    played: defaultdict[str, list[Sight]] = defaultdict(list)
    for sight in sights:
        played[sight.worker].append(sight)
    if len(played) < 2:
        return
    level = risk / (2 * len(played))
    everywhere, usual = _by_bot(sights), _usual(sights)
    overheads = _Overheads({worker: [usual(sight) for sight in own] for worker, own in played.items()})
    for worker, own in sorted(played.items()):
        had, (expected, variance) = sum(map(sum, (sight.faults for sight in own))), _usual_faults(everywhere, own)
        if _tail(had - expected, variance) < level:
            seats = sum(len(sight.faults) for sight in own)
            sentence = f"stands out: {had} of its {seats} seats had a fault, where {expected:.1f} would be expected"
            yield StandsOut(worker, True, sentence)
        times = overheads.times_larger(worker, level)
        if times >= LARGER:
            yield StandsOut(worker, False, f"stands out: its overhead is {times:.1f} times that of the others")


def _usual_faults(everywhere: tuple[Counts, Counts], own: Sequence[Sight]) -> tuple[float, float]:
    """Return the mean and variance of the faults in some matches, if each bot had them equally often everywhere."""
    (seats, faults), (counts, _) = everywhere, _by_bot(own)
    shares = {bot: faults[bot] / seats[bot] for bot in counts}
    mean = sum(count * shares[bot] for bot, count in counts.items())
    variance = sum(
        count * shares[bot] * (1 - shares[bot]) * (seats[bot] - count) / (seats[bot] - 1)
        for bot, count in counts.items()
        if seats[bot] > 1
    )
    return mean, variance


def _by_bot(sights: Collection[Sight]) -> tuple[Counts, Counts]:
    """Return the number of seats, and of those with a fault, of every bot."""
    seats: defaultdict[str, int] = defaultdict(int)
    faults: defaultdict[str, int] = defaultdict(int)
    for sight in sights:
        for bot, fault in zip(sight.bots, sight.faults, strict=True):
            seats[bot] += 1
            faults[bot] += fault
    return seats, faults


def _tail(excess: float, variance: float) -> float:
    """Return a bound on the probability that a sum of independent trials exceeds its mean by this much."""
    if excess <= 0 or variance <= 0:
        return 1.0
    ratio = excess / variance
    return exp(-variance * ((1 + ratio) * log(1 + ratio) - ratio))


def _usual(sights: Collection[Sight]) -> Callable[[Sight], float]:
    """Return a function that compares the overhead of a match with the mean of its bots, as a logarithm."""
    overheads: defaultdict[str, list[float]] = defaultdict(list)
    for sight in sights:
        for bot in sight.bots:
            overheads[bot].append(sight.overhead)
    mean = {bot: fmean(found) for bot, found in overheads.items()}
    return lambda sight: sight.overhead - fmean(mean[bot] for bot in sight.bots)


class _Overheads:
    """The overheads of all workers, as logarithms relative to what is usual for the bots of each match."""

    def __init__(self, figures: Mapping[str, Sequence[float]]) -> None:
        self._figures = figures
        self._ordered = sorted(chain.from_iterable(figures.values()))
        self._median = {worker: median(own) for worker, own in figures.items()}

    def times_larger(self, worker: str, level: float) -> float:
        """Return how many times as large a worker's typical overhead is as the others'; 0 if that may be chance."""
        own = len(self._figures[worker])
        rest = len(self._ordered) - own
        if min(own, rest) < FEWEST:
            return 0.0
        ranks = (  # from 1; equal ones share the mean of their ranks
            (bisect_left(self._ordered, figure) + bisect_right(self._ordered, figure) + 1) / 2
            for figure in self._figures[worker]
        )
        above = sum(ranks) - own * (own + 1) / 2
        pairs = own * rest
        z = (above - pairs / 2 - 0.5) / sqrt(pairs * (own + rest + 1) / 12)
        if 1.0 - NormalDist().cdf(z) >= level:
            return 0.0
        return exp(self._median[worker] - median_high(self._median[other] for other in self._median if other != worker))
