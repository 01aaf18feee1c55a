"""Records with a header and a result, and nothing in between."""

from ballcourt.v1.protocol_pb2 import SeatResult, Termination
from ballcourt.v1.record_pb2 import Entrant, MatchRecord


def record(key: str = "k", seed: int = 1) -> MatchRecord:
    return MatchRecord(
        key=key,
        game="bluff",
        rules_version="1",
        options={"rounds": "3"},
        seed=seed,
        entrants=[Entrant(name="ann", version="1"), Entrant(name="bob", version="2")],
        results=[
            SeatResult(placement=1, score=3, termination=Termination.TERMINATION_OK),
            SeatResult(placement=2, score=1.25, termination=Termination.TERMINATION_CRASH),
        ],
    )
