"""The command about the installed games."""

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
