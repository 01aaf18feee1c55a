"""What happened, the newest first: matches and their results, bots that came, decisions of the organiser.

Nothing is kept for it: it follows from the newest matches and from what is known of the tournament.
"""

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from ballcourt.leaderboard.model.results import MatchResult
from ballcourt.leaderboard.pages.addresses import bot_id
from ballcourt.leaderboard.pages.views import Views
from ballcourt.leaderboard.show.setups import in_words
from ballcourt.leaderboard.store.listing import Wanted

NEWEST: Final = 40
"""How many matches are told."""


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happened: when in UTC, in a sentence, and the parts of the address of its page, if it has one."""

    when: str
    text: str
    link: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """A name for programs that read the feed; the same whenever it is told."""
        return sha256("\0".join((self.when, self.text)).encode(errors="surrogatepass")).hexdigest()[:32]


def happenings(views: Views) -> list[Happening]:
    """Return what happened, the newest first."""
    matches, _ = views.database.listed(Wanted(), None, NEWEST)
    found = [*map(_played, matches), *_decided(views), *_leading(views)]
    return sorted(found, key=lambda one: one.when, reverse=True)


def _played(match: MatchResult) -> Happening:
    """Return a match as its result, the first place first."""
    order = sorted(match.seats, key=lambda seat: seat.placement)
    results = ", ".join(f"{seat.placement}. {seat.entrant.name} ({seat.score:g})" for seat in order)
    lost = "".join(f"; {seat.entrant.name} lost its seat" for seat in match.seats if seat.vacated)
    return Happening(match.started, f"{in_words(match.ladder)}: {results}{lost}", ("matches", match.identity))


def _decided(views: Views) -> list[Happening]:
    """Return the decisions of the organiser, each as "2026-11-26 20:15: sentence"."""
    about = views.summary.tournament
    decisions = about["decisions"] if about else []
    parts = (one.partition(": ") for one in decisions)
    return [Happening(f"{when.replace(' ', 'T')}:00Z", sentence, ("tournament",)) for when, _, sentence in parts]


def _leading(views: Views) -> list[Happening]:
    """Return who leads each table now."""
    when = views.summary.at
    leaders = [(info, info.board.rows[0]) for info in views.ladders() if info.board.rows]
    return [
        Happening(when, f"{row.entrant.identity} leads {in_words(info.ladder)}", ("bots", bot_id(row.entrant)))
        for info, row in leaders
    ]
