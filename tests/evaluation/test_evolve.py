"""Breeding bots without a language model: the example program."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from statistics import fmean
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from ballcourt.bots.evolved.prices import priced
from ballcourt.engine.registry import find_game
from tests.arena.conftest import need_sandbox
from tests.bots_sdk.ladder import block, table

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "evolve.py"
GAMES = ["ahau", "maya", "tzolkin"]


@pytest.fixture
def example() -> ModuleType:
    spec = spec_from_file_location("evolve", EXAMPLE)
    assert spec and spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def line(example: ModuleType, game: str, seed: int, length: int) -> Any:  # noqa: ANN401 - a class of the example
    """Return the last child of a line of programs."""
    breeder, one, other = example.Breeder(game, Random(seed)), example.Genes(game), example.Genes(game)
    for _ in range(length):
        one, other = breeder.child(one, other), one
    return one


@pytest.mark.parametrize("game", GAMES)
def test_children_are_programs_that_value_positions_and_their_numbers_stay_in_range(
    example: ModuleType, game: str
) -> None:
    child = line(example, game, seed=1, length=60)
    assert child == line(example, game, seed=1, length=60) != line(example, game, seed=2, length=60)
    assert all(low <= child.numbers[name] <= high for name, (low, high) in example.NUMBERS.items())
    assert child.prices and "planned(now)" in child.terms
    module: dict[str, object] = {"__name__": "program"}
    exec(child.program(), module)
    rules = find_game(game)
    state = rules.initial_state(2, 1, rules.check(2, {}))
    assert isinstance(module["appraiser"](state, 0)(state), float)  # type: ignore[operator]


def test_a_copy_of_a_module_has_its_own_prices() -> None:
    copy = priced("ballcourt.bots.planner.maya", CITIES=7.5)
    from ballcourt.bots.planner import maya

    assert (copy.CITIES, copy.GROWTH) == (7.5, maya.GROWTH) and maya.CITIES != 7.5
    with pytest.raises(AttributeError, match=r"ballcourt\.bots\.planner\.maya has no constant LUCK"):
        priced("ballcourt.bots.planner.maya", LUCK=1.0)


@pytest.mark.slow
def test_the_bot_that_was_bred_is_above_greedy() -> None:
    names = table("evolved", "greedy", 2)
    assert fmean(block("tzolkin", names, seed)["evolved"].above for seed in range(3)) > 0.5


@pytest.mark.slow
def test_the_example_writes_its_best_program_and_judges_it_on_fresh_deals(
    example: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    need_sandbox()
    out = tmp_path / "maya.py"
    monkeypatch.setattr(example, "FIRST", 2)
    monkeypatch.setattr(example, "JUDGED", "2 matches")
    monkeypatch.setattr(sys, "argv", ["evolve.py", "maya", "--against", "random", "--minutes", "0", "--out", str(out)])
    example.main()
    assert out.read_text() == example.Genes("maya").module()
    generation, judged = capsys.readouterr().out.splitlines()
    assert generation.startswith("1. 1 elites") and "in 2 matches, 2 of them new, on fresh deals" in judged


class Found(NamedTuple):
    """What is known of a program after some matches."""

    mean: float
    matches: int


class Luck:
    """Wins most of its first 12 matches, and as many as `true` says of more."""

    def __init__(self, true: dict[str, float]) -> None:
        self._true = true

    def evaluate(self, program: str, budget: str) -> Found:
        matches = int(budget.split()[0])
        return Found(0.9 if matches <= 12 else self._true[program], matches)


@pytest.mark.parametrize(("child", "elite"), [(0.4, "old"), (0.6, "child")])
def test_a_lucky_child_takes_a_cell_only_if_it_is_better_after_as_many_matches(
    example: ModuleType, child: float, elite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(example, "cell_of", lambda *_: (0, 0))
    budgets = {"old": "120 matches", "child": "12 matches"}
    ((name, found),) = example.elites_of(Luck({"old": 0.5, "child": child}), budgets)
    assert (name, found) == (elite, Found(max(0.5, child), 120))
