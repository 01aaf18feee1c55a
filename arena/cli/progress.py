"""What a running tournament shows on stderr: a live table in a terminal, a line now and then elsewhere."""

from collections.abc import Collection, Iterable
from time import monotonic
from types import TracebackType
from typing import Final, Self

from rich.console import Group
from rich.live import Live
from rich.text import Text

from ballcourt.arena.cli.output import console, duration
from ballcourt.arena.tournament.events import BlockVoided, Event, MatchesSkipped, MatchPlayed, Planned
from ballcourt.leaderboard.ratings import Ratings
from ballcourt.leaderboard.results import MatchResult, from_record
from ballcourt.leaderboard.standings import standings
from ballcourt.leaderboard.tables import to_table

REDRAW_S: Final = 1.0
LINE_S: Final = 10.0


class Progress:
    """Follows the matches of a tournament and shows how far it is; its ratings are provisional.

    Call it with every event.
    """

    def __init__(self, *, live: bool = True) -> None:
        """With `live`, a terminal gets a table that is redrawn; otherwise it gets lines, like any other file."""
        self.played: dict[str, MatchResult] = {}
        self.expected = 0
        self._before = 0
        self._ratings = Ratings()
        self._console = console(err=True)
        self._draws = live and self._console.is_terminal
        self._live = Live(console=self._console, auto_refresh=False, transient=True)
        self._began = self._shown = monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._live.update(Text())  # when it stops, it would draw all that a low window had cut off
        self._live.stop()

    def __call__(self, event: Event) -> None:
        """Count what happened, and show it if it is time to."""
        match event:
            case Planned():
                self.expected = event.matches
            case MatchPlayed():
                self._add(from_record(event.record, event.path), is_new=event.is_new)
            case BlockVoided():
                self._forget(event.keys)
            case MatchesSkipped():
                self.expected -= len(event.keys)
                self._forget(event.keys)
            case _:
                pass

    def line(self) -> str:
        """Return how far the tournament is, how fast it goes and how long it will take."""
        new = len(self.played) - self._before
        rate = new / max(monotonic() - self._began, 1e-3)
        left = round((self.expected - len(self.played)) / rate) if new > 0 else 0
        return f"{len(self.played)} of {self.expected} matches, {rate:.1f} per second, {duration(left)} to go"

    def _add(self, match: MatchResult, *, is_new: bool) -> None:
        self.played[match.key] = match
        self._ratings.add(match)
        if not is_new:
            self._before += 1
            self._began = self._shown = monotonic()
        elif monotonic() - self._shown >= (REDRAW_S if self._draws else LINE_S):
            self._show()
            self._shown = monotonic()

    def _forget(self, keys: Collection[str]) -> None:
        if not self.played.keys() & set(keys):
            return
        for key in keys:
            self.played.pop(key, None)
        self._ratings = _rated(self.played.values())

    def _show(self) -> None:
        if not self._draws:
            self._console.print(self.line())
            return
        self._live.start()
        played = list(self.played.values())
        table = to_table(played[0].ladder, standings(played, self._ratings), self._console.width)
        self._live.update(Group(Text(self.line()), table), refresh=True)  # a low window cuts off the end


def _rated(matches: Iterable[MatchResult]) -> Ratings:
    ratings = Ratings()
    for match in matches:
        ratings.add(match)
    return ratings
