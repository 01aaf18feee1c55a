"""Match records of every game, played at random in this process."""

from functools import cache

from ballcourt import Bot, Decision, Session
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.v1.record_pb2 import MatchRecord

GAMES = (("tzolkin", 4), ("maya", 4), ("ahau", 3), ("ahau", 1))
NAMES = [f"{game}-{seats}" for game, seats in GAMES]


class Random(Bot):
    name = "random"
    version = "1"

    def choose(self, decision: Decision) -> int:
        decision.thoughts = f"one of {len(decision.legal)}"
        return self.random.choice(decision.legal)


@cache
def played(game: str, seats: int, seed: int = 5) -> MatchRecord:
    """Return a random match; do not change it."""
    return play_in_process(game, [Session(Random()) for _ in range(seats)], seed=seed, key=f"{game}-{seats}")
