"""Every mode of Ahau passes the conformance checks, and random matches reach every mode."""

import pytest

from ballcourt.engine.conformance import Walk, check
from ballcourt.engine.games.ahau import GAME

MODES: tuple[tuple[int, dict[str, str]], ...] = (
    (2, {"board": "night", "personal": "yes"}),
    (2, {"mode": "family"}),
    (2, {"shadow": "yes"}),
    (1, {"difficulty": "easy", "solo_board": "day"}),
    (1, {"difficulty": "hard", "solo_board": "night"}),
)
"""The modes with the fewest seats; the random options of other checks cover more seats."""


@pytest.mark.parametrize(("seats", "options"), MODES)
def test_a_mode_passes_all_checks(seats: int, options: dict[str, str]) -> None:
    """§1.2, §1.3, §14, §15"""
    report = check(GAME, matches=1, seed=seats, seats=seats, options=options)
    assert [problem for result in report.results for problem in result.problems] == []


def test_random_options_reach_every_mode() -> None:
    walks = [Walk(GAME, seats, seed).options for seats in (1, 2) for seed in range(30)]
    for option in GAME.options:
        impossible = {"1", "2", "3", "4"} if option.name == "start_player" else set()
        assert {*option.choices} - {options[option.name] for options in walks} - impossible == set()
