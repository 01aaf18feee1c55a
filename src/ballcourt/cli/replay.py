"""`ballcourt replay`: shows match records and verifies them."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Final

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
from ballcourt.arena.tournament.folder.named import named_files
from ballcourt.cli.declaring import argument, option, switch
from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.flags import Json, RecordFile, Records
from ballcourt.cli.output import console, dump, note, say, writing
from ballcourt.cli.records import named_file, named_record, named_replay
from ballcourt.v1.record_pb2 import MatchRecord

UNCHECKED: Final = (
    "not checked: names, hosts, times, thoughts, and which decisions of a bot were fallbacks; they are as the files "
    "say. Only the signature of a signed bundle vouches for them (ballcourt event verify)."
)
"""What does not follow from the decisions of a record."""
KEPT: Final = "the match is shown from what was kept beside its record"


OnlySeat = Annotated[int | None, option("Show only what this seat could know.", "SEAT")]


def show(
    file: RecordFile,
    at: Annotated[int | None, option("Show the board before this decision instead.", "DECISION")] = None,
    step: Annotated[bool, switch("--step", "Show the board step by step, as keys say; with --at from there.")] = False,
    seat: OnlySeat = None,
    first: Annotated[int, option("Begin the list with this decision.", "DECISION", "--from")] = 0,
    last: Annotated[int | None, option("End the list with this decision.", "DECISION", "--to")] = None,
    short: Annotated[bool, switch("--short", "Show only the result and the turning points, to paste.")] = False,
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
    path = named_file(file)
    record = read_record(path)
    check_observer(record, seat)
    check_range(record, first, last)
    replay, trouble = _shown(record, path)
    if short:
        say(short_text(_executed(replay, trouble).document(seat)))
        return
    if at is None and not step:
        _list(record, replay, seat, first, last, as_json=as_json)
    elif first or last is not None:
        raise typer.BadParameter("--at and --step show the board at a decision; --from and --to go with the list")
    elif as_json and step:
        raise typer.BadParameter("--step is for people; give --at or the list with --json")
    else:
        _show_board(_executed(replay, trouble), at or 0, seat, step=step, as_json=as_json)
    if trouble:
        note(trouble)  # its decisions could be listed all the same


def _shown(record: MatchRecord, file: Path) -> tuple[Replay | None, str]:
    """Return what shows a match, if anything does, and why it cannot be executed; empty if it can."""
    try:
        replay = Replay(record, file)
    except RecordError as error:
        return None, str(error)
    return replay, f"{replay.why_kept}; {KEPT}" if replay.why_kept else ""


def _executed(replay: Replay | None, trouble: str) -> Replay:
    """Return what shows a match. Raises RecordError if nothing does."""
    if replay is None:
        raise RecordError(trouble)
    return replay


def _list(
    record: MatchRecord, replay: Replay | None, seat: int | None, first: int, last: int | None, *, as_json: bool
) -> None:
    """Print the decisions of a match, in words if it can be executed."""
    words = replay.words(seat) if replay else None
    if as_json:
        dump(to_json(record, seat, chosen(decision_summaries(record, seat, words), first, last)))
    else:
        say(list(narrative(record, seat, first, last, words)))


def _show_board(replay: Replay, number: int, seat: int | None, *, step: bool, as_json: bool) -> None:
    """Show the board before a decision, or from there step by step."""
    scene = replay.scene(number, seat)  # refuses a decision that there is not
    if as_json:
        dump(scene)
    elif step:
        show_step_by_step(Stepper(replay, number, seat, fixed=seat is not None), console())
    else:
        console().print(picture_at(replay, number, seat))


def keep(paths: Records) -> None:
    """Keep what shows matches beside their records, for the time when their rules have changed.

    A record is executed to show it, which only the rules that played it can do. Run this command before you upgrade:
    it writes a file *.views next to each record, about 13 kB for a match, with the scenes and words of all observers.
    `replay show`, `html` and `document`, the pages and the API then show the match by any version.

    \b
    Exit codes: 0 all are kept; 1 a record is damaged, or cannot be executed here.
    Example:
      ballcourt replay keep runs/cup
    """
    kept = 0
    troubles = []
    for file in named_files(paths):
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


def verify(paths: Records, as_json: Json = False) -> None:
    """Execute records again, and compare every position and the result.

    Names, hosts, times and thoughts do not follow from decisions: only a signed bundle (`ballcourt event verify`)
    vouches for them. A match by other rules that is shown from what `replay keep` wrote cannot be executed again.

    \b
    Exit codes: 0 all records agree; 1 one differs, is damaged or cannot be executed here.
    Example:
      ballcourt replay verify runs/demo
    """
    verdicts = []
    for path in [*named_files(paths)]:
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


def html(
    file: RecordFile,
    output: Annotated[Path, option("The page to write.", "FILE")],
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
    replay = named_replay(file)
    check_observer(replay.record, seat)
    write_page(output, replay.documents() if seat is None else [replay.document(seat)])
    say([f"open {output} in a browser"])


def document(
    file: Annotated[Path | None, argument("[RECORD]", "A record file.")] = None,
    seat: OnlySeat = None,
    schema: Annotated[bool, switch("--schema", "Print the JSON Schema of the document instead.")] = False,
) -> None:
    """Print a recorded match as JSON for viewers: the first scene, and what every decision changed.

    \b
    Examples:
      ballcourt replay document match.match
      ballcourt replay document --schema
    """
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


def faults(
    file: RecordFile,
    output: Annotated[Path | None, option("Write a bundle for each bot's author into this folder.", "FOLDER")] = None,
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
