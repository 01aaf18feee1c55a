"""The result of a comparison of two versions, for people and as JSON."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from math import ceil, floor
from typing import Final

from ballcourt.arena.bots.version import BotVersion
from ballcourt.evaluation.differences import (
    BlockStory,
    Conduct,
    by_opponent,
    by_question,
    by_seat,
)
from ballcourt.evaluation.evidence import Evidence, Mean, Measure, Weighing
from ballcourt.evaluation.points import in_points, margin_of
from ballcourt.evaluation.question import HALF, percent
from ballcourt.leaderboard.model.scale import REACH
from ballcourt.leaderboard.show.explanation import own_decisions

FORMAT: Final = "ballcourt-comparison-1"


def names(new: BotVersion, old: BotVersion) -> tuple[str, str]:
    """Return how a sentence names two versions: if only their files differ, with the beginning of their hashes."""
    if str(new) != str(old) or new.content_hash == old.content_hash:
        return str(new), str(old)
    return f"{new} {new.content_hash[:8]}", f"{old} {old.content_hash[:8]}"


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that a comparison found."""

    game: str
    seats: int
    new: BotVersion
    old: BotVersion
    weighing: Weighing
    matches: int
    evidence: Evidence
    """By duels."""
    points: Evidence | None
    """By points; None where they are not weighed."""
    stories: tuple[BlockStory, ...]

    @property
    def decides(self) -> Evidence:
        """The evidence that decides."""
        return (self.points if self.weighing.by is Measure.POINTS else None) or self.evidence

    @property
    def verdict(self) -> str:
        """The answer: "better", or "not inferior" where that was asked; "short of the effect"; or "undecided"."""
        return self._verdict(self.decides)

    @property
    def disagreement(self) -> str:
        """Where duels and points disagree, in a sentence; empty if they do not, or if points are not weighed."""
        if self.points is None or (self.evidence.share - HALF) * (self.points.share - HALF) >= 0:
            return ""
        more, fewer = ("duels", "points") if self.evidence.share > HALF else ("points", "duels")
        how = "wins by little and loses by much" if more == "duels" else "wins by much and loses by little"
        return f"The two disagree: new is ahead by {more} and behind by {fewer}, as it {how}."

    def lines(self) -> Iterator[str]:
        """Yield the report in lines."""
        by_duels, by_points = f"{self._sentence()} {self._figures()}", [*self._by_points()]
        yield from (*by_points, f"By duels: {by_duels}") if self._is_by_points else (by_duels, *by_points)
        if self.disagreement:
            yield self.disagreement
        if self.stories:
            yield from self._seats()
            yield from self._questions()
            yield from self._conduct()

    def to_json(self) -> dict[str, object]:
        """Return the report as JSON values; shares and gains are from 0 to 1 and from -1 to 1."""
        stories = self.stories
        return {
            "format": FORMAT,
            "game": self.game,
            "seats": self.seats,
            "new": asdict(self.new),
            "old": asdict(self.old),
            "question": asdict(self.weighing.question),
            "test": str(self.weighing.method),
            "by": str(self.weighing.by),
            "verdict": self.verdict,
            "matches": self.matches,
            "evidence": asdict(self.evidence),
            "points": self._points_json(),
            "by_seat": [{"seat": seat, "gain": asdict(gain)} for seat, gain in by_seat(stories).items()],
            "by_opponent": [
                {"seat": seat, "opponent": opponent, "gain": asdict(gain)}
                for (seat, opponent), gain in by_opponent(stories).items()
            ],
            "by_question": [asdict(found) for found in by_question(stories)],
            "same": _same(stories),
            "conduct": {name: asdict(total) for name, total in self._totals().items()},
        }

    def _verdict(self, found: Evidence) -> str:
        if found.is_better:
            return "better" if self.weighing.question.floor == HALF else "not inferior"
        return "short of the effect" if found.is_short else "undecided"

    @property
    def _is_by_points(self) -> bool:
        return self.decides is self.points

    def _sentence(self) -> str:
        question, evidence = self.weighing.question, self.evidence
        floor, effect = percent(question.floor), percent(question.effect)
        new, old = names(self.new, self.old)
        verdict = self._verdict(evidence).capitalize()
        if evidence.is_better:
            least = f"{new} wins more than {floor} of the duels against {old}"
            less = f", but less than {effect}" if evidence.is_short else ""
            return f"{verdict}: {least}{less}."
        if evidence.is_short:
            return f"{verdict}: {new} wins less than {effect} of the duels against {old}."
        return f"Undecided: {new} may win {floor} of the duels against {old}, or {effect}."

    def _figures(self) -> str:
        found = self.evidence
        ends = f"95% interval {found.low:.1%} to {found.high:.1%}"
        if found.bound is not None:
            # rounded towards what the answer says
            bound = (floor if found.is_better else ceil)(1000 * found.bound) / 1000
            ends = self._with_bound(found, f"{bound:.1%}", ends)
        return f"It won {found.share:.1%} in {self.matches} matches ({ends})."

    def _with_bound(self, found: Evidence, bound: str, ends: str) -> str:
        """Return the bound of the test that gave the answer, and then the wider two-sided interval."""
        question = self.weighing.question
        risk, side = (question.alpha, "more") if found.is_better else (question.beta, "less")
        return f"{side} than {bound} by this one-sided test at {percent(1 - risk)}; two-sided {ends}"

    def _by_points(self) -> Iterator[str]:
        """Yield the answer by points."""
        found, spread = self.points, self.weighing.spread
        if found is None or spread is None:
            return

        def points(share: float) -> str:
            return f"{margin_of(share, spread):+.1f}"

        ends = f"95% interval {points(found.low)} to {points(found.high)}"
        if found.bound is not None:
            bound = (floor if found.is_better else ceil)(10 * margin_of(found.bound, spread)) / 10
            ends = self._with_bound(found, f"{bound:+.1f}", ends)
        question = in_points(self.weighing.question)
        verdict = self._verdict(found).capitalize()
        if verdict == "Undecided":
            verdict += f", {points(question.floor)} or {points(question.effect)}"
        in_matches = f" in {self.matches} matches" if self._is_by_points else ""
        yield (
            f"By points: {verdict}: new makes {points(found.share)} points a duel{in_matches} ({ends}); a margin "
            f"counts up to {REACH * spread:.0f}."
        )

    def _points_json(self) -> dict[str, object] | None:
        found, spread = self.points, self.weighing.spread
        if found is None or spread is None:
            return None
        margins = {name: margin_of(getattr(found, name), spread) for name in ("share", "low", "high")}
        return {
            "spread": spread,
            "verdict": self._verdict(found),
            "question": asdict(in_points(self.weighing.question)),
            "evidence": asdict(found),
            "margin": {"mean": margins["share"], "low": margins["low"], "high": margins["high"]},
            "disagreement": self.disagreement,
        }

    def _seats(self) -> Iterator[str]:
        against = by_opponent(self.stories)
        if self.seats == 1:
            return
        yield ""
        yield "By seat and opponent's seat: percentage points of the duels that new wins there more than old does"
        for seat, gain in by_seat(self.stories).items():
            others = [f"seat {other} {_gain(found)}" for (own, other), found in against.items() if own == seat]
            yield f"  seat {seat}: {_gain(gain)}" + (f"; against {', '.join(others)}" if len(others) > 1 else "")

    def _questions(self) -> Iterator[str]:
        yield ""
        parted = by_question(self.stories)
        others = " The others part at:" if parted else ""
        yield f"In {_same(self.stories):.0%} of the deals both decide alike to the end.{others}"
        for found in parted:
            at = f"for example decision {found.example.number} of {found.example.key}"
            share = f"{found.share.value:.1%} ({found.share.low:.0%} to {found.share.high:.0%})"
            yield f"  {found.question}: {_times(found.share.blocks)}; new wins {share}; {at}"

    def _conduct(self) -> Iterator[str]:
        yield ""
        totals = self._totals()
        for name, total in totals.items():
            mean_ms = total.think_us / 1000 / max(total.decisions, 1)
            yield f"{name}: {mean_ms:.1f} ms of thinking per decision; faults in {total.faults} matches"
        yield from own_decisions(
            {name: total.own_decisions / total.decisions for name, total in totals.items() if total.decisions}
        )

    def _totals(self) -> dict[str, Conduct]:
        return {"new": _total(one.new for one in self.stories), "old": _total(one.old for one in self.stories)}


def _same(stories: Iterable[BlockStory]) -> float:
    """Return the share of pairs of opposite splits in which the versions decide alike."""
    partings = [split.parting for story in stories for split in story.splits]
    return partings.count(None) / max(len(partings), 1)


def _total(conducts: Iterable[Conduct]) -> Conduct:
    all_of_them = list(conducts)
    return Conduct(
        faults=sum(one.faults for one in all_of_them),
        decisions=sum(one.decisions for one in all_of_them),
        own_decisions=sum(one.own_decisions for one in all_of_them),
        think_us=sum(one.think_us for one in all_of_them),
    )


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _gain(gain: Mean) -> str:
    return f"{100 * gain.value:+.1f} ({100 * gain.low:+.0f} to {100 * gain.high:+.0f})"
