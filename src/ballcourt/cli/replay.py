"""`ballcourt replay`: shows match records and verifies them."""

from dataclasses import asdict
from pathlib import Path
from typing import Final

import typer

from ballcourt.arena.records.bundle import summary, write_bundles
from ballcourt.arena.records.bundle import to_json as fault_json
from ballcourt.arena.records.narrative import chosen, narrative
from ballcourt.arena.records.replay import Verification, opening
from ballcourt.arena.records.replay import verify as execute_again
from ballcourt.arena.records.store import RecordError, read_record
from ballcourt.arena.records.summaries import check_observer, check_range, decision_summaries, scene_at, to_json
from ballcourt.arena.replays.document import document as document_of
from ballcourt.arena.replays.document import observers
from ballcourt.arena.replays.document import schema as schema_of_documents
from ballcourt.arena.replays.page import write_page
from ballcourt.arena.terminal.stepping import Stepper, picture_at, show_step_by_step
from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.output import console, dump, note, say, writing
from ballcourt.cli.records import named_record, named_records
from ballcourt.v1.record_pb2 import MatchRecord

UNCHECKED: Final = (
    "not checked: names, hosts, times, thoughts, and which decisions of a bot were fallbacks; they are as the files "
    "say. Only the signature of a signed bundle vouches for them (ballcourt event verify)."
)
"""What does not follow from the decisions of a record."""


def show(file: Path, at: int | None, step: bool, seat: int | None, first: int, last: int | None, as_json: bool) -> None:
    """Run `ballcourt replay show`."""
    record = named_record(file)
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
    screen = console()
    if step:
        show_step_by_step(Stepper(record, number, seat, fixed=seat is not None), screen)
    else:
        screen.print(picture_at(record, number, seat))


def verify(paths: list[Path], as_json: bool) -> None:
    """Run `ballcourt replay verify`."""
    verdicts = []
    for path in [*named_records(paths)]:
        verdict = _verdict(path)
        verdicts.append({"file": str(path), "agrees": verdict.agrees, **asdict(verdict)})
        if not as_json:
            difference = verdict.difference.removeprefix(f"{path} ")  # an unreadable record names itself
            say([f"{path}: {difference or f'agrees in all {verdict.decisions} decisions'}"])
    if as_json:
        dump(verdicts)
    elif any(verdict["agrees"] for verdict in verdicts):
        note(UNCHECKED)
    if not all(verdict["agrees"] for verdict in verdicts):
        raise typer.Exit(CHECK_FAILED)


def html(file: Path, output: Path, seat: int | None) -> None:
    """Run `ballcourt replay html`."""
    record = named_record(file)
    check_observer(record, seat)
    write_page(output, [document_of(record, observer) for observer in (observers(record) if seat is None else [seat])])
    say([f"open {output} in a browser"])


def document(file: Path | None, seat: int | None, schema: bool) -> None:
    """Run `ballcourt replay document`."""
    if schema == (file is not None):
        raise typer.BadParameter("give either a record or --schema")
    if file is None:
        dump(schema_of_documents())
        return
    record = named_record(file)
    check_observer(record, seat)
    dump(document_of(record, seat))


def _verdict(path: Path) -> Verification:
    try:
        return execute_again(read_record(path))
    except RecordError as error:
        return Verification(0, str(error))


def faults(file: Path, output: Path | None, as_json: bool) -> None:
    """Run `ballcourt replay faults`."""
    record = named_record(file)
    written = []
    if output:
        with writing(output):
            written = write_bundles(output, record)
    if as_json:
        found = [fault_json(record, fault) for fault in record.faults]
        dump({"key": record.key, "faults": found, "bundles": [str(path) for path in written]})
        return
    for fault in record.faults:
        say([*summary(record, fault), ""])
    if not record.faults:
        say([f"every bot played match {record.key} to its end"])
    say(f"the bundle for its author: {path}" for path in written)
