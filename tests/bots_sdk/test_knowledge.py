"""How a bot finds its own files, and its knowledge of a game."""

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import ballcourt
from ballcourt.arena.files import PACKAGE
from ballcourt.bots.sdk.python.knowledge import COMPILED, OWN, UnknownToBot, knowledge, own_files
from tests.bench.measure import COMPILED as ENGINE_IS_COMPILED


def test_knowledge_is_the_module_named_after_the_game() -> None:
    assert knowledge("ballcourt.bots.greedy", "tzolkin").__name__ == "ballcourt.bots.greedy.tzolkin"


def test_the_error_for_an_unknown_game_names_the_file_to_write() -> None:
    with pytest.raises(UnknownToBot, match=r"does not know the game 'go'; write .*/bots/greedy/go\.py"):
        knowledge("ballcourt.bots.greedy", "go")


def test_a_copy_of_a_bot_imports_its_own_files_and_not_those_of_the_original(tmp_path: Path) -> None:
    copy = Path(shutil.copytree(PACKAGE / "bots" / "planner", tmp_path / "copy"))
    (copy / "ahau.py").open("a").write("# dearer cities\n")
    try:
        program: dict[str, Any] = {"__name__": "program", "__file__": str(copy / "bot.py"), "__spec__": None}
        exec(compile((copy / "bot.py").read_text(), copy / "bot.py", "exec"), program)
        own = knowledge(program["__spec__"].parent, "ahau")
        assert [program["best_of"].__code__.co_filename, own.__file__] == [
            str(copy / "search.py"),
            str(copy / "ahau.py"),
        ]
        with pytest.raises(UnknownToBot, match=f"write {copy}/go.py"):
            knowledge(program["__spec__"].parent, "go")
    finally:
        for name in [name for name in sys.modules if name.startswith(OWN)]:
            del sys.modules[name]


def test_a_copy_of_a_bot_imports_compiled_files_of_the_same_text_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(PACKAGE / "bots" / "planner", tmp_path / "compiled" / "planner")
    monkeypatch.setattr(ballcourt, "__path__", [str(tmp_path)])
    program = Path(shutil.copytree(PACKAGE / "bots" / "planner", tmp_path / "copy"), "bot.py")
    try:
        assert own_files(str(program)).parent == f"{COMPILED}.planner"
        (program.parent / "maya.py").open("a").write("# dearer cities\n")
        assert own_files(str(program)).parent == OWN
    finally:
        del sys.modules[OWN]


@pytest.mark.skipif(not ENGINE_IS_COMPILED, reason="this installation is not compiled")
@pytest.mark.parametrize("name", ["ahau", "maya", "tzolkin", ""])
@pytest.mark.parametrize(("bot", "search"), [("greedy", "ahead"), ("planner", "search")])
def test_greedy_and_planner_are_compiled_where_the_rules_are(bot: str, search: str, name: str, tmp_path: Path) -> None:
    program = Path(shutil.copytree(PACKAGE / "bots" / bot, tmp_path / "copy"), "bot.py")
    found = find_spec(f"{own_files(str(program)).parent}.{name or search}")
    assert found and found.origin and not found.origin.endswith(".py")
