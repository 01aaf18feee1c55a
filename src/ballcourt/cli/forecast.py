"""`ballcourt tournament --plan`: says what a tournament will take and give, without starting anything."""

from collections.abc import Iterator
from pathlib import Path

from ballcourt.arena.durations import duration
from ballcourt.arena.match.policy import counted
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.playing.forecast import Load
from ballcourt.cli.announce import plan_lines
from ballcourt.cli.output import dump, say
from ballcourt.leaderboard.studies.forecast import Forecast, forecast


def show_plan(planned: Plan, folder: Path, times: Path | None, workers: int, *, as_json: bool) -> None:
    """Print the forecast of a tournament. Raises FolderError and LeaderboardError."""
    found = forecast(planned, folder, times, workers)
    if as_json:
        dump(found.to_json())
    else:
        say(_lines(found))


def _lines(found: Forecast) -> Iterator[str]:
    yield from plan_lines(found.tournament)
    if found.expected is not None and found.expected < found.tournament.matches:
        yield f"about {found.expected} matches are enough, if the bots differ as much as usual"
    if found.played:
        yield f"{found.played} of them have been played before"
    yield _time(found)
    yield _processes(found.load)
    if found.half_width is not None:
        yield (
            f"ratings will be known to about ±{found.half_width:.1f} points (95% intervals), if the bots differ as "
            "much as usual"
        )
    if found.advice:
        yield found.advice.sentence
    yield f"output: {found.folder}; nothing has been started or written"


def _time(found: Forecast) -> str:
    lasting = found.duration
    span = f"{duration(round(lasting.seconds))} with {counted(found.load.workers, 'worker')}"
    if lasting.source is None:
        return (
            f"time: at most {span}, if all bots use up their clocks; "
            "name a folder with matches of these bots by --times to know more"
        )
    bound = "about" if found.expected is not None else "at most about"
    return f"time: {bound} {span}, as {counted(lasting.matches, 'match')} in {lasting.source} took"


def _processes(load: Load) -> str:
    limit = f", at most {load.limit_mb:,} MB with the sandbox's limits" if load.limit_mb else ""
    return (
        f"{counted(load.processes, 'process')} at the same time, {load.bots} of them bots; "
        f"about {load.memory_mb:,} MB of memory{limit}"
    )
