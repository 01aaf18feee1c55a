"""`ballcourt host`: plays a tournament with remote bots."""

from collections import defaultdict
from contextlib import nullcontext
from dataclasses import asdict
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import Final

from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.records.store import SUFFIX
from ballcourt.arena.remote.port import RemoteError
from ballcourt.arena.remote.tokens import TokenFile
from ballcourt.arena.tournament.decisions.trail import Withdrawal, read_trail
from ballcourt.arena.tournament.event.model import Event
from ballcourt.arena.tournament.event.reading import event_from, output_folder
from ballcourt.arena.tournament.event.tables import Absent
from ballcourt.arena.tournament.folder.manifest import kept_versions
from ballcourt.arena.tournament.folder.output import RECORDS, open_folder
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.folder.planning import plan
from ballcourt.arena.tournament.organiser.decide import Organiser
from ballcourt.arena.tournament.playing.remote_bots import remote_names, resolver
from ballcourt.arena.tournament.playing.statuses import BotStatuses
from ballcourt.arena.workers.cores import usable
from ballcourt.arena.workers.orders import Told
from ballcourt.arena.workers.runner import HostRunner
from ballcourt.cli.flags import LengthFlags, OutcomeFlags, TournamentFile, Treatment
from ballcourt.cli.given import settings_table
from ballcourt.cli.hosting import HostingFlags, check_hosting, opened
from ballcourt.cli.leaderboard import Shown
from ballcourt.cli.output import note
from ballcourt.cli.running import play_and_show, report, say_confinement, tables_of
from ballcourt.leaderboard.show.terminal import title
from ballcourt.v1.following_pb2 import FinalPlace, FinalRating

LOOK_S: Final = 1.0
"""How often a host that waits looks at its clock and at what the organiser has decided."""


def host(
    file: TournamentFile, length: LengthFlags, treatment: Treatment, hosting: HostingFlags, outcome: OutcomeFlags
) -> None:
    """Play a tournament with bots that dial in from other machines.

    They use TCP with TLS, and each has a token. In the tournament file their names begin with "remote:". Play begins
    when all of them are connected, or at the time `start_at` without those that are absent; `event withdraw` lets it
    begin without one. Later, a match is played whenever its bots are connected, or after `start_at` soon without them.
    Arrivals, departures and refusals are written to stderr, one JSON object per line. After an interruption of any
    kind, run the same command again: it plays the remaining matches.

    \b
    Examples:
      ballcourt admin token new alice-bot --owner alice
      ballcourt host event.toml --cert cert.pem --key key.pem
      ballcourt host event.toml --insecure --listen 127.0.0.1:0
      ballcourt host event.toml --cert cert.pem --set start_at=2030-12-01T18:00:00Z --set absent=skip
    """
    check_hosting(hosting)
    given = settings_table(treatment, (), **asdict(length), output=outcome.folder)
    strict = treatment.strict
    confine = partial(say_confinement, strict=strict)
    settings = event_from(file, given, "the command line")
    folder = output_folder(file, settings)
    names = remote_names(settings)
    known = TokenFile(hosting.tokens)
    versions = kept_versions(folder, names)
    has_begun = bool(versions) or any((folder / RECORDS).glob(f"*{SUFFIX}"))
    if not has_begun and settings.start_at and settings.start_at <= datetime.now(UTC):
        raise RemoteError(
            f"start_at is {settings.start_at.isoformat()}, which has passed, and no match has been played; give a "
            "later time, or leave it out to wait for all bots"
        )
    # checks everything that does not need the bots' versions before waiting for the bots
    planned = plan(settings, resolver(known, versions), confine, folder=folder)
    tables = hosting.concurrent or settings.workers or len(usable())
    start_at = settings.start_at.isoformat() if settings.start_at and not has_begun else ""
    forfeits = settings.start_at is not None and settings.absent is Absent.FORFEIT
    with opened(hosting, planned, names, tables, versions=versions, start_at=start_at, forfeits=forfeits) as runner:
        if not has_begun:
            with open_folder(folder, planned):
                pass  # so that the organiser can decide about the event before its first match
            versions = _gather(planned, folder, settings, names, runner)
            runner.agree(versions)
        replan = partial(plan, settings, cache(resolver(known, versions)), folder=folder)
        planned = replan()
        start = lambda _: nullcontext(runner)  # noqa: E731
        statuses = BotStatuses(runner.tell)
        results = play_and_show(
            planned, folder, settings.database, start, tables, replan, live=False, follower=statuses
        )
        shown = tables_of(results, folder)
        statuses.over(*_ends(shown))
    report(planned, folder, results, shown, as_json=outcome.as_json, fail_on_fault=outcome.fail_on_fault or strict)


def _gather(planned: Plan, folder: Path, settings: Event, names: tuple[str, ...], runner: HostRunner) -> dict[str, str]:
    """Wait for the remote bots until all are there or play begins; return the versions of those that take part.

    Those that the organiser withdraws meanwhile are not waited for. Raises RemoteError if too few have come.
    """
    before = None
    while True:
        present = runner.roll_call(LOOK_S)
        gone = (decision.bot for decision in read_trail(folder) if isinstance(decision, Withdrawal))
        withdrawn = {BotVersion.parse(bot).name for bot in gone}
        here = {name: version for name, version in present.items() if name not in withdrawn}
        missing = [name for name in names if name not in here and name not in withdrawn]
        if not missing or (settings.start_at and settings.start_at <= datetime.now(UTC)):
            break
        if (now := (sorted(here), missing)) != before:
            before = now
            runner.tell(Told(out=frozenset(withdrawn)))
            until = f" until {settings.start_at.isoformat()}" if settings.start_at else ""
            note(f"here: {', '.join(here) or 'no one yet'}; waiting for {', '.join(missing)}{until}")
    if missing:
        _begin_without(planned, folder, settings, here, missing)
    return here


def _begin_without(planned: Plan, folder: Path, settings: Event, here: dict[str, str], missing: list[str]) -> None:
    """Say, and if they are to be skipped decide, that play begins without some bots. Raises RemoteError."""
    local = sum(not entrant.remote for entrant in planned.entrants)
    if local + len(here) < 2 or not here:
        came = f"only {', '.join(here)} came" if here else "no bot came"
        raise RemoteError(f"{came} before {settings.start_at}; no match was played; run it again with a later start_at")
    if settings.absent is Absent.FORFEIT:
        note(f"play begins without {', '.join(missing)}, who lose each match that they miss")
        return
    note(f"play begins without {', '.join(missing)}, who are withdrawn")
    for name in missing:
        Organiser(folder, "not there at the start").withdraw(name)


def _ends(shown: Shown) -> tuple[dict[str, FinalPlace], dict[str, list[FinalRating]]]:
    """Return where bots stand in the end, by name: by the rules of the format, and in each table."""
    places: dict[str, FinalPlace] = {}
    if page := shown.placing:
        rows = page.placing.places
        places = {
            page.bots[row.entrant].name: FinalPlace(place=row.place, bots=len(rows), format=page.schedule)
            for row in rows
        }
    ratings: defaultdict[str, list[FinalRating]] = defaultdict(list)
    for ladder, board in shown.boards.items():
        for row in board.rows:
            ratings[row.entrant.name].append(
                FinalRating(
                    table=title(ladder),
                    rank=row.rank,
                    bots=len(board.rows),
                    rating=row.rating,
                    wins=row.wins,
                    matches=row.matches,
                    faults=row.faults,
                )
            )
    return places, ratings
