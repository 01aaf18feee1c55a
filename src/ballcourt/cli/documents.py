"""`ballcourt docs`: the documents that are installed with Ballcourt."""

import re
from pathlib import Path
from typing import Annotated

import typer

from ballcourt.arena.files import PACKAGE
from ballcourt.cli.declaring import argument
from ballcourt.cli.output import say, text
from ballcourt.engine.errors import did_you_mean


def docs(
    page: Annotated[str | None, argument("PAGE", "The page to show.")] = None,
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
        raise typer.BadParameter(
            f"'{page}' is not a page; known pages: {', '.join(pages)}{did_you_mean(page, pages)}", param_hint="PAGE"
        )
    text(pages[page][1].read_text(encoding="utf-8"))


def _pages() -> dict[str, tuple[str, Path]]:
    """Return the title and the path of each page, by the page's name, in the order of the table of contents."""
    folder = PACKAGE / "docs"
    contents = (folder / "index.md").read_text(encoding="utf-8")
    listed = re.findall(r"^- \[(.*)\]\((.*\.md)\)$", contents, re.MULTILINE)
    return {Path(file).stem: (title, folder / file) for title, file in listed}
