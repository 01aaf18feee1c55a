"""`ballcourt leaderboard`: shows the table of a tournament or of a database."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from ballcourt.arena.printable import printable
from ballcourt.arena.tournament.schedules.placing import PlacingPage
from ballcourt.cli.declaring import option, switch
from ballcourt.cli.flags import Filters, Form, PlaceOrNewest
from ballcourt.cli.given import give_one
from ballcourt.cli.output import console, document, dump, print_table, say
from ballcourt.leaderboard.model.filters import Filter
from ballcourt.leaderboard.model.results import MatchResult, is_imported
from ballcourt.leaderboard.model.standings import boards, by_ladder, fitted, marked
from ballcourt.leaderboard.show import by_rules
from ballcourt.leaderboard.show.explanation import explanation
from ballcourt.leaderboard.show.markdown import to_markdown
from ballcourt.leaderboard.show.terminal import Boards, to_csv, to_json, to_table
from ballcourt.leaderboard.store.snapshot import boards_in, kept_boards

if TYPE_CHECKING:
    from ballcourt.arena.tournament.folder.placing import FolderField

NO_MATCH = "no match has been played yet"
NO_ANCHOR = "none"
"""In place of anchors: none, not even a ladder's residents."""


class Shown(NamedTuple):
    """Rating tables, and the placing by the rules of a tournament, if its format has any."""

    boards: Boards
    placing: PlacingPage | None = None


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
    by_owner: Annotated[
        bool, switch("--by-owner", "Rate owners instead of bots: all bots of an owner count as one.")
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

    Results of another arena are read from a file: CSV or JSON lines with a row for each seat, or PGN
    (`ballcourt docs results`).

    --by-owner has one row for each owner, whose bots are rated as one: entering more of them gains nothing. A
    bot without an owner has a row of its own.

    \b
    Examples:
      ballcourt leaderboard runs/demo
      ballcourt leaderboard postgresql://host/name --csv
      ballcourt leaderboard sqlite:///all.sqlite --game maya --seats 4 --since 2026-11-01 --bot greedy
      ballcourt leaderboard sqlite:///all.sqlite --combined --game maya
      ballcourt leaderboard runs/demo --rebuild
      ballcourt leaderboard results.csv
    """
    give_one({"--json": form.as_json, "--csv": form.as_csv, "--markdown": as_markdown})
    if combined and (as_markdown or anchor):
        given = "--markdown" if as_markdown else "--anchor"
        raise typer.BadParameter(f"{given} does not go with --combined, whose 25 is the mean of the bots that it shows")
    if by_owner and (bot or anchor):
        raise typer.BadParameter(f"{'--bot' if bot else '--anchor'} does not go with --by-owner, whose rows are owners")
    if database and not rebuild:
        raise typer.BadParameter("--database goes with --rebuild; to read a database, give its URL as the argument")
    where = place or _newest()
    wanted = Filter(
        filters.game or "", filters.seats, filters.since or "", tuple(bot or ()), tuple(owner or ()), by_owner
    )
    everyone = replace(wanted, bots=(), owners=()) if combined else wanted
    boards, placing = _tables(where, _anchors(anchor), everyone, rebuild=rebuild, database=database)
    if wanted != Filter():
        placing = None  # it is about the whole tournament
    if combined:
        _show_combined(boards, wanted, form)
    elif form.as_json:
        dump(to_json(boards, placing))
    elif form.as_csv:
        document(to_csv(boards))
    elif as_markdown:
        document(to_markdown(boards, placing))
    else:
        show(boards, placing)


def _newest() -> str:
    from ballcourt.cli.results import newest

    return str(newest())


def _anchors(given: Sequence[str] | None) -> Sequence[str] | None:
    """Return the anchors that are asked for; None are those of the table itself."""
    if NO_ANCHOR not in (given or ()):
        return given or None
    if len(given or ()) > 1:
        raise typer.BadParameter(f"--anchor {NO_ANCHOR} goes with no other anchor")
    return ()


def shown_of(matches: Iterable[MatchResult], field: "FolderField", anchors: Sequence[str] | None = None) -> Shown:
    """Return the tables of matches, with all entrants of their tournament, and who sits out.

    Raises LeaderboardError for an anchor without a match.
    """
    found = boards(by_ladder(matches), anchors)
    return Shown({ladder: marked(board, field.entrants) for ladder, board in found.items()}, field.placing)


def tables_at(where: str) -> Boards:
    """Return all tables of a folder or a database. Raises WrongInput."""
    return _tables(where, None, Filter(), rebuild=False, database=None).boards


def _tables(where: str, anchors: Sequence[str] | None, wanted: Filter, *, rebuild: bool, database: str | None) -> Shown:
    if "://" in where or not (rebuild or Path(where).is_dir() or is_imported(where)):
        return Shown(_boards(where, anchors, wanted))
    from ballcourt.cli.results import read, rebuilt
    from ballcourt.leaderboard.store.folder import field_in

    matches = rebuilt(Path(where), database) if rebuild else read(where)
    if wanted.by_owner or is_imported(where):
        return Shown(_rows(boards(by_ladder(wanted.matches(matches)), anchors, owners=wanted.by_owner), wanted))
    found, placing = shown_of(wanted.matches(matches), field_in(Path(where), matches), anchors)
    return Shown(_rows(found, wanted), placing)


def _boards(where: str, anchors: Sequence[str] | None, wanted: Filter) -> Boards:
    """Return the wanted tables of a database; those of all its matches are fitted once and kept there.

    Kept tables are shown without SQLAlchemy, whose import takes longer than all the rest.
    """
    # an anchor need not have played in a table that is not wanted
    keeps = not (wanted.since or wanted.by_owner) and not (anchors and (wanted.game or wanted.seats))
    if keeps and (kept := kept_boards(where, anchors)) is not None:
        return _rows(kept, wanted)
    from ballcourt.leaderboard.store.database import open_database

    with open_database(where if "://" in where else Path(where)) as opened:
        found = (
            boards_in(opened, anchors) if keeps else fitted(opened.contents(wanted)[0], anchors, owners=wanted.by_owner)
        )
        return _rows(found, wanted)


def _show_combined(boards: Boards, wanted: Filter, form: Form) -> None:
    from ballcourt.leaderboard.studies import combined

    ladders, everyone = [*boards], combined.combined(boards)
    common = {row.entrant for row in everyone}
    tables = [replace(one, rows=[row for row in one.rows if row.entrant in common]) for one in boards.values()]
    wanted.check(tables)
    chosen = {row.entrant for one in tables for row in one.rows if wanted.keeps(row)}
    rows = [row for row in everyone if row.entrant in chosen]
    if form.as_json:
        dump(combined.to_json(ladders, rows))
    elif form.as_csv:
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
    wanted.check(chosen.values())
    found = {ladder: wanted.rows(one) for ladder, one in chosen.items()}
    return {ladder: one for ladder, one in found.items() if one.rows or one.unplayed}


def show(boards: Boards, placing: PlacingPage | None = None) -> None:
    """Draw the tables on stdout; the first is that by the rules of a tournament, if its format has any."""
    terminal = console()
    if placing:
        print_table(terminal, by_rules.to_table(placing))
    for ladder, shown in boards.items():
        print_table(terminal, to_table(ladder, shown.rows, terminal.width, shown.unplayed))
        for paragraph in explanation(shown, terminal.width):
            terminal.print(printable(paragraph), style="dim", highlight=False)
    if not boards:
        say([NO_MATCH])
