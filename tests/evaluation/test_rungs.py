"""Rungs: which are asked, what is said about where a bot stands, and that what is published never changes."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.models import ModelError
from ballcourt.engine.registry import find_game
from ballcourt.evaluation.assessment import Assessment, Conclusion
from ballcourt.evaluation.evidence import Measure
from ballcourt.evaluation.rungs import climb as module
from ballcourt.evaluation.rungs.climb import FOLDER, Rungs, RungsFile, climb, find_rungs
from ballcourt.evaluation.suites.suite import BenchmarkError
from ballcourt.evaluation.terms import candidate_seats
from tests.arena.conftest import processes
from tests.evaluation.conftest import Opened

__all__ = ["processes"]

PUBLISHED = {
    "ahau-1": "ce73d265b4d9a6ce0f3f004817acff48b832c105f18aa56f5ab313296a670a31",
    "ahau-2": "62efdc24aadc4ccc415a526036e1d48ff11a0eb713edf4d7eba0d373e1f3d8c1",
    "maya-1": "57db376fcb4374d3fd9e200bc78398ec92930fecd61a5db0cb2a39af35b43085",
    "maya-2": "8346650a524e9615f27413e94c91de4b7f5862d7c3f504d323bd5e6c3eada3c6",
    "tzolkin-1": "0a9ae5a357acb3a9fb69cea2ae5ff208e3142be5391aef543842d32ca42ccc7d",
    "tzolkin-2": "efc6284be6674c055dfb9d94b18f00ef745d3514658ce7eade1e9e22d4a25e43",
}
"""The SHA-256 of every file of rungs that was published. It is never edited: write the next one instead."""

GAMES = ("ahau", "maya", "tzolkin")
TABLE = {"path": "greedy", "args": ["mistakes=0.5"], "clock": {"work": 3}}


def rungs_of(count: int) -> Rungs:
    values = {"title": "Bluff", "rules": {"bluff": "1"}, "field": {"greedy": "3"}, "game": "bluff", "clock": {}}
    file = RungsFile.read({**values, "rungs": {"2": [TABLE] * count}}, "bluff-1.toml")
    return Rungs("bluff-1", file, "0" * 64, 2)


def answer(verdict: Conclusion) -> Assessment:
    bot, share = BotVersion("mine", "1", "a" * 64), (0.6, 0.5, 0.7)
    better = verdict is Conclusion.BETTER
    return Assessment(bot, verdict, *share, better, None, Measure.DUELS, 0.6, None, 4, 8, 8, 0, (), 1.0, 2.0, "shared")


@pytest.mark.parametrize("above", range(11))
def test_a_bot_stands_on_the_highest_rung_that_it_is_above_and_few_are_asked(above: int) -> None:
    asked: list[int] = []

    def ask(rung: int) -> Assessment:
        asked.append(rung)
        return answer(Conclusion.BETTER if rung <= above else Conclusion.SHORT)

    found = climb(rungs_of(10), ask)
    assert (found.highest, found.most) == (above, above)
    assert len(asked) == len(set(asked)) <= 4
    assert found.lines()[0] == f"bluff-1 at 2 seats: rung {above} of 10"


def test_rungs_about_which_nothing_is_known_are_those_that_it_may_be_above() -> None:
    verdicts = [Conclusion.BETTER] * 3 + [Conclusion.SPENT] * 2 + [Conclusion.HOPELESS] * 2
    found = climb(rungs_of(7), lambda rung: answer(verdicts[rung - 1]))
    assert (found.highest, found.most) == (3, 5)
    assert found.lines()[0] == "bluff-1 at 2 seats: rung 3 of 7, at most 5"
    values = json.loads(json.dumps(found.to_json()))
    assert (values["format"], values["highest"], values["most"], values["count"]) == ("ballcourt-rungs-1", 3, 5, 7)
    assert [one["verdict"] for one in values["answers"]] == [verdicts[one["rung"] - 1] for one in values["answers"]]


def test_a_broken_bot_is_below_all_rungs_after_as_few_matches_as_it_takes() -> None:
    found = climb(rungs_of(3), lambda _: answer(Conclusion.BROKEN))
    assert (found.highest, found.most, found.is_broken) == (0, 0, True)


def test_a_rung_is_called_by_what_distinguishes_it() -> None:
    assert rungs_of(1).called(1) == "greedy with mistakes=0.5 and work 3"


def test_opponents_have_the_clock_of_their_rung_and_the_candidate_has_its_own(opened: Opened, processes: None) -> None:
    arena = opened(opponents_clock={"work": 3}, clock={"bank_ms": 90_000})
    assert arena.evaluate("./low", "2 matches").new_matches == 2
    for record in arena.records("./low"):
        (own,) = candidate_seats(record)
        given = [(clock.bank_ms, clock.work) for clock in record.seat_clocks]
        assert (given[own], given[1 - own]) == ((90_000, 0), (90_000, 3))


def test_what_is_known_of_a_bot_against_one_budget_is_not_known_against_another(opened: Opened, place: Path) -> None:
    for work, new in ((3, 2), (4, 2), (3, 0)):
        arena = opened(opponents_clock={"work": work}, cache=place / "kept")
        assert arena.evaluate("./low", "2 matches").new_matches == new


def test_published_rungs_are_what_they_were() -> None:
    assert {file.stem: sha256(file.read_bytes()).hexdigest() for file in FOLDER.glob("*.toml")} == PUBLISHED


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_newest_rungs_can_be_played_with_these_rules_and_bots(game: str, seats: int) -> None:
    """If it fails because rules or a bot have changed on purpose, measure and write the next rungs."""
    rungs = find_rungs(game, seats)
    rungs.file.check(rungs.name)
    named = {table.path for tables in rungs.file.rungs.values() for table in tables}
    assert (rungs.file.game, *rungs.file.rules) == (game, find_game(game).name)
    assert named == set(rungs.file.field)
    assert len({rungs.called(rung) for rung in range(1, len(rungs.tables) + 1)}) == len(rungs.tables)
    for rung in range(1, len(rungs.tables) + 1):
        rungs.opponent(rung)


def test_rungs_that_are_not_there_are_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BenchmarkError, match=r"maja has no rungs; games that have: .*maya.*\(did you mean maya\?\)"):
        find_rungs("maja", 2)
    with pytest.raises(BenchmarkError, match=r"maya-2 has no rungs for 1 seats; it has some for 2, 3, 4"):
        find_rungs("maya", 1)
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    (tmp_path / "maya-2.toml").write_text('title = "Maya"\nrungs = { 2 = [] }\n')
    with pytest.raises(ModelError, match=r"^maya-2\.toml lacks 'rules'"):
        find_rungs("maya", 2)


def test_the_newest_rungs_of_a_game_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("maya-9", "maya-10"):
        text = (FOLDER / "maya-1.toml").read_text()
        (tmp_path / f"{name}.toml").write_text(text)
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    assert find_rungs("maya", 2).name == "maya-10"
