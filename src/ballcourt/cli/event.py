"""`ballcourt event`: what an organiser decides about an event, while it runs or not."""

from pathlib import Path
from time import time
from typing import Annotated

import typer

from ballcourt.arena.files import check_file_writable
from ballcourt.arena.tournament.decisions.certificate import BotName, CertificatePage, sentences, to_json
from ballcourt.arena.tournament.decisions.trail import Decision, read_trail
from ballcourt.arena.tournament.folder.manifest import RERUN_FILE, rerun_file
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.organiser.decide import Organiser, OrganiserError, event_in
from ballcourt.arena.tournament.organiser.signed_bundle import write_bundle
from ballcourt.arena.tournament.organiser.signing import read_key, write_key
from ballcourt.arena.tournament.schedules.schedule import Length
from ballcourt.cli.declaring import argument, option, switch
from ballcourt.cli.flags import Folder, Json
from ballcourt.cli.given import clock_table
from ballcourt.cli.output import dump, note, say, writing
from ballcourt.cli.verify import still_missing, tables_of
from ballcourt.leaderboard.model.results import MatchResult
from ballcourt.leaderboard.show import by_rules
from ballcourt.leaderboard.store.folder import counted_in, field_of, results_in

Reason = Annotated[str, option("Why; the trail of the event keeps it.", "TEXT", "--reason")]
Match = Annotated[str, argument("MATCH", "A match, such as b000012-r1, or a block, such as b000012.")]


def withdraw(
    folder: Folder,
    bot: Annotated[str, argument("BOT", "A bot: NAME, or 'NAME VERSION'.")],
    reason: Reason,
    strike: Annotated[
        bool, switch("--strike", "Its past matches do not count either, for anybody at their tables.")
    ] = False,
) -> None:
    """Play no more matches with a bot.

    \b
    Example:
      ballcourt event withdraw runs/cup mine --strike --reason "plays by network"
    """
    _report(Organiser(folder, reason).withdraw(bot, strike=strike))


def void(folder: Folder, match: Match, reason: Reason) -> None:
    """Annul a match or a block; it is not played again.

    Where later rounds depend on it, such as in a Swiss tournament, those whose pairings change are played again.
    """
    _report(Organiser(folder, reason).void(match))


def repeat(
    folder: Folder,
    reason: Reason,
    match: Annotated[str | None, argument("MATCH", "A match, such as b000012-r1, or a block, such as b000012.")] = None,
    worker: Annotated[
        str | None, option("Instead: all blocks in which this worker of a cluster has played.", "NAME")
    ] = None,
) -> None:
    """Play a match or a block again, with another deal; what it was before does not count.

    With --worker, do so with all blocks of a worker that stands out; end that worker first, or it may get them again.

    Where later rounds depend on it, such as in a Swiss tournament, those whose pairings change are played again.
    """
    if (match is None) == (worker is None):
        raise typer.BadParameter("give either a match or block, or --worker")
    organiser = Organiser(folder, reason)
    _report(*(organiser.repeat_worker(worker) if worker else [organiser.repeat(str(match))]))


def add(
    folder: Folder,
    bot: Annotated[str, argument("BOT", "A bot: a name, a folder, or LABEL=BOT.")],
    reason: Reason,
    owner: Annotated[str, option("Who entered it.", "NAME")] = "",
    arg: Annotated[list[str] | None, option("A word to add to its command; may be repeated.", "WORD")] = None,
    clock: Annotated[
        list[str] | None, option("What differs from the clock of the event; may be repeated.", "NAME=VALUE")
    ] = None,
) -> None:
    """Admit a bot. From the next block on, the rest of the event is scheduled for all who play then.

    It is built now, in the event's sandbox, and plays only as long as its files stay as they are.

    \b
    Example:
      ballcourt event add runs/cup ./late --owner ann --reason "its owner was ill"
    """
    table = {"path": bot, "owner": owner, "args": arg or [], "clock": clock_table(clock or ())}
    _report(Organiser(folder, reason).add(table))


def lengthen(
    folder: Folder,
    reason: Reason,
    rounds: Annotated[int | None, option("Play N rounds in all.", "N", min=1)] = None,
    blocks: Annotated[int | None, option("Play N blocks in all.", "N", min=1)] = None,
    matches: Annotated[int | None, option("Play at least N matches in all.", "N", min=1)] = None,
) -> None:
    """Lengthen the event; give its whole length, counted from its beginning."""
    asked = {"rounds": rounds, "blocks": blocks, "matches": matches}
    given = [(unit, number) for unit, number in asked.items() if number is not None]
    if len(given) != 1:
        raise typer.BadParameter("give one of --rounds, --blocks and --matches")
    _report(Organiser(folder, reason).lengthen(Length(*given[0])))  # type: ignore[arg-type]  # a unit


def pause(folder: Folder, reason: Reason) -> None:
    """Begin no more blocks until the event is resumed; those that have begun are played to their end."""
    _report(Organiser(folder, reason).pause())


def resume(folder: Folder, reason: Reason) -> None:
    """Resume a paused event."""
    _report(Organiser(folder, reason).resume())


def renew(folder: Folder, reason: Reason) -> None:
    """Continue a ladder under the installed rules of its games, after they have changed.

    Its tables and records under the older rules stay. Bots play on; their ratings begin where they are, but less
    certain. End the ladder first, and run it again afterwards.

    \b
    Example:
      ballcourt event renew runs/ladder --reason "rules 4 mend the scoring of temples"
    """
    if decisions := Organiser(folder, reason).renew():
        _report(*decisions)
    else:
        note("it goes on under the rules that are installed already")


def log(folder: Folder, as_json: Json = False) -> None:
    """Show what has been decided about an event."""
    event_in(folder)
    decisions = read_trail(folder)
    if as_json:
        dump(decisions)
        return
    if not decisions:
        note("nothing has been decided")
    say(f"{decision.number}  {decision.time}  {decision.sentence}; {_since(decision)}" for decision in decisions)


def certificate(folder: Folder, as_json: Json = False) -> None:
    """Count what an event has given each bot so far: matches, seats, opponents, and who sat before whom.

    Only matches that count are counted. Where rounds depend on results, as in a Swiss tournament, nothing can be
    counted before play; the plan says the same in advance where it can.
    """
    kept = event_in(folder)
    matches = results_in(folder).matches
    counted, placing = counted_in(kept, matches), field_of(kept, matches, folder).placing
    if as_json:
        bots = [BotName(entrant.bot.name, entrant.bot.version) for entrant in kept.entrants]
        dump(CertificatePage(bots, to_json(kept.setups, counted), placing))
        return
    say(sentences(kept.setups, counted))
    unplayed = [one.bot.name for index, one in enumerate(kept.entrants) if not any(of.matches[index] for of in counted)]
    if unplayed:
        say([f"without a match: {', '.join(unplayed)}"])
    if placing:
        say(by_rules.lines(placing))


def key(
    file: Annotated[Path, argument("FILE", "A new file for the private key.")],
) -> None:
    """Make a key that signs bundles, and print its public half, to be published before the event."""
    say([write_key(file)])


def bundle(
    folder: Folder,
    key: Annotated[Path, option("The private key.", "FILE")],
    output: Annotated[Path, option("The bundle, such as final.zip.", "FILE")],
) -> None:
    """Close an event that is over, and sign a bundle with which anybody can check it.

    The bundle reveals the seed, so the event cannot be changed or go on afterwards. It holds all records, the table,
    the organiser's decisions, and event.toml, which plays the event again. `ballcourt event verify` checks it.

    \b
    Example:
      ballcourt event key organiser.key
      ballcourt event bundle runs/cup --key organiser.key --output cup.zip
    """
    read_key(key)  # before anything is decided
    kept = event_in(folder)
    matches = _all_matches(kept, folder)
    with writing(output):
        check_file_writable(output)  # before the event is closed, for it cannot be opened again
    if not kept.changes.closed:
        note(Organiser(folder, "its seed is revealed in a bundle").close().sentence)
    files = {**tables_of(matches, folder), RERUN_FILE: rerun_file(folder).encode()}
    with writing(output):
        public = write_bundle(folder, event_in(folder), files, key, output)
    say([f"{output}: {len(matches)} matches, signed by {public}"])


def _all_matches(kept: Plan, folder: Path) -> list[MatchResult]:
    """Return the results of an event. Raises OrganiserError if it is not over."""
    found = results_in(folder)
    if found.left_out:
        raise OrganiserError(f"{found.left_out[0]}; run the tournament again first")
    if missing := still_missing(kept, found.matches, time()):
        raise OrganiserError(f"the event is not over: {missing} is still to be played; run the tournament again first")
    return found.matches


def _report(*decisions: Decision) -> None:
    say(f"decision {decision.number}: {decision.sentence}" for decision in decisions)
    note("a run in progress follows it from its next block on; otherwise run the tournament again")


def _since(decision: Decision) -> str:
    return "no run has noticed it yet" if decision.block is None else f"noticed before block {decision.block}"
