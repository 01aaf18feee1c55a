"""Writes the folder of a new bot: the starter of a language, with a copy of that language's SDK where it needs one."""

import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from ballcourt.arena.bots.bot import BOT_FILE, load_bot
from ballcourt.arena.bots.known import built_in_names
from ballcourt.arena.files import PACKAGE, in_place_of
from ballcourt.arena.naming import name_objection
from ballcourt.arena.printable import cut
from ballcourt.engine.core import WrongInput, did_you_mean

INSTALLED = "python"
"""The language whose SDK comes with the arena; bots in the others carry theirs with them, to build and run anywhere."""
SOURCES = "*.proto"
NOTES = "AGENTS.md"
ALSO_CALLED = {
    "golang": "go",
    "rs": "rust",
    "py": "python",
    "c++": "cpp",
    "cxx": "cpp",
    **dict.fromkeys(("ts", "js", "javascript", "node", "nodejs"), "typescript"),
}
"""Other names of languages, and of those that one replaces."""
NEEDS = re.compile(r'needs="(.*)"\npackages="(.*)"\n')
"""How the build script of a starter names the programs that it needs, and Debian's packages that have them."""


class StarterError(WrongInput):
    """The folder of a starter cannot be written; the sentence says why and what to do."""


def languages() -> list[str]:
    """List the languages a bot can be begun in."""
    return sorted(file.parent.name for file in _bots("starters").glob(f"*/{BOT_FILE}"))


def missing_tools(language: str) -> str:
    """Return which programs this machine lacks to build bots in a language, and who has them; empty if none."""
    script = _bots("starters") / language / "build.sh"
    found = NEEDS.search(script.read_text(encoding="utf-8")) if script.exists() else None
    missing = [tool for tool in found[1].split() if not shutil.which(tool)] if found else []
    if not (found and missing):
        return ""
    return f"to build it, this machine lacks {', '.join(missing)}; Debian's packages: {found[2]}"


def write_bot(folder: Path, language: str, games: Sequence[str] = ()) -> None:
    """Write a bot named like its folder, all of it or nothing; `games` are those it says it plays.

    Raises StarterError.
    """
    name = folder.name or folder.resolve().name  # "." has none
    if objection := name_objection(name):
        raise StarterError(f"'{cut(name)}' is not a valid bot name; {objection}")
    if name in built_in_names():
        raise StarterError(f"'{name}' is a bot that comes with Ballcourt; choose another name")
    if language not in languages():
        raise StarterError(
            f"there is no starter in '{language}'; available languages: {', '.join(languages())}{_meant(language)}"
        )

    def fill(new: Path) -> None:
        _copy(_bots("starters") / language, new, language)
        _introduce(new / BOT_FILE, name, games)
        notes = (_bots("starters") / NOTES).read_text(encoding="utf-8").replace("NAME", name)
        write_notes(new, notes.replace("GAME", games[0] if games else "maya"))
        _ignore(new / ".gitignore", language)
        (new / ".gitattributes").write_text("* text=auto eol=lf\n", encoding="utf-8")  # scripts do not run with others
        if language != INSTALLED:
            _copy_sdk(language, new / "sdk")

    write_new(folder, fill)


def write_notes(folder: Path, text: str) -> None:
    """Write the notes for coding agents, under both names that these look for."""
    (folder / NOTES).write_text(text, encoding="utf-8")
    (folder / "CLAUDE.md").write_text(f"@{NOTES}\n", encoding="utf-8")


def write_new(folder: Path, fill: Callable[[Path], None]) -> None:
    """Fill a new folder under another name, then put it in place. Raises StarterError."""
    try:
        if folder.exists():
            raise StarterError(f"{folder} already exists; choose another name, or remove it")
        with in_place_of(folder) as new:
            fill(new)
    except OSError as error:
        raise StarterError(f"{folder} cannot be written: {error.strerror or error}") from None


def _copy_sdk(language: str, folder: Path) -> None:
    _copy(_bots("sdk") / language, folder, language)
    for source in sorted((PACKAGE / "v1").glob(SOURCES)):
        target = folder / "proto" / "ballcourt" / "v1" / source.name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)


def _copy(source: Path, target: Path, language: str) -> None:
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", *_made(language)))


def _meant(language: str) -> str:
    other = ALSO_CALLED.get(language.lower())
    return f" (did you mean {other}?)" if other else did_you_mean(language.lower(), languages())


def _made(language: str) -> tuple[str, ...]:
    """What building a bot of the language leaves in its folder, and in that of the SDK."""
    return load_bot(_bots("starters") / language).ignore


def _ignore(file: Path, language: str) -> None:
    names = _made(language) or ("__pycache__",)
    file.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")


def _introduce(file: Path, name: str, games: Sequence[str]) -> None:
    text = file.read_text(encoding="utf-8").replace('"NAME"', f'"{name}"')
    if games:
        listed = ", ".join(f'"{game}"' for game in games)
        text = re.sub(r"(?m)^games = .*$", f"games = [{listed}]", text)
    file.write_text(text, encoding="utf-8")


def _bots(folder: str) -> Path:
    return PACKAGE / "bots" / folder
