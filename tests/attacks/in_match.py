"""Attacks by a bot during a match, and the check of the record of that match."""

from dataclasses import dataclass, field, replace
from functools import cache

from ballcourt.arena.match.spec import Clock
from ballcourt.arena.sandbox.tiers import Limits
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.arena.workers.queue import RunnerError, Voided
from ballcourt.arena.workers.runner import Runner
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.conftest import fixture_bot
from tests.arena.matches import match_of
from tests.attacks.attack import SMALL, Ground, Need, Outcome, in_tier

HOSTILE, MISBEHAVING, HONEST = "hostile.py", "misbehaving.py", "honest.py"

PATIENT = Clock(startup_ms=30_000, match_start_ms=10_000, bank_ms=60_000, cap_ms=20_000, grace_ms=500)
BRISK = replace(PATIENT, cap_ms=1500)
QUICK_START = replace(PATIENT, startup_ms=10_000)
ONLY_CONFINED = frozenset({Need.CONFINEMENT})
SAME_KERNEL = ONLY_CONFINED | {Need.SAME_KERNEL}
"""What attacks on the kernel need: in gVisor a bot has one of its own, in which they do no harm."""
SEED = 5
GAME, OPTIONS = "bluff", {"rounds": "3"}


@dataclass(frozen=True)
class InMatch:
    """An attack by a script of tests/bots in seat 0, and how its seat must end."""

    way: str
    deserves: str
    """The expected termination of its seat, without the prefix."""
    says: str = ""
    """Part of the expected fault detail."""
    script: str = HOSTILE
    clock: Clock = PATIENT
    limits: Limits = SMALL
    needs: frozenset[Need] = field(default_factory=frozenset)

    def match(self, tier: int) -> PlayableMatch:
        """Return the match against an honest bot, with the attacker in seat 0."""
        sandbox = in_tier(tier, self.limits)
        table = (fixture_bot(self.script, self.way), fixture_bot(HONEST))
        return match_of(self.way, GAME, OPTIONS, SEED, table, self.clock, sandbox=sandbox)

    def carry_out(self, ground: Ground) -> Outcome:
        """Play the match in a runner of its own."""
        try:
            with Runner(workers=1) as runner:
                *voided, record = runner.run_blocks([[self.match(ground.tier)]])
        except RunnerError as error:
            return Outcome("harm", (f"ended the run: {error}",))
        assert isinstance(record, MatchRecord)
        spoiled = [f"voided the match: {event.reason}" for event in voided if isinstance(event, Voided)]
        peace = peaceful_record(ground.tier)
        return Outcome(seen_in(record), (*spoiled, *shortcomings(self, record, peace)))


def peaceful(tier: int) -> PlayableMatch:
    """Return the same match without an attack. Attackers and the arena's substitutes play the lowest action as well."""
    table = (fixture_bot(HONEST), fixture_bot(HONEST))
    return match_of("peace", GAME, OPTIONS, SEED, table, PATIENT, sandbox=in_tier(tier, SMALL))


@cache
def peaceful_record(tier: int) -> MatchRecord:
    """Play the match without an attack, once."""
    return played(peaceful(tier))


def played(match: PlayableMatch) -> MatchRecord:
    """Play a match with a runner of its own."""
    with Runner(workers=1) as runner:
        (record,) = runner.run([match])
    return record


def shortcomings(attack: InMatch, record: MatchRecord, peace: MatchRecord) -> list[str]:
    """List how a record differs from the attack's expected end, and from the same match without the attack."""
    problems = []
    seen = seen_in(record)
    if seen != attack.deserves:
        problems.append(f"ended {seen}, not {attack.deserves}: {[fault.detail for fault in record.faults]}")
    problems += [
        f"says {fault.detail!r}, and on stderr {fault.stderr_tail!r}"
        for fault in record.faults
        if attack.says not in fault.detail
    ]
    honest, undisturbed = record.results[1], peace.results[1]
    if (honest.termination, honest.score) != (Termination.TERMINATION_OK, undisturbed.score):
        problems.append(f"cost the other seat {Termination.Name(honest.termination)}, {honest.score} points")
    if list(record.decisions.actions) != list(peace.decisions.actions):
        problems.append("changed the match")
    return problems


def seen_in(record: MatchRecord) -> str:
    """Return the termination of the attacker's seat, without the prefix."""
    return Termination.Name(record.results[0].termination).removeprefix("TERMINATION_")
