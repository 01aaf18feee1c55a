"""`ballcourt rules` and `ballcourt docs`: the documents that are installed with Ballcourt."""

from __future__ import annotations

from typing import Annotated

import typer

from ballcourt.cli.output import say, text

PAGES = {
    "bots": ("bots/README.md", "how to write, check and debug a bot"),
    "competition": ("arena/tournament/README.md", "how to run a competition, from its plan to a signed result"),
    "games": ("engine/README.md", "how to add a game"),
    "protocol": ("PROTOCOL.md", "how a bot and the arena talk, for other languages"),
    "contract": ("contract/README.md", "the recorded conversations that check an SDK"),
    "ladder": ("arena/ladder/README.md", "how to run a ladder that bots join from a folder"),
    "ratings": ("leaderboard/README.md", "what the numbers of a leaderboard mean"),
}
"""The path of each page in the package, and what it is about."""


def rules(
    game: Annotated[str, typer.Argument(metavar="GAME", help="`ballcourt games` lists them.", show_default=False)],
) -> None:
    """Show the rules of a game as Ballcourt plays it.

    They include all rulings, which other commands cite by their codes, such as R-A1.

    \b
    Example:
      ballcourt rules maya
    """
    from ballcourt.engine.core import UnknownGame
    from ballcourt.engine.registry import find_game

    file = find_game(game).rules_file()
    if file is None:
        raise UnknownGame(f"{game} comes without a RULES.md; ask its author for the rules")
    text(file.read_text(encoding="utf-8"))


def docs(
    page: Annotated[str | None, typer.Argument(metavar="PAGE", help="The page to show.", show_default=False)] = None,
) -> None:
    """Show a page of the documentation, or list the pages.

    \b
    Examples:
      ballcourt docs
      ballcourt docs protocol
    """
    from ballcourt.arena.files import PACKAGE

    if page is None:
        for name, (file, about) in PAGES.items():
            say([f"{name}: {about}", f"  {PACKAGE / file}"])
        return
    if page not in PAGES:
        raise typer.BadParameter(f"'{page}' is not a page; known pages: {', '.join(PAGES)}", param_hint="PAGE")
    text((PACKAGE / PAGES[page][0]).read_text(encoding="utf-8"))
