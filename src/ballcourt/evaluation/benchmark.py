"""The number that a bot gets in a benchmark: how often it is placed above its opponents, with an interval."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import fmean
from typing import Final

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.printable import latex_text, markdown_text
from ballcourt.evaluation.evidence import Mean, mean_of
from ballcourt.leaderboard.model.results import LeaderboardError, MatchResult, SeatResult
from ballcourt.leaderboard.show.forms import entrant_json

FORMAT: Final = "ballcourt-benchmark-1"


@dataclass(frozen=True, slots=True)
class PlayedSuite:
    """What was played: a suite, of which a bot has a number of rounds."""

    suite: str
    title: str
    digest: str
    """The SHA-256 of the file of the suite."""
    rules: Mapping[str, str]
    rounds: int
    """How many the suite has."""


@dataclass(frozen=True, slots=True)
class BenchmarkResult:
    """The result of a bot in a suite. Shares are from 0 to 1."""

    played: PlayedSuite
    bot: BotVersion
    field: tuple[BotVersion, ...]
    matches: int
    faults: int
    """In how many of them the bot had a fault."""
    score: Mean
    """Share of opponents that it was placed above, a tie counting half; the unit of the interval is a round."""
    by_setup: Mapping[str, Mean]
    by_opponent: Mapping[str, Mean]

    @property
    def is_whole(self) -> bool:
        """Whether all rounds were played: only then is it the number of the suite."""
        return self.score.blocks == self.played.rounds

    def lines(self) -> Iterator[str]:
        """Yield the card."""
        played, rounds = self.played, f"{self.score.blocks} of {self.played.rounds} rounds"
        partly = "" if self.is_whole else f", after {rounds} only"
        yield f"{played.suite}: {_percent(self.score)}{partly}"
        yield (
            f"{self.bot} ({self.bot.content_hash[:16]}) was placed above this share of its opponents, in "
            f"percent, in {self.matches} matches; faults in {self.faults}"
        )
        yield f"{played.title}; sha256 {played.digest[:16]}; rules {_listed(played.rules)}"
        yield ""
        for name, mean in {
            **self.by_setup,
            **{f"above {name}": mean for name, mean in self.by_opponent.items()},
        }.items():
            yield f"  {name}: {_percent(mean)}"

    def markdown(self) -> str:
        """Return the result as a row of a table in Markdown, with its heading."""
        cells = (str(self.bot), self.played.suite, _percent(self.score), self.played.digest[:16])
        heads = "| bot | suite | above, % (95 % interval) | suite's sha256 |\n| :--- | :--- | ---: | :--- |\n"
        return heads + f"| {' | '.join(map(markdown_text, cells))} |\n"

    def latex(self) -> str:
        """Return the result as a table in LaTeX."""
        score = self.score
        numbers = f"${100 * score.value:.1f}$ & $[{100 * score.low:.1f}, {100 * score.high:.1f}]$"
        name, suite = latex_text(str(self.bot)), latex_text(self.played.suite)
        return (
            f"% {self.played.suite}, sha256 {self.played.digest}; {self.score.blocks} of {self.played.rounds} rounds\n"
            "\\begin{tabular}{llrr}\n"
            "bot & suite & above (\\%) & 95\\,\\% interval \\\\\n\\hline\n"
            f"{name} & {suite} & {numbers} \\\\\n"
            "\\end{tabular}\n"
        )

    def to_json(self) -> dict[str, object]:
        """Return the result as JSON values."""
        found = asdict(self)
        first = {"format": FORMAT, "played": found.pop("played"), **entrant_json(self.bot)}
        return first | {name: value for name, value in found.items() if name != "bot"} | {"is_whole": self.is_whole}


def result_of(
    played: PlayedSuite, matches: Iterable[MatchResult], candidate: str, bot: str, round_of: Mapping[str, int]
) -> BenchmarkResult:
    """Sum up the matches of a suite; `round_of` has the round of each match by its key, for whole rounds only.

    `candidate` is the name of the bot in the matches, and `bot` its own. Raises LeaderboardError without a whole round.
    """
    counted = [match for match in matches if match.key in round_of]
    if not counted:
        raise LeaderboardError("no round of the suite is complete yet; run the same command again to go on")
    own = [next(seat for seat in match.seats if seat.entrant.name == candidate) for match in counted]
    setups, opponents = _Rounds(), _Rounds()
    for match, mine in zip(counted, own, strict=True):
        others = [seat for seat in match.seats if seat is not mine]
        number = round_of[match.key]
        setups.add(f"{match.ladder.game}, {match.ladder.seats} seats", number, [_above(mine, seat) for seat in others])
        for seat in others:
            opponents.add(seat.entrant.name, number, [_above(mine, seat)])
    entrant = own[0].entrant
    return BenchmarkResult(
        played=played,
        bot=replace(entrant, name=bot),
        field=tuple(sorted({seat.entrant for match in counted for seat in match.seats} - {entrant})),
        matches=len(counted),
        faults=sum(seat.fault for seat in own),
        score=setups.score(),
        by_setup=setups.means(),
        by_opponent=opponents.means(),
    )


class _Rounds:
    """Shares by what they are of, and by round."""

    def __init__(self) -> None:
        self._shares: defaultdict[str, defaultdict[int, list[float]]] = defaultdict(lambda: defaultdict(list))

    def add(self, name: str, number: int, shares: Sequence[float]) -> None:
        self._shares[name][number] += shares

    def means(self) -> dict[str, Mean]:
        """Return the mean of each, whose interval takes a round as the unit."""
        return {name: mean_of(self._by_round(name)) for name in sorted(self._shares)}

    def score(self) -> Mean:
        """Return the mean of all, each of which counts the same in every round."""
        return mean_of([fmean(shares) for shares in zip(*map(self._by_round, sorted(self._shares)), strict=True)])

    def _by_round(self, name: str) -> list[float]:
        rounds = self._shares[name]
        return [fmean(rounds[number]) for number in sorted(rounds)]


def _above(mine: SeatResult, other: SeatResult) -> float:
    return 0.5 if mine.placement == other.placement else float(mine.placement < other.placement)


def _percent(mean: Mean) -> str:
    return f"{100 * mean.value:.1f} ({100 * mean.low:.1f} to {100 * mean.high:.1f})"


def _listed(versions: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in versions.items())
