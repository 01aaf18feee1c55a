"""`ballcourt new-game`: writes a starter game."""

import re
import shutil
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from typing import Annotated, Final

from ballcourt.arena.bots.bot import NO_CONTENT
from ballcourt.arena.bots.starters import NOTES, StarterError, write_new, write_notes
from ballcourt.arena.files import PACKAGE
from ballcourt.arena.printable import cut
from ballcourt.cli.declaring import argument
from ballcourt.cli.flags import Json
from ballcourt.cli.output import dump, say
from ballcourt.engine.registry import games

STARTER: Final = PACKAGE / "engine" / "starter"
STARTER_NAME: Final = "goofspiel"
"""What the starter is called until it gets another name."""
GENERATED: Final = ("*_pb2.*", "build", "*.egg-info")


def new_game(
    name: Annotated[Path, argument("NAME", "The game's name, or a path that ends with it.")],
    as_json: Json = False,
) -> None:
    """Write a complete starter game, for you to change.

    It is a Python package of its own: rules, state, protocol, drawing and tests of a small game with a shuffled deck
    and secret, simultaneous bids. Once installed, every command knows it.

    \b
    Examples:
      ballcourt new-game mygame
      pip install --editable ./mygame
      ballcourt check game mygame
    """
    called = name.name or name.resolve().name  # "." has none
    _check(called)
    write_new(name, lambda new: _fill(new, called))
    if as_json:
        dump({"name": called, "folder": str(name.absolute())})
        return
    shown = name if name.is_absolute() else f"./{name}"
    say(
        [
            f"{shown} is a complete game; install and check it with",
            f"  pip install --editable {shown}",
            f"  ballcourt check game {called}",
            f"{shown}/README.md says what its files are",
        ]
    )


def _check(name: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or len(name) > 40 or iskeyword(name):
        raise StarterError(
            f"'{cut(name)}' is not a valid name of a game; it must be at most 40 lower-case letters, digits and single "
            "underscores, the first a letter, and no word of Python"
        )
    if name in games():
        raise StarterError(f"there is a game '{name}' already; choose another name")
    if (module := find_spec(name)) and module.origin:  # a folder may be called so
        raise StarterError(f"there is a Python module '{name}' already; choose another name")


def _fill(folder: Path, name: str) -> None:
    """Copy the starter into a new folder, with the name of the game in all texts and names of files."""
    shutil.copytree(STARTER, folder, ignore=shutil.ignore_patterns(*NO_CONTENT, *GENERATED))
    (folder / ".gitignore").write_text("".join(f"{name}\n" for name in ("__pycache__", *GENERATED)), encoding="utf-8")
    for path in sorted(folder.rglob("*"), reverse=True):  # what is in a folder before the folder
        if path.is_file():
            path.write_text(_named(path.read_text(encoding="utf-8"), name), encoding="utf-8")
        path.rename(path.with_name(_named(path.name, name)))
    write_notes(folder, (folder / NOTES).read_text(encoding="utf-8"))


def _named(text: str, name: str) -> str:
    words = name.split("_")
    forms = {STARTER_NAME: name, STARTER_NAME.capitalize(): "".join(map(str.capitalize, words))}
    forms[STARTER_NAME.upper()] = name.upper()
    return re.sub(STARTER_NAME, lambda found: forms[found.group()], text, flags=re.IGNORECASE)
