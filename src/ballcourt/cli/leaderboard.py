"""`ballcourt leaderboard`: shows the table of a tournament or of a database."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import typer

from ballcourt.arena.printable import printable
from ballcourt.cli.flags import Filters, Form
from ballcourt.cli.given import give_one
from ballcourt.cli.output import console, document, dump, print_table, say
from ballcourt.leaderboard.model.filters import Filter
from ballcourt.leaderboard.model.results import Entrant, MatchResult
from ballcourt.leaderboard.model.standings import board, by_ladder, marked
from ballcourt.leaderboard.show.explanation import explanation
from ballcourt.leaderboard.show.markdown import to_markdown
from ballcourt.leaderboard.show.terminal import Boards, to_csv, to_json, to_table
from ballcourt.leaderboard.store.snapshot import boards_in, chosen_boards, kept_boards

NO_MATCH = "no match has been played yet"


def leaderboard(
    filters: Filters,
    form: Form,
    place: str | None,
    as_markdown: bool,
    bot: list[str] | None,
    owner: list[str] | None,
    combined: bool,
    rebuild: bool,
    database: str | None,
    anchor: list[str] | None,
) -> None:
    """Run `ballcourt leaderboard`."""
    give_one({"--json": form.as_json, "--csv": form.as_csv, "--markdown": as_markdown})
    if combined and (as_markdown or anchor):
        given = "--markdown" if as_markdown else "--anchor"
        raise typer.BadParameter(f"{given} does not go with --combined, whose 25 is the mean of the bots that it shows")
    if database and not rebuild:
        raise typer.BadParameter("--database goes with --rebuild; to read a database, give its URL as the argument")
    where = place or _newest()
    wanted = Filter(filters.game or "", filters.seats, filters.since or "", tuple(bot or ()), tuple(owner or ()))
    everyone = replace(wanted, bots=(), owners=()) if combined else wanted
    if rebuild:
        from ballcourt.cli.results import rebuilt

        boards = _of_folder(rebuilt(Path(where), database), Path(where), anchor or (), everyone)
    else:
        boards = _boards(where, anchor or (), everyone)
    if combined:
        _show_combined(boards, wanted, form)
    elif form.as_json:
        dump(to_json(boards))
    elif form.as_csv:
        document(to_csv(boards))
    elif as_markdown:
        document(to_markdown(boards))
    else:
        show(boards)


def _newest() -> str:
    from ballcourt.cli.results import newest

    return str(newest())


def boards_of(matches: Iterable[MatchResult], statuses: Mapping[Entrant, str], anchors: Sequence[str] = ()) -> Boards:
    """Return the tables of matches, which mark who sits out. Raises LeaderboardError for an anchor without a match."""
    return {ladder: marked(board(played, anchors), statuses) for ladder, played in by_ladder(matches).items()}


def _of_folder(matches: Sequence[MatchResult], folder: Path, anchors: Sequence[str], wanted: Filter) -> Boards:
    from ballcourt.leaderboard.store.folder import statuses_in

    return _rows(boards_of(wanted.matches(matches), statuses_in(folder, matches), anchors), wanted)


def _boards(where: str, anchors: Sequence[str], wanted: Filter) -> Boards:
    """Return the wanted tables; those of all matches in a database are fitted once and kept there.

    Kept tables are shown without SQLAlchemy, whose import takes longer than all the rest.
    """
    if "://" not in where and Path(where).is_dir():
        from ballcourt.cli.results import read

        return _of_folder(read(where), Path(where), anchors, wanted)
    # an anchor need not have played in a table that is not wanted
    keeps = not wanted.since and not (anchors and (wanted.game or wanted.seats))
    if keeps and (kept := kept_boards(where, anchors)) is not None:
        return _rows(kept, wanted)
    from ballcourt.leaderboard.store.database import open_database

    with open_database(where if "://" in where else Path(where)) as opened:
        return _rows(boards_in(opened, anchors) if keeps else chosen_boards(opened, wanted, anchors), wanted)


def _show_combined(boards: Boards, wanted: Filter, form: Form) -> None:
    from ballcourt.leaderboard.studies import combined

    ladders, everyone = [*boards], combined.combined(boards)
    common = {row.entrant for row in everyone}
    standings = [row for board in boards.values() for row in board.rows if row.entrant in common]
    wanted.check(standings)
    chosen = {row.entrant for row in standings if wanted.keeps(row)}
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
    wanted.check([row for board in chosen.values() for row in board.rows])
    return {ladder: rows for ladder, found in chosen.items() if (rows := wanted.rows(found)).rows}


def show(boards: Boards) -> None:
    """Draw the tables on stdout."""
    terminal = console()
    for ladder, shown in boards.items():
        print_table(terminal, to_table(ladder, shown.rows, terminal.width))
        for paragraph in explanation(shown, terminal.width):
            terminal.print(printable(paragraph), style="dim", highlight=False)
    if not boards:
        say([NO_MATCH])
