"""How a bot finds its own files, and its knowledge of a game."""

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from ballcourt.arena.files import PACKAGE
from ballcourt.bots.sdk.python.knowledge import OWN, UnknownToBot, knowledge


def test_knowledge_is_the_module_named_after_the_game() -> None:
    assert knowledge("ballcourt.bots.greedy", "tzolkin").__name__ == "ballcourt.bots.greedy.tzolkin"


def test_the_error_for_an_unknown_game_names_the_file_to_write() -> None:
    with pytest.raises(UnknownToBot, match=r"does not know the game 'go'; write .*/bots/greedy/go\.py"):
        knowledge("ballcourt.bots.greedy", "go")


def test_a_copy_of_a_bot_imports_its_own_files_and_not_those_of_the_original(tmp_path: Path) -> None:
    copy = Path(shutil.copytree(PACKAGE / "bots" / "planner", tmp_path / "copy"))
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
