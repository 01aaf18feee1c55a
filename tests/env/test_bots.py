"""Policies as bots and bots as opponents: the same decisions in a batch, in process and over the wire."""

import copy
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ballcourt.arena.match.in_process import play_in_process
from ballcourt.arena.records.store import read_record
from ballcourt.bots.random.bot import RandomBot
from ballcourt.bots.sdk.python.bot import Bot, CannotPlay
from ballcourt.bots.sdk.python.decision import Decision
from ballcourt.bots.sdk.python.session import Session
from ballcourt.env import BatchEnv, Env, EnvError
from ballcourt.env.bots import BotOpponent
from ballcourt.env.single import Masks
from ballcourt.env.tensors import Floats, Ints
from ballcourt.v1.record_pb2 import DecidedBy, MatchRecord
from tests.arena.conftest import PATIENCE_S
from tests.env.policy_bot import bot as policy_bot
from tests.env.policy_bot.bot import WholeNumbers

Decisions = list[tuple[int, int]]
"""Seats and their actions, without forced ones."""


@pytest.mark.parametrize(
    ("name", "seats"),
    [
        pytest.param("ahau", 2, marks=pytest.mark.slow),
        pytest.param("maya", 3, marks=pytest.mark.slow),
        ("tzolkin", 2),
    ],
)
def test_a_policy_decides_alike_in_a_batch_in_process_and_as_a_process(name: str, seats: int, tmp_path: Path) -> None:
    seed, made = in_a_batch(name, seats, WholeNumbers())
    local = play_in_process(name, [Session(WholeNumbers()) for _ in range(seats)], seed=seed)
    assert decisions(local) == made
    assert decisions(as_processes(name, seats, seed, tmp_path)) == made


def test_a_policy_of_bytes_decides_alike_in_a_batch_and_in_process() -> None:
    class OfBytes(WholeNumbers):
        dtype = "uint8"

    seed, made = in_a_batch("tzolkin", 2, OfBytes())
    local = play_in_process("tzolkin", [Session(OfBytes()), Session(OfBytes())], seed=seed)
    assert decisions(local) == made


def in_a_batch(name: str, seats: int, policy: WholeNumbers) -> tuple[int, Decisions]:
    """Play the second match of a batch; return its seed and its decisions."""
    batch = BatchEnv(name, 2, seats, dtype=policy.dtype)
    batch.reset(seed=3)
    seed = int(batch.seeds[1])
    made = []
    while True:
        actions = policy.decide(batch.observations, batch.masks)
        batch.step(actions)
        made.append((int(batch.acted[1]), int(actions[1])))
        if batch.terminals[1]:
            return seed, made


def as_processes(name: str, seats: int, seed: int, folder: Path) -> MatchRecord:
    """Play a match between processes at the command line; return its record."""
    bots = [f"{label}={Path(policy_bot.__file__).parent}" for label in "abcde"[:seats]]
    command = [sys.executable, "-m", "ballcourt", "play", name, *bots, "--seed", str(seed), "--sandbox", "0"]
    command += ["--record-dir", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 0, done.stderr
    (path,) = folder.rglob("*.match")
    return read_record(path)


def decisions(record: MatchRecord) -> Decisions:
    made = record.decisions
    asked = zip(made.seats, made.actions, made.decided_by, strict=True)
    return [(seat, action) for seat, action, by in asked if by == DecidedBy.DECIDED_BY_BOT]


def test_a_bot_in_a_seat_of_an_environment_decides_as_in_the_arena() -> None:
    record = play_in_process("maya", [Session(RandomBot()), Session(RandomBot())], seed=8)
    env, made = Env("maya", 2), []
    env.reset(seed=8)
    opponents = [BotOpponent(RandomBot()), BotOpponent(RandomBot())]
    for opponent in opponents:
        opponent.match_started(env)
    while not env.done:
        seat, action = env.seat, opponents[env.seat].choose(env)
        env.step(action)
        made.append((seat, action))
    assert made == decisions(record)


class Hanging(Bot):
    """Answers when it is let go, and then with an exception."""

    name = "hanging"

    def __init__(self) -> None:
        self.let_go = threading.Event()

    def choose(self, decision: Decision) -> int:
        self.let_go.wait(PATIENCE_S)
        raise ZeroDivisionError


def test_a_bot_that_hangs_is_reported_and_not_waited_for() -> None:
    env, bot = Env("maya", 2), Hanging()
    opponent = BotOpponent(bot, limit_s=0.01)
    opponent.match_started(env)
    try:
        with pytest.raises(EnvError, match=r"hanging has not answered for 0\.01 s; give BotOpponent a longer limit_s"):
            opponent.choose(env)
    finally:
        bot.let_go.set()


def test_a_bot_that_sits_in_two_places_is_refused() -> None:
    """Its session knows one match from one seat: it would answer other questions."""
    shared = BotOpponent(RandomBot())
    envs = [Env("maya", 2), Env("maya", 2)]
    for env in envs:
        shared.match_started(env)
    shared.choose(envs[0])
    envs[0].step(envs[0].legal[0])
    for env in [envs[1], *envs[: envs[0].seat]]:
        with pytest.raises(EnvError, match="sits in two places; make one for each seat of each environment"):
            shared.choose(env)


def test_a_bot_that_cannot_be_copied_is_named_with_what_to_do() -> None:
    with pytest.raises(EnvError, match=r"hanging cannot be copied: cannot pickle .* object; give it a __getstate__"):
        copy.deepcopy(BotOpponent(Hanging()))


def test_a_policy_that_decides_for_a_fraction_is_refused() -> None:
    class Fraction(WholeNumbers):
        def decide(self, observations: Floats, masks: Masks) -> Ints:
            return super().decide(observations, masks) + 0.5  # type: ignore[return-value]

    with pytest.raises(TypeError, match=r"choose returned \S*\d+\.5\)? \(float64\); return one of the numbers"):
        play_in_process("maya", [Session(Fraction()), Session(WholeNumbers())], seed=1)


@pytest.mark.parametrize("limit_s", [PATIENCE_S, None])
def test_an_exception_of_a_bot_reaches_the_training_run(limit_s: float | None) -> None:
    env, bot = Env("maya", 2), Hanging()
    bot.let_go.set()
    opponent = BotOpponent(bot, limit_s=limit_s)
    opponent.match_started(env)
    with pytest.raises(ZeroDivisionError):
        opponent.choose(env)


def test_a_policy_trained_on_other_vectors_is_refused_with_what_to_do() -> None:
    bot = WholeNumbers()
    bot.trained_on = "0123456789abcdef"
    with pytest.raises(CannotPlay, match=r"vectors 0123456789abcdef of maya, which are \w+ here; train it again"):
        play_in_process("maya", [Session(bot), Session(WholeNumbers())], seed=1)
    bot.trained_on = BatchEnv("maya", 1).fingerprint
    play_in_process("maya", [Session(bot), Session(WholeNumbers())], seed=1)
