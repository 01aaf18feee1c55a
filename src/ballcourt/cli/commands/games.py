"""Commands about the installed games, and to begin one."""

from pathlib import Path
from typing import Annotated

from ballcourt.cli.declaring import Panel, argument, switch
from ballcourt.cli.flags import Json

PANEL = Panel("Games")


@PANEL.command("games")
def games(
    name: Annotated[str | None, argument("GAME", "Only this game.")] = None,
    rules: Annotated[bool, switch("--rules", "Print the rules of the game.")] = False,
    as_json: Json = False,
) -> None:
    """List the installed games, their seats and options, or print the rules of one.

    The rules are those that Ballcourt plays. They include all rulings, which other commands cite by their codes, such
    as R-A1.

    \b
    Examples:
      ballcourt games
      ballcourt games tzolkin --json
      ballcourt games maya --rules
    """


@PANEL.command("new_game")
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
