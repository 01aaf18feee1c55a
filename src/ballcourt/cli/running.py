"""What `tournament`, `host` and `ladder` have in common: they play a tournament, show it and keep it."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import typer

from ballcourt.arena.faults import ArenaError, in_words
from ballcourt.arena.records.bundle import FAULTS, LOGS, bundles_in
from ballcourt.arena.sandbox import walls
from ballcourt.arena.sandbox.tiers import Sandbox
from ballcourt.arena.tournament.decisions.certificate import sentences
from ballcourt.arena.tournament.folder.events import Finished, RunEvent
from ballcourt.arena.tournament.folder.output import DATABASE, RECORDS, open_folder
from ballcourt.arena.tournament.folder.overview import Overview
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.playing.play import stopping
from ballcourt.arena.tournament.playing.run import Replan, Start, run_tournament
from ballcourt.arena.tournament.schedules.stop import Reached, Rule
from ballcourt.cli.announce import Announcer
from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.leaderboard import Shown, show, shown_of
from ballcourt.cli.output import command, dump, note, same_command
from ballcourt.cli.progress import Progress
from ballcourt.leaderboard.model.results import LeaderboardError, MatchResult
from ballcourt.leaderboard.show.terminal import to_json
from ballcourt.leaderboard.store.connecting import without_password
from ballcourt.leaderboard.store.database import Database, open_database
from ballcourt.leaderboard.store.feed import DatabaseFeed
from ballcourt.leaderboard.store.folder import counted_in, field_of
from ballcourt.leaderboard.store.refresh import Refresher
from ballcourt.leaderboard.store.snapshot import refresh

MOST_LOSERS: Final = 10
"""How many bots are named that lost seats."""


@dataclass(frozen=True, slots=True)
class Played:
    """The results of a tournament, its plan in the end, and why a database lacks results; empty if none does."""

    results: list[MatchResult]
    plan: Plan
    refusal: str = ""


def say_confinement(sandbox: Sandbox, *, strict: bool, advice: str = "--sandbox 1") -> None:
    """Say how the bots are confined, and what a tournament file of another author allows them.

    `advice` is what confines them. Raises SandboxError if it is to be `strict` and this machine lacks something that
    the tier promises.
    """
    unconfined = "" if sandbox.tier else f": bots and their builds have all your rights; {advice} confines them"
    note(sandbox.describe() + unconfined)
    for sentence in sandbox.cautions():
        note(f"caution: {sentence}")
    if strict:
        walls.demand(sandbox.tier)


def play_and_show(
    planned: Plan,
    path: Path,
    url: str | None,
    start: Start,
    tables: int,
    replan: Replan,
    *,
    live: bool = True,
    follower: Callable[[RunEvent], None] | None = None,
) -> Played:
    """Play the remaining matches and bring the databases up to date; return all results.

    `follower` is given every event too.
    """
    planned = stopping(planned, measured)

    def replanned() -> Plan:
        return stopping(replan(), measured)

    with ExitStack() as stack:
        shared = [stack.enter_context(open_database(url, create=True))] if url else []
        folder = stack.enter_context(open_folder(path, planned))
        note(f"output: {path}" + (f"; the results also go to {without_password(url)}" if url else ""))
        databases = [*own_database(stack, path), *shared]
        events = stack.enter_context(closing(run_tournament(planned, folder, start, replanned)))
        with Refresher([url]) if url else nullcontext() as refresher:
            others = [one for one in (refresher, follower) if one]
            played = _follow(planned, events, databases, others, tables, path, live=live)
        for database in shared:
            with suppress(LeaderboardError):  # one that refuses has its readers wait for a fit
                refresh(database)
        return played


def measured(rules: Sequence[Rule], entrants: int, gone: Collection[int]) -> Reached:
    """Return what measures precision; its libraries are imported only where something stops by it."""
    from ballcourt.leaderboard.model.precision import Precision

    return Precision(rules, entrants, gone)


def own_database(stack: ExitStack, path: Path) -> list[Database]:
    """Open the database of an output folder; none if it is unusable, since tables are made from the records."""
    try:
        return [stack.enter_context(open_database(path / DATABASE, create=True))]
    except LeaderboardError as error:
        note(f"{path / DATABASE} is left as it is, and the results are in the records only: {error}")
        return []


def _follow(
    plan: Plan,
    events: Iterable[RunEvent],
    databases: Sequence[Database],
    others: Sequence[Callable[[RunEvent], None]],
    tables: int,
    path: Path,
    *,
    live: bool,
) -> Played:
    """Give every event to all subscribers; return the results that count in the end."""
    announcer = Announcer(tables)
    progress = Progress(live=live)
    try:
        with continuable(progress.overview, path), DatabaseFeed(databases, note) as feed, progress:
            subscribers: Sequence[Callable[[RunEvent], None]] = (announcer, progress, feed, *others)
            for event in events:
                for subscriber in subscribers:
                    subscriber(event)
                if isinstance(event, Finished):
                    plan = event.tournament or plan
    except LeaderboardError as error:  # of leaving the feed, when everything has been played
        return Played([*progress.played.values()], plan, str(error))
    return Played([*progress.played.values()], plan)


@contextmanager
def continuable(overview: Overview, path: Path) -> Iterator[None]:
    """Say how far a run has got and how to continue it, if anything but a database ends it early."""
    try:
        yield
    except LeaderboardError:  # of leaving the feed, when everything has been played
        raise
    except BaseException:
        if overview.last:  # else it has not begun, and what is there has not been counted
            note(f"stopped after {overview.done}, which are in {path}")
        note(f"to continue: {same_command()}")
        note(f"to see the table so far: {command('leaderboard', str(path))}")
        raise


def tables_of(played: Played, folder: Path) -> Shown:
    """Return the tables of a tournament that has been played."""
    return shown_of(played.results, field_of(played.plan, played.results, folder))


def report(planned: Plan, folder: Path, played: Played, shown: Shown, *, as_json: bool, fail_on_fault: bool) -> None:
    """Show the table of a tournament that has been played, its certificate, and where everything is.

    Raises ArenaError if a database could not be brought up to date. With `fail_on_fault`, exits with 1 if a seat was
    lost.
    """
    if as_json:
        dump(to_json(*shown))
    else:
        show(*shown)
    for line in _uneven(planned, played):
        note(f"played: {line}")
    note(f"records: {folder / RECORDS} ({len(played.results)} matches)   database: {folder / DATABASE}")
    for line in _seats_lost(played.results):
        note(line)
    if bundles_in(folder / FAULTS):
        note(f"what the authors of these bots need is in {folder / FAULTS}")
    if planned.event.logs:
        note(f"what each bot printed in each match is in {folder / LOGS}")
    note(f"to see this table again: {command('leaderboard', str(folder))}")
    note(f"to see it in a browser: {command('serve', str(folder))}")
    if played.refusal:
        raise ArenaError(f"{played.refusal}; all results are in the records; to write them: {same_command()}")
    if fail_on_fault and any(seat.vacated for match in played.results for seat in match.seats):
        raise typer.Exit(CHECK_FAILED)


def _uneven(planned: Plan, played: Played) -> Iterator[str]:
    """Yield the certificate of what was played, unless the plan has printed the same before."""
    expected = [] if planned.stop else [*sentences(planned.setups, planned.balances())]
    found = [*sentences(played.plan.setups, counted_in(played.plan, played.results))]
    return iter(found if found != expected else ())


def _seats_lost(results: Iterable[MatchResult]) -> Iterator[str]:
    """Yield whose seats were lost and why, the bots that lost most of them first."""
    reasons: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for seat in (seat for match in results for seat in match.seats if seat.vacated):
        reasons[f"{seat.entrant.name} {seat.entrant.version}"][in_words(seat.termination)] += 1
    if not reasons:
        return
    losers = sorted(reasons, key=lambda bot: (-reasons[bot].total(), bot))
    losses = [f"{bot} ({_counts(reasons[bot])})" for bot in losers[:MOST_LOSERS]]
    more = [f"{len(losers) - MOST_LOSERS} more bots"] if len(losers) > MOST_LOSERS else []
    total = sum(counts.total() for counts in reasons.values())
    yield f"seats lost: {total}, by {', '.join(losses + more)}"


def _counts(reasons: Counter[str]) -> str:
    return ", ".join(f"{times} x {reason}" for reason, times in reasons.most_common())
