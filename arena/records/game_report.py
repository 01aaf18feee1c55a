"""What a game is like, from its matches: length, choices, scores, seats, first moves, and how actions fare.

Intervals are of 95 %, by the normal approximation, over matches; for actions over seats of matches.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from math import log2
from random import Random
from statistics import NormalDist, fmean, stdev
from typing import Any, Final

from ballcourt.arena.records.replay import positions
from ballcourt.arena.records.store import RecordError
from ballcourt.engine.core import Game, State
from ballcourt.engine.core.frames import NOBODY
from ballcourt.v1.record_pb2 import MatchRecord

Moment = tuple[State, int, int]
"""A position, and the seat and action that it is followed by; after the last decision, NOBODY and 0."""

POINTS_OF_CURVE: Final = 11
Z: Final = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class MeanEstimate:
    """A mean, half its interval (None for a single value), and how many values it is of."""

    mean: float
    interval: float | None
    count: int

    @classmethod
    def of(cls, values: Sequence[float]) -> "MeanEstimate":
        """Return the estimate from at least one value."""
        half = Z * stdev(values) / len(values) ** 0.5 if len(values) > 1 else None
        return cls(fmean(values), half, len(values))


@dataclass(slots=True)
class _Question:
    asked: int = 0
    forced: int = 0
    legal: int = 0
    most: int = 0


@dataclass
class GameReport:
    """Statistics of the matches of one game. Add matches, then ask for `values`."""

    game: Game
    lengths: list[int] = field(default_factory=list)
    _questions: dict[str, _Question] = field(default_factory=lambda: defaultdict(_Question))
    _curves: dict[str, list[list[float]]] = field(default_factory=lambda: {"winners": [], "others": []})
    _returns: dict[tuple[int, int], list[float]] = field(default_factory=lambda: defaultdict(list))
    _scores: dict[tuple[int, int], list[float]] = field(default_factory=lambda: defaultdict(list))
    _first: Counter[int] = field(default_factory=Counter)
    _times: Counter[int] = field(default_factory=Counter)
    _fared: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))

    def add(self, moments: Iterable[Moment]) -> None:
        """Add a match, from its opening to its end."""
        scores: list[list[float]] = []
        users: dict[int, set[int]] = defaultdict(set)
        first = 0
        for state, seat, action in moments:
            scores.append(state.scores())
            if seat == NOBODY:
                continue
            choices = len(state.legal_actions(seat))
            self._ask(type(state.frames[-1]).__name__, choices)
            if choices > 1:
                first = first or action
                users[action].add(seat)
                self._times[action] += 1
        self.lengths.append(len(scores) - 1)
        self._first[first] += 1
        self._end(state, scores, users)

    def _ask(self, name: str, choices: int) -> None:
        question = self._questions[name]
        question.asked += 1
        question.forced += choices == 1
        question.legal += choices
        question.most = max(question.most, choices)

    def _end(self, state: State, scores: list[list[float]], users: dict[int, set[int]]) -> None:
        returns, best = state.returns(), state.placements()[0]
        for seat in range(state.seats):
            self._returns[state.seats, seat].append(returns[seat])
            self._scores[state.seats, seat].append(scores[-1][seat])
            curve = [
                scores[round(at * (len(scores) - 1) / (POINTS_OF_CURVE - 1))][seat] for at in range(POINTS_OF_CURVE)
            ]
            self._curves["winners" if seat in best else "others"].append(curve)
        for action, seats in users.items():
            self._fared[action] += [returns[seat] for seat in seats]

    def values(self) -> dict[str, Any]:
        """Return all statistics, for JSON. At least one match has been added."""
        questions = self._questions.values()
        asked, forced = sum(q.asked for q in questions), sum(q.forced for q in questions)
        free = max(1, asked - forced)
        return {
            "game": self.game.name,
            "rules_version": self.game.rules_version,
            "matches": len(self.lengths),
            "decisions": {"per_match": fmean(self.lengths), "least": min(self.lengths), "most": max(self.lengths)},
            "forced": forced / asked,
            "choices": {
                "mean": (sum(q.legal for q in questions) - forced) / free,
                "most": max(q.most for q in questions),
            },
            "questions": [self._question(name) for name in sorted(self._questions, key=self._by_frequency)],
            "score_curves": {who: _mean_curve(curves) for who, curves in self._curves.items() if curves},
            "seats": [self._seat(*place) for place in sorted(self._returns)],
            "first_move": self._first_move(),
            "actions": [self._action(action) for action, _ in self._times.most_common()],
        }

    def _by_frequency(self, name: str) -> int:
        return -self._questions[name].asked

    def _question(self, name: str) -> dict[str, Any]:
        question = self._questions[name]
        return {
            "name": name,
            "per_match": question.asked / len(self.lengths),
            "forced": question.forced / question.asked,
            "choices": question.legal / question.asked,
            "most": question.most,
        }

    def _seat(self, seats: int, seat: int) -> dict[str, Any]:
        place = seats, seat
        returns, scores = MeanEstimate.of(self._returns[place]), MeanEstimate.of(self._scores[place])
        return {"seats": seats, "seat": seat, "return": asdict(returns), "score": asdict(scores)}

    def _first_move(self) -> dict[str, Any]:
        total = self._first.total()
        shares = [count / total for count in self._first.values()]
        return {
            "entropy_bits": sum(-share * log2(share) for share in shares),
            "different": len(shares),
            "most_common": self.game.action_names[self._first.most_common(1)[0][0]],
        }

    def _action(self, action: int) -> dict[str, Any]:
        places = sum(len(values) for values in self._returns.values())
        fared = self._fared[action]
        return {
            "action": action,
            "name": self.game.action_names[action],
            "per_match": self._times[action] / len(self.lengths),
            "used_by": len(fared) / places,
            "return": asdict(MeanEstimate.of(fared)),
        }


def moments(record: MatchRecord) -> Iterator[Moment]:
    """Yield the moments of a recorded match. Raises RecordError if it cannot be executed here, or is not over."""
    made = [*zip(record.decisions.seats, record.decisions.actions, strict=True), (NOBODY, 0)]
    for state, (seat, action) in zip(positions(record), made, strict=True):
        if seat == NOBODY and state.pending_seats():
            raise RecordError(f"match {record.key} is not over after its last decision; leave it out")
        yield state, seat, action


def check_game(record: MatchRecord, game: Game) -> None:
    """Raise RecordError if a record is one of another game."""
    if record.game != game.name:
        raise RecordError(f"match {record.key} is one of {record.game}, not of {game.name}; leave it out")


def random_match(game: Game, seats: int, seed: int) -> Iterator[Moment]:
    """Yield the moments of a match of random legal actions. Raises InvalidOption for an impossible one."""
    state, random = game.initial_state(seats, seed), Random(seed)
    while pending := state.pending_seats():
        action = random.choice(state.legal_actions(pending[0]))
        yield state, pending[0], action
        state.apply(pending[0], action)
    yield state, NOBODY, 0


def _mean_curve(curves: list[list[float]]) -> list[float]:
    return [fmean(column) for column in zip(*curves, strict=True)]
