"""`ballcourt demo`: a first tournament, from anywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ballcourt.cli.flags import Json
from ballcourt.cli.output import note
from ballcourt.cli.tournament import tournament


def demo(
    output: Annotated[Path, typer.Option(metavar="FOLDER", help="The output folder.")] = Path("runs/demo"),
    as_json: Json = False,
) -> None:
    """Play a tournament of the four reference bots.

    They play Tzolk'in for about half a minute, then you see their table. Run it again to see the table again.

    \b
    Examples:
      ballcourt demo
      ballcourt demo --output /tmp/demo --json
    """
    from ballcourt.arena.files import PACKAGE

    file = PACKAGE / "demo.toml"
    tournament(file, output=output, as_json=as_json)
    note(f"its settings, to copy and change: {file}")
