"""`ballcourt replay`: shows match records and verifies them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ballcourt.cli.analyse import analyse
from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.flags import Json
from ballcourt.cli.output import dump, note, say, writing

if TYPE_CHECKING:
    from ballcourt.arena.records.replay import Verification
    from ballcourt.v1.record_pb2 import MatchRecord

replay = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Show match records and verify them.")

Records = Annotated[
    list[Path],
    typer.Argument(
        metavar="RECORD", help="Record files, folders with record files, or output folders.", show_default=False
    ),
]

RecordFile = Annotated[Path, typer.Argument(metavar="RECORD", help="A record file.", show_default=False)]
OnlySeat = Annotated[int | None, typer.Option(metavar="SEAT", help="Show only what this seat could know.")]


@replay.command()
def show(
    file: RecordFile,
    at: Annotated[
        int | None, typer.Option(metavar="DECISION", help="Show the board before this decision instead.")
    ] = None,
    step: Annotated[
        bool, typer.Option("--step", help="Show the board step by step, as keys say; with --at from there.")
    ] = False,
    seat: OnlySeat = None,
    first: Annotated[int, typer.Option("--from", metavar="DECISION", help="Begin the list with this decision.")] = 0,
    last: Annotated[
        int | None,
        typer.Option("--to", metavar="DECISION", help="End the list with this decision.", show_default=False),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show a recorded match turn by turn, the board at one decision, or the board step by step.

    With --seat, choices that were hidden from that seat stay hidden, and so does everything that betrays them: who
    made the decisions of others and how long they took, the faults of others, and the seed.

    \b
    Examples:
      ballcourt replay show runs/demo/records/b000000-r0.match
      ballcourt replay show match.match --from 20 --to 60
      ballcourt replay show match.match --at 40 --seat 2
      ballcourt replay show match.match --step
    """
    from ballcourt.arena.records.narrative import chosen, narrative
    from ballcourt.arena.records.replay import opening
    from ballcourt.arena.records.store import RecordError, read_record
    from ballcourt.arena.records.summaries import check_observer, check_range, decision_summaries, scene_at, to_json

    record = read_record(file)
    check_observer(record, seat)
    check_range(record, first, last)
    if at is not None or step:
        if first or last is not None:
            raise typer.BadParameter("--at and --step show the board at a decision; --from and --to go with the list")
        if as_json and step:
            raise typer.BadParameter("--step is for people; give --at or the list with --json")
        scene = scene_at(record, at or 0, seat)
        if as_json:
            dump(scene)
        else:
            _show_board(record, at or 0, seat, step=step)
    elif as_json:
        dump(to_json(record, seat, chosen(decision_summaries(record, seat), first, last)))
    else:
        say(list(narrative(record, seat, first, last)))
    try:
        opening(record)
    except RecordError as error:
        note(str(error))  # its decisions could be listed all the same


def _show_board(record: MatchRecord, number: int, seat: int | None, *, step: bool) -> None:
    from ballcourt.arena.terminal.stepping import Stepper, picture_at, show_step_by_step
    from ballcourt.cli.output import console

    screen = console()
    if step:
        show_step_by_step(Stepper(record, number, seat, fixed=seat is not None), screen)
    else:
        screen.print(picture_at(record, number, seat))


@replay.command()
def verify(paths: Records, as_json: Json = False) -> None:
    """Execute records again, and compare every position and the result.

    \b
    Exit codes: 0 all records agree; 1 one differs, is damaged or cannot be executed here.
    Example:
      ballcourt replay verify runs/demo
    """
    verdicts = []
    for path in [*named_records(paths)]:
        verdict = _verdict(path)
        verdicts.append({"file": str(path), "agrees": verdict.agrees, **asdict(verdict)})
        if not as_json:
            difference = verdict.difference.removeprefix(f"{path} ")  # an unreadable record names itself
            say([f"{path}: {difference or f'agrees in all {verdict.decisions} decisions'}"])
    if as_json:
        dump(verdicts)
    if not all(verdict["agrees"] for verdict in verdicts):
        raise typer.Exit(CHECK_FAILED)


@replay.command()
def html(
    file: RecordFile,
    output: Annotated[Path, typer.Option(metavar="FILE", help="The page to write.", show_default=False)],
    seat: OnlySeat = None,
) -> None:
    """Write a recorded match as a page that opens in a browser, without a server or a network.

    The page shows the match decision by decision, as all secrets, a spectator or a seat show it. With --seat it holds
    nothing that this seat could not know, and may be given to the author of its bot.

    \b
    Examples:
      ballcourt replay html runs/demo/records/b000000-r0.match --output match.html
      ballcourt replay html match.match --output mine.html --seat 2
    """
    from ballcourt.arena.records.store import read_record
    from ballcourt.arena.records.summaries import check_observer
    from ballcourt.arena.replays.document import document, observers
    from ballcourt.arena.replays.page import write_page

    record = read_record(file)
    check_observer(record, seat)
    write_page(output, [document(record, observer) for observer in (observers(record) if seat is None else [seat])])
    say([f"open {output} in a browser"])


replay.command()(analyse)


@replay.command("document")
def write_document(
    file: Annotated[Path | None, typer.Argument(metavar="[RECORD]", help="A record file.", show_default=False)] = None,
    seat: OnlySeat = None,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON Schema of the document instead.")] = False,
) -> None:
    """Print a recorded match as JSON for viewers: the first scene, and what every decision changed.

    \b
    Examples:
      ballcourt replay document match.match
      ballcourt replay document --schema
    """
    from ballcourt.arena.records.store import read_record
    from ballcourt.arena.records.summaries import check_observer
    from ballcourt.arena.replays.document import document
    from ballcourt.arena.replays.document import schema as schema_of_documents

    if schema == (file is not None):
        raise typer.BadParameter("give either a record or --schema")
    if file is None:
        dump(schema_of_documents())
        return
    record = read_record(file)
    check_observer(record, seat)
    dump(document(record, seat))


def _verdict(path: Path) -> Verification:
    from ballcourt.arena.records.replay import Verification
    from ballcourt.arena.records.replay import verify as execute_again
    from ballcourt.arena.records.store import RecordError, read_record

    try:
        return execute_again(read_record(path))
    except RecordError as error:
        return Verification(0, str(error))


@replay.command()
def faults(
    file: RecordFile,
    output: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write a bundle for each bot's author into this folder.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show why bots lost their seats in a match, and write bundles for their authors.

    A bundle is a folder with the last messages that the bot received and sent, and what it printed; a tournament
    writes one into its output folder for every lost seat. It does not reveal the seed of the match or the other bots.

    \b
    Examples:
      ballcourt replay faults runs/demo/records/b000000-r0.match
      ballcourt replay faults match.match --output for-the-author
    """
    from ballcourt.arena.records.bundle import summary, to_json, write_bundles
    from ballcourt.arena.records.store import read_record

    record = read_record(file)
    written = []
    if output:
        with writing(output):
            written = write_bundles(output, record)
    if as_json:
        told = [to_json(record, fault) for fault in record.faults]
        dump({"key": record.key, "faults": told, "bundles": [str(path) for path in written]})
        return
    for fault in record.faults:
        say([*summary(record, fault), ""])
    if not record.faults:
        say([f"every bot played match {record.key} to its end"])
    say(f"the bundle for its author: {path}" for path in written)


def named_records(paths: list[Path]) -> Iterator[Path]:
    """Yield the record files named at the command line. Raises RecordError for a path without any."""
    from ballcourt.arena.records.store import SUFFIX, RecordError
    from ballcourt.arena.tournament.folder.output import RECORDS

    for path in paths:
        if not path.exists():
            raise RecordError(f"there is no {path}; give record files, or folders with record files")
        if not path.is_dir():
            yield path
            continue
        folder = path / RECORDS if (path / RECORDS).is_dir() else path
        found = sorted(folder.glob(f"*{SUFFIX}"))
        if not found:
            raise RecordError(f"there are no records (*{SUFFIX}) in {path}")
        yield from found
