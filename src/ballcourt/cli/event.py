"""`ballcourt event`: what an organiser decides about an event, while it runs or not."""

from __future__ import annotations

from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Annotated

import typer

from ballcourt.cli.flags import Json
from ballcourt.cli.output import clock_table, dump, note, say, writing

if TYPE_CHECKING:
    from ballcourt.arena.tournament.decisions.trail import Decision
    from ballcourt.arena.tournament.folder.plan import Plan
    from ballcourt.arena.tournament.organiser.decide import Organiser
    from ballcourt.leaderboard.model.results import MatchResult

event = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Change an event that has begun: withdraw or add bots, void or repeat matches, lengthen it, pause it.\n\n"
    "Every decision is kept with its time, author and reason in the event's folder. A run that plays the event, in "
    "whatever terminal, notices it before it begins another block; otherwise the next run does.",
)

Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="The event's output folder.", show_default=False)]
Reason = Annotated[
    str, typer.Option("--reason", metavar="TEXT", help="Why; the trail of the event keeps it.", show_default=False)
]
Match = Annotated[
    str,
    typer.Argument(
        metavar="MATCH", help="A match, such as b000012-r1, or a block, such as b000012.", show_default=False
    ),
]


@event.command()
def withdraw(
    folder: Folder,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="A bot: NAME, or 'NAME VERSION'.", show_default=False)],
    reason: Reason,
    strike: Annotated[
        bool, typer.Option("--strike", help="Its past matches do not count either, for anybody at their tables.")
    ] = False,
) -> None:
    """Play no more matches with a bot.

    \b
    Example:
      ballcourt event withdraw runs/cup mine --strike --reason "plays by network"
    """
    _told(_organiser(folder, reason).withdraw(bot, strike=strike))


@event.command()
def void(folder: Folder, match: Match, reason: Reason) -> None:
    """Let a match or a block not count; it is not played again.

    Where later rounds depend on it, such as in a Swiss tournament, those whose pairings change are played again.
    """
    _told(_organiser(folder, reason).void(match))


@event.command()
def repeat(
    folder: Folder,
    reason: Reason,
    match: Annotated[
        str | None,
        typer.Argument(metavar="MATCH", help="A match, such as b000012-r1, or a block, such as b000012."),
    ] = None,
    worker: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Instead: all blocks in which this worker of a cluster has played."),
    ] = None,
) -> None:
    """Play a match or a block again, with another deal; what it was before does not count.

    With --worker, do so with all blocks of a worker that stands out; end that worker first, or it may get them again.

    Where later rounds depend on it, such as in a Swiss tournament, those whose pairings change are played again.
    """
    if (match is None) == (worker is None):
        raise typer.BadParameter("give either a match or block, or --worker")
    organiser = _organiser(folder, reason)
    _told(*(organiser.repeat_worker(worker) if worker else [organiser.repeat(str(match))]))


@event.command()
def add(
    folder: Folder,
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="A bot: a name, a folder, or LABEL=BOT.", show_default=False)
    ],
    reason: Reason,
    owner: Annotated[str, typer.Option(metavar="NAME", help="Who entered it.")] = "",
    arg: Annotated[
        list[str] | None, typer.Option(metavar="WORD", help="A word to add to its command; may be repeated.")
    ] = None,
    clock: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="What differs from the clock of the event; may be repeated."),
    ] = None,
) -> None:
    """Let a bot join. From the next block on, the rest of the event is scheduled for all who play then.

    It is built now, in the event's sandbox, and plays only as long as its files stay as they are.

    \b
    Example:
      ballcourt event add runs/cup ./late --owner ann --reason "its owner was ill"
    """
    table = {"path": bot, "owner": owner, "args": arg or [], "clock": clock_table(clock or ())}
    _told(_organiser(folder, reason).add(table))


@event.command()
def lengthen(
    folder: Folder,
    reason: Reason,
    rounds: Annotated[int | None, typer.Option(metavar="N", min=1, help="Play N rounds in all.")] = None,
    blocks: Annotated[int | None, typer.Option(metavar="N", min=1, help="Play N blocks in all.")] = None,
    matches: Annotated[int | None, typer.Option(metavar="N", min=1, help="Play at least N matches in all.")] = None,
) -> None:
    """Let the event be longer; give what it has in all, counted from its beginning."""
    from ballcourt.arena.tournament.schedules.schedule import Length

    asked = {"rounds": rounds, "blocks": blocks, "matches": matches}
    given = [(unit, number) for unit, number in asked.items() if number is not None]
    if len(given) != 1:
        raise typer.BadParameter("give one of --rounds, --blocks and --matches")
    _told(_organiser(folder, reason).lengthen(Length(*given[0])))  # type: ignore[arg-type]  # a unit


@event.command()
def pause(folder: Folder, reason: Reason) -> None:
    """Begin no more blocks until the event is resumed; those that have begun are played to their end."""
    _told(_organiser(folder, reason).pause())


@event.command()
def resume(folder: Folder, reason: Reason) -> None:
    """Let a paused event go on."""
    _told(_organiser(folder, reason).resume())


@event.command()
def log(folder: Folder, as_json: Json = False) -> None:
    """Show what has been decided about an event."""
    from ballcourt.arena.tournament.decisions.trail import read_trail
    from ballcourt.arena.tournament.organiser.decide import event_in

    event_in(folder)
    decisions = read_trail(folder)
    if as_json:
        dump(decisions)
        return
    if not decisions:
        note("nothing has been decided")
    say(f"{decision.number}  {decision.time}  {decision.sentence}; {_since(decision)}" for decision in decisions)


@event.command()
def certificate(folder: Folder, as_json: Json = False) -> None:
    """Count what an event has given each bot so far: matches, seats, opponents, and who sat before whom.

    Only matches that count are counted. Where rounds depend on results, as in a Swiss tournament, nothing can be
    counted before play; the plan says the same in advance where it can.
    """
    from ballcourt.arena.tournament.decisions.certificate import BotName, CertificatePage, sentences, to_json
    from ballcourt.arena.tournament.organiser.decide import event_in
    from ballcourt.leaderboard.store.folder import counted_in, results_in

    kept = event_in(folder)
    counted = counted_in(kept, results_in(folder).matches)
    if as_json:
        bots = [BotName(entrant.name, entrant.version) for entrant in kept.entrants]
        dump(CertificatePage(bots, to_json(kept.setups, counted)))
    else:
        say(sentences(kept.setups, counted))


@event.command()
def key(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file for the private key.", show_default=False)],
) -> None:
    """Make a key that signs bundles, and print its public half, to be published before the event."""
    from ballcourt.arena.tournament.organiser.signing import write_key

    say([write_key(file)])


@event.command()
def bundle(
    folder: Folder,
    key: Annotated[Path, typer.Option(metavar="FILE", help="The private key.", show_default=False)],
    output: Annotated[Path, typer.Option(metavar="FILE", help="The bundle, such as final.zip.", show_default=False)],
) -> None:
    """Close an event that is over, and sign a bundle with which anybody can check it.

    The bundle reveals the seed, so the event cannot be changed or go on afterwards. It holds all records, the table,
    the organiser's decisions, and event.toml, which plays the event again. `ballcourt verify` checks it.

    \b
    Example:
      ballcourt event key organiser.key
      ballcourt event bundle runs/cup --key organiser.key --output cup.zip
    """
    from ballcourt.arena.files import check_file_writable
    from ballcourt.arena.tournament.folder.manifest import RERUN_FILE, rerun_file
    from ballcourt.arena.tournament.organiser.decide import Organiser, event_in
    from ballcourt.arena.tournament.organiser.signed_bundle import TABLE, write_bundle
    from ballcourt.arena.tournament.organiser.signing import read_key
    from ballcourt.cli.verify import table_of

    read_key(key)  # before anything is decided
    kept = event_in(folder)
    matches = _all_matches(kept, folder)
    with writing(output):
        check_file_writable(output)  # before the event is closed, for it cannot be opened again
    if not kept.changes.closed:
        note(Organiser(folder, "its seed is revealed in a bundle").close().sentence)
    files = {TABLE: table_of(matches, folder), RERUN_FILE: rerun_file(folder).encode()}
    with writing(output):
        public = write_bundle(folder, event_in(folder), files, key, output)
    say([f"{output}: {len(matches)} matches, signed by {public}"])


def _all_matches(kept: Plan, folder: Path) -> list[MatchResult]:
    """Return the results of an event. Raises OrganiserError if it is not over."""
    from ballcourt.arena.tournament.organiser.decide import OrganiserError
    from ballcourt.cli.verify import still_missing
    from ballcourt.leaderboard.store.folder import results_in

    found = results_in(folder)
    if found.left_out:
        raise OrganiserError(f"{found.left_out[0]}; run the tournament again first")
    if missing := still_missing(kept, found.matches, time()):
        raise OrganiserError(f"the event is not over: {missing} is still to be played; run the tournament again first")
    return found.matches


def _organiser(folder: Path, reason: str) -> Organiser:
    from ballcourt.arena.tournament.organiser.decide import Organiser

    return Organiser(folder, reason)


def _told(*decisions: Decision) -> None:
    say(f"decision {decision.number}: {decision.sentence}" for decision in decisions)
    note("a run in progress follows it from its next block on; otherwise run the tournament again")


def _since(decision: Decision) -> str:
    return "no run has noticed it yet" if decision.block is None else f"noticed before block {decision.block}"
