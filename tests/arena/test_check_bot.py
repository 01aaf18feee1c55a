"""What check-bot finds out about good and bad bots. Bluff is the game, so that matches take milliseconds."""

from pathlib import Path

import pytest

from arena.bots import BotError
from arena.check_bot import BotCheck, Check, percentile
from arena.match import Clock
from engine.core import UnknownGame
from tests.arena.conftest import BOTS, Traces

IMPATIENT = Clock(cap_ms=500)


def folder_with(tmp_path: Path, *command: str, name: str = "mine") -> Path:
    """A bot's folder whose command is a script of tests/bots."""
    script, *arguments = command
    parts = ", ".join(f'"{part}"' for part in ("{python}", str(BOTS / script), *arguments))
    (tmp_path / "bot.toml").write_text(f'name = "{name}"\nversion = "1"\ncommand = [{parts}]\n')
    return tmp_path


def first_failure(folder: Path, title: str, clock: Clock) -> Check:
    checks = BotCheck(folder, "bluff", clock).run()
    return next(check for check in checks if not check.passed and check.title.startswith(title))


def test_a_good_bot_passes_every_check_and_its_thinking_is_measured(tmp_path: Path, traces: Traces) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.py").write_text((BOTS / "honest.py").read_text())
    (folder / "bot.toml").write_text('name = "mine"\nversion = "2"\ncommand = ["{python}", "bot.py"]\n')
    check = BotCheck(folder, "bluff")
    found = list(check.run())
    assert [one for one in found if not one.passed] == []
    assert [one.title for one in found] == [
        "bot.toml",
        "start and Hello",
        "name and version",
        "end after Goodbye",
        "end on SIGTERM",
        *(f"a match of bluff, table of {seats}" for seats in (1, 2, 3, 4)),
        "once more on the same stream, table of 1",
        "thinking time",
    ]
    assert len(check.think_us) == 15
    assert traces.all_gone()


@pytest.mark.parametrize(
    ("way", "title", "detail", "advice"),
    [
        (
            "exits on start",
            "start and Hello",
            "before its Hello: exit code 3\n| no model file",
            "the command of bot.toml",
        ),
        ("other protocol", "start and Hello", "speaks protocol 7", "say in bot.toml and Hello only what is true"),
        ("illegal", "a match", "illegal at decision 0", "one of the numbers in Decide.legal"),
        ("crashes", "a match", "crash at decision 0", "the last the bot wrote"),
        ("hangs", "a match", "timeout at decision 0", "within Decide.limit_ms"),
        ("garbage", "a match", "protocol error at decision 0", "protocol.proto"),
        ("deaf to SIGTERM", "end on SIGTERM", "had to be killed", "do not ignore SIGTERM"),
        ("crashes", "name and version", "Hello says no name without version, bot.toml says mine 1", "say the same"),
    ],
)
def test_a_bad_bot_is_told_what_it_did_and_what_to_do(
    tmp_path: Path, way: str, title: str, detail: str, advice: str
) -> None:
    clock = IMPATIENT if way == "hangs" else Clock()
    failure = first_failure(folder_with(tmp_path, "misbehaving.py", way), title, clock)
    assert detail in failure.detail
    assert advice in failure.advice


def test_a_bot_toml_that_cannot_be_used_is_the_only_finding(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text('name = "mine"\n')
    (only,) = BotCheck(tmp_path, "bluff").run()
    assert not only.passed
    assert "lacks 'version'" in only.detail


def test_a_folder_without_a_bot_cannot_be_checked(tmp_path: Path) -> None:
    with pytest.raises(BotError, match=r"does not exist; a bot is a folder with a bot\.toml"):
        next(BotCheck(tmp_path).run())


def test_an_unknown_game_is_refused_before_anything_starts(tmp_path: Path) -> None:
    with pytest.raises(UnknownGame, match="there is no game 'go'"):
        next(BotCheck(folder_with(tmp_path, "honest.py"), "go").run())


def test_a_bot_that_plays_only_games_that_are_not_installed_cannot_be_checked(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, "honest.py")
    with (folder / "bot.toml").open("a") as file:
        file.write('games = ["go"]\n')
    with pytest.raises(BotError, match=r"mine plays go, but installed are only .*bluff"):
        list(BotCheck(folder).run())


@pytest.mark.parametrize(("share", "expected"), [(0, 1), (50, 2), (75, 3), (99, 4), (100, 4)])
def test_a_percentile_is_one_of_the_values(share: int, expected: int) -> None:
    assert percentile([4, 1, 3, 2], share) == expected
