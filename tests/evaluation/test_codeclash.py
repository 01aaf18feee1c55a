"""The arena for CodeClash, by the interfaces that CodeClash publishes: it has no release that could be installed."""

import json
import shutil
import subprocess
import sys
from abc import ABC
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from ballcourt import Session
from ballcourt.arena.bots.bot import load_bot
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.bots.first_legal.bot import FirstLegalBot
from ballcourt.evaluation.rungs.climb import find_rungs
from tests.bots_sdk.rungs import bot_of

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
MANIFEST = 'name = "{}"\nversion = "1"\ncommand = ["{{python}}", "bot.py"]\ngames = ["{}"]\n'
PLAYS = (
    "from ballcourt import Bot, run\nclass Mine(Bot):\n    def choose(self, decision):\n        return {}\nrun(Mine)\n"
)


@dataclass
class Player:
    """A player, whose container is a folder with `workspace`."""

    name: str
    environment: Path


class Stats:
    """`RoundStats`: what an arena fills in."""

    def __init__(self, round_num: int, agents: list[Player]) -> None:
        self.round_num = round_num
        self.winner: str | None = None
        self.scores: dict[str, float] = {}
        self.details: list[str] = []
        self.player_stats = {agent.name: SimpleNamespace(score=0.0) for agent in agents}


@dataclass
class CodeArena(ABC):
    """`CodeArena`: the order in which a round calls the three methods, with folders in place of containers."""

    config: dict[str, Any]
    environment: Path
    log_env: Path = Path("/logs")
    refused: dict[str, str | None] = field(default_factory=dict)

    @property
    def game_config(self) -> dict[str, Any]:
        return self.config["game"]  # type: ignore[no-any-return]

    def log_round(self, round_num: int) -> Path:
        return self.environment / "kept" / str(round_num)

    def run_round(self, agents: list[Player], round_num: int) -> Stats:
        stats = Stats(round_num, agents)
        checked = {agent.name: self.validate_code(agent) for agent in agents}  # type: ignore[attr-defined]
        self.refused = {name: error for name, (valid, error) in checked.items() if not valid}
        valid = [agent for agent in agents if agent.name not in self.refused]
        for agent in valid:
            shutil.copytree(agent.environment / "workspace", self.environment / agent.name)
        self.execute_round(valid)  # type: ignore[attr-defined]
        shutil.copytree(self.environment / "logs", self.log_round(round_num))
        self.get_results(valid, round_num, stats)  # type: ignore[attr-defined]
        return stats


def copy_from_container(container: Path, src_path: str, dest_path: Path) -> None:
    """Copy the content of a folder, as `docker cp` does for a path that ends in a dot."""
    shutil.copytree(container / src_path.removesuffix("/.").lstrip("/"), dest_path, dirs_exist_ok=True)


def create_file_in_container(container: Path, *, content: str, dest_path: str) -> None:
    """Write a file."""
    target = container / dest_path.lstrip("/")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(content)


@pytest.fixture
def arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    published: dict[str, dict[str, Any]] = {
        "codeclash.agents.player": {"Player": Player},
        "codeclash.arenas.arena": {"CodeArena": CodeArena, "RoundStats": Stats},
        "codeclash.constants": {"DIR_WORK": Path("/workspace"), "RESULT_TIE": "Tie"},
        "codeclash.utils.environment": {
            "copy_from_container": copy_from_container,
            "create_file_in_container": create_file_in_container,
        },
    }
    for name, content in published.items():
        module = ModuleType(name)
        vars(module).update(content)
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.syspath_prepend(EXAMPLES)
    config = {"game": {"name": "Ballcourt", "sims_per_round": 4, "args": {"game": "maya", "tier": 0}}}
    yield import_module("codeclash_arena").BallcourtArena(config, tmp_path / "game")
    sys.modules.pop("codeclash_arena")


def player(place: Path, name: str, chooses: str, game: str = "maya") -> Player:
    """Make a player whose code base is a bot."""
    home = place / name / "workspace"
    home.mkdir(parents=True)
    (home / "bot.toml").write_text(MANIFEST.format(name, game))
    (home / "bot.py").write_text(PLAYS.format(chooses))
    return Player(name, place / name)


def test_a_code_base_that_is_no_bot_of_the_game_is_refused_with_a_sentence(arena: Any, tmp_path: Path) -> None:  # noqa: ANN401
    assert arena.validate_code(player(tmp_path, "good", "decision.legal[0]")) == (True, None)
    valid, why = arena.validate_code(player(tmp_path, "other", "0", game="ahau"))
    assert not valid
    assert "does not play maya" in why
    (tmp_path / "other" / "workspace" / "bot.toml").unlink()
    valid, why = arena.validate_code(Player("other", tmp_path / "other"))
    assert not valid
    assert "bot.toml" in why


@pytest.mark.slow
def test_a_round_counts_duels_and_says_who_lost_a_seat(arena: Any, tmp_path: Path) -> None:  # noqa: ANN401
    agents = [
        player(tmp_path, "Alice", "1 / 0"),
        player(tmp_path, "Bob", "decision.legal[-1]"),
        player(tmp_path, "Carol", "0", game="ahau"),
    ]
    stats = arena.run_round(agents, 1)
    assert list(arena.refused) == ["Carol"]
    assert sum(stats.scores.values()) == 4
    first, second = stats.scores["Alice"], stats.scores["Bob"]
    assert stats.winner == ("Tie" if first == second else "Alice" if first > second else "Bob")
    assert (
        stats.player_stats["Bob"].score
        == stats.scores["Bob"]
        == json.loads((arena.log_round(1) / "ballcourt.json").read_text())["won"]["Bob"]
    )
    assert any("Alice lost its seat" in line and "ZeroDivisionError" in line for line in stats.details)


@pytest.fixture
def ladder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(EXAMPLES)
    yield import_module("codeclash_ladder")
    sys.modules.pop("codeclash_ladder")


def test_rungs_become_branches_that_play_as_the_rungs_do(
    ladder: Any,  # noqa: ANN401
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-C", str(tmp_path)]
    subprocess.run([*git, "init", "-q"], check=True)
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "A")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "a@example.org")
    monkeypatch.setattr(sys, "argv", ["codeclash_ladder.py", "tzolkin", str(tmp_path)])
    ladder.main()
    ladder.main()  # the same again
    rungs = find_rungs("tzolkin", 2)
    lines = capsys.readouterr().out.splitlines()[: 2 * len(rungs.tables)]
    assert set(lines[::2]) == {"- agent: dummy"}
    branches = [line.removeprefix("  branch_init: ") for line in lines[1::2]]
    assert len(set(branches)) == len(rungs.tables) and all(branch.startswith("human/") for branch in branches)
    for rung in (2, 6):
        home = tmp_path / f"bot{rung}"
        home.mkdir()
        for file in ("bot.toml", "bot.py"):
            shown = subprocess.run([*git, "show", f"{branches[rung - 1]}:{file}"], check=True, capture_output=True)
            (home / file).write_bytes(shown.stdout)
        assert load_bot(home).games == ("tzolkin",)
        spec = spec_from_file_location("rung", home / "bot.py")
        assert spec and spec.loader
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        played, expected = (
            play_in_process("tzolkin", [Session(bot), Session(FirstLegalBot())], seed=3).decisions.actions
            for bot in (module.Rung(), bot_of(rungs.tables[rung - 1]))
        )
        assert played == expected


def test_rungs_that_are_not_there_and_a_folder_that_is_no_repository_are_sentences(
    ladder: Any,  # noqa: ANN401
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for words, sentence in (
        (["maya", "--seats", "1"], "has no rungs for 1 seats"),
        (["maya"], "returned non-zero exit"),
    ):
        monkeypatch.setattr(sys, "argv", ["codeclash_ladder.py", words[0], str(tmp_path / "none"), *words[1:]])
        with pytest.raises(SystemExit, match=sentence):
            ladder.main()
