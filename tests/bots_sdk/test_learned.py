"""The bot that learns by self-play: what its values are made of, the fit, a short learn."""

import json
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from ballcourt import Session
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.bots.greedy.bot import GreedyBot
from ballcourt.bots.learned import maya
from ballcourt.bots.learned.bot import LearnedBot, Values
from ballcourt.bots.random.bot import RandomBot
from ballcourt.bots.sdk.python.bot import CannotPlay
from ballcourt.engine.core import Stream
from ballcourt.engine.core.observation import observe
from ballcourt.engine.games.maya import GAME
from ballcourt.engine.games.maya.state import MayaState
from tests.bots_sdk.positions import position

EXAMPLE = spec_from_file_location("learn", Path(__file__).parents[2] / "docs" / "examples" / "learn.py")
assert EXAMPLE and EXAMPLE.loader
learn = module_from_spec(EXAMPLE)
EXAMPLE.loader.exec_module(learn)
TINY = learn.Plan(rounds=1, matches=3)


@pytest.mark.parametrize("seats", [2, 4])
def test_features_hold_nothing_that_is_hidden(seats: int) -> None:
    for seed in range(5):
        state, seat = position("maya", seed, 20 + 30 * seed, seats)
        seen = observe(state, seat)
        described = maya.features(cast(MayaState, state), seat)
        assert len(described) == len(maya.NAMES)
        for draw in range(3):
            assert maya.features(cast(MayaState, GAME.sample(seen, Stream(draw))), seat) == described


def test_two_seats_see_opposite_leads() -> None:
    state, _ = position("maya", 3, 120, 2)
    mine, yours = (dict(zip(maya.NAMES, maya.features(cast(MayaState, state), seat), strict=True)) for seat in (0, 1))
    for name in maya.NAMES:
        if name not in ("planting", "rack_squares", "rack_growth", "constant"):
            assert mine[name] == -yours[name]
    assert any(mine[name] for name in maya.NAMES if name.startswith("city_"))


def test_weights_of_other_features_are_refused_with_what_to_do() -> None:
    weights = dict.fromkeys(maya.NAMES, 1.0) | {"luck": 1.0}
    with pytest.raises(CannotPlay, match=r"do not fit the features of .*\.maya: luck; train them again"):
        Values(maya, weights)


def test_a_fit_finds_the_weights_that_made_the_leads() -> None:
    rng = np.random.default_rng(1)
    positions = np.hstack([rng.normal(scale=[1, 10], size=(4000, 2)), np.ones((4000, 1))])
    leads = positions @ [3.0, -0.5, 2.0] + rng.normal(size=4000)
    weights, error = learn.fit(positions, leads)
    assert weights == pytest.approx([3.0, -0.5, 2.0], abs=0.05)
    assert error == pytest.approx(1.0, abs=0.05)


@pytest.mark.slow
def test_a_short_training_learns_to_beat_random() -> None:
    ((weights, error),) = learn.train(TINY)
    assert error > 0
    learned, random = learn.scores_of("maya", [learn.Player(weights), RandomBot()], seed=1)
    assert learned > random


@pytest.mark.slow
def test_the_same_seed_gives_the_same_positions_and_leads() -> None:
    weights = dict.fromkeys(maya.NAMES, 0.0) | {"score": 1.0}
    (positions, leads), (again, alike) = (learn.learn_from(TINY, weights, 5) for _ in range(2))
    assert (positions == again).all()
    assert (leads == alike).all()
    assert positions.shape == (len(leads), len(maya.NAMES))


def test_returns_mix_later_values_with_the_end_of_the_match() -> None:
    returns = learn.lambda_returns(np.array([5.0, 10.0, 20.0]), 30.0)
    assert returns == pytest.approx([0.1 * 10 + 0.9 * 29, 29.0, 30.0])


def test_the_file_of_weights_says_how_they_came_about(tmp_path: Path) -> None:
    learn.save(tmp_path / "maya.json", TINY, [learn.Progress(1, 2.0, 3.0, 0.5, 0.1)], {"lead": 1.0})
    saved = json.loads((tmp_path / "maya.json").read_text())
    assert saved["plan"]["matches"] == 3
    assert saved["curve"][0]["above_greedy"] == 0.5
    assert saved["weights"] == {"lead": 1.0}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["maya.json", "--rounds", "0"], "--rounds is 0; it must be at least 1"),
        (["maya.json", "--seats", "9"], "maya is not played by 9; it takes 2, 3, 4 seats"),
        (["nowhere/maya.json"], "there is no folder nowhere to write maya.json to"),
    ],
)
def test_wrong_input_ends_training_with_a_sentence(
    words: list[str], sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["learn.py", *words])
    with pytest.raises(SystemExit) as ended:
        learn.main()
    assert ended.value.code == 2
    assert sentence in capsys.readouterr().err


def test_missing_weights_are_reported_with_how_to_make_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("ballcourt.bots.learned.bot.__file__", str(tmp_path / "bot.py"))
    with pytest.raises(CannotPlay, match=r"no weights at .*maya\.json; run docs/examples/learn.py"):
        play_in_process("maya", [Session(LearnedBot()), Session(RandomBot())])


@pytest.mark.slow
def test_the_weights_that_come_with_the_bot_were_learned_and_beat_greedy() -> None:
    lead = 0.0
    for seed in range(2):
        for seat in range(2):
            bots = [GreedyBot(), GreedyBot()]
            bots[seat] = LearnedBot()
            results = play_in_process("maya", [Session(each) for each in bots], seed=seed).results
            lead += results[seat].score - results[1 - seat].score
    assert lead > 0
