"""`ballcourt event`: what an organiser decides about an event, while it runs or not."""

from pathlib import Path
from time import time

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
from ballcourt.cli.given import clock_table
from ballcourt.cli.output import dump, note, say, writing
from ballcourt.cli.verify import still_missing, tables_of
from ballcourt.leaderboard.model.results import MatchResult
from ballcourt.leaderboard.show import by_rules
from ballcourt.leaderboard.store.folder import counted_in, field_of, results_in


def withdraw(folder: Path, bot: str, reason: str, strike: bool) -> None:
    """Run `ballcourt event withdraw`."""
    _report(Organiser(folder, reason).withdraw(bot, strike=strike))


def void(folder: Path, match: str, reason: str) -> None:
    """Run `ballcourt event void`."""
    _report(Organiser(folder, reason).void(match))


def repeat(folder: Path, reason: str, match: str | None, worker: str | None) -> None:
    """Run `ballcourt event repeat`."""
    if (match is None) == (worker is None):
        raise typer.BadParameter("give either a match or block, or --worker")
    organiser = Organiser(folder, reason)
    _report(*(organiser.repeat_worker(worker) if worker else [organiser.repeat(str(match))]))


def add(folder: Path, bot: str, reason: str, owner: str, arg: list[str] | None, clock: list[str] | None) -> None:
    """Run `ballcourt event add`."""
    table = {"path": bot, "owner": owner, "args": arg or [], "clock": clock_table(clock or ())}
    _report(Organiser(folder, reason).add(table))


def lengthen(folder: Path, reason: str, rounds: int | None, blocks: int | None, matches: int | None) -> None:
    """Run `ballcourt event lengthen`."""
    asked = {"rounds": rounds, "blocks": blocks, "matches": matches}
    given = [(unit, number) for unit, number in asked.items() if number is not None]
    if len(given) != 1:
        raise typer.BadParameter("give one of --rounds, --blocks and --matches")
    _report(Organiser(folder, reason).lengthen(Length(*given[0])))  # type: ignore[arg-type]  # a unit


def pause(folder: Path, reason: str) -> None:
    """Run `ballcourt event pause`."""
    _report(Organiser(folder, reason).pause())


def resume(folder: Path, reason: str) -> None:
    """Run `ballcourt event resume`."""
    _report(Organiser(folder, reason).resume())


def renew(folder: Path, reason: str) -> None:
    """Run `ballcourt event renew`."""
    if decisions := Organiser(folder, reason).renew():
        _report(*decisions)
    else:
        note("it goes on under the rules that are installed already")


def log(folder: Path, as_json: bool) -> None:
    """Run `ballcourt event log`."""
    event_in(folder)
    decisions = read_trail(folder)
    if as_json:
        dump(decisions)
        return
    if not decisions:
        note("nothing has been decided")
    say(f"{decision.number}  {decision.time}  {decision.sentence}; {_since(decision)}" for decision in decisions)


def certificate(folder: Path, as_json: bool) -> None:
    """Run `ballcourt event certificate`."""
    kept = event_in(folder)
    matches = results_in(folder).matches
    counted, placing = counted_in(kept, matches), field_of(kept, matches, folder).placing
    if as_json:
        bots = [BotName(entrant.name, entrant.version) for entrant in kept.entrants]
        dump(CertificatePage(bots, to_json(kept.setups, counted), placing))
        return
    say(sentences(kept.setups, counted))
    unplayed = [one.name for index, one in enumerate(kept.entrants) if not any(of.matches[index] for of in counted)]
    if unplayed:
        say([f"without a match: {', '.join(unplayed)}"])
    if placing:
        say(by_rules.lines(placing))


def key(file: Path) -> None:
    """Run `ballcourt event key`."""
    say([write_key(file)])


def bundle(folder: Path, key: Path, output: Path) -> None:
    """Run `ballcourt event bundle`."""
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
