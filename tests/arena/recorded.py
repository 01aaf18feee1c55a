"""Match records of bluff, played in this process."""

from ballcourt import Bot, Decision, Session
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import DecidedBy, MatchRecord

CRASH = Termination.TERMINATION_CRASH


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


def alike_to(observer: int) -> tuple[MatchRecord, MatchRecord]:
    """Return two records of a match that differ only in what an observer cannot know."""
    plain, revealing = recorded(), recorded()
    revealing.CopyFrom(plain)
    for number, seat in enumerate(revealing.decisions.seats):
        if seat != observer:
            revealing.decisions.think_us[number] += 12345
            revealing.decisions.decided_by[number] = DecidedBy.DECIDED_BY_RULES
            revealing.decisions.thoughts[number] = "my secret is 3"
    for record in (plain, revealing):
        record.results[0].termination = CRASH
    plain.faults.add(seat=0, decision=3, termination=CRASH)
    revealing.faults.add(seat=0, decision=6, termination=CRASH, detail="at bid 3", stderr_tail="my secret is 2")
    return plain, revealing


def recorded_crash() -> MatchRecord:
    """Return a match in which seat 1 was lost at decision 4."""
    record = recorded()
    record.faults.add(seat=1, decision=4, termination=CRASH, detail="it left", stderr_tail="KeyError: 'x'")
    return record


def recorded_alone(seed: int = 1) -> MatchRecord:
    """Return a solo match of lowest: it bids 1 three times, which ties with the 3 points of the house."""
    return play_in_process("bluff", [Session(Lowest())], seed=seed)
