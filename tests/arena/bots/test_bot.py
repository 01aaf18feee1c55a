import os
import sys
from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import BOT_FILE, BotError, content_hash, load_bot

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
        (MINIMAL.replace("command", "comand"), "unknown key 'comand'; known keys: name, version, command, author, url"),
        (MINIMAL.replace("command", "comand"), "(did you mean command?)"),
        (MINIMAL.replace('"2"', "2"), "version is 2; it must be a string"),
        (MINIMAL + 'games = "tzolkin"\n', "games is 'tzolkin'; it must be a list of strings"),
        (MINIMAL.replace('["{python}", "bot.py"]', "[]"), "command is empty"),
        (MINIMAL + 'directory = "nowhere"\n', "directory 'nowhere' does not exist"),
        (MINIMAL + 'ignore = ["*.toml"]\n', "ignore leaves out bot.toml itself"),
        ("name = ", "is not valid TOML"),
    ],
)
def test_an_invalid_bot_file_is_refused_in_one_sentence(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(BotError) as refused:
        load_bot(bot_folder(tmp_path, text))
    assert complaint in str(refused.value)
    assert "bot.toml" in str(refused.value)


def test_a_file_that_is_no_bot_file_is_refused_as_such(tmp_path: Path) -> None:
    (tmp_path / "r.match").write_bytes(b"ballcourt-match-3\n\xff")
    with pytest.raises(BotError, match=r"r\.match is not a bot; give a bot's name, its folder, or its bot\.toml"):
        load_bot(tmp_path / "r.match")


def test_a_folder_without_a_bot_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BotError, match=r"a bot is a folder with a bot\.toml"):
        load_bot(tmp_path)


LEFTOVERS = (
    *(".git", ".gitignore", ".gitattributes", ".venv", "__pycache__", ".mypy_cache", ".gradle", ".vscode"),
    *(".DS_Store", "._bot.py", "__MACOSX", "Icon\r", "desktop.ini", ".bot.py.swp", "bot.py~", ".env", ".env.local"),
)
OWN = (".npmrc", ".cargo", ".mvn", ".env.example", ".python-version", "node_modules", "cache")


@pytest.mark.parametrize("name", [*LEFTOVERS, *OWN])
@pytest.mark.parametrize("inside", ["", "deep/er"])
def test_a_bot_is_all_of_its_folder_but_what_is_of_the_machine_it_was_written_on(
    tmp_path: Path, name: str, inside: str
) -> None:
    folder = bot_folder(tmp_path)
    (folder / inside).mkdir(parents=True, exist_ok=True)
    before = content_hash(folder)
    (folder / inside / name).write_text("a file")
    assert (content_hash(folder) == before) is (name in LEFTOVERS)
    (folder / inside / name).unlink()
    (folder / inside / name).mkdir()
    (folder / inside / name / "settings").write_text("a folder")
    assert (content_hash(folder) == before) is (name in LEFTOVERS)


def test_the_hash_covers_names_and_contents(tmp_path: Path) -> None:
    folder = bot_folder(tmp_path)
    before = content_hash(folder)
    (folder / "bot.py").write_text("print(1)\n")
    changed = content_hash(folder)
    (folder / "bot.py").rename(folder / "tob.py")
    assert len({before, changed, content_hash(folder)}) == 3


@pytest.mark.parametrize("name", ["pipe", BOT_FILE])
def test_a_pipe_in_the_folder_of_a_bot_is_named_and_never_waited_for(tmp_path: Path, name: str) -> None:
    folder = bot_folder(tmp_path)
    (folder / name).unlink(missing_ok=True)
    os.mkfifo(folder / name)
    with pytest.raises(BotError, match=rf"{name}.* is (neither a file nor a folder|not a regular file)"):
        load_bot(folder)


def test_the_games_of_a_bot_are_not_passed_to_it_as_games_to_load(tmp_path: Path) -> None:
    bot = load_bot(bot_folder(tmp_path, MINIMAL + 'games = ["tzolkin"]\n'))
    assert "BALLCOURT_GAMES" not in bot.environment({}, "token")


@pytest.mark.parametrize("name", ["loop", "loop/in", "\U0001f600" * 100])
def test_a_directory_that_no_path_leads_to_does_not_exist(tmp_path: Path, name: str) -> None:
    folder = bot_folder(tmp_path, f'{MINIMAL}directory = "{name}"\n')
    (folder / "loop").symlink_to("loop")
    with pytest.raises(BotError, match=f"directory '{name}' does not exist"):
        load_bot(folder)
