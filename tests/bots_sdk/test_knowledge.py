"""How a bot finds its knowledge of a game."""

import pytest

from ballcourt.bots.sdk.python.knowledge import UnknownToBot, knowledge


def test_knowledge_is_the_module_named_after_the_game() -> None:
    assert knowledge("ballcourt.bots.greedy", "tzolkin").__name__ == "ballcourt.bots.greedy.tzolkin"


def test_the_error_for_an_unknown_game_names_the_file_to_write() -> None:
    with pytest.raises(UnknownToBot, match=r"does not know the game 'go'; write ballcourt/bots/greedy/go\.py"):
        knowledge("ballcourt.bots.greedy", "go")
