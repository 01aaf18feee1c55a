"""Commands to look at results."""

from pathlib import Path
from typing import Annotated

import typer

from ballcourt.cli.declaring import Panel
from ballcourt.cli.flags import Filters, Form, PlaceOrNewest, Port
from ballcourt.cli.studies import Studies

PANEL = Panel("Look at results", is_large=True)


@PANEL.command("leaderboard")
def leaderboard(
    filters: Filters,
    form: Form,
    place: PlaceOrNewest = None,
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="Print Markdown, for READMEs and wikis.", rich_help_panel="Output")
    ] = False,
    bot: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Show only the rows of this bot, or of one version: 'NAME VERSION'; may be repeated.",
            rich_help_panel="Rows",
        ),
    ] = None,
    owner: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Show only the rows of bots that this owner entered; may be repeated.",
            rich_help_panel="Rows",
        ),
    ] = None,
    combined: Annotated[
        bool, typer.Option("--combined", help="Show one table instead: the mean over games and table sizes.")
    ] = False,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Rebuild the database from the folder's records.")] = False,
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="With --rebuild: rebuild this database instead of the folder's.")
    ] = None,
    anchor: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BOT",
            help="Make the mean rating of these bots 25, so that tables of several tournaments share a scale.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Show ratings and how certain they are.

    There is one table per game, rules version, number of seats and options. The rating is TrueSkill's, solved over all
    matches at once, so their order does not matter; 25 is the mean of the field, or of the bots named by --anchor.
    The interval leaves out each block of matches in turn. `ballcourt docs ratings` derives all numbers.

    --game, --seats and --since choose the matches that are rated. --bot and --owner choose rows only: ratings and ranks
    are still those in the whole field.

    --combined ranks the bots that have played in all tables by their mean rating; every table counts the same.

    \b
    Examples:
      ballcourt leaderboard runs/demo
      ballcourt leaderboard postgresql://host/name --csv
      ballcourt leaderboard sqlite:///all.sqlite --game maya --seats 4 --since 2026-11-01 --bot greedy
      ballcourt leaderboard sqlite:///all.sqlite --combined --game maya
      ballcourt leaderboard runs/demo --rebuild
    """


PANEL.add("study", Studies())


@PANEL.command("serve", extra="web")
def serve(
    place: PlaceOrNewest = None,
    port: Port = 8000,
    site: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Write the pages into this folder instead; a site that is there is replaced.",
            show_default=False,
        ),
    ] = None,
    replays: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, max=1_000_000, help="For --site: show the newest N matches move by move, 30-90 KB each."
        ),
    ] = 100,
) -> None:
    """Show the leaderboard, bots, matches and replays of a tournament in a browser on this machine.

    Pages follow a running tournament, and show its matches while they are played: another process looks for new results
    every two seconds and makes the tables, so no page waits for them. The pages change nothing, and nothing but this
    machine can reach them.

    With --site the pages become files that need no server: open index.html, or copy the folder to any web server. Large
    tables come whole, and only the newest matches are listed.

    Needs the extra `web`: pip install 'ballcourt[web]'.

    \b
    Examples:
      ballcourt serve runs/demo
      ballcourt serve runs/demo --port 8080
      ballcourt serve postgresql://host/name
      ballcourt serve runs/demo --site public
    """
