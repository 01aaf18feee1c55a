"""What matches tell: the first one of each bot, and who took the lead."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from ballcourt.arena.bots.version import BotVersion
from ballcourt.leaderboard.model.results import MatchResult
from ballcourt.leaderboard.pages.happening import MOST, Happening
from ballcourt.leaderboard.pages.summaries import LadderSummary
from ballcourt.leaderboard.show.setups import in_words
from ballcourt.leaderboard.store.database import Database
from ballcourt.web.render import number


def debuts(database: Database) -> Iterator[Happening]:
    """Yield the first matches of the newest bots, with their results."""
    newcomers: defaultdict[str, list[BotVersion]] = defaultdict(list)
    matches: dict[str, MatchResult] = {}
    for bot, match in database.debuts(MOST):
        matches[match.identity] = match
        newcomers[match.identity].append(bot)
    for identity, match in matches.items():
        names = sorted(str(bot) for bot in newcomers[identity])
        who = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
        plays = "plays its first match" if len(names) == 1 else "play their first match"
        yield Happening(match.started, f"{who} {plays}, {_result(match)}", ("matches", identity), f"debut {identity}")


def leaders(database: Database, ladders: Iterable[LadderSummary]) -> Iterator[Happening]:
    """Yield who took the lead of each table: as far as is known from its course, which gets coarser as it grows.

    A lead keeps its name when the course gets coarser, even if it is found some matches later then.
    """
    for info in ladders:
        times = Counter[str]()
        for matches, bot in _leads(info):
            times[bot] += 1
            match, row = database.nth(info.ladder, matches), info.standing(bot)
            if match and row:
                text = f"{row.entrant} takes the lead of {in_words(info.ladder)}"
                yield Happening(match.started, text, ("bots", bot), f"lead {info.id} {bot} {times[bot]}")


def _leads(info: LadderSummary) -> Iterator[tuple[int, str]]:
    """Yield after how many matches which bot has come to be the first, by its id."""
    first: defaultdict[int, list[str]] = defaultdict(list)
    for bot, course in info.histories.items():
        for point in course:
            if point.rank == 1:
                first[point.matches].append(bot)
    leader = ""
    for matches, bots in sorted(first.items()):
        if leader not in bots:
            leader = min(bots)
            yield matches, leader


def _result(match: MatchResult) -> str:
    """Return the result of a match, the first place first."""
    order = sorted(match.seats, key=lambda seat: seat.placement)
    results = ", ".join(f"{seat.placement}. {seat.entrant.name} ({number(seat.score)})" for seat in order)
    lost = "".join(f"; {seat.entrant.name} lost its seat" for seat in match.seats if seat.vacated)
    return f"{in_words(match.ladder)}: {results}{lost}"
