"""The bot whose values a network learned: its files, what it is told, and the program that trains it."""

import json
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from ballcourt import CannotPlay, Session
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.arena.match.spec import Clock
from ballcourt.bots.ismcts.bot import IsmctsBot
from ballcourt.bots.leads import worth_at_end
from ballcourt.bots.policies import Planner
from ballcourt.bots.random.bot import RandomBot
from ballcourt.bots.trained import bot as trained
from ballcourt.bots.trained.bot import TrainedBot
from ballcourt.bots.trained.network import Inputs, Network
from ballcourt.engine.core import Stream
from ballcourt.engine.core.observation import observe
from ballcourt.engine.registry import find_game
from ballcourt.simulate import State
from ballcourt.v1.protocol_pb2 import MatchStart
from tests.bots_sdk.positions import position

FOLDER = Path(trained.__file__).parent
EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "train.py"
FILES = sorted(FOLDER.glob("*.npz"))
QUICK = Clock(cap_ms=10**9, bank_ms=10**9, work=2)


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = spec_from_file_location("train", EXAMPLE)
    assert spec and spec.loader
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "train", module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "PART", 10)
    return module


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_weights_fit_the_rules_and_vectors_of_today_and_prefer_who_leads(file: Path) -> None:
    game, seats = file.stem.rsplit("-", 1)
    network = Network.load(file, game, int(seats))
    assert file.stat().st_size < 5_000_000
    rules, values, ends = find_game(game), list[float](), list[float]()
    for seed in range(24 // int(seats)):
        state, player = rules.initial_state(int(seats), seed), Planner(game, seed, budget=8)
        turns, asked = list[State](), -1
        while pending := state.pending_seats():
            if asked != pending[0]:
                turns.append(state.clone())
            asked = pending[0]
            state.apply(asked, player(state, asked))
        values += network.values(turns[len(turns) * 2 // 3])
        scores, returns = state.scores(), state.returns()
        ends += [worth_at_end(scores, returns, seat) for seat in range(int(seats))]
    assert np.corrcoef(values, ends)[0, 1] > 0.6


@pytest.mark.parametrize("game", ["maya", "tzolkin", "ahau"])
def test_a_network_is_told_nothing_that_its_seat_does_not_see(game: str) -> None:
    state, seat = position(game, 5, 60, 2)
    inputs, seen = Inputs(game, 2), observe(state, seat)
    told = inputs.of(state)[seat]
    for key in (1, 2, 3):
        drawn = inputs.of(find_game(game).sample(seen, Stream(key)))[seat]
        assert (drawn[:-1] == told[:-1]).all()  # the last input is the other seat's price, in which samples may differ


def test_the_bot_searches_with_the_network_where_it_has_weights_and_as_ismcts_elsewhere() -> None:
    def played(bot: type[IsmctsBot], game: str, seats: int) -> list[int]:
        others = [Session(RandomBot()) for _ in range(seats - 1)]
        return list(play_in_process(game, [Session(bot()), *others], seed=3, clock=QUICK).decisions.actions)

    assert played(TrainedBot, "maya", 2) != played(IsmctsBot, "maya", 2)
    assert played(TrainedBot, "ahau", 5) == played(IsmctsBot, "ahau", 5)


@pytest.mark.parametrize(("game", "is_played_on"), [("tzolkin", False), ("maya", True), ("ahau", True)])
def test_a_position_is_valued_as_it_is_met_or_after_the_turns_of_the_others(game: str, is_played_on: bool) -> None:
    bot = TrainedBot()
    bot.match = MatchStart(game=game, seats=2)
    state, asked = position(game, 5, 60, 2)
    before = state.public_rows()
    assert len(bot.domain().values(state, 1 - asked)) == 2
    assert (state.public_rows() != before) is is_played_on


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_bot_values_every_position_that_its_search_comes_to(file: Path) -> None:
    game, seats = file.stem.rsplit("-", 1)
    others = [Session(RandomBot()) for _ in range(int(seats) - 1)]
    clock = Clock(cap_ms=10**9, bank_ms=10**9, work=12)
    results = play_in_process(game, [Session(TrainedBot()), *others], seed=2, clock=clock).results
    assert results[0].placement == 1


def test_a_few_matches_train_weights_and_no_match_is_played_twice(
    example: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out, data = tmp_path / "tzolkin-2.npz", tmp_path / "positions"
    line = ["train.py", "tzolkin", "--matches", "20", "--data", str(data), "--out", str(out)]
    monkeypatch.setattr(sys, "argv", line)
    example.main()
    assert "epoch 3" in capsys.readouterr().out
    first, kept = out.read_bytes(), [part.stat().st_mtime_ns for part in sorted(data.iterdir())]
    example.main()
    assert [part.stat().st_mtime_ns for part in sorted(data.iterdir())] == kept
    assert out.read_bytes() == first
    monkeypatch.setattr(sys, "argv", [*line, "--rate", "1e-5"])
    example.main()
    assert out.read_bytes() != first
    state = find_game("tzolkin").initial_state(2, 1)
    values = Network.load(out, "tzolkin", 2).values(state)
    assert values[0] != values[1]
    assert max(map(abs, values)) < 100


def test_a_network_learns_what_it_is_shown(example: ModuleType) -> None:
    rng = np.random.default_rng(4)
    inputs = rng.integers(0, 4, (20_000, 9)).astype(np.float16)
    worths = (3.0 * inputs[:, 0] - 10.0 * (inputs[:, 1] > 1) * inputs[:, 2] + inputs[:, 8]).astype(np.float64)
    training = example.Training(inputs, worths, 1, rate=0.01)
    among = np.arange(len(worths))
    untaught = training.explained(training.averaged(), among)
    for epoch in range(example.EPOCHS):
        training.epoch(epoch, among)
    assert untaught < 0.1 < 0.5 < training.explained(training.averaged(), among)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"game": "maya"}, "are for game maya, and not tzolkin"),
        ({"seats": 3}, "are for seats 3, and not 2"),
        ({"rules": "0"}, "are for rules 0, and not"),
        ({"vectors": "0"}, "are for vectors 0, and not"),
    ],
)
def test_weights_of_something_else_are_refused(change: dict[str, object], told: str, tmp_path: Path) -> None:
    with np.load(FOLDER / "tzolkin-2.npz") as read:
        arrays = dict(read)
    arrays["about"] = np.array(json.dumps(json.loads(str(arrays["about"])) | change))
    file = tmp_path / "tzolkin-2.npz"
    np.savez(file, **arrays)
    with pytest.raises(CannotPlay, match=told):
        Network.load(file, "tzolkin", 2)


@pytest.mark.parametrize("content", [b"", b"no weights", b"PK\x03\x04 cut"])
def test_a_file_without_weights_is_refused(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "tzolkin-2.npz"
    file.write_bytes(content)
    with pytest.raises(CannotPlay, match="holds no weights"):
        Network.load(file, "tzolkin", 2)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("chess --data d --out o.npz", "chess"),
        ("tzolkin --seats 9 --data d --out o.npz", "9"),
        ("tzolkin --matches 1 --data d --out o.npz", "--matches is 1; it must be at least 10"),
        ("tzolkin --rate 0 --data d --out o.npz", "--rate is 0.0; it must be above 0 and at most 0.01"),
        ("tzolkin --rate nan --data d --out o.npz", "--rate is nan; it must be above 0"),
        ("tzolkin --data d --out none/o.npz", "there is no folder none"),
    ],
)
def test_wrong_input_to_the_training_is_one_sentence(
    line: str,
    told: str,
    example: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["train.py", *line.split()])
    with pytest.raises(SystemExit) as ended:
        example.main()
    assert ended.value.code == 2
    assert told in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
