"""`ballcourt serve --contest`: serves a contest around the pages of its ladder, and keeps its examiners running."""

import os
import subprocess
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Final

from starlette.types import ASGIApp

from ballcourt.arena.extras import needs
from ballcourt.arena.temporary import scratch_folder
from ballcourt.arena.tournament.folder.output import RECORDS
from ballcourt.arena.workers.process import environment
from ballcourt.cli.contest import demand_confinement, opened
from ballcourt.cli.journal import LogForm, gather_servers, is_json
from ballcourt.cli.loopback import LOOPBACK, announce, listening
from ballcourt.cli.output import command, note
from ballcourt.cli.pages import announcing, judging
from ballcourt.contest.background import meanwhile
from ballcourt.contest.monitoring.requests import Noted, OfRequest
from ballcourt.contest.notifications.delivery import send_for_ever
from ballcourt.contest.refusals import ContestFileError
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.web.application import contest_app
from ballcourt.contest.web.embargo import Embargo
from ballcourt.contest.web.finals import Finals
from ballcourt.contest.web.visits import around, showing
from ballcourt.leaderboard.pages.app import create_app
from ballcourt.leaderboard.pages.live import Live
from ballcourt.leaderboard.pages.refresh import kept_fresh
from ballcourt.leaderboard.pages.source import source_at
from ballcourt.leaderboard.pages.views import Views
from ballcourt.web.server import web_server

PATIENCE_S: Final = 300.0
"""How long a request may take to arrive; a part of an archive is 4 MB, and lines may be slow."""
LOOK_S: Final = 2.0
"""How often examiners are looked after; one that has ended is started again."""
MOST_PAUSE_S: Final = 60.0
"""The longest pause before that, if they end again and again."""


def serve_contest(
    place: str | None, port: int, file: Path, monitor: int | None, judge: int | None, *, unconfined: bool
) -> None:
    """Serve a contest until the process is interrupted."""
    if monitor is not None:
        needs("metrics")
    with opened(file, unconfined=unconfined) as contest, scratch_folder() as scratch, ExitStack() as stack:
        tier = contest.ladder.sandbox.sandbox().tier
        if contest.settings.examine.processes:
            demand_confinement(tier, str(contest.settings.ladder), unconfined=unconfined)
        listeners = [stack.enter_context(listening(one)) for one in (port, monitor) if one is not None]
        source = source_at(place or _ladder(contest), scratch)
        note(f"reading the results of {source.name}")
        with source.opened() as database, judging(judge, source.folder) as outlooks:
            views = Views(source, database)
            folder = source.folder
            live = Live(folder, lambda: bool(server.should_exit), views.newest, outlooks) if folder else None
            embargo = Embargo(contest, create_app(views, live, around(contest)))
            finals = Finals(contest)
            app = contest_app(contest, embargo, announce, embargo.views, finals)
            ports = [listener.getsockname()[1] for listener in listeners]
            server = web_server(_monitored(contest, views, app, *ports[1:]), PATIENCE_S)
            gather_servers(OfRequest())
            with (
                kept_fresh(source, showing(views)) as is_shown,
                announcing(views, is_shown, partial(_announce, contest, *ports)),
                embargo.kept(views),
                finals.kept(),
                meanwhile("sender", lambda over: send_for_ever(contest, over, note)),
                meanwhile("examiners", lambda over: _keep(contest, over, unconfined=not tier)),
            ):
                server.run(sockets=listeners)


def _monitored(contest: Contest, views: Views, app: ASGIApp, port: int | None = None) -> ASGIApp:
    """Return an application that notes its requests, and on another port says how the contest is."""
    if port is None:
        return Noted(app)
    from prometheus_client import CollectorRegistry  # it needs an extra

    from ballcourt.contest.monitoring.application import monitor_app, on_port, request_times
    from ballcourt.contest.monitoring.figures import ContestFigures, LadderPlay

    def played() -> LadderPlay:
        ladders = views.ladders()
        faults = sum(row.faults for one in ladders for row in one.board.rows)
        return LadderPlay(sum(one.matches for one in ladders), faults)

    registry = CollectorRegistry()
    registry.register(ContestFigures(contest, played))
    return on_port(monitor_app(contest, registry), port, Noted(app, request_times(registry)))


def _announce(contest: Contest, port: int, monitor: int | None = None) -> None:
    here = f"http://{LOOPBACK}:{port}"
    shown = "" if contest.settings.url == here else f", for people at {contest.settings.url}"
    if monitor is not None:
        note(f"http://{LOOPBACK}:{monitor} answers /healthz, /readyz and /metrics")
    announce(f"open {here}/ in a browser{shown}; Ctrl-C ends this")


def _ladder(contest: Contest) -> str:
    """Return the output folder of the contest's ladder. Raises ContestFileError if it has never run."""
    output = contest.ladder.output
    if not (output / RECORDS).is_dir():
        file = contest.settings.ladder
        raise ContestFileError(f"the ladder {file} has never run; start it first: {command('ladder', str(file))}")
    return str(output)


def _keep(contest: Contest, over: Event, *, unconfined: bool) -> None:
    """Start examiners, and again those that have ended; if they end at once, less and less often."""
    running: list[subprocess.Popen[bytes]] = []
    pause_s, due_s = LOOK_S, 0.0
    while not over.wait(LOOK_S if running else 0.1):
        alive = [one for one in running if one.poll() is None]
        if len(alive) < len(running):
            pause_s = min(2 * pause_s, MOST_PAUSE_S)
            due_s = monotonic() + pause_s
        elif alive and monotonic() > due_s + 2 * MOST_PAUSE_S:
            pause_s = LOOK_S
        running = alive
        while len(running) < contest.settings.examine.processes and monotonic() >= due_s:
            running.append(_start(contest.path, unconfined=unconfined))
    for one in running:
        one.terminate()
    for one in running:
        one.wait()


def _start(file: Path, *, unconfined: bool) -> subprocess.Popen[bytes]:
    """Start an examiner, which ends with this process."""
    words = [sys.executable, "-P", "-m", "ballcourt", "examiner", str(file.absolute()), "--parent", str(os.getpid())]
    words += ["--log", LogForm.JSON if is_json() else LogForm.TEXT]
    if unconfined:
        words.append("--unconfined")
    return subprocess.Popen(words, stdin=subprocess.DEVNULL, env=environment(), start_new_session=True)
