"""`ballcourt rules` and `ballcourt docs`: the documents that are installed with Ballcourt."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from ballcourt.cli.output import say, text


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
    pages = _pages()
    if page is None:
        for name, (title, file) in pages.items():
            say([f"{name}: {title}", f"  {file}"])
        return
    if page not in pages:
        raise typer.BadParameter(f"'{page}' is not a page; known pages: {', '.join(pages)}", param_hint="PAGE")
    text(pages[page][1].read_text(encoding="utf-8"))


def _pages() -> dict[str, tuple[str, Path]]:
    """Return the title and the path of each page, by the page's name, in the order of the table of contents."""
    from ballcourt.arena.files import PACKAGE

    folder = PACKAGE / "docs"
    contents = (folder / "index.md").read_text(encoding="utf-8")
    listed = re.findall(r"^- \[(.*)\]\((.*\.md)\)$", contents, re.MULTILINE)
    return {Path(file).stem: (title, folder / file) for title, file in listed}
