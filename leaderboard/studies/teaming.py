"""Who does better when a certain other bot sits at the table than chance allows: a hint that bots play as a team."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from rich.table import Table

from ballcourt.arena.bots.version import BotVersion
from ballcourt.leaderboard.model.estimates import MODEL, tables_of
from ballcourt.leaderboard.model.fit.pairs import fit_pairs
from ballcourt.leaderboard.model.fit.teaming import FEWEST_BLOCKS, gains
from ballcourt.leaderboard.model.results import Ladder, MatchResult
from ballcourt.leaderboard.show.forms import (
    BotForm,
    Count,
    Error,
    LadderForm,
    Portion,
    csv_of,
    entrant_json,
    form_of,
    ladder_json,
)
from ballcourt.leaderboard.show.terminal import table_of, title

LEVEL: Final = 0.05
"""At most this share of the ladders without teams show a suspicious pair."""
MOST_SHOWN: Final = 10
"""How many pairs are shown as text when fewer are suspicious."""


@dataclass(frozen=True, slots=True)
class Pair:
    """An entrant and a helper, in this order; see `Gains` for the numbers."""

    entrant: BotVersion
    helper: BotVersion
    blocks: int
    gain: float
    error: float
    p: float
    corrected: float

    @property
    def suspicious(self) -> bool:
        """Whether it is unlikely by chance, given the number of pairs that were tested."""
        return self.corrected < LEVEL


@dataclass(frozen=True, slots=True)
class PairRow(BotForm):
    """An ordered pair of bots."""

    helper: str
    helper_version: str
    helper_hash: str
    blocks: Count
    gain: float
    """How much more often the bot is placed above the others in blocks with the helper than in those without it."""
    error: Error
    p: Portion
    """Of a one-sided t test."""
    corrected_p: Portion
    """By Holm's method, for the number of pairs."""
    suspicious: bool


@dataclass(frozen=True, slots=True)
class LadderPairs(LadderForm):
    """Matches with ratings in common."""

    pairs: list[PairRow]
    """The least likely by chance first."""


@dataclass(frozen=True, slots=True)
class TeamingPage:
    """What `ballcourt study teaming --json` prints."""

    format: Literal["ballcourt-teaming-1"] = field(default="ballcourt-teaming-1", init=False)
    ladders: list[LadderPairs]


def pairs_tested(matches: Iterable[MatchResult]) -> list[Pair]:
    """Return the pairs of a ladder that were tested, the least likely by chance first.

    Matches with fewer than three seats have no such pairs.
    """
    played = list(matches)
    entrants = sorted({seat.entrant for match in played for seat in match.seats})
    if not played or played[0].ladder.seats < 3:
        return []
    tables = tables_of(played, entrants)
    found = gains(tables, fit_pairs(tables, MODEL), MODEL)
    columns = (found.blocks, found.gain, found.error, found.p, found.corrected)
    rows = zip(found.entrant.tolist(), found.helper.tolist(), *(column.tolist() for column in columns), strict=True)
    pairs = [Pair(entrants[one], entrants[other], *numbers) for one, other, *numbers in rows]
    return sorted(pairs, key=lambda pair: (pair.p, pair.entrant, pair.helper))


def to_table(ladder: Ladder, pairs: list[Pair]) -> Table:
    """Return the suspicious pairs of a ladder as a table, or the first ones if there are few."""
    suspicious = sum(pair.suspicious for pair in pairs)
    rows = (
        (
            *(pair.entrant.name, pair.entrant.version, pair.helper.name, pair.helper.version),
            str(pair.blocks),
            f"{100 * pair.gain:+.1f}% ({100 * pair.error:.1f})",
            f"{pair.p:.2g}",
            f"{pair.corrected:.2g}",
            "suspicious" if pair.suspicious else "",
        )
        for pair in pairs[: max(suspicious, MOST_SHOWN)]
    )
    headings = ("bot", "version", "with", "version", "blocks", "gain (standard error)", "p", "corrected p", "")
    return table_of(title(ladder), headings, rows, texts=("bot", "version", "with"))


def explanation(pairs: list[Pair]) -> str:
    """Return what the numbers mean."""
    if not pairs:
        return (
            f"No pair was tested: that takes tables of at least 3 seats, and at least {FEWEST_BLOCKS} blocks of a bot "
            f"with another and {FEWEST_BLOCKS} without it."
        )
    found = sum(pair.suspicious for pair in pairs)
    return (
        f'{found} of {len(pairs)} ordered pairs are suspicious. "gain": how much more often the bot is placed above '
        "the other opponents in blocks with the second bot than in those without it, allowing for who they are. "
        '"p": one-sided t test; "corrected p": by Holm\'s method, for the number of pairs. '
        f"{LEVEL:.0%} of the ladders without teams show a suspicious pair by chance."
    )


def to_json(found: Mapping[Ladder, list[Pair]]) -> TeamingPage:
    """Return the pairs of all ladders for programs."""
    return TeamingPage(
        [LadderPairs(**ladder_json(ladder), pairs=[*map(_row, pairs)]) for ladder, pairs in found.items()]
    )


def to_csv(found: Mapping[Ladder, list[Pair]]) -> str:
    """Return the pairs of all ladders as CSV."""
    return csv_of(PairRow, {ladder: map(_row, pairs) for ladder, pairs in found.items()})


def _row(pair: Pair) -> PairRow:
    return form_of(
        PairRow,
        pair,
        **entrant_json(pair.entrant),
        helper=pair.helper.name,
        helper_version=pair.helper.version,
        helper_hash=pair.helper.content_hash,
        p=float(f"{pair.p:.4g}"),
        corrected_p=float(f"{pair.corrected:.4g}"),
    )
