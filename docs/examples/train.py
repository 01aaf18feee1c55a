"""Trains the network of the bot `trained` on matches of planner.

    python docs/examples/train.py tzolkin --seats 2 --matches 3600 --data positions --out bots/trained/tzolkin-2.npz

Planner plays all seats, quickly, and now and then follows one of its next best plans, so that positions are met that it
would avoid. Before half of the turns every seat notes what it sees and planner's prices. From these the network learns
how the match ends for the seat: it corrects a linear forecast from the prices. Every tenth match is held out; the
weights are running means, those of the epoch that forecasts the held-out matches best. Matches are written in parts of
150, and the same command continues. Only NumPy is needed; with compiled rules it is several times as fast.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterator, Sequence
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ballcourt.arena.files import in_place_of
from ballcourt.bots.leads import worth_at_end
from ballcourt.bots.planner.search import Plan
from ballcourt.bots.sdk.python.knowledge import files_of, knowledge
from ballcourt.bots.trained.network import Inputs, Weights, facts
from ballcourt.engine.core import Stream, WrongInput
from ballcourt.engine.core.observation import observe
from ballcourt.engine.registry import find_game
from ballcourt.simulate import State

Floats = NDArray[np.float32]

PART: Final = 150
"""Matches of a file."""
BUDGET: Final = 60
"""How many actions are tried for a turn."""
NOTED: Final = 0.5
"""Before how many of the turns positions are noted."""
EXPLORED, BEST = 0.2, 6
"""In how many of the turns one of the best plans is followed, whichever it is, and how many those are."""
HELD_OUT: Final = 10
"""Of as many matches one is held out."""

HIDDEN: Final = (48, 32)
EPOCHS: Final = 3
BATCH: Final = 256
RATE: Final = 3e-4
DIRECT: Final = 0.1
"""The rate of the direct way, as a share of that of the others."""
DECAY: Final = 0.5
DROPPED: Final = 0.3
"""The share of what a seat sees that is left out of a step."""
MEMORY: Final = 0.005
"""How much a step counts in the running means."""
RARE: Final = 0.02
"""Inputs of less deviation are left out."""


class Teacher:
    """Plays matches of planner, and remembers positions."""

    def __init__(self, game: str, seats: int) -> None:
        """Raises WrongInput for a game or table that there is not."""
        self._rules, self._seats = find_game(game), seats
        self._options = self._rules.check(seats, {})
        self._planner = knowledge(files_of("planner"), game)
        self._plans: Any = import_module(f"{files_of('planner')}.search").plans_for
        self.inputs = Inputs(game, seats)

    def match(self, number: int) -> tuple[list[Floats], list[float]]:
        """Play a match; return the inputs for its positions, and what its end was worth to the seats that saw them."""
        random = Random(number * 7919 + self._seats)
        state = self._rules.initial_state(self._seats, random.getrandbits(62), self._options)
        noted: list[Floats] = []
        plans: dict[int, Sequence[Any]] = {}
        while pending := state.pending_seats():
            seat = pending[0]
            legal = state.legal_actions(seat)
            if len(legal) == 1:
                state.apply(seat, legal[0])
                continue
            plan = plans.get(seat)
            if not (plan and plan[0].action in legal and plan[0].state.public_rows() == state.public_rows()):
                if random.random() < NOTED:
                    noted.extend(self.inputs.of(state))
                plan = self.plan(state, seat, random).steps
            plans[seat] = plan[1:]
            state.apply(seat, plan[0].action)
        scores, returns = state.scores(), state.returns()
        worths = [worth_at_end(scores, returns, seat) for seat in range(self._seats)]
        return noted, worths * (len(noted) // self._seats)

    def plan(self, state: State, seat: int, random: Random) -> Plan[State]:
        """Return a plan for a turn: the best one, or now and then one of the best."""
        drawn = self._rules.sample(observe(state, seat), Stream(random.getrandbits(64)))
        found = sorted(self._plans(self._planner, drawn, seat, BUDGET), key=lambda plan: -plan.worth)
        chosen: Plan[State] = found[random.randrange(min(BEST, len(found))) if random.random() < EXPLORED else 0]
        return chosen

    def part(self, number: int, file: Path) -> None:
        """Write a part of the matches, if it is not there yet."""
        if not file.exists():
            matches = range(number * PART, (number + 1) * PART)
            played = [self.match(match) for match in matches]
            inputs = [one for noted, _ in played for one in noted]
            worths = [worth for _, ends in played for worth in ends]
            numbers = [match for match, (noted, _) in zip(matches, played, strict=True) for _ in noted]
            with in_place_of(file) as new, new.open("wb") as opened:
                np.savez_compressed(opened, inputs=np.array(inputs, np.float16), worths=worths, matches=numbers)


class Training:
    """Weights on their way."""

    def __init__(self, inputs: NDArray[np.float16], worths: NDArray[np.float64], prices: int, rate: float) -> None:
        """The last `prices` inputs are those; only they and the inputs that differ between positions count."""
        sample = inputs[::5].astype(np.float32)
        deviation = sample.std(0)
        deviation[-prices:] += RARE
        kept = np.flatnonzero(deviation > RARE)
        self._inputs, self._worths, self._unit = inputs, worths, float(worths.std())
        self._prices, self._rate, self._random, self._step = prices, rate, np.random.default_rng(0), 0
        weights = Weights(
            kept=kept,
            mean=sample[:, kept].mean(0),
            deviation=deviation[kept] + np.float32(0.1),
            first=self._drawn(len(kept), HIDDEN[0]) * np.float32(0.5),
            first_bias=np.zeros(HIDDEN[0], np.float32),
            second=self._drawn(*HIDDEN),
            second_bias=np.zeros(HIDDEN[1], np.float32),
            last=np.zeros(HIDDEN[1], np.float32),
            last_bias=np.zeros((), np.float32),
            direct=np.zeros(len(kept), np.float32),
        )
        priced = weights.scaled(sample)[:, -prices:]
        forecast = np.linalg.lstsq(np.c_[priced, np.ones(len(priced))], worths[::5] / self._unit, rcond=None)[0]
        weights.direct[-prices:], weights.last_bias[...] = forecast[:-1], forecast[-1]
        self.weights = weights
        self._learned = [getattr(weights, each.name) for each in fields(Weights) if each.name not in FIXED]
        self._first_moments, self._second_moments = ([np.zeros_like(part) for part in self._learned] for _ in range(2))
        self._means = [part.copy() for part in self._learned]
        self._start = [part.copy() for part in self._learned]

    def _drawn(self, rows: int, columns: int) -> Floats:
        drawn: Floats = (self._random.standard_normal((rows, columns)) / np.sqrt(rows)).astype(np.float32)
        return drawn

    def epoch(self, number: int, among: NDArray[np.int64]) -> None:
        """Learn from all positions in `among` once."""
        order = self._random.permutation(among)
        steps = len(order) // BATCH
        for at in range(steps):
            rate = self._rate * (1 - (number * steps + at) / (EPOCHS * steps)) + 1e-6
            self._learn(np.sort(order[at * BATCH : (at + 1) * BATCH]), rate)

    def _learn(self, batch: NDArray[np.int64], rate: float) -> None:
        """Go one step of AdamW (Loshchilov and Hutter 2019) down the squared error."""
        weights = self.weights
        x = weights.scaled(self._inputs[batch].astype(np.float32))
        seen = x[:, : -self._prices]
        seen *= (self._random.random(seen.shape, dtype=np.float32) > DROPPED) / np.float32(1 - DROPPED)
        one = np.maximum(x @ weights.first + weights.first_bias, 0)
        two = np.maximum(one @ weights.second + weights.second_bias, 0)
        value = two @ weights.last + x @ weights.direct + weights.last_bias
        error = ((value - self._worths[batch] / self._unit) / BATCH).astype(np.float32)
        to_two = np.outer(error, weights.last) * (two > 0)
        to_one = to_two @ weights.second.T * (one > 0)
        slopes = [x.T @ to_one, to_one.sum(0), one.T @ to_two, to_two.sum(0), two.T @ error, error.sum(), x.T @ error]
        self._step += 1
        for part, slope, first, second, start in zip(
            self._learned, slopes, self._first_moments, self._second_moments, self._start, strict=True
        ):
            first += 0.1 * (slope - first)
            second += 0.001 * (slope * slope - second)
            own = rate * (DIRECT if part is weights.direct else 1)
            ahead = first / (1 - 0.9**self._step)
            part -= own * ahead / (np.sqrt(second / (1 - 0.999**self._step)) + 1e-8)
            if part is weights.direct:
                part -= own * DECAY * (part - start)
            elif part.ndim and part is not weights.first_bias and part is not weights.second_bias:
                part -= own * DECAY * part
        for mean, part in zip(self._means, self._learned, strict=True):
            mean += MEMORY * (part - mean)

    def averaged(self) -> Weights:
        """Return the running means of the weights, in points."""
        names = [each.name for each in fields(Weights) if each.name not in FIXED]
        parts = {name: mean.copy() for name, mean in zip(names, self._means, strict=True)}
        for name in ("last", "last_bias", "direct"):
            parts[name] *= np.float32(self._unit)
        return Weights(**{name: getattr(self.weights, name) for name in FIXED}, **parts)

    def explained(self, weights: Weights, among: NDArray[np.int64]) -> float:
        """Return the share of the variance of the ends that the network forecasts."""
        parts = np.array_split(among, max(1, len(among) // 4096))
        values = np.concatenate(
            [weights.values(weights.scaled(self._inputs[part].astype(np.float32))) for part in parts]
        )
        ends = self._worths[among]
        return float(1 - np.mean((ends - values) ** 2) / ends.var())


FIXED: Final = ("kept", "mean", "deviation")
"""What is not learned by steps."""


def fitted(parts: Sequence[Path], prices: int, rate: float) -> Iterator[tuple[Weights, float]]:
    """Yield the weights after each epoch, and the share of the held-out variance that they forecast."""
    read = [np.load(part) for part in parts]
    inputs, worths, matches = (
        np.concatenate([part[name] for part in read]) for name in ("inputs", "worths", "matches")
    )
    held_out = matches % HELD_OUT == 0
    training = Training(inputs, worths, prices, rate)
    for number in range(EPOCHS):
        training.epoch(number, np.flatnonzero(~held_out))
        weights = training.averaged()
        yield weights, training.explained(weights, np.flatnonzero(held_out))


def main() -> None:
    """Play, train, and save the best weights."""
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--matches", type=int, default=3600, help=f"rounded up to a multiple of {PART}")
    parser.add_argument("--rate", type=float, default=RATE, help="of learning; a lower one forgets less of the prices")
    parser.add_argument("--data", type=Path, required=True, help="a folder for positions, made if it is not there")
    parser.add_argument("--out", type=Path, required=True, help="the file of weights")
    given = parser.parse_args()
    if given.matches < HELD_OUT:
        parser.error(f"--matches is {given.matches}; it must be at least {HELD_OUT}")
    if not 0 < given.rate <= 0.01:
        parser.error(f"--rate is {given.rate}; it must be above 0 and at most 0.01")
    if not given.out.absolute().parent.is_dir():
        parser.error(f"there is no folder {given.out.parent} to write {given.out.name} to; make it first")
    try:
        teacher = Teacher(given.game, given.seats)
    except (WrongInput, LookupError) as error:
        parser.error(str(error))
    given.data.mkdir(parents=True, exist_ok=True)
    parts = [given.data / f"{given.game}-{given.seats}-{part:03}.npz" for part in range(-(-given.matches // PART))]
    for number, part in enumerate(parts):
        teacher.part(number, part)
        print(f"{(number + 1) * PART} matches in {part}", flush=True)  # noqa: T201
    curve: list[float] = []
    about = facts(given.game, given.seats, teacher.inputs) | {"matches": len(parts) * PART, "curve": curve}
    for weights, explained in fitted(parts, given.seats, given.rate):
        curve.append(round(explained, 4))
        print(f"epoch {len(curve)}: {explained:.1%} of the variance of held-out ends", flush=True)  # noqa: T201
        if explained >= max(curve[:-1], default=explained):
            with in_place_of(given.out) as new:
                weights.save(new, about)


if __name__ == "__main__":
    main()
