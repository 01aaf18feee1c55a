"""Trains a bot by PPO against bots of the arena, and is the bot that it has trained.

    python docs/examples/ppo.py mine --game tzolkin --updates 30
    python docs/examples/ppo.py mine --against greedy --updates 200
    ballcourt play tzolkin ./mine greedy

The folder `mine` is a bot: a copy of this file, bot.toml and weights.npz. A second run goes on from there. Each update
plays one match at every table of a `BatchEnv`, then improves the policy by the clipped objective of PPO (Schulman et
al., arXiv 1707.06347). A decision is rewarded with what the lead grows by until the next. curve.csv has the updates.
"""

import argparse
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ballcourt import CannotPlay, run
from ballcourt.arena.files import in_place_of
from ballcourt.bots.leads import lead
from ballcourt.bots.policies import Greedy, Planner
from ballcourt.engine.core import WrongInput
from ballcourt.env import BatchEnv
from ballcourt.env.bots import PolicyBot

Array = NDArray[Any]
OPPONENTS: dict[str, Any] = {"random": None, "greedy": Greedy, "planner": Planner}
DEFAULTS: dict[str, Any] = {"game": "tzolkin", "seats": 2, "tables": 64, "seed": 1}
WEIGHTS = "weights.npz"
MANIFEST = 'name = "ppo"\nversion = "1"\ncommand = ["{{python}}", "bot.py"]\ngames = ["{game}"]\n'
HEAD = ("update", "steps", "against", "lead", "duels", "policy_loss", "value_loss", "entropy", "steps_per_second")
HIDDEN, EPOCHS, MINIBATCH = 128, 3, 512
RATE, CLIP, GAMMA, LAMBDA = 5e-4, 0.2, 0.997, 0.95
ENTROPY, VALUE = 0.01, 0.5  # the weights of their losses
POINTS = 20.0  # of lead, for a reward of 1


class Network:
    """One hidden layer, from which a policy and a value are read; with the optimiser Adam."""

    def __init__(self, weights: dict[str, Array]) -> None:
        self.weights = weights

    @classmethod
    def fresh(cls, limits: Array, actions: int, rng: np.random.Generator) -> "Network":
        """Return a network that likes all actions alike; elements of what it sees are divided by `limits`."""
        shapes = {"w": (len(limits), HIDDEN), "b": (HIDDEN,), "policy": (HIDDEN, actions), "value": (HIDDEN, 1)}
        weights = {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}
        weights["w"] = rng.normal(0, len(limits) ** -0.5, shapes["w"]).astype(np.float32)
        moments = {f"{name} {moment}": np.zeros(shape, np.float32) for name, shape in shapes.items() for moment in "mv"}
        return cls({**weights, **moments, "step": np.zeros((), int), "limits": limits})

    def __call__(self, inputs: Array, masks: Array) -> tuple[Array, Array, Array]:
        """Return the hidden layer, the probabilities of the actions, and the values."""
        w = self.weights
        hidden = np.tanh(inputs / w["limits"] @ w["w"] + w["b"])
        logits = np.where(masks, hidden @ w["policy"], -np.inf)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return hidden, odds / odds.sum(axis=1, keepdims=True), (hidden @ w["value"])[:, 0]

    def descend(self, gradients: dict[str, Array]) -> None:
        """Take a step of Adam; the gradient as a whole is clipped to length 0.5."""
        self.weights["step"] += 1
        step, length = int(self.weights["step"]), np.sqrt(sum(np.square(each).sum() for each in gradients.values()))
        for name, gradient in gradients.items():
            scaled = gradient * min(1.0, 0.5 / (float(length) + 1e-8))
            mean, square = self.weights[f"{name} m"], self.weights[f"{name} v"]
            mean += 0.1 * (scaled - mean)
            square += 0.001 * (np.square(scaled) - square)
            self.weights[name] -= RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-5)


@dataclass(slots=True)
class Seen:
    """The decisions of the learner in one match, and how it ended."""

    decisions: list[tuple[Array, Array, int, float, float]] = field(default_factory=list)
    """Of each: what was seen, what was legal, the action, the chance that it had, and the value."""
    leads: list[float] = field(default_factory=list)  # in points: before each decision, and at the end
    duels: float = 0.0  # the share won; a tie counts half

    def advantages(self) -> Array:
        """Return the generalised advantage estimates."""
        rewards, values = np.diff(self.leads) / POINTS, [*(value for *_, value in self.decisions), 0.0]
        found, ahead = np.zeros(len(rewards), np.float32), 0.0
        for at in reversed(range(len(rewards))):
            ahead = rewards[at] + GAMMA * values[at + 1] - values[at] + GAMMA * LAMBDA * ahead
            found[at] = ahead
        return found


def play(batch: BatchEnv, network: Network, against: str, seed: int) -> list[Seen]:
    """Play one match at each table; the learner sits in seat `table % seats`."""
    batch.reset(seed)
    rng = np.random.default_rng(seed)
    seen, over, seats = [Seen() for _ in range(batch.n)], np.zeros(batch.n, bool), np.arange(batch.n) % batch.seats
    make = OPPONENTS[against]
    opponents = [make(batch.game.name, int(luck)) for luck in batch.seeds] if make else []
    while not over.all():
        draws = rng.random(batch.masks.shape, np.float32)
        actions = np.where(batch.masks, draws, -1).argmax(axis=1)
        mine = np.flatnonzero(~over & (batch.acting == seats))
        if mine.size:
            actions[mine] = decide(batch, network, mine, draws[mine], seen)
        for table in np.flatnonzero(~over & (batch.acting != seats)) if opponents else ():
            actions[table] = opponents[table](batch.states[table], int(batch.acting[table]))
        batch.step(actions)
        for table in np.flatnonzero(batch.terminals & ~over):
            scores, seat = batch.rewards[table], seats[table]
            seen[table].leads.append(lead(scores.tolist(), seat))
            seen[table].duels = np.sign(scores[seat] - np.delete(scores, seat)).mean() / 2 + 0.5
        over |= batch.terminals
    return seen


def decide(batch: BatchEnv, network: Network, tables: Array, draws: Array, seen: list[Seen]) -> Array:
    """Return an action of the policy at these tables, and note it."""
    inputs, masks = batch.observations[tables], batch.masks[tables].astype(bool)
    _, policy, values = network(inputs, masks)
    actions = np.where(masks, np.log(draws + 1e-9) / np.maximum(policy, 1e-9), -np.inf).argmax(axis=1)
    for row, table in enumerate(tables):
        seen[table].decisions.append((inputs[row], masks[row], actions[row], policy[row, actions[row]], values[row]))
        seen[table].leads.append(lead(batch.states[table].scores(), int(batch.acting[table])))
    return actions


def improve(network: Network, seen: list[Seen], seed: int) -> tuple[float, ...]:
    """Improve the policy and the values; return the means of their losses, and of the entropy."""
    parts = zip(*(decision for one in seen for decision in one.decisions), strict=True)
    inputs, masks, actions, before, values = map(np.array, parts)
    estimates = np.concatenate([one.advantages() for one in seen])
    advantages, returns = (estimates - estimates.mean()) / (estimates.std() + 1e-8), estimates + values
    rng, losses = np.random.default_rng(seed), []
    for _ in range(EPOCHS):
        for rows in np.array_split(rng.permutation(len(actions)), max(1, len(actions) // MINIBATCH)):
            rest = (part[rows] for part in (masks, actions, before, advantages, returns))
            gradients, loss = gradients_of(network, inputs[rows], *rest)
            network.descend(gradients)
            losses.append(loss)
    return tuple(np.mean(losses, axis=0).tolist())


def gradients_of(
    network: Network, inputs: Array, masks: Array, actions: Array, before: Array, advantages: Array, returns: Array
) -> tuple[dict[str, Array], list[float]]:
    """Return the gradients of the weights, and what `improve` returns of one minibatch."""
    n, (hidden, policy, values) = len(actions), network(inputs, masks)
    ratio = policy[np.arange(n), actions] / before
    gain = np.minimum(ratio * advantages, np.clip(ratio, 1 - CLIP, 1 + CLIP) * advantages)
    logs = np.log(np.maximum(policy, 1e-9))
    entropy = -(policy * logs).sum(axis=1)
    pushed = np.where(gain == ratio * advantages, ratio * advantages, 0)[:, None]  # no gradient where it is clipped
    chosen = actions[:, None] == np.arange(policy.shape[1])
    to_logits = (pushed * (policy - chosen) + ENTROPY * policy * (logs + entropy[:, None])) / n
    to_values = 2 * VALUE * (values - returns)[:, None] / n
    to_hidden = (to_logits @ network.weights["policy"].T + to_values @ network.weights["value"].T) * (1 - hidden**2)
    gradients = {"w": (inputs / network.weights["limits"]).T @ to_hidden, "b": to_hidden.sum(axis=0)}
    gradients |= {"policy": hidden.T @ to_logits, "value": hidden.T @ to_values}
    return gradients, [-gain.mean(), np.square(values - returns).mean(), entropy.mean()]


class Trained(PolicyBot):
    """Draws its actions by the chances that its network gives them, as in training."""

    dtype = "uint8"

    def __init__(self) -> None:
        """Raises CannotPlay without weights beside this file."""
        if not (file := Path(__file__).with_name(WEIGHTS)).exists():
            raise CannotPlay(f"there is no {file}; train the bot first")
        self.about, weights = load(file)
        self.network, self.trained_on = Network(weights), self.about["fingerprint"]

    def match_started(self) -> None:
        """Raises CannotPlay for vectors or rules other than those of the training."""
        super().match_started()
        if self.about["rules"] != self.match.rules_version:
            raise CannotPlay(f"the policy was trained on rules {self.about['rules']}, not {self.match.rules_version}")

    def decide(self, observations: Array, masks: Array) -> Array:
        _, policy, _ = self.network(observations, masks.astype(bool))
        return np.array([self.random.choices(range(len(chances)), chances)[0] for chances in policy])


def load(file: Path) -> tuple[dict[str, Any], dict[str, Array]]:
    """Return what a file of weights is about, and its arrays."""
    with np.load(file) as saved:
        arrays = {name: saved[name] for name in saved.files}
    return json.loads(str(arrays.pop("about"))), arrays


def train(folder: Path, about: dict[str, Any], batch: BatchEnv, against: str, updates: int) -> None:
    """Begin or go on with the training in a folder; save after each update."""
    if folder.exists():
        network = Network(load(folder / WEIGHTS)[1])
    else:
        folder.mkdir(parents=True)
        (folder / "bot.py").write_bytes(Path(__file__).read_bytes())
        (folder / "bot.toml").write_text(MANIFEST.format(game=about["game"]), encoding="utf-8")
        (folder / "curve.csv").write_text(",".join(HEAD) + "\n", encoding="utf-8")
        network = Network.fresh(batch.limits, batch.actions, np.random.default_rng(about["seed"]))
    for _ in range(updates):
        began, seed = monotonic(), about["seed"] * 1_000_000 + about["updates"]
        seen = play(batch, network, against, seed)
        losses = improve(network, seen, seed)
        decisions = sum(len(one.decisions) for one in seen)
        about |= {"updates": about["updates"] + 1, "steps": about["steps"] + decisions}
        with in_place_of(folder / WEIGHTS) as file, file.open("wb") as opened:
            np.savez_compressed(opened, **{**network.weights, "about": np.array(json.dumps(about))})
        means = fmean(one.leads[-1] for one in seen), fmean(one.duels for one in seen)
        numbers = (f"{number:.4g}" for number in (*means, *losses, decisions / (monotonic() - began)))
        row = (about["updates"], about["steps"], against, *numbers)
        with (folder / "curve.csv").open("a", encoding="utf-8") as curve:
            print(*row, sep=",", file=curve)
        print(", ".join(f"{name} {value}" for name, value in zip(HEAD, row, strict=True)), flush=True)  # noqa: T201


def arguments() -> tuple[Path, dict[str, Any], BatchEnv, str, int]:
    """Read the command line; wrong input ends the program with one sentence and exit code 2."""
    parser = argparse.ArgumentParser(description="Train a bot by PPO.")
    parser.add_argument("folder", type=Path, help="of the bot; it is made, or the training in it goes on")
    parser.add_argument("--against", choices=[*OPPONENTS], default="random")
    parser.add_argument("--updates", type=int, default=20, help="how many to make now, default 20")
    for name, default in DEFAULTS.items():
        parser.add_argument(f"--{name}", type=type(default), help=f"of a new training, default {default}")
    given = parser.parse_args()
    if given.updates < 1:
        parser.error(f"--updates is {given.updates}; it must be at least 1")
    chosen = {name: value for name in DEFAULTS if (value := getattr(given, name)) is not None}
    about = {**DEFAULTS, **chosen, "updates": 0, "steps": 0}
    try:
        if given.folder.exists():
            about = load(given.folder / WEIGHTS)[0]
        batch = BatchEnv(about["game"], about["tables"], about["seats"], reward="score", dtype="uint8")
    except (WrongInput, OSError) as error:
        parser.error(str(error))
    for name, value in {**chosen, "fingerprint": batch.fingerprint, "rules": batch.game.rules_version}.items():
        if about.setdefault(name, value) != value:
            parser.error(f"{name} is {value}, but {given.folder} was begun with {about[name]}; name a new folder")
    return given.folder, about, batch, given.against, given.updates


if __name__ == "__main__":
    run(Trained) if len(sys.argv) == 1 else train(*arguments())
