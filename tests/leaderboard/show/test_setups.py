"""Set-ups in the words of people."""

from ballcourt.engine.registry import find_game
from ballcourt.leaderboard.model.results import Ladder
from ballcourt.leaderboard.show.setups import in_words, unusual


def test_a_set_up_is_the_game_the_players_and_what_is_not_as_usual() -> None:
    game = find_game("ahau")
    usual = tuple(sorted((option.name, option.default) for option in game.options))
    assert in_words(Ladder("ahau", game.rules_version, 2, usual)) == "Ahau, 2 players"
    night = tuple((name, "night" if name == "board" else value) for name, value in usual)
    assert in_words(Ladder("ahau", game.rules_version, 1, night)) == "Ahau, 1 player, board night"


def test_other_rules_are_named_and_a_game_that_is_not_installed_keeps_all_its_options() -> None:
    assert in_words(Ladder("maya", "0", 3, ())) == "Maya, 3 players, rules 0"
    assert in_words(Ladder("maya", "0", 3, (), "x")) == "Maya, 3 players, rules 0, after rules x"
    gone = Ladder("gone", "1", 2, (("size", "very_large"),))
    assert (in_words(gone), unusual(gone)) == ("gone, 2 players, rules 1, size very large", ("size very large",))
