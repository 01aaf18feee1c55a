"""`ballcourt new-bot`: writes a starter bot."""

from pathlib import Path
from typing import Annotated

from ballcourt.arena.bots.starters import INSTALLED, missing_tools, write_bot
from ballcourt.cli.declaring import argument, option
from ballcourt.cli.flags import Json
from ballcourt.cli.output import dump, note, say
from ballcourt.engine.registry import find_game


def new_bot(
    name: Annotated[Path, argument("NAME", "The bot's name, or a path that ends with it.")],
    lang: Annotated[str, option("cpp, go, java, python, rust or typescript.", "LANGUAGE")] = "python",
    game: Annotated[list[str] | None, option("A game it plays; may be repeated. [default: all]", "NAME")] = None,
    as_json: Json = False,
) -> None:
    """Write a complete starter bot, for you to change.

    \b
    Examples:
      ballcourt new-bot mine
      ballcourt new-bot mine --lang go --game tzolkin
    """
    for wanted in game or []:
        find_game(wanted)
    write_bot(name, lang, game or [])
    if as_json:
        dump({"name": name.name, "folder": str(name.absolute()), "language": lang})
        return
    if lacking := missing_tools(lang):
        note(lacking)
    shown = name if name.is_absolute() else f"./{name}"
    say([f"{shown} is a complete bot; check it with", f"  ballcourt check bot {shown}"])
    if lang != INSTALLED:
        say([f"{shown}/sdk/README.md explains what to change, and how to debug it"])
