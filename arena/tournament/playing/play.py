"""Plays a tournament from Python, as `ballcourt tournament` does from the command line."""

from collections.abc import Generator, Mapping
from functools import cache
from pathlib import Path

from ballcourt.arena.bots.entries import resolve_entry
from ballcourt.arena.extras import needs_linux
from ballcourt.arena.tournament.event.model import Conditions, SettingsError
from ballcourt.arena.tournament.event.reading import event_from, output_folder
from ballcourt.arena.tournament.folder.events import RunEvent
from ballcourt.arena.tournament.folder.output import open_folder
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.folder.planning import plan
from ballcourt.arena.tournament.playing.run import Start, run_tournament
from ballcourt.arena.tournament.schedules.stop import Measure, asks_for_precision
from ballcourt.arena.workers.capacity import matches_for, require
from ballcourt.arena.workers.cores import share, workers_by_default
from ballcourt.arena.workers.runner import Runner


def play_tournament(
    file: str | Path | None = None, measure: Measure | None = None, /, **settings: object
) -> Generator[RunEvent]:
    """Play the remaining matches of a tournament and yield its events.

    `settings` have the names and values that a tournament file has, and override it. Every match is kept in the output
    folder as soon as it ends; call again to continue after an interruption. Closing the generator ends all processes,
    and so does leaving the loop over it. The setting `database` is for the commands: from Python, give each event to a
    `ballcourt.leaderboard.store.feed.DatabaseFeed`. If `stop` asks for precise ratings, `measure` says when they are:
    it is `ballcourt.leaderboard.model.precision.Precision`, which imports SciPy.

    Raises a WrongInput before anything is played if the input is wrong, and an ArenaError if the arena fails.
    """
    needs_linux("tournaments need")
    path = None if file is None else Path(file)
    given = {name: _plain(value) for name, value in settings.items()}
    asked = event_from(path, given, "play_tournament")
    folder = output_folder(path, asked)
    known = cache(resolve_entry)  # an edit of a bot does not matter to a running event

    def replan() -> Plan:
        return stopping(plan(asked, known, folder=folder), measure)

    tournament = replan()
    start = start_for(asked, tournament)

    def play() -> Generator[RunEvent]:
        with open_folder(folder, tournament) as held:
            yield from run_tournament(tournament, held, start, replan)

    return play()


def stopping(tournament: Plan, measure: Measure | None) -> Plan:
    """Return the tournament that ends when its results are precise enough, if that was asked for.

    Raises SettingsError if nothing measures that.
    """
    if not tournament.stop or not asks_for_precision(tournament.stop):
        return tournament
    if measure is None:
        raise SettingsError(
            "stop asks for precise ratings; "
            "give play_tournament ballcourt.leaderboard.model.precision.Precision as its second argument"
        )
    return tournament.stopping(measure(tournament.stop, len(tournament.entrants), tournament.changes.withdrawn))


def start_for(settings: Conditions, tournament: Plan) -> Start:
    """Return what starts a runner with as many workers as the settings allow and the matches need.

    Raises CapacityError if this machine cannot carry them.
    """
    workers = min(workers_of(settings), tournament.matches)
    require(workers, tournament.seats)
    at_once = matches_for(workers, tournament.seats, tournament.at_once)  # a stranger's bot may ask for several
    cores = share(workers, settings.cpus) if settings.cpus else None

    def start(matches: int) -> Runner:
        count = min(workers, matches)
        return Runner(count, at_once, cores=cores[:count] if cores else None)

    return start


def workers_of(settings: Conditions) -> int:
    """Return how many workers the settings ask for. Raises CapacityError if `cpus` are more than there are."""
    return settings.workers or workers_by_default(settings.cpus or 0)


def _plain(value: object) -> object:
    """Return a value as a tournament file would hold it."""
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    return {name: _plain(entry) for name, entry in value.items()} if isinstance(value, Mapping) else value
