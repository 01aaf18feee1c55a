"""Made-up match results."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ballcourt.arena.bots.version import BotVersion
from ballcourt.leaderboard.model.arrays import columns_of
from ballcourt.leaderboard.model.results import OK, Ladder, MatchResult, RivalResult, SeatResult
from ballcourt.leaderboard.model.scale import BETA
from ballcourt.leaderboard.model.standings import Board, board_of

Names = NDArray[np.int64]
Numbers = NDArray[np.float64]
Lost = NDArray[np.bool_]


def entrant(name: str, version: str = "1", content_hash: str = "") -> BotVersion:
    return BotVersion(name, version, content_hash)


def board(matches: Iterable[MatchResult], anchors: Collection[str] | None = None) -> Board:
    """Return the table of the matches of one ladder."""
    return board_of(columns_of(matches), anchors)


def match(key: str, *places: str, options: tuple[tuple[str, str], ...] = ()) -> MatchResult:
    """Return a result: `match("k", "ann", "bob cid")` means ann won, bob and cid share second place.

    The seats are in alphabetical order.
    """
    results: list[SeatResult] = []
    for group in places:
        ahead = len(results)
        results += [
            SeatResult(entrant(name), ahead + 1, 10.0 - ahead, fault=name.startswith("faulty"))
            for name in group.split()
        ]
    seated = tuple(sorted(results, key=lambda result: result.entrant))
    return MatchResult(key, f"id {key}", f"deal {key}", Ladder("bluff", "1", len(seated), options), seated)


def turned(played: MatchResult, turns: int) -> MatchResult:
    """Return a result in which the seats have moved on by this many."""
    turns %= len(played.seats)
    return replace(played, seats=(*played.seats[turns:], *played.seats[:turns]))


def owned(played: MatchResult, **owners: str) -> MatchResult:
    """Return a result in which these bots, by name, were entered by these owners."""
    seats = (replace(seat, owner=owners.get(seat.entrant.name, seat.owner)) for seat in played.seats)
    return replace(played, seats=tuple(seats))


def alone(deal: str, name: str, score: float, house: float = 3.0, *, tournament: str = "cup") -> MatchResult:
    """Return a match of one seat against the house, which wins if it has more points."""
    faulty = name.startswith("faulty")
    seat = SeatResult(entrant(name), 1 + (house > score), score, fault=faulty, termination="CRASH" if faulty else "OK")
    rival = RivalResult("the house", 1 + (score > house), house)
    key = f"{tournament} {deal} {name}"
    return MatchResult(key, f"id {key}", deal, Ladder("bluff", "1", 1, ()), (seat,), (rival,))


def random_tables(
    chance: np.random.Generator, *, bots: int = 8, seats: int = 4, blocks: int = 15, margin: float = 0.8
) -> list[MatchResult]:
    """Matches of bots of known strength in blocks of all rotations, with ties; bot 0 is faulty now and then."""
    strengths = chance.normal(0, BETA, bots)
    found = []
    for block in range(blocks):
        order = chance.choice(bots, seats, replace=False)
        for rotation in range(seats):
            table = np.roll(order, rotation)
            performances = strengths[table] + chance.normal(0, BETA, seats)
            lost = (table == 0) & (chance.random(seats) < 0.2)
            found.append(placed(f"b{block:06d}-r{rotation}", f"deal {block}", table, performances, lost, margin))
    return found


def placed(key: str, deal: str, table: Names, performances: Numbers, lost: Lost, margin: float) -> MatchResult:
    """Place seats by performance, level within the margin; seats that are lost share the last place."""
    ranked = sorted(range(len(table)), key=lambda seat: (lost[seat], -performances[seat]))
    places = {ranked[0]: 1}
    for place, (above, seat) in enumerate(pairwise(ranked), start=2):
        gap = performances[above] - performances[seat]
        level = lost[above] if lost[seat] else gap <= margin
        places[seat] = places[above] if level else place
    seats = tuple(
        SeatResult(
            entrant(f"bot{bot:02}"), places[seat], 10.0 - places[seat], bool(lost[seat]), "CRASH" if lost[seat] else OK
        )
        for seat, bot in enumerate(table)
    )
    return MatchResult(key, f"id {key} {deal}", deal, Ladder("bluff", "1", len(table), ()), seats)
