"""What a comparison weighs: the duels that the new version wins, and the points that it makes, side by side."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ballcourt.evaluation.duels import Duel, share_won
from ballcourt.evaluation.evidence import Evidence, Method, weigh
from ballcourt.evaluation.points import in_points, margin_of, points_share
from ballcourt.evaluation.question import Question, percent
from ballcourt.leaderboard.model.results import LeaderboardError


class Measure(StrEnum):
    """What decides a comparison."""

    DUELS = "duels"
    POINTS = "points"


@dataclass(frozen=True, slots=True)
class Weighing:
    """The question, the test that weighs its evidence, and which of the two measures decides.

    Raises LeaderboardError if points decide in a game that states no spread.
    """

    question: Question
    method: Method
    spread: float | None = None
    """That of the game, `Game.points_spread`; without one, points are not weighed."""
    by: Measure = Measure.DUELS

    def __post_init__(self) -> None:
        if self.by is Measure.POINTS and self.spread is None:
            raise LeaderboardError(
                "this game does not state how far apart points are (points_spread); compare by duels instead"
            )

    @property
    def decides_on(self) -> Question:
        """The question as the deciding measure is asked it."""
        return in_points(self.question) if self.by is Measure.POINTS else self.question

    @property
    def unit(self) -> str:
        """What a share of the deciding measure is of."""
        return "points a duel" if self.by is Measure.POINTS else "of the duels"

    def duels(self, blocks: Iterable[Sequence[Duel]]) -> Evidence:
        """Weigh the shares of duels won in each block."""
        return weigh([share_won(block) for block in blocks], self.question, self.method)

    def points(self, blocks: Iterable[Sequence[Duel]]) -> Evidence | None:
        """Weigh the margins of each block; None where points are not weighed."""
        if self.spread is None:
            return None
        return weigh([points_share(block, self.spread) for block in blocks], in_points(self.question), self.method)

    def deciding(self, blocks: Iterable[Sequence[Duel]]) -> Evidence:
        """Weigh what decides."""
        return (self.points(blocks) if self.by is Measure.POINTS else None) or self.duels(blocks)

    def written(self, share: float) -> str:
        """Write a share as the deciding measure shows it: of duels, or as points of margin."""
        return self._margin(share) or f"{share:.1%}"

    def bound_written(self, share: float) -> str:
        """Write the floor or the effect that was asked for."""
        return self._margin(share) or percent(share)

    def _margin(self, share: float) -> str:
        is_by_points = self.by is Measure.POINTS and self.spread is not None
        return f"{margin_of(share, self.spread or 0.0):+.1f}" if is_by_points else ""
