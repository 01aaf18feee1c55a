"""Facts about a tournament: its rules and field, what each bot was given, what was decided, who changed division."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from shlex import quote
from typing import Any, Final

from ballcourt.arena.ladder.divisions import moved
from ballcourt.arena.tournament.decisions.certificate import sentences
from ballcourt.arena.tournament.decisions.trail import Decision, read_trail
from ballcourt.arena.tournament.event.manifest import MANIFEST
from ballcourt.arena.tournament.event.stages import LADDER, Divisions, Stage, read_stages
from ballcourt.arena.tournament.folder.manifest import kept_plan
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.schedules.schedule import block_index
from ballcourt.leaderboard.model.results import Ladder, MatchResult
from ballcourt.leaderboard.pages.happening import MOST, Happening
from ballcourt.leaderboard.pages.summaries import bot_id, ladder_id
from ballcourt.leaderboard.show.setups import in_words
from ballcourt.leaderboard.store.folder import counted_in, lost_in

NAMED: Final = 10
"""How many of those who go to another division at once are named; the others are counted."""
PAGE: Final = ("tournament",)
Change = tuple[Stage, Divisions]
"""A stage of a ladder, and other divisions that the one before it has."""

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
    decisions, changes = read_trail(folder), division_changes(kept, folder)
    divisions = changes[-1][0].divisions if changes else ()
    labels = [entrant["label"] for entrant in entrants]
    ladders = {match.ladder for match in matches} or {
        Ladder(one.game, one.rules_version, one.seats, (*sorted(one.options.items()),), one.after)
        for one in kept.setups
    }
    return {
        "format": kept.design.format,
        "length": _length(kept),
        "seed": _seed(kept),
        "seed_note": _seed_note(kept),
        "deals": str(kept.deals),
        "entrants": entrants,
        "ladders": [(ladder_id(one) if matches else "", in_words(one)) for one in sorted(ladders)],
        "game": kept.setups[0].game,
        "certificate": [*filter(None, [lost_in(folder)]), *sentences(kept.setups, counted_in(kept, matches))],
        "decisions": [f"{one.time[:16].replace('T', ' ')}: {one.sentence}" for one in decisions],
        "divisions": [[entrants[index] for index in one] for one in divisions if len(divisions) > 1],
        "happened": [*map(_decided, decisions[-MOST:]), *moves(changes, labels, matches)],
        "played": len(matches),
        "again": f"ballcourt tournament {quote(f'{folder.name}/{MANIFEST}')} --output runs/again",
    }


def _decided(one: Decision) -> Happening:
    return Happening(one.time, one.sentence, PAGE, f"decision {one.number} {one.time}")


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


def division_changes(kept: Plan, folder: Path) -> Sequence[Change]:
    """Return the newest changes of a ladder's divisions, the oldest of them first. Raises StagesError."""
    found, before = deque[Change](maxlen=MOST), Divisions()
    for stage, _ in read_stages(folder, len(kept.entrants)) if kept.design.format == LADDER else ():
        if stage.divisions != before:
            found.append((stage, before))
        before = stage.divisions
    return found


def moves(changes: Iterable[Change], names: Sequence[str], matches: Iterable[MatchResult]) -> Iterator[Happening]:
    """Yield who went to another division, at the first match of a stage; `names` are those of the entrants."""
    told = {one[0].number: (one[0], sentence) for one in changes if (sentence := _sentence(one, names))}
    stage_of: dict[int | None, int] = {
        block: stage.number for stage, _ in told.values() for block in range(stage.first_block, stage.end)
    }
    began: dict[int, str] = {}
    for match in matches:
        number = stage_of.get(block_index(match.key))
        if number is not None:
            began[number] = min(began.get(number, match.started), match.started)
    for number, when in began.items():
        yield Happening(when, told[number][1], PAGE, f"divisions {number} {when}")


def _sentence(change: Change, names: Sequence[str]) -> str:
    """Say who has gone to another division; empty if only newcomers have got into one."""
    stage, before = change
    after = stage.divisions
    if before and len(before) != len(after):
        return f"the field has {len(after)} division{'s' if len(after) > 1 else ''} from now on"
    found = moved(before, after)
    order = sorted(found.items(), key=lambda one: (min(one[1]), one[1][1], names[one[0]]))
    words = [f"{names[bot]} goes {'up' if new < old else 'down'} to division {new}" for bot, (old, new) in order]
    rest = [f"{len(words) - NAMED} more change theirs"] if len(words) > NAMED else []
    return ", ".join(words[:NAMED] + rest)
