"""`ballcourt site`: writes the pages of `serve` as files."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from ballcourt.cli.output import say, writing
from ballcourt.cli.serve import web_server


def site(
    place: Annotated[
        str,
        typer.Argument(
            metavar="FOLDER|URL", help="A tournament's output folder or a database URL.", show_default=False
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            metavar="DIR", help="The folder for the pages; a site that is there is replaced.", show_default=False
        ),
    ],
    replays: Annotated[
        int,
        typer.Option(metavar="N", min=0, max=1_000_000, help="Write the newest N matches move by move, 30-90 KB each."),
    ] = 100,
) -> None:
    """Write the leaderboard, bots, matches and replays of a tournament as files.

    The pages need no server: open index.html, or copy the folder to any web server. They are those of `ballcourt
    serve` without what a server does: large tables come whole, and only the newest matches are listed. Needs the extra
    `web`: pip install 'ballcourt[web]'.

    \b
    Examples:
      ballcourt site runs/demo --output public
      ballcourt site sqlite:///all.sqlite --output public --replays 0
    """
    web_server()
    from ballcourt.leaderboard.pages.refresh import PageRefresher
    from ballcourt.leaderboard.pages.site import write_site
    from ballcourt.leaderboard.pages.source import source_at
    from ballcourt.leaderboard.pages.views import Views
    from ballcourt.leaderboard.store.database import open_database

    with TemporaryDirectory(prefix="ballcourt-") as scratch:
        source = source_at(place, Path(scratch))
        with open_database(source.database) as database:
            refresher = PageRefresher(source, database)
            refresher.refresh()
            refresher.add_histories()
            with writing(output):
                count = write_site(Views(source, database, refresher.summary), output, replays)
    say([f"{count} pages: open {output / 'index.html'} in a browser"])
