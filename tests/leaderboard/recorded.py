"""Match records that hold a header and results, their events, and a database that refuses them."""

from collections.abc import Collection
from pathlib import Path

from ballcourt.arena.tournament.folder.events import MatchPlayed
from ballcourt.leaderboard.model.results import LeaderboardError, MatchResult
from ballcourt.leaderboard.store.database import Database
from ballcourt.v1.protocol_pb2 import SeatResult, Termination
from ballcourt.v1.record_pb2 import DecidedBy, Decisions, Entrant, MatchRecord

BOT, RULES, NOBODY = DecidedBy.DECIDED_BY_BOT, DecidedBy.DECIDED_BY_RULES, DecidedBy.DECIDED_BY_NOBODY
DECIDED_BY = (BOT, NOBODY, BOT, RULES)


def record(key: str = "k", seed: int = 1) -> MatchRecord:
    return MatchRecord(
        key=key,
        game="bluff",
        rules_version="1",
        options={"rounds": "3"},
        seed=seed,
        entrants=[Entrant(name="ann", version="1"), Entrant(name="bob", version="2")],
        started="2026-11-22T18:30:05Z",
        decisions=Decisions(seats=[0, 1, 0, 0], actions=[1, 1, 1, 1], think_us=[5, 0, 7, 0], decided_by=DECIDED_BY),
        results=[
            SeatResult(placement=1, score=3, termination=Termination.TERMINATION_OK),
            SeatResult(placement=2, score=1.25, termination=Termination.TERMINATION_CRASH),
        ],
    )


def played(record: MatchRecord, *, is_new: bool = True) -> MatchPlayed:
    return MatchPlayed(record.key, (), (), (), Path(record.key), is_new, record)


def refuse(database: Database, matches: Collection[MatchResult]) -> None:
    """Stand in for `Database.add` when there is no room for matches."""
    if matches:
        raise LeaderboardError("disk is full")
