"""`ballcourt ladder`: play a ladder that bots join from a watched folder, as long as it is left running."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Annotated, Final

import typer

from ballcourt.arena.faults import ArenaError
from ballcourt.arena.ladder.arrivals.admission import Admission
from ballcourt.arena.ladder.arrivals.dialled import DialledArrivals, none_here
from ballcourt.arena.ladder.arrivals.handed import HandedArrivals
from ballcourt.arena.ladder.arrivals.inbox import Inbox
from ballcourt.arena.ladder.arrivals.interface import AllArrivals, Arrivals
from ballcourt.arena.ladder.model import LadderFile, read_ladder
from ballcourt.arena.ladder.plan import plan_ladder
from ballcourt.arena.ladder.run import Bounds, run_ladder
from ballcourt.arena.ladder.state import REMEMBERED
from ballcourt.arena.printable import values_of
from ballcourt.arena.remote.port import RemoteError
from ballcourt.arena.remote.tokens import TokenFile, Tokens
from ballcourt.arena.sandbox.tiers import unavailable
from ballcourt.arena.tournament.event.setups import in_words, open_setups
from ballcourt.arena.tournament.folder.events import MatchPlayed, MatchStarted, Planned, Resumed, RunEvent
from ballcourt.arena.tournament.folder.output import open_folder
from ballcourt.arena.tournament.folder.overview import Overview
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.playing.play import workers_of
from ballcourt.arena.tournament.playing.run import Start
from ballcourt.arena.tournament.playing.statuses import BotStatuses
from ballcourt.arena.workers.runner import HostRunner
from ballcourt.cli.announce import Announcer, say_commitment
from ballcourt.cli.clusters import Machines
from ballcourt.cli.declaring import argument, option
from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.flags import Cluster, LogFlag, StrictFlag, Treatment, Unconfined
from ballcourt.cli.given import settings_table
from ballcourt.cli.hosting import HostingFlags, check_hosting, opened
from ballcourt.cli.journal import LogForm, is_json, keep_log, log_event
from ballcourt.cli.output import command, note, same_command
from ballcourt.cli.running import continuable, measured, own_database, say_confinement
from ballcourt.contest.closing import Closing
from ballcourt.contest.refusals import demand_tier
from ballcourt.leaderboard.model.results import LeaderboardError
from ballcourt.leaderboard.store.database import Database, open_database
from ballcourt.leaderboard.store.feed import DatabaseFeed
from ballcourt.leaderboard.store.folder import add_missing
from ballcourt.leaderboard.store.retention import Retention

LINE_S: Final = 10.0
AHEAD: Final = 2
"""For each match that is played at a time, this number of blocks are with the worker: the bots of some may be busy."""


def ladder(
    file: Annotated[Path, argument("FILE", "The file of the ladder (TOML).")],
    hosting: HostingFlags,
    matches: Annotated[
        int | None, option("End when the ladder has N matches in all, rounded up to whole blocks.", "N", min=1)
    ] = None,
    hours: Annotated[float | None, option("Begin no block after this number of hours.", "H", min=0.0)] = None,
    strict: StrictFlag = False,
    unconfined: Unconfined = False,
    cluster: Cluster = None,
    set: Annotated[
        list[str] | None,
        option(
            "For tls://: cluster.ca, cluster.cert or cluster.key, a PEM file each; may be repeated.",
            "KEY=VALUE",
            panel="Machines",
        ),
    ] = None,
    log: LogFlag = "text",
) -> None:
    """Play a ladder that bots join from a watched folder, as long as it is left running.

    Put the folder of a bot into the watched folder, and it joins once `check bot` has passed in the sandbox of the
    ladder. A bot that is refused gets a report next to its folder. To enter a new version, change the files and the
    version in bot.toml. Copy a folder under a name that begins with a dot, and rename it when it is complete.

    With --cluster other machines play the matches, and this one checks the bots that arrive.

    With --cert or --insecure bots also dial in from elsewhere, by `ballcourt connect`: all that have a token. They play
    while they are connected.

    End it at any time, even by kill -9: the same command goes on. `ballcourt leaderboard`, `serve` and `event` work on
    its output folder; `ballcourt event pause` lets it wait.

    \b
    A file:
      game = "tzolkin"
      bots = "bots"
      seats = 4
      versions = 2
    The other keys: stop, pace, missing, provisional, across, divisions, and most of a tournament file.
    `ballcourt docs ladder` explains them.
    \b
    Examples:
      ballcourt ladder ladder.toml
      ballcourt ladder ladder.toml --hours 12
      ballcourt ladder ladder.toml --matches 400
      ballcourt ladder ladder.toml --cert cert.pem --key key.pem
      ballcourt ladder ladder.toml --cluster tls://head.example.org:8786 --set cluster.ca=ca.pem
    """
    keep_log(LogForm(log), "ladder")
    check_hosting(hosting)
    given = settings_table(Treatment(set=set), ("cluster",))
    machines = Machines.of(cluster, given.get("cluster", {}))
    machines.check(None)
    settings = read_ladder(file, unconfined=unconfined)
    demand_tier(settings.sandbox.tier or 0, str(file))
    planned = plan_ladder(settings)
    advice = "bubblewrap" if unavailable(1) else f"tier = 1 below [sandbox] in {file}"
    say_confinement(planned.sandbox, strict=strict, advice=advice)
    bounds = Bounds(matches, None if hours is None else hours * 3600, Closing(file))
    if hosting == HostingFlags():
        with machines.starting(planned, settings, strict=strict) as (start, _):
            lost = _play(planned, settings, bounds, start, build=not machines.is_cluster)
    else:
        with _opened(hosting, planned, settings, machines) as runner:
            dialled = _Dialled(TokenFile(hosting.tokens), runner)
            lost = _play(planned, settings, bounds, lambda _: nullcontext(runner), dialled)
    note(f"to see the table: {command('leaderboard', str(settings.output))}")
    note(f"to go on{'' if matches is None else ', with more --matches'}: {same_command()}")
    if strict and lost:
        raise typer.Exit(CHECK_FAILED)


def _opened(
    hosting: HostingFlags, planned: Plan, settings: LadderFile, machines: Machines
) -> AbstractContextManager[HostRunner]:
    """Return what lets in remote bots. Raises BadParameter and RemoteError for what does not go with it."""
    if machines.is_cluster:
        raise typer.BadParameter(
            "bots that dial in play on this machine; leave out --cluster, or the flags of remote bots",
            param_hint="--cluster",
        )
    if settings.cpus:
        raise RemoteError(f"cpus is {settings.cpus}; where bots dial in, none has processors of its own: leave it out")
    tables = hosting.concurrent or workers_of(settings)
    return opened(hosting, planned, None, tables, forfeits=True, orders=AHEAD * tables * planned.seats)


@dataclass(frozen=True, slots=True)
class _Dialled:
    """The remote bots of a ladder."""

    tokens: Tokens
    runner: HostRunner


def _play(
    planned: Plan,
    settings: LadderFile,
    bounds: Bounds,
    start: Start,
    dialled: _Dialled | None = None,
    *,
    build: bool = True,
) -> int:
    """Play, and bring the databases up to date; return how many seats bots have lost in this run."""
    output, own = settings.output, settings.database
    here = dialled.runner.here if dialled else none_here
    handed = HandedArrivals(output, planned.rules, settings.sandbox if build else None)
    ways: list[Arrivals] = [Admission(settings, Inbox(settings.bots)), handed]
    if dialled:
        ways.append(DialledArrivals(dialled.tokens, here))
    arrivals = AllArrivals(*ways)
    with ExitStack() as stack:
        databases = [stack.enter_context(open_database(own, create=True))] if own else []
        folder = stack.enter_context(open_folder(output, planned))
        note(f"output: {output}   bots join from: {settings.bots}")
        databases += own_database(stack, output)
        report = _Reported(arrivals)
        feed = stack.enter_context(feeding(databases, report.overview, output))
        run = run_ladder(
            planned, settings, folder, arrivals, lambda: start(planned.matches), bounds, here,
            build=build, measure=measured, drop=Retention(output, settings.retention),
        )  # fmt: skip
        subscribers: list[Callable[[RunEvent], None]] = [report, feed]
        if dialled:
            subscribers.append(BotStatuses(dialled.runner.tell, REMEMBERED))
        for event in stack.enter_context(closing(run)):
            for subscriber in subscribers:
                subscriber(event)
        note(report.line())
        return report.lost


@contextmanager
def feeding(databases: Sequence[Database], overview: Overview, output: Path) -> Iterator[DatabaseFeed]:
    """Yield what writes results to databases, after it has added the matches of earlier runs that they lack.

    Say how to continue if the run is interrupted. Raises ArenaError if a database lacks results in the end.
    """

    def complete(database: Database) -> None:
        if added := add_missing(database, output, REMEMBERED):
            note(f"a database lacked {added} matches of earlier runs; they were added from the records")

    try:
        with continuable(overview, output), DatabaseFeed(databases, note, complete) as feed:
            yield feed
    except LeaderboardError as error:
        raise ArenaError(
            f"{error}; all results are in the records; to write them and go on: {same_command()}"
        ) from error


class _Reported:
    """Says on stderr what happens, and now and then how far the ladder is."""

    lost = 0
    """How many seats bots have lost in the matches of this run."""

    def __init__(self, arrivals: Arrivals) -> None:
        self._announcer = Announcer(1)
        self._is_first = True  # until matches have begun
        self.overview = Overview()
        self._arrivals = arrivals
        self._reported_s = monotonic()

    def __call__(self, event: RunEvent) -> None:
        """Say what happened."""
        is_first, self._is_first = self._is_first, self._is_first and not isinstance(event, Resumed | MatchStarted)
        self.overview.add(values_of(event), monotonic())
        match event:
            case MatchPlayed() if not event.is_new and is_json():
                pass  # its run has logged it
            case _ if is_json():
                log_event(event)
            case Planned() if is_first:
                setups = [event.tournament.setups[index] for index in open_setups(event.tournament.setups)]
                note(f"a ladder of {'; '.join(in_words(setup, setups) for setup in setups)}")
                say_commitment(event.tournament)
            case Resumed() if is_first:
                note(f"{event.matches} matches have been played before; going on")
            case Planned() | Resumed():
                pass
            case _:
                self._announcer(event)
        if isinstance(event, MatchPlayed) and event.is_new:
            self.lost += len(event.record.faults)
        if monotonic() - self._reported_s >= LINE_S:
            self._reported_s = monotonic()
            note(self.line())

    def line(self) -> str:
        """Return how far the ladder is."""
        checked = f"; checking {self._arrivals.examined}" if self._arrivals.examined else ""
        return self.overview.line(monotonic()) + checked
