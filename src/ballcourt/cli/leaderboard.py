"""`ballcourt leaderboard`: shows the table of a tournament or of a database."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ballcourt.arena.printable import printable
from ballcourt.cli.flags import BotFilter, Csv, GameFilter, Json, OwnerFilter, SeatsFilter, SinceFilter
from ballcourt.cli.output import console, document, dump, give_one, print_table, say
from ballcourt.cli.results import newest, read, rebuilt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ballcourt.leaderboard.model.filters import Filter
    from ballcourt.leaderboard.model.results import MatchResult
    from ballcourt.leaderboard.show.terminal import Boards

NO_MATCH = "no match has been played yet"


def leaderboard(
    place: Annotated[
        str | None,
        typer.Argument(
            metavar="FOLDER|URL",
            help="A tournament's output folder or a database URL; the newest tournament in ./runs by default.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
    as_csv: Csv = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown, for READMEs and wikis.")] = False,
    game: GameFilter = None,
    seats: SeatsFilter = None,
    bot: BotFilter = None,
    owner: OwnerFilter = None,
    since: SinceFilter = None,
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
    from ballcourt.leaderboard.model.filters import Filter
    from ballcourt.leaderboard.show.terminal import to_csv, to_json

    give_one({"--json": as_json, "--csv": as_csv, "--markdown": as_markdown})
    if combined and (as_markdown or anchor):
        given = "--markdown" if as_markdown else "--anchor"
        raise typer.BadParameter(f"{given} does not go with --combined, whose 25 is the mean of the bots that it shows")
    if database and not rebuild:
        raise typer.BadParameter("--database goes with --rebuild; to read a database, give its URL as the argument")
    where = place or str(newest())
    wanted = Filter(game or "", seats, since or "", tuple(bot or ()), tuple(owner or ()))
    everyone = replace(wanted, bots=(), owners=()) if combined else wanted
    if rebuild:
        boards = boards_of(rebuilt(Path(where), database), Path(where), anchor or (), everyone)
    else:
        boards = _boards(where, anchor or (), everyone)
    if combined:
        _show_combined(boards, wanted, as_json=as_json, as_csv=as_csv)
    elif as_json:
        dump(to_json(boards))
    elif as_csv:
        document(to_csv(boards))
    elif as_markdown:
        from ballcourt.leaderboard.show.markdown import to_markdown

        document(to_markdown(boards))
    else:
        show(boards)


def boards_of(
    matches: Sequence[MatchResult], place: Path, anchors: Sequence[str] = (), wanted: Filter | None = None
) -> Boards:
    """Return the wanted tables; mark who sits out if the place is the output folder of a tournament.

    Raises LeaderboardError if no match is wanted, and for an anchor or a wanted bot that has not played.
    """
    from ballcourt.leaderboard.model.filters import Filter
    from ballcourt.leaderboard.model.standings import board, by_ladder, marked
    from ballcourt.leaderboard.store.folder import statuses_in

    statuses = statuses_in(place, matches) if place.is_dir() else {}
    chosen = wanted or Filter()
    counted = by_ladder(chosen.matches(matches))
    return _rows({ladder: marked(board(played, anchors), statuses) for ladder, played in counted.items()}, chosen)


def _boards(where: str, anchors: Sequence[str], wanted: Filter) -> Boards:
    """Return the wanted tables; those of all matches in a database are fitted once and kept there."""
    from ballcourt.leaderboard.store.snapshot import boards_in, chosen_boards, kept_boards

    if "://" not in where and Path(where).is_dir():
        return boards_of(read(where), Path(where), anchors, wanted)
    # an anchor need not have played in a table that is not wanted
    keeps = not wanted.since and not (anchors and (wanted.game or wanted.seats))
    if keeps and (kept := kept_boards(where, anchors)) is not None:
        return _rows(kept, wanted)
    from ballcourt.leaderboard.store.database import open_database

    with open_database(where if "://" in where else Path(where)) as opened:
        return _rows(boards_in(opened, anchors) if keeps else chosen_boards(opened, wanted, anchors), wanted)


def _show_combined(boards: Boards, wanted: Filter, *, as_json: bool, as_csv: bool) -> None:
    from ballcourt.leaderboard.studies import combined

    ladders, everyone = [*boards], combined.combined(boards)
    common = {row.entrant for row in everyone}
    standings = [row for board in boards.values() for row in board.rows if row.entrant in common]
    wanted.check(standings)
    chosen = {row.entrant for row in standings if wanted.keeps(row)}
    rows = [row for row in everyone if row.entrant in chosen]
    if as_json:
        dump(combined.to_json(ladders, rows))
    elif as_csv:
        document(combined.to_csv(ladders, rows))
    elif not boards:
        say([NO_MATCH])
    else:
        print_table(console(), combined.to_table(ladders, rows))


def _rows(boards: Boards, wanted: Filter) -> Boards:
    """Return the wanted rows, without tables that have none.

    Raises LeaderboardError for an unknown game, number of seats, bot or owner.
    """
    chosen = {ladder: boards[ladder] for ladder in wanted.ladders(boards)}
    wanted.check([row for board in chosen.values() for row in board.rows])
    return {ladder: rows for ladder, found in chosen.items() if (rows := wanted.rows(found)).rows}


def show(boards: Boards) -> None:
    """Draw the tables on stdout."""
    from ballcourt.leaderboard.show.explanation import explanation
    from ballcourt.leaderboard.show.terminal import to_table

    terminal = console()
    for ladder, board in boards.items():
        print_table(terminal, to_table(ladder, board.rows, terminal.width))
        for paragraph in explanation(board, terminal.width):
            terminal.print(printable(paragraph), style="dim", highlight=False)
    if not boards:
        say([NO_MATCH])
