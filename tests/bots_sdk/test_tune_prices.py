"""Tuning the prices of planner: the example program."""

import json
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from ballcourt.engine.registry import find_game
from tests.bots_sdk.ladder import LADDERS

pytest.importorskip("cmaes")
EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "tune_prices.py"


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = spec_from_file_location("tune_prices", EXAMPLE)
    assert spec and spec.loader
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "tune_prices", module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "CANDIDATES", 2)
    monkeypatch.setattr(module, "DEALS", 1)
    return module


@pytest.mark.parametrize("game", LADDERS)
def test_factors_of_one_are_the_prices_of_planner_and_others_change_each(example: ModuleType, game: str) -> None:
    prices = example.Prices(game)
    same, other = prices.times([0.0] * len(prices.numbers)), prices.times([1.0] * len(prices.numbers))
    module = prices.load(other)
    assert same == {name: getattr(sys.modules[prices.module], name) for name in same}
    assert all(getattr(module, name) == other[name] != same[name] for name in same)


def test_planner_with_its_own_prices_wins_half_of_its_duels_with_itself(example: ModuleType) -> None:
    prices, rules = example.Prices("tzolkin"), find_game("tzolkin")
    module = prices.load(prices.times([0.0] * len(prices.numbers)))
    assert example.fitness(rules, module, 2, [1, 2], 3) == (0.0, 0.5)


def test_a_run_that_was_interrupted_goes_on_as_if_it_had_not_been(
    example: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def tuned(out: Path, generations: int) -> list[dict[str, object]]:
        begins = len(out.read_text().splitlines()) if out.exists() else 0
        ticks = iter([0.0] * (generations - begins + 1) + [1e9])
        monkeypatch.setattr(example.time, "monotonic", lambda: next(ticks))
        monkeypatch.setattr(sys, "argv", ["tune_prices.py", "tzolkin", "--budget", "2", "--out", str(out)])
        example.main()
        return [json.loads(line) for line in out.read_text().splitlines()]

    whole, halves = tmp_path / "whole", tmp_path / "halves"
    expected = tuned(whole, 2)
    assert len(tuned(halves, 1)) == 1
    assert tuned(halves, 2) == expected
    assert json.loads(capsys.readouterr().out.splitlines()[-1]) == expected[-1]["prices"]
