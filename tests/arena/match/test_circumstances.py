"""The circumstances of a match: its time, host and versions."""

import getpass
import platform
import re
import socket

import pytest

from ballcourt.arena.match.circumstances import host, now, rules_package
from ballcourt.engine.registry import find_game

SECRET = "a name of this machine or of its owner"


def test_the_time_is_written_in_utc_to_the_second() -> None:
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", now())


def test_the_description_of_the_host_names_neither_it_nor_its_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LOGNAME", "USER", "HOME", "HOSTNAME"):
        monkeypatch.setenv(name, SECRET)
    for module, function in ((platform, "node"), (socket, "gethostname"), (getpass, "getuser")):
        monkeypatch.setattr(module, function, lambda: SECRET)
    described = host.__wrapped__()
    assert described.python.endswith(platform.python_version())
    assert described.cpus >= 1
    assert SECRET not in str(described)


@pytest.mark.parametrize("game", ["maya", "tzolkin", "ahau"])
def test_the_rules_of_our_games_belong_to_the_ballcourt_distribution(game: str) -> None:
    package = rules_package(find_game(game))
    assert package.name == "ballcourt"
    assert package.version


def test_a_game_from_the_environment_variable_has_no_distribution() -> None:
    assert not rules_package(find_game("bluff")).name
