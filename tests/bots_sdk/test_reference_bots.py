"""The bots of the repository: that they play, the same everywhere, and each better than the one before."""

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from ballcourt import Session
from ballcourt.arena.bots.known import find_bots
from ballcourt.arena.files import PACKAGE
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.arena.match.spec import Clock
from ballcourt.arena.workers.runner import Runner
from ballcourt.bots.example.bot import ExampleBot
from ballcourt.bots.ismcts.budget import Budget
from ballcourt.bots.planner.search import Plan
from ballcourt.bots.rollout import bot as rollout
from ballcourt.engine.registry import find_game, games
from ballcourt.simulate import State
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.matches import match_of
from tests.bots_sdk.ladder import LADDERS, block, bot_class, interval

FOLDER = PACKAGE / "bots"
SEEDS = {"ahau": (12, 4, 3)}
RUNGS = [(game, rung, seeds) for game in LADDERS for rung, seeds in enumerate(SEEDS.get(game, (12, 8, 4)))]
SEARCHING = 2
"""The rung whose stronger bot searches, which takes long."""
QUICKEST = "tzolkin"
"""The game whose matches of planner and greedy take least."""
NAMES = (
    "evolved",
    "example",
    "first-legal",
    "flat-monte-carlo",
    "greedy",
    "ismcts",
    "learned",
    "llm",
    "planner",
    "random",
    "rollout",
    "trained",
)


def is_long(game: str, rung: int, seeds: int) -> bool:
    """Return whether the matches of a rung take seconds."""
    return rung == SEARCHING or (rung == SEARCHING - 1 and game != QUICKEST)


def local_match(game: str, names: Sequence[str], seed: int) -> MatchRecord:
    return play_in_process(game, [Session(bot_class(name.replace("-", "_"))()) for name in names], seed=seed)


def test_every_folder_with_a_bot_toml_is_a_bot_known_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BALLCOURT_BOTS", raising=False)
    assert tuple(find_bots().bots) == NAMES


@pytest.mark.parametrize("name", ["greedy", "planner"])
def test_a_bot_announces_the_games_it_knows(name: str) -> None:
    announced = find_bots().bots[name].games
    assert set(announced) == set(games()) & {file.stem for file in (FOLDER / name).glob("*.py")}
    assert set(announced) == set(LADDERS)


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game == "tzolkin" else pytest.mark.slow) for game in LADDERS]
)
def test_a_bot_plays_the_same_match_in_process_and_over_grpc(game: str) -> None:
    names = ("learned" if game == "maya" else "random", "planner", "greedy", "first-legal")
    known = find_bots().bots
    options = find_game(game).check(len(names), {})
    spec = match_of("key", game, options, 11, tuple(known[name] for name in names))
    with Runner(workers=1) as runner:
        (over_grpc,) = runner.run([spec])
    in_process = local_match(game, names, seed=11)
    assert list(over_grpc.faults) == []
    assert list(in_process.decisions.actions) == list(over_grpc.decisions.actions)
    assert in_process.decisions.hashes == over_grpc.decisions.hashes


def test_rollouts_choose_by_the_work_that_is_granted_and_repeat_it() -> None:
    clock = Clock(cap_ms=10**9, bank_ms=10**9, work=3)
    first, again = (
        play_in_process("tzolkin", [Session(bot_class(name)()) for name in ("rollout", "random")], clock=clock)
        for _ in range(2)
    )
    assert list(first.decisions.actions) == list(again.decisions.actions)
    alone = play_in_process("tzolkin", [Session(bot_class(name)()) for name in ("planner", "random")])
    assert list(first.decisions.actions) != list(alone.decisions.actions)


def test_rollouts_are_spent_on_fewer_and_fewer_plans_and_the_best_of_them_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    state = find_game("tzolkin").initial_state(2, 1)
    monkeypatch.setattr(rollout, "sample", lambda decision, random: state.clone())
    spent = Counter[int]()

    class Known(rollout.RolloutBot):
        def gain(self, world: State, plan: Plan[State], luck: int) -> float:
            spent[int(plan.worth)] += 1
            return -abs(plan.worth - 5)

    bot = Known()
    monkeypatch.setattr(bot, "random", Random(1), raising=False)
    monkeypatch.setattr(bot, "decision", None, raising=False)
    plans = [Plan((), state, float(worth), complete=True) for worth in range(8)]
    assert bot.chosen(plans, Budget(36, 1e6)).worth == 5
    assert spent[5] == max(spent.values()) > spent[0] == min(spent.values()) > 0


def test_the_planner_plays_by_the_work_it_is_granted() -> None:
    records = [
        play_in_process(
            "maya", [Session(bot_class(name)()) for name in ("planner", "random")], clock=Clock(cap_ms=10**9, work=work)
        )
        for work in (1, 1, 50)
    ]
    assert [list(record.work) for record in records] == [[1, 0], [1, 0], [50, 0]]
    first, again, more = (list(record.decisions.actions) for record in records)
    assert first == again != more


@pytest.mark.parametrize(
    ("game", "rung", "seeds"),
    [pytest.param(*rung, marks=pytest.mark.slow if is_long(*rung) else ()) for rung in RUNGS],
)
def test_every_bot_of_the_ladder_is_rated_above_the_one_below(game: str, rung: int, seeds: int) -> None:
    weaker, stronger = LADDERS[game][rung : rung + 2]
    mean, half = interval([block(game, [stronger, weaker], seed)[stronger].above for seed in range(seeds)])
    assert mean - half > 0.5


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["new_beginning", "two_cities"])
def test_planner_and_greedy_choose_start_temples(variant: str) -> None:
    for name in ("greedy", "planner"):
        seats = [Session(bot_class(each)()) for each in ("random", name)]
        record = play_in_process("maya", seats, seed=1, options={"variant": variant})
        assert record.results[1].placement == 1


@pytest.mark.slow
def test_the_example_is_short_and_beats_random() -> None:
    source = (FOLDER / "example" / "bot.py").read_text()
    assert len(source.splitlines()) <= 20
    assert ExampleBot.__name__ in source
    mean, _ = interval([block("tzolkin", ["example", "random"], seed)["example"].above for seed in range(10)])
    assert mean > 0.55
