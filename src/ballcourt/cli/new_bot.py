"""`ballcourt new-bot`: writes a starter bot."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ballcourt.cli.flags import Json
from ballcourt.cli.output import dump, say


def new_bot(
    name: Annotated[
        Path, typer.Argument(metavar="NAME", help="The bot's name, or a path that ends with it.", show_default=False)
    ],
    lang: Annotated[
        str, typer.Option(metavar="LANGUAGE", help="cpp, go, java, python, rust or typescript.")
    ] = "python",
    game: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A game it plays; may be repeated. [default: all]")
    ] = None,
    as_json: Json = False,
) -> None:
    """Write a complete starter bot, for you to change.

    \b
    Examples:
      ballcourt new-bot mine
      ballcourt new-bot mine --lang go --game tzolkin
    """
    from ballcourt.arena.bots.starters import INSTALLED, write_bot
    from ballcourt.engine.registry import find_game

    for wanted in game or []:
        find_game(wanted)
    write_bot(name, lang, game or [])
    if as_json:
        dump({"name": name.name, "folder": str(name.absolute()), "language": lang})
        return
    shown = name if name.is_absolute() else f"./{name}"
    say([f"{shown} is a complete bot; check it with", f"  ballcourt check-bot {shown}"])
    if lang != INSTALLED:
        say([f"{shown}/sdk/README.md explains what to change, and how to debug it"])
