"""The example that trains a bot by PPO: its gradients, a training in parts, the bot that it leaves."""

import json
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ballcourt import CannotPlay, play_match
from ballcourt.arena.records.replay import verify
from ballcourt.env import BatchEnv, EnvError

FILE = Path(__file__).parents[2] / "docs" / "examples" / "ppo.py"
EXAMPLE = spec_from_file_location("ppo", FILE)
assert EXAMPLE and EXAMPLE.loader
ppo = module_from_spec(EXAMPLE)
EXAMPLE.loader.exec_module(ppo)


def train(monkeypatch: pytest.MonkeyPatch, words: str, folder: Path | None = None) -> None:
    monkeypatch.setattr("sys.argv", ["ppo.py", *([str(folder)] if folder else []), *words.split()])
    ppo.train(*ppo.arguments())


def weights(folder: Path) -> dict[str, np.ndarray]:
    with np.load(folder / "weights.npz") as saved:
        return {name: saved[name] for name in saved.files}


def curve(folder: Path) -> list[list[str]]:
    """Return the lines without the speed."""
    return [line.split(",")[:-1] for line in (folder / "curve.csv").read_text().splitlines()]


def loss(network: Any, *rows: np.ndarray) -> float:  # noqa: ANN401  # a class of the example
    """Return what the gradients are of: the losses of policy and values, and the entropy, weighed."""
    policy_loss, value_loss, entropy = ppo.gradients_of(network, *rows)[1]
    return float(policy_loss + ppo.VALUE * value_loss - ppo.ENTROPY * entropy)


def test_the_gradients_are_those_of_the_loss() -> None:
    rng = np.random.default_rng(1)
    network = ppo.Network.fresh(np.ones(5), 7, rng)
    network.weights |= {
        name: rng.normal(0, 0.3, value.shape) for name, value in network.weights.items() if name in "w b policy value"
    }
    masks = rng.random((40, 7)) < 0.7
    masks[:, 3] = True
    inputs, advantages, returns = rng.normal(size=(40, 5)), rng.normal(size=40), rng.normal(size=40)
    _, policy, _ = network(inputs, masks)
    actions = policy.argmax(axis=1)
    before = policy[np.arange(40), actions] * rng.uniform(0.6, 1.5, 40)
    rows = inputs, masks, actions, before, advantages, returns
    gradients, _ = ppo.gradients_of(network, *rows)
    for name, gradient in gradients.items():
        for _ in range(5):
            at = tuple(rng.integers(0, size) for size in gradient.shape)
            value, around = network.weights[name][at], []
            for moved in (value + 1e-5, value - 1e-5):
                network.weights[name][at] = moved
                around.append(loss(network, *rows))
            network.weights[name][at] = value
            assert gradient[at] == pytest.approx((around[0] - around[1]) / 2e-5, rel=1e-3, abs=1e-7), name


def test_an_advantage_is_what_the_lead_grows_by_above_what_was_expected() -> None:
    seen = ppo.Seen([(np.zeros(1), np.ones(1), 0, 1.0, value) for value in (0.5, 1.0)], [0.0, 20.0, 60.0])
    last = 40 / ppo.POINTS - 1.0
    first = 20 / ppo.POINTS + ppo.GAMMA * 1.0 - 0.5
    assert seen.advantages() == pytest.approx([first + ppo.GAMMA * ppo.LAMBDA * last, last])


def test_a_training_goes_on_as_if_there_had_been_no_pause(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    once, twice = tmp_path / "once", tmp_path / "twice"
    train(monkeypatch, "--tables 3 --updates 2", once)
    train(monkeypatch, "--tables 3 --updates 1", twice)
    train(monkeypatch, "--tables 3 --updates 1", twice)
    for name, value in weights(once).items():
        assert (weights(twice)[name] == value).all(), name
    assert curve(once) == curve(twice)
    assert curve(once)[0] == [*ppo.HEAD[:-1]]
    assert [row[0] for row in curve(once)[1:]] == ["1", "2"]


def test_what_was_trained_plays_a_match_as_a_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = tmp_path / "mine"
    train(monkeypatch, "--tables 2 --updates 1 --against greedy", mine)
    record = play_match("tzolkin", [mine, "first-legal"], seed=3)
    assert not record.faults
    assert verify(record).agrees
    assert record.entrants[0].name == "ppo"


@pytest.mark.parametrize(
    ("key", "sentence"), [("rules", "trained on rules"), ("fingerprint", "trained on the vectors")]
)
def test_weights_of_other_rules_or_vectors_are_refused(
    key: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    train(monkeypatch, "--tables 1 --updates 1", tmp_path / "mine")
    saved: Any = weights(tmp_path / "mine")
    saved["about"] = np.array(json.dumps(json.loads(str(saved["about"])) | {key: "0"}))
    np.savez(tmp_path / "mine" / "weights", **saved)
    monkeypatch.setattr(ppo, "__file__", str(tmp_path / "mine" / "bot.py"))
    with pytest.raises(CannotPlay, match=sentence):
        play_match("tzolkin", [ppo.Trained(), ppo.Trained()])
    with pytest.raises(SystemExit, match="2"):
        train(monkeypatch, "", tmp_path / "mine")
    assert "was begun with 0; name a new folder" in capsys.readouterr().err


@pytest.mark.slow
def test_a_short_training_learns_to_beat_random(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    train(monkeypatch, "--tables 32 --updates 10", tmp_path / "mine")
    duels = [float(row[4]) for row in curve(tmp_path / "mine")[1:]]
    assert min(duels[-2:]) > 0.7


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("new --updates 0", "--updates is 0; it must be at least 1"),
        ("new --tables 0", "a batch of 0 matches is not possible; it must be at least 1"),
        ("new --seats 9", "tzolkin is not played by 9; it takes 2, 3, 4 seats"),
        ("new --game chess", "chess"),
        ("old", "weights.npz"),
    ],
)
def test_wrong_input_ends_the_program_with_a_sentence(
    words: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old").mkdir()
    with pytest.raises(SystemExit) as ended:
        train(monkeypatch, words)
    assert ended.value.code == 2
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_positions_are_those_of_the_tables_and_only_of_one_process() -> None:
    batch = BatchEnv("tzolkin", 3)
    batch.reset(seed=1)
    for table, state in enumerate(batch.states):
        assert state.legal_actions(int(batch.acting[table])) == np.flatnonzero(batch.masks[table]).tolist()
    with pytest.raises(EnvError, match="make it with processes=1"):
        _ = BatchEnv("tzolkin", 2, processes=2).states
