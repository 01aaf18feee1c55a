"""Commands to look at results."""

from pathlib import Path
from typing import Annotated

from ballcourt.cli.declaring import Panel, option, switch
from ballcourt.cli.flags import Filters, Form, LogFlag, PlaceOrNewest, Port
from ballcourt.cli.studies import Studies

PANEL = Panel("Look at results", is_large=True)


@PANEL.command("leaderboard")
def leaderboard(
    filters: Filters,
    form: Form,
    place: PlaceOrNewest = None,
    as_markdown: Annotated[
        bool, switch("--markdown", "Print Markdown, for READMEs and wikis.", panel="Output")
    ] = False,
    bot: Annotated[
        list[str] | None,
        option(
            "Show only the rows of this bot, or of one version: 'NAME VERSION'; may be repeated.", "NAME", panel="Rows"
        ),
    ] = None,
    owner: Annotated[
        list[str] | None,
        option("Show only the rows of bots that this owner entered; may be repeated.", "NAME", panel="Rows"),
    ] = None,
    combined: Annotated[
        bool, switch("--combined", "Show one table instead: the mean over games and table sizes.")
    ] = False,
    rebuild: Annotated[bool, switch("--rebuild", "Rebuild the database from the folder's records.")] = False,
    database: Annotated[
        str | None, option("With --rebuild: rebuild this database instead of the folder's.", "URL")
    ] = None,
    anchor: Annotated[
        list[str] | None,
        option("Make the mean rating of these bots 25, so that tables share a scale; none: of all bots.", "BOT"),
    ] = None,
) -> None:
    """Show ratings and how certain they are.

    There is one table per game, rules version, number of seats and options. The rating is TrueSkill's, solved over all
    matches at once, so their order does not matter; 25 is the mean of the bots named by --anchor, by default of a
    ladder's residents, and of the field where there are none. The interval leaves out each block of matches in turn.
    `ballcourt docs ratings` derives all numbers.

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


@PANEL.command("serve", extra="web", linux=True)
def serve(
    place: PlaceOrNewest = None,
    port: Port = 8000,
    site: Annotated[
        Path | None, option("Write the pages into this folder instead; a site that is there is replaced.", "FOLDER")
    ] = None,
    replays: Annotated[
        int, option("For --site: show the newest N matches move by move, 30-90 KB each.", "N", min=0, max=1000000)
    ] = 100,
    contest: Annotated[
        Path | None,
        option("Serve this contest too: its contest.toml, or its folder. PLACE is then its ladder.", "FILE"),
    ] = None,
    behind: Annotated[
        list[str] | None, option("A name at which a proxy on this machine offers the pages to others.", "HOST")
    ] = None,
    monitor: Annotated[
        int | None,
        option("For --contest: answer /healthz, /readyz and /metrics on this port.", "PORT", min=0, max=65535),
    ] = None,
    judge: Annotated[
        int | None,
        option("Judge running matches while they are watched, by N playouts for a position.", "N", min=2, max=1000),
    ] = None,
    log: LogFlag = "text",
) -> None:
    """Show the leaderboard, bots, matches and replays of a tournament in a browser on this machine.

    Pages follow a running tournament, and show its matches while they are played: another process looks for new results
    every two seconds and makes the tables, so no page waits for them. The pages change nothing, and nothing but this
    machine can reach them. To offer them to others, let a web server on this machine, such as Caddy or nginx, pass
    requests on, and name the host with --behind; requests for any other host are refused.

    With --judge the page of a running match also shows how it stands: the chance to win, the expected place and points
    of each seat, from playing on at random from what a spectator knows. Another process computes it, the newest
    position first; 30 playouts take about 0.1 seconds.

    With --site the pages become files that need no server: open index.html, or copy the folder to any web server. Large
    tables come whole, and only the newest matches are listed.

    With --contest it also serves a contest: people sign in, enter bots and read their own reports. It starts processes
    that examine what was entered. `ballcourt docs contest` explains it.

    Needs the extra `web`: pip install 'ballcourt[web]'; a contest needs `contest`.

    \b
    Examples:
      ballcourt serve runs/demo
      ballcourt serve runs/demo --port 8080
      ballcourt serve postgresql://host/name
      ballcourt serve runs/demo --judge 30
      ballcourt serve runs/demo --site public
      ballcourt serve --contest cup/contest.toml
      ballcourt serve --contest cup/contest.toml --monitor 9000 --log json
      ballcourt serve runs/ladder --behind ladder.example.org
    """
