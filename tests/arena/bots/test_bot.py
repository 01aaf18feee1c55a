import sys
from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import BotError, content_hash, find_bots, load_bot, resolve_bot

MINIMAL = 'name = "mia"\nversion = "2"\ncommand = ["{python}", "bot.py"]\n'


def bot_folder(parent: Path, text: str = MINIMAL, name: str = "mia") -> Path:
    folder = parent / name
    folder.mkdir()
    (folder / "bot.toml").write_text(text)
    (folder / "bot.py").write_text("print()\n")
    return folder


def test_a_bot_is_loaded_from_its_folder_or_its_file(tmp_path: Path) -> None:
    folder = bot_folder(tmp_path)
    bot = load_bot(folder)
    assert bot == load_bot(folder / "bot.toml")
    assert (bot.name, bot.version, bot.author, bot.games) == ("mia", "2", "", ())
    assert bot.command == (sys.executable, "bot.py")
    assert bot.directory == folder


def test_the_working_directory_is_relative_to_the_file(tmp_path: Path) -> None:
    folder = bot_folder(tmp_path, MINIMAL + 'directory = "build"\n')
    (folder / "build").mkdir()
    assert load_bot(folder).directory == folder / "build"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('name = "mia"\nversion = "2"\n', "lacks 'command'; required are name, version, command"),
        (MINIMAL + "colour = 1\n", "unknown key 'colour'; known keys: name, version, command, author"),
        (MINIMAL.replace('"2"', "2"), "version is 2; it must be a string"),
        (MINIMAL + 'games = "tzolkin"\n', "games is 'tzolkin'; it must be a list of strings"),
        (MINIMAL.replace('["{python}", "bot.py"]', "[]"), "command is empty"),
        (MINIMAL + 'directory = "nowhere"\n', "directory 'nowhere' does not exist"),
        (MINIMAL + 'ignore = ["build"]\n', "ignore is for a bot with a build step"),
        ("name = ", "is not valid TOML"),
    ],
)
def test_an_invalid_bot_file_is_refused_in_one_sentence(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(BotError) as refused:
        load_bot(bot_folder(tmp_path, text))
    assert complaint in str(refused.value)
    assert "bot.toml" in str(refused.value)


def test_a_folder_without_a_bot_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BotError, match=r"a bot is a folder with a bot\.toml"):
        load_bot(tmp_path)


def test_bots_are_found_in_the_folders_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = bot_folder(tmp_path)
    monkeypatch.setenv("BALLCOURT_BOTS", str(folder))
    assert find_bots()["mia"].directory == folder
    assert resolve_bot("mia") == resolve_bot(str(folder))


def test_two_bots_with_the_same_name_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = [bot_folder(tmp_path), bot_folder(tmp_path, name="twin")]
    monkeypatch.setenv("BALLCOURT_BOTS", ":".join(map(str, folders)))
    with pytest.raises(BotError, match="two bots are called 'mia'"):
        find_bots()


def test_the_error_for_an_unknown_bot_lists_the_known_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BALLCOURT_BOTS", str(bot_folder(tmp_path)))
    with pytest.raises(BotError, match=r"there is no bot 'nobody'; known bots: .*mia.*; the path of a folder"):
        resolve_bot("nobody")


def test_the_hash_covers_names_and_contents_but_not_compiled_or_hidden_files(tmp_path: Path) -> None:
    folder = bot_folder(tmp_path)
    before = content_hash(folder)
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "bot.pyc").write_text("compiled")
    (folder / ".hidden").write_text("secret")
    assert content_hash(folder) == before
    (folder / "bot.py").write_text("print(1)\n")
    changed = content_hash(folder)
    (folder / "bot.py").rename(folder / "tob.py")
    assert len({before, changed, content_hash(folder)}) == 3


def test_an_unreadable_file_of_a_bot_is_named(tmp_path: Path) -> None:
    folder = bot_folder(tmp_path)
    (folder / "weights").symlink_to("/proc/self/mem")
    with pytest.raises(BotError, match=r"weights, a file of the bot, cannot be read: Input/output error"):
        load_bot(folder)


def test_the_games_of_a_bot_are_not_passed_to_it_as_games_to_load(tmp_path: Path) -> None:
    bot = load_bot(bot_folder(tmp_path, MINIMAL + 'games = ["tzolkin"]\n'))
    assert "BALLCOURT_GAMES" not in bot.environment("socket", "token")
