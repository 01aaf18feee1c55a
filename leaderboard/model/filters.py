"""Which results and which rows of a leaderboard are wanted."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from ballcourt.arena.bots.version import BotVersion
from ballcourt.leaderboard.model.results import Ladder, LeaderboardError, MatchResult

if TYPE_CHECKING:
    from ballcourt.leaderboard.model.standings import Board, Standing

MOST_NAMED: Final = 12
"""How many of the names that exist a sentence lists."""


@dataclass(frozen=True, slots=True)
class Filter:
    """What a reader wants to see; nothing is filtered by a value that is empty.

    Game and seats choose ladders, the time chooses matches, before the fit. Bots and owners choose rows: the fit still
    uses all matches.
    """

    game: str = ""
    seats: int | None = None
    since: str = ""
    """The earliest start of a match, in UTC: a date such as 2026-11-22, or 2026-11-22T18:30:05Z."""
    bots: tuple[str, ...] = ()
    """Bots, each as `named` reads them."""
    owners: tuple[str, ...] = ()
    by_owner: bool = False
    """Whether all bots of an owner are one entrant, see `arrays.by_owner`."""

    def ladders(self, played: Collection[Ladder]) -> list[Ladder]:
        """Return the ladders that count, in their order. Raises LeaderboardError if a value fits none."""
        chosen = list(played)
        if self.game:
            _check(self.game, {ladder.game for ladder in chosen}, "game")
            chosen = [ladder for ladder in chosen if ladder.game == self.game]
        if self.seats is not None:
            sizes = sorted({ladder.seats for ladder in chosen})
            if self.seats not in sizes:
                raise LeaderboardError(
                    f"no match with seats = {self.seats} was played; known: {_list(map(str, sizes))}"
                )
            chosen = [ladder for ladder in chosen if ladder.seats == self.seats]
        return chosen

    def matches(self, played: Iterable[MatchResult]) -> list[MatchResult]:
        """Return the matches that count. Raises LeaderboardError if a value fits no match."""
        everything = list(played)
        ladders = set(self.ladders({match.ladder for match in everything}))
        chosen = [match for match in everything if match.ladder in ladders]
        if not self.since:
            return chosen
        first = moment(self.since)
        found = [match for match in chosen if match.started >= first]
        if chosen and not found:
            raise nothing_since(self.since, max(match.started for match in chosen))
        return found

    def check(self, boards: Collection[Board]) -> None:
        """Raise LeaderboardError if one of the bots or owners is in none of these boards."""
        rows = [row for board in boards for row in board.rows]
        entrants = {row.entrant for row in rows} | {entrant for board in boards for entrant, _ in board.unplayed}
        for word in self.bots:
            named(word, entrants)
        owners = {owner for row in rows for owner in row.owners}
        for owner in self.owners:
            _check(owner, owners, "owner")

    def rows(self, board: Board) -> Board:
        """Return the board with the wanted rows only; they keep their ranks."""
        unplayed = [one for one in board.unplayed if self.names(one[0]) and not self.owners]
        return replace(board, rows=[row for row in board.rows if self.keeps(row)], unplayed=unplayed)

    def keeps(self, row: Standing) -> bool:
        """Whether a row is wanted."""
        return self.names(row.entrant) and (not self.owners or not set(self.owners).isdisjoint(row.owners))

    def names(self, entrant: BotVersion) -> bool:
        """Whether a bot is wanted by its name."""
        return not self.bots or any(is_named(word, entrant) for word in self.bots)


EVERYTHING: Final = Filter()


def is_named(word: str, entrant: BotVersion) -> bool:
    """Whether a word is the name of a bot, its name and version, or these and the beginning of its content hash."""
    return word in (entrant.name, str(entrant)) or _with_hash(word, entrant)


def named(word: str, entrants: Collection[BotVersion]) -> list[BotVersion]:
    """Return the entrants that a word names, see `is_named`. Raises LeaderboardError if there are none."""
    found = sorted(entrant for entrant in entrants if is_named(word, entrant))
    if not found:
        _check(word, {entrant.name for entrant in entrants}, "bot")
    return found


def one_named(word: str, entrants: Collection[BotVersion]) -> BotVersion:
    """Return the only entrant that a word names. Raises LeaderboardError if there are none or several."""
    found = named(word, entrants)
    if len(found) > 1:
        versions = _list(f"'{entrant} {entrant.content_hash[:8]}'" for entrant in found)
        raise LeaderboardError(f"'{word}' is the name of {len(found)} bots; choose one of {versions}")
    return found[0]


def _with_hash(word: str, entrant: BotVersion) -> bool:
    stem = f"{entrant} "
    return len(word) > len(stem) and f"{stem}{entrant.content_hash}".startswith(word)


def _check(word: str, known: Collection[str], kind: str) -> None:
    if word not in known:
        raise LeaderboardError(f"there is no {kind} '{word}' in these results; known: {_list(sorted(known))}")


def _list(words: Iterable[str]) -> str:
    listed = list(words)
    more = f" and {len(listed) - MOST_NAMED} more" if len(listed) > MOST_NAMED else ""
    return (", ".join(listed[:MOST_NAMED]) or "none") + more


def nothing_since(since: str, last: str) -> LeaderboardError:
    """Return an error that says when the last match began instead; `last` is empty if no result has a time."""
    return LeaderboardError(
        f"no match was played since {since}; the last began at {last}"
        if last
        else f"no match was played since {since}: the results do not say when their matches began"
    )


def moment(since: str) -> str:
    """Return a time as results have it. Raises LeaderboardError."""
    try:
        parsed = datetime.fromisoformat(since)
        in_utc = parsed.replace(tzinfo=UTC) if parsed.tzinfo is None else parsed.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise LeaderboardError(
            f"since is '{since}'; it must be a date such as 2026-11-22, or a time in UTC such as 2026-11-22T18:30:05Z"
        ) from error
    return in_utc.strftime("%Y-%m-%dT%H:%M:%SZ")
