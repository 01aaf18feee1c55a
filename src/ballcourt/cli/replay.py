"""`ballcourt replay`: shows match records and verifies them."""

from dataclasses import asdict
from pathlib import Path
from typing import Final

import typer

from ballcourt.arena.records.bundle import summary, write_bundles
from ballcourt.arena.records.bundle import to_json as fault_json
from ballcourt.arena.records.narrative import chosen, narrative
from ballcourt.arena.records.replay import Verification
from ballcourt.arena.records.replay import verify as execute_again
from ballcourt.arena.records.store import RecordError, read_record
from ballcourt.arena.records.summaries import check_observer, check_range, decision_summaries, to_json
from ballcourt.arena.replays.document import schema as schema_of_documents
from ballcourt.arena.replays.kept import Replay
from ballcourt.arena.replays.kept import keep as keep_views
from ballcourt.arena.replays.page import write_page
from ballcourt.arena.replays.story import short_text
from ballcourt.arena.terminal.stepping import Stepper, picture_at, show_step_by_step
from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.output import console, dump, note, say, writing
from ballcourt.cli.records import named_file, named_record, named_records, named_replay
from ballcourt.v1.record_pb2 import MatchRecord

UNCHECKED: Final = (
    "not checked: names, hosts, times, thoughts, and which decisions of a bot were fallbacks; they are as the files "
    "say. Only the signature of a signed bundle vouches for them (ballcourt event verify)."
)
"""What does not follow from the decisions of a record."""
KEPT: Final = "the match is shown from what was kept beside its record"


def show(
    file: Path, at: int | None, step: bool, seat: int | None, first: int, last: int | None, short: bool, as_json: bool
) -> None:
    """Run `ballcourt replay show`."""
    path = named_file(file)
    record = read_record(path)
    check_observer(record, seat)
    check_range(record, first, last)
    replay, trouble = _shown(record, path)
    if short:
        if replay is None:
            raise RecordError(trouble)
        say(short_text(replay.document(seat)))
        return
    if at is not None or step:
        if first or last is not None:
            raise typer.BadParameter("--at and --step show the board at a decision; --from and --to go with the list")
        if as_json and step:
            raise typer.BadParameter("--step is for people; give --at or the list with --json")
        if replay is None:
            raise RecordError(trouble)
        scene = replay.scene(at or 0, seat)
        if as_json:
            dump(scene)
        else:
            _show_board(replay, at or 0, seat, step=step)
    else:
        words = replay.words(seat) if replay else None
        if as_json:
            dump(to_json(record, seat, chosen(decision_summaries(record, seat, words), first, last)))
        else:
            say(list(narrative(record, seat, first, last, words)))
    if trouble:
        note(trouble)  # its decisions could be listed all the same


def _shown(record: MatchRecord, file: Path) -> tuple[Replay | None, str]:
    """Return what shows a match, if anything does, and why it cannot be executed; empty if it can."""
    try:
        replay = Replay(record, file)
    except RecordError as error:
        return None, str(error)
    return replay, f"{replay.why_kept}; {KEPT}" if replay.why_kept else ""


def _show_board(replay: Replay, number: int, seat: int | None, *, step: bool) -> None:
    screen = console()
    if step:
        show_step_by_step(Stepper(replay, number, seat, fixed=seat is not None), screen)
    else:
        screen.print(picture_at(replay, number, seat))


def keep(paths: list[Path]) -> None:
    """Run `ballcourt replay keep`."""
    kept = 0
    troubles = []
    for file in named_records(paths):
        try:
            keep_views(read_record(file), file)
            kept += 1
        except RecordError as error:
            troubles.append(str(error))
        except OSError as error:
            raise RecordError(f"{error.filename}: {error.strerror}") from error
    say([f"kept what shows {kept} {'match' if kept == 1 else 'matches'} beside the records"])
    if troubles:
        say(troubles)
        raise typer.Exit(CHECK_FAILED)


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
    replay = named_replay(file)
    check_observer(replay.record, seat)
    write_page(output, replay.documents() if seat is None else [replay.document(seat)])
    say([f"open {output} in a browser"])


def document(file: Path | None, seat: int | None, schema: bool) -> None:
    """Run `ballcourt replay document`."""
    if schema == (file is not None):
        raise typer.BadParameter("give either a record or --schema")
    if file is None:
        dump(schema_of_documents())
        return
    replay = named_replay(file)
    check_observer(replay.record, seat)
    dump(replay.document(seat))


def _verdict(path: Path) -> Verification:
    try:
        record = read_record(path)
        replay = Replay(record, path)
        return Verification(0, f"{replay.why_kept}; {KEPT}") if replay.why_kept else execute_again(record)
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
