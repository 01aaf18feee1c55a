"""Match records of bluff, played in this process."""

from ballcourt import Bot, Decision, Session
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.v1.record_pb2 import MatchRecord


class Lowest(Bot):
    name = "lowest"
    version = "1"

    def choose(self, decision: Decision) -> int:
        return decision.legal[0]


class Highest(Bot):
    name = "highest"
    version = "1"

    def choose(self, decision: Decision) -> int:
        decision.thoughts = f"I bid {decision.legal[-1]}"
        return decision.legal[-1]


def recorded(key: str = "match", seed: int = 1) -> MatchRecord:
    """Return a match of lowest against highest, in three seats."""
    return play_in_process("bluff", [Session(Lowest()), Session(Highest()), Session(Lowest())], seed=seed, key=key)


def recorded_alone(seed: int = 1) -> MatchRecord:
    """Return a solo match of lowest: it bids 1 three times, which ties with the 3 points of the house."""
    return play_in_process("bluff", [Session(Lowest())], seed=seed)
