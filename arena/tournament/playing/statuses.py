"""How an event stands for each of its remote bots, for their owners, from the events of its run."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from itertools import chain

from ballcourt.arena.tournament.folder.events import (
    BlockVoided,
    BotRefused,
    EntrantJudged,
    MatchesSkipped,
    MatchPlayed,
    MatchStarted,
    OrganiserDecided,
    Planned,
    Resumed,
    RunEvent,
)
from ballcourt.arena.tournament.folder.plan import MOST_COUNTED, Plan
from ballcourt.arena.tournament.folder.played import outcomes_of
from ballcourt.arena.tournament.schedules.schedule import keyed_seatings
from ballcourt.arena.workers.orders import Told
from ballcourt.v1.following_pb2 import EventStatus, FinalPlace, FinalRating, RunningMatch


class BotStatuses:
    """Follows the events of a run, and tells for which remote bots it now stands differently.

    What positions, seeds and broadcasts hold stays out of it: owners may know what spectators see in a list of matches.
    """

    def __init__(self, tell: Callable[[Told], None], remembered: int | None = None) -> None:
        """Remember this number of matches, of those that may not count later; None: all."""
        self._tell = tell
        self._remembered = remembered
        self._statuses: dict[str, EventStatus] = {}
        self._out: frozenset[str] = frozenset()
        self._running: dict[str, tuple[str, ...]] = {}  # tables by key, the oldest first
        self._played: dict[str, dict[str, bool]] = {}  # whether a remote bot was at fault, by key and name

    def __call__(self, event: RunEvent) -> None:
        """Handle an event; report it, unless an earlier run played the match."""
        match event:
            case Planned():
                self._plan(event.tournament)
            case OrganiserDecided(tournament=Plan() as tournament):
                self._plan(tournament)
                self._told(self._statuses)
            case Resumed():
                self._told(self._statuses)
            case MatchStarted():
                self._running[event.key] = event.bots
                self._told(event.bots)
            case MatchPlayed():
                self._count(event)
            case BlockVoided() | MatchesSkipped():
                self._told(chain.from_iterable(map(self._forget, event.keys)))
            case EntrantJudged():
                for status in self._statuses.values():
                    status.exact = False  # its matches are left out, which others were to play too
                if event.name in self._statuses:
                    self._statuses[event.name].notice = event.sentence
                self._told(self._statuses)
            case BotRefused(report=None):  # it dialled in to a ladder
                name = event.place.rpartition("/")[2]
                status = self._statuses.setdefault(name, EventStatus(begun=True))
                status.notice = f"does not join: {event.sentence}"
                self._told([name])
            case _:
                pass

    def over(self, places: Mapping[str, FinalPlace], ratings: Mapping[str, list[FinalRating]]) -> None:
        """Tell all that the event is over, and where the bots stand by the rules of its format and by rating."""
        self._running.clear()
        for name, status in self._statuses.items():
            status.over = True
            if name in places:
                status.place.CopyFrom(places[name])
            status.ratings.extend(ratings.get(name, ()))
        self._told(self._statuses)

    def _plan(self, planned: Plan) -> None:
        expected = _matches_of(planned)
        playing = {
            bot.bot.name for index, bot in enumerate(planned.entrants) if index not in planned.changes.withdrawn
        }  # in a ladder, perhaps in another version than one that was withdrawn
        withdrawn = frozenset(bot.bot.name for bot in planned.entrants) - playing
        retired = {planned.entrants[index].bot.name for index in planned.changes.retired}
        self._out = withdrawn
        for name in dict.fromkeys(bot.bot.name for bot in planned.entrants if bot.remote):
            status = self._statuses.setdefault(name, EventStatus(begun=True))
            status.matches, status.exact = expected[name], planned.is_exact
            how = "is retired by a rule of the ladder" if name in retired else "is withdrawn by the organiser"
            status.notice = how if name in withdrawn else ""
        self._told(self._statuses)

    def _count(self, event: MatchPlayed) -> None:
        self._running.pop(event.key, None)
        ends = zip(event.bots, outcomes_of(event.record), strict=True)
        self._played[event.key] = {name: end.fault for name, end in ends if name in self._statuses}
        for name, fault in self._played[event.key].items():
            self._statuses[name].played += 1
            self._statuses[name].faults += fault
        if self._remembered is not None and len(self._played) > self._remembered:
            del self._played[next(iter(self._played))]
        if event.is_new:
            self._told(event.bots)

    def _forget(self, key: str) -> tuple[str, ...]:
        """Forget a match that does not count; return whose it was."""
        played = self._played.pop(key, {})
        for name, fault in played.items():
            self._statuses[name].played -= 1
            self._statuses[name].faults -= fault
        return (*played, *self._running.pop(key, ()))

    def _told(self, names: Iterable[str]) -> None:
        """Tell the owners of those of these bots that are remote."""
        found = {name: self._statuses[name] for name in names if name in self._statuses}
        if not found:
            return
        tables: defaultdict[str, list[RunningMatch]] = defaultdict(list)
        for table in self._running.values():
            for place, name in enumerate(table):
                tables[name].append(RunningMatch(opponents=table[:place] + table[place + 1 :]))
        for name, status in found.items():
            del status.running[:]
            status.running.extend(tables[name])
        self._tell(Told({name: status.SerializeToString() for name, status in found.items()}, self._out))


def _matches_of(planned: Plan) -> Counter[str]:
    """Count the matches of each entrant, by name; nothing if that depends on results or would take too long."""
    if not planned.schedule.is_fixed or planned.matches > MOST_COUNTED:
        return Counter()
    blocks = planned.schedule.stage(())
    due = (planned.changes.due(block, keyed_seatings(block)) for block in blocks)
    seats: Counter[int] = Counter(entrant for matches in due for _, table in matches for entrant in table)
    return Counter({planned.entrants[entrant].bot.name: count for entrant, count in seats.items()})
