"""Attacks on the time of others by bots that are frozen."""

from ballcourt.v1.protocol_pb2 import Termination
from tests.arena.conftest import fixture_bot
from tests.arena.matches import match_of
from tests.attacks.attack import Deed, Ground
from tests.attacks.in_match import GAME, HOSTILE, OPTIONS, PATIENT, SEED, played

SPINNER = "spinner.py"


def _thinking(way: str, most_ms: int) -> Deed:
    """Return the attack of a bot that runs while its opponent thinks for three seconds.

    `most_ms` of CPU time are enough for its own decisions, and for what a bot may use until it is found out. One that
    is never stopped uses three seconds.
    """

    def harms(ground: Ground) -> list[str]:
        table = (fixture_bot(HOSTILE, way), fixture_bot(SPINNER, "slow", "1000"))
        record = played(match_of(way, GAME, OPTIONS, SEED, table, PATIENT, sandbox=ground.sandbox))
        problems = []
        attacker, opponent = record.results
        if attacker.termination == Termination.TERMINATION_OK and record.cpu_us[0] > most_ms * 1000:
            problems.append(f"computed for {record.cpu_us[0] // 1000} ms, unseen")
        if opponent.termination != Termination.TERMINATION_OK:
            problems.append(f"cost the other seat {Termination.Name(opponent.termination)}")
        return problems

    return Deed(way, harms)


ATTACKS = (
    _thinking("thaws itself with a timer", 500),
    _thinking("thirty that thaw themselves", 2000),  # on a busy machine, thirty run for a while before they are stopped
    _thinking("computes beside a vfork", 1000),
)
