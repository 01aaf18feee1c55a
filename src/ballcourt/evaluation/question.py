"""What a comparison of two versions asks: how many duels the new one should win, and how sure the answer must be."""

from dataclasses import dataclass
from typing import Final

from ballcourt.leaderboard.model.results import LeaderboardError

HALF: Final = 0.5
EFFECT: Final = 0.55
RISK: Final = 0.05


class QuestionError(LeaderboardError):
    """A comparison cannot be asked like this; the sentence names the value and what is allowed."""


def percent(share: float) -> str:
    """Return a share as people write it: 0.525 is 52.5%."""
    return f"{100 * share:.4g}%"


@dataclass(frozen=True, slots=True)
class Question:
    """Is the true share of duels that the new version wins above `floor`? All values are from 0 to 1.

    Raises QuestionError for a value out of range.
    """

    floor: float = HALF
    """Not better: this share or less. Below 1/2, the question is whether the version is not much worse."""
    effect: float = EFFECT
    """The share that is hoped for. It decides how long the test takes, not how often it errs."""
    alpha: float = RISK
    """The most risk of "better" where the share is `floor` or less."""
    beta: float = RISK
    """The most risk of giving up where the share is `effect` or more."""

    def __post_init__(self) -> None:
        if not 0 < self.floor <= HALF:
            raise QuestionError(
                f"not inferior is {percent(self.floor)} of the duels; it must be above 0% and at most 50%"
            )
        if not self.floor < self.effect < 1:
            raise QuestionError(
                f"the effect is {percent(self.effect)} of the duels; "
                f"it must be above {percent(self.floor)} and below 100%"
            )
        for name, risk in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < risk < HALF:
                raise QuestionError(f"{name} is {percent(risk)}; it must be above 0% and below 50%")
