"""`ballcourt new-bot`: begins a bot."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ballcourt.arena.cli.output import say


def new_bot(
    name: Annotated[
        Path, typer.Argument(metavar="NAME", help="The bot's name, or a path that ends in it.", show_default=False)
    ],
    lang: Annotated[str, typer.Option(help="cpp, go, java, python, rust or typescript.")] = "python",
    game: Annotated[list[str] | None, typer.Option(help="A game it plays; once for each. [default: all]")] = None,
) -> None:
    """Write the folder of a new bot, complete and yours to change.

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
    shown = name if name.is_absolute() else f"./{name}"
    say([f"{shown} is a bot; see whether it is fit to play with", f"  ballcourt check-bot {shown}"])
    if lang != INSTALLED:
        say([f"{shown}/sdk/README.md tells what to change, and how to debug it"])
