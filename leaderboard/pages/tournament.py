"""Facts about a tournament: its rules, its field, what each bot was given, what was decided and what happened."""

from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import Any, Final

from ballcourt.arena.tournament.decisions.certificate import sentences
from ballcourt.arena.tournament.decisions.trail import read_trail
from ballcourt.arena.tournament.event.manifest import MANIFEST
from ballcourt.arena.tournament.event.stages import LADDER
from ballcourt.arena.tournament.folder.manifest import kept_plan
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.leaderboard.model.results import MatchResult
from ballcourt.leaderboard.pages.news.course import DivisionChange, decided, division_changes, moves
from ballcourt.leaderboard.pages.summaries import bot_id, ladder_id
from ballcourt.leaderboard.show.setups import in_words
from ballcourt.leaderboard.store.folder import counted_in

SINGULAR: Final = {"rounds": "round", "blocks": "block", "matches": "match"}


def about(folder: Path, matches: Sequence[MatchResult]) -> dict[str, Any] | None:
    """Return the values of a tournament's page, and what happened; None for records without a manifest.

    Raises WrongInput if the manifest or the trail cannot be read.
    """
    kept = kept_plan(folder)
    if kept is None:
        return None
    seated = {seat.entrant: bot_id(seat.entrant) for match in matches for seat in match.seats}
    entrants = [
        {"label": str(bot), "content_hash": bot.content_hash, "id": seated.get(bot, "")}
        for bot in (entrant.bot for entrant in kept.entrants)
    ]
    decisions, changes = read_trail(folder), _division_changes(kept, folder)
    divisions = changes[-1].stage.divisions if changes else ()
    labels = [entrant["label"] for entrant in entrants]
    return {
        "format": kept.design.format,
        "length": _length(kept),
        "seed": _seed(kept),
        "seed_note": _seed_note(kept),
        "deals": str(kept.deals),
        "entrants": entrants,
        "ladders": [(ladder_id(one), in_words(one)) for one in sorted({match.ladder for match in matches})],
        "certificate": list(sentences(kept.setups, counted_in(kept, matches))),
        "decisions": [f"{one.time[:16].replace('T', ' ')}: {one.sentence}" for one in decisions],
        "divisions": [[entrants[index] for index in one] for one in divisions if len(divisions) > 1],
        "happened": [*decided(decisions), *moves(changes, labels, matches)],
        "played": len(matches),
        "again": f"ballcourt tournament {quote(f'{folder.name}/{MANIFEST}')} --output runs/again",
    }


def _division_changes(kept: Plan, folder: Path) -> Sequence[DivisionChange]:
    """Return how the divisions of a ladder came about, the present ones last. Raises StagesError."""
    return division_changes(folder, len(kept.entrants)) if kept.design.format == LADDER else []


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
