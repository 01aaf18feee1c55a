"""Which results and which rows of a leaderboard are wanted."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from ballcourt.leaderboard.results import Entrant, LeaderboardError, MatchResult

if TYPE_CHECKING:
    from ballcourt.leaderboard.standings import Board

MOST_NAMED: Final = 12
"""How many of the names that exist a sentence lists."""


@dataclass(frozen=True, slots=True)
class Filter:
    """What a reader wants to see; nothing is filtered by a value that is empty.

    Game, seats and time choose matches, before the fit. Bots choose rows: the fit still uses all matches.
    """

    game: str = ""
    seats: int | None = None
    since: str = ""
    """The earliest start of a match, in UTC: a date such as 2026-11-22, or 2026-11-22T18:30:05Z."""
    bots: tuple[str, ...] = ()
    """Bots, each as `named` reads them."""

    @property
    def chooses_matches(self) -> bool:
        """Whether anything but rows is filtered."""
        return bool(self.game or self.seats is not None or self.since)

    def matches(self, played: Iterable[MatchResult]) -> list[MatchResult]:
        """Return the matches that count. Raises LeaderboardError if a value fits no match."""
        chosen = list(played)
        if self.game:
            _check(self.game, {match.ladder.game for match in chosen}, "game")
            chosen = [match for match in chosen if match.ladder.game == self.game]
        if self.seats is not None:
            sizes = sorted({match.ladder.seats for match in chosen})
            if self.seats not in sizes:
                raise LeaderboardError(
                    f"no match with seats = {self.seats} was played; known: {_list(map(str, sizes))}"
                )
            chosen = [match for match in chosen if match.ladder.seats == self.seats]
        return _since(self.since, chosen) if self.since else chosen

    def check_bots(self, entrants: Iterable[Entrant]) -> None:
        """Raise LeaderboardError if one of the bots is not among all entrants."""
        known = set(entrants)
        for word in self.bots:
            named(word, known)

    def keeps(self, entrant: Entrant) -> bool:
        """Whether the row of an entrant is wanted."""
        return not self.bots or any(is_named(word, entrant) for word in self.bots)

    def rows(self, board: Board) -> Board:
        """Return the board with the wanted rows only; they keep their ranks."""
        return replace(board, rows=[row for row in board.rows if self.keeps(row.entrant)])


def is_named(word: str, entrant: Entrant) -> bool:
    """Whether a word is the name of a bot, its name and version, or these and the beginning of its content hash."""
    return word in (entrant.name, f"{entrant.name} {entrant.version}") or _with_hash(word, entrant)


def named(word: str, entrants: Collection[Entrant]) -> list[Entrant]:
    """Return the entrants that a word names, see `is_named`. Raises LeaderboardError if there are none."""
    found = sorted(entrant for entrant in entrants if is_named(word, entrant))
    if not found:
        _check(word, {entrant.name for entrant in entrants}, "bot")
    return found


def one_named(word: str, entrants: Collection[Entrant]) -> Entrant:
    """Return the only entrant that a word names. Raises LeaderboardError if there are none or several."""
    found = named(word, entrants)
    if len(found) > 1:
        versions = _list(f"'{entrant.name} {entrant.version} {entrant.content_hash[:8]}'" for entrant in found)
        raise LeaderboardError(f"'{word}' is the name of {len(found)} bots; choose one of {versions}")
    return found[0]


def _with_hash(word: str, entrant: Entrant) -> bool:
    stem = f"{entrant.name} {entrant.version} "
    return len(word) > len(stem) and f"{stem}{entrant.content_hash}".startswith(word)


def _check(word: str, known: Collection[str], kind: str) -> None:
    if word not in known:
        raise LeaderboardError(f"there is no {kind} '{word}' in these results; known: {_list(sorted(known))}")


def _list(words: Iterable[str]) -> str:
    listed = list(words)
    more = f" and {len(listed) - MOST_NAMED} more" if len(listed) > MOST_NAMED else ""
    return (", ".join(listed[:MOST_NAMED]) or "none") + more


def _since(since: str, matches: list[MatchResult]) -> list[MatchResult]:
    first = _moment(since)
    found = [match for match in matches if match.started >= first]
    if not found and matches:
        last = max(match.started for match in matches)
        raise LeaderboardError(
            f"no match was played since {since}; the last began at {last}"
            if last
            else f"no match was played since {since}: the results do not say when their matches began"
        )
    return found


def _moment(since: str) -> str:
    """Return a time as results have it. Raises LeaderboardError."""
    try:
        parsed = datetime.fromisoformat(since)
        in_utc = parsed.replace(tzinfo=UTC) if parsed.tzinfo is None else parsed.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise LeaderboardError(
            f"since is '{since}'; it must be a date such as 2026-11-22, or a time in UTC such as 2026-11-22T18:30:05Z"
        ) from error
    return in_utc.strftime("%Y-%m-%dT%H:%M:%SZ")
