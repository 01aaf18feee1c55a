"""Facts about a tournament: its rules, its field, what each bot was given, what was decided and what happened."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from shlex import quote
from typing import Any, Final

from ballcourt.arena.tournament.decisions.certificate import sentences
from ballcourt.arena.tournament.decisions.trail import read_trail
from ballcourt.arena.tournament.event.manifest import MANIFEST
from ballcourt.arena.tournament.event.stages import LADDER, Divisions, read_stages
from ballcourt.arena.tournament.folder.manifest import kept_plan
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.leaderboard.model.results import MatchResult
from ballcourt.leaderboard.pages.summaries import Summary, bot_id, ladder_id
from ballcourt.leaderboard.show.setups import in_words
from ballcourt.leaderboard.store.database import Database
from ballcourt.leaderboard.store.folder import counted_in
from ballcourt.leaderboard.store.listing import Wanted

NEWEST: Final = 40
"""How many matches are told."""
SINGULAR: Final = {"rounds": "round", "blocks": "block", "matches": "match"}


def about(folder: Path, matches: Sequence[MatchResult]) -> dict[str, Any] | None:
    """Return the values of a tournament's page as JSON values; None for records without a manifest.

    Raises WrongInput if the manifest or the trail cannot be read.
    """
    kept = kept_plan(folder)
    if kept is None:
        return None
    seated = {seat.entrant.listed: bot_id(seat.entrant) for match in matches for seat in match.seats}
    entrants = [
        {"label": label, "content_hash": content, "id": seated.get((label, content), "")}
        for label, content in (entrant.listed for entrant in kept.entrants)
    ]
    return {
        "format": kept.design.format,
        "length": _length(kept),
        "seed": _seed(kept),
        "seed_note": _seed_note(kept),
        "deals": str(kept.deals),
        "entrants": entrants,
        "ladders": [(ladder_id(one), in_words(one)) for one in sorted({match.ladder for match in matches})],
        "certificate": list(sentences(kept.setups, counted_in(kept, matches))),
        "decisions": [f"{one.time[:16].replace('T', ' ')}: {one.sentence}" for one in read_trail(folder)],
        "divisions": [[entrants[index] for index in division] for division in _divisions(kept, folder)],
        "played": len(matches),
        "again": f"ballcourt tournament {quote(f'{folder.name}/{MANIFEST}')} --output runs/again",
    }


def _divisions(kept: Plan, folder: Path) -> Divisions:
    """Return who is in each division of a ladder now, by index; none if it is not divided. Raises StagesError."""
    last: Divisions = ()
    if kept.design.format == LADDER:
        for stage, _ in read_stages(folder, len(kept.entrants)):
            last = stage.divisions
    return last if len(last) > 1 else ()


def _length(kept: Plan) -> str:
    """Return the length that was asked for; an elimination has none."""
    length = kept.design.length
    if not kept.schedule.has_length:
        return "until one table is left"
    return f"1 {SINGULAR[length.unit]}" if length.number == 1 else str(length)


def _seed_note(kept: Plan) -> str:
    """Say what a commitment means; empty for a seed that was typed."""
    if kept.seed is None:
        return "the event is closed: its signed bundle reveals the seed" if kept.changes.closed else ""
    if not kept.seed.is_secret:
        return ""
    if not kept.changes.closed:
        return "a commitment; the seed is revealed when the event is closed"
    return f"a commitment, which the closed event opens: {kept.seed.opening}"


def _seed(kept: Plan) -> str:
    """Return the seed, or the commitment to it where it is secret: pages are public."""
    if kept.seed is None:
        return "secret"
    return kept.seed.commitment if kept.seed.is_secret else str(kept.seed.number)


# -- news


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


def happenings(database: Database, summary: Summary) -> list[Happening]:
    """Return what happened, the newest first."""
    matches, _ = database.listed(Wanted(), None, NEWEST)
    found = [*map(_played, matches), *_decided(summary), *_leading(summary)]
    return sorted(found, key=lambda one: one.when, reverse=True)


def _played(match: MatchResult) -> Happening:
    """Return a match as its result, the first place first."""
    order = sorted(match.seats, key=lambda seat: seat.placement)
    results = ", ".join(f"{seat.placement}. {seat.entrant.name} ({seat.score:g})" for seat in order)
    lost = "".join(f"; {seat.entrant.name} lost its seat" for seat in match.seats if seat.vacated)
    return Happening(match.started, f"{in_words(match.ladder)}: {results}{lost}", ("matches", match.identity))


def _decided(summary: Summary) -> list[Happening]:
    """Return the decisions of the organiser, each as "2026-11-26 20:15: sentence"."""
    about = summary.tournament
    decisions = about["decisions"] if about else []
    parts = (one.partition(": ") for one in decisions)
    return [Happening(f"{when.replace(' ', 'T')}:00Z", sentence, ("tournament",)) for when, _, sentence in parts]


def _leading(summary: Summary) -> list[Happening]:
    """Return who leads each table now."""
    when = summary.at
    leaders = [(info, info.board.rows[0]) for info in summary.ladders.values() if info.board.rows]
    return [
        Happening(when, f"{row.entrant.identity} leads {in_words(info.ladder)}", ("bots", bot_id(row.entrant)))
        for info, row in leaders
    ]
