"""What is said about the tournament in a folder: its rules, its field, what it gave each bot, what was decided."""

from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import Any

from ballcourt.arena.tournament.certificate import sentences
from ballcourt.arena.tournament.folder import holder
from ballcourt.arena.tournament.kept import KeptTournament
from ballcourt.arena.tournament.log import LogReader
from ballcourt.arena.tournament.manifest import MANIFEST, kept_tournament
from ballcourt.arena.tournament.trail import read_trail
from ballcourt.leaderboard.folder import counted_in
from ballcourt.leaderboard.pages.addresses import bot_id
from ballcourt.leaderboard.results import Entrant, MatchResult
from ballcourt.leaderboard.tables import title


def about(folder: Path, matches: Sequence[MatchResult]) -> dict[str, Any] | None:
    """Return the values of a tournament's page as JSON values; None for records without a manifest.

    Raises WrongInput if the manifest or the trail cannot be read.
    """
    kept = kept_tournament(folder)
    if kept is None:
        return None
    seated = {(f"{bot.name} {bot.version}", bot.content_hash): bot for bot in _entrants(matches)}
    entrants = [
        {"label": label, "content_hash": content, "id": bot_id(bot) if (bot := seated.get((label, content))) else ""}
        for label, content in kept.entrants
    ]
    return {
        "format": kept.design.format,
        "length": f"{kept.design.length.number} {kept.design.length.unit}",
        "seed": _seed(kept),
        "deals": str(kept.deals),
        "entrants": entrants,
        "ladders": [title(ladder) for ladder in sorted({match.ladder for match in matches})],
        "certificate": list(sentences(kept.setups, counted_in(kept, matches))),
        "decisions": [f"{one.time[:16].replace('T', ' ')}: {one.sentence}" for one in read_trail(folder)],
        "played": len(matches),
        "state": _state(folder),
        "again": f"ballcourt tournament {quote(str(folder / MANIFEST))} --output runs/again",
    }


def _entrants(matches: Sequence[MatchResult]) -> set[Entrant]:
    return {seat.entrant for match in matches for seat in match.seats}


def _seed(kept: KeptTournament) -> str:
    """Return the seed, or the commitment to it where it is secret: pages are for everybody."""
    if kept.seed is None:
        return "secret"
    return kept.seed.commitment if kept.seed.is_secret else str(kept.seed.number)


def _state(folder: Path) -> str:
    """Return how far the run is, by its log and by who holds the folder."""
    planned, last, reason = 0, "", ""
    with LogReader(folder) as log:
        for entry in log.entries():
            planned = entry["matches"] if entry["event"] in ("planned", "decided") else planned
            last, reason = entry["event"], entry.get("reason", "")
    if last == "finished":
        return "it is over"
    if holder(folder):
        return f"it is being played; {planned} matches are planned"
    return f"its run ended early: {reason}" if last == "stopped" else "nobody plays it at the moment"
