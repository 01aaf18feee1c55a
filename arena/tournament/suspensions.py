"""Who of a tournament sits out: the part of the fault policy that looks across matches.

Judgement is passed at the end of each round of the round robin, and of the tournament, on the results alone and in the
order of the schedule. So a run that was interrupted comes to the same judgements as one that was not, whatever the
order in which its matches ended.

- Disqualified: sits out for the rest of the tournament.
- On probation: sits out so many rounds; then the count begins anew.

A block with an entrant who sits out is not played; where everybody plays alone, that entrant's match is not. What has
been played counts, for that entrant and for the others.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from ballcourt.arena.match.policy import FaultPolicy, counted
from ballcourt.arena.tournament.formats.round_robin import blocks_for, round_robin
from ballcourt.arena.tournament.schedule import Block, Seating, keyed_seatings

Faults = Mapping[str, Sequence[bool]]
"""By key of a match: for each seat whether it was at fault, tolerated or not."""


class Verdict(NamedTuple):
    """An entrant, by index, and what is decided about it: a sentence without its subject."""

    entrant: int
    sentence: str


class Suspensions:
    """The entrants that sit out, as of the last round that was judged."""

    def __init__(self, policy: FaultPolicy, entrants: int) -> None:
        self._conducts = [_Conduct(policy) for _ in range(entrants)]

    def due(self, block: Block) -> list[Seating]:
        """List the matches of a block that are played: those in which nobody sits out."""
        return [(key, table) for key, table in keyed_seatings(block) if not self._sits_out(table)]

    def status(self, entrant: int) -> str:
        """Say how an entrant stands: "disqualified", "on probation", or nothing at all."""
        conduct = self._conducts[entrant]
        return "disqualified" if conduct.disqualified else "on probation" if conduct.rounds_out else ""

    def judge(self, played: Iterable[Seating], faults: Faults) -> list[Verdict]:
        """End a round: count the matches that were played of it, and decide who sits out from now on."""
        for conduct in self._conducts:
            conduct.rounds_out = max(0, conduct.rounds_out - 1)
        for key, table in played:
            for entrant, fault in zip(table, faults[key], strict=True):
                self._conducts[entrant].add(fault)
        sentences = [conduct.verdict() for conduct in self._conducts]
        return [Verdict(entrant, sentence) for entrant, sentence in enumerate(sentences) if sentence]

    def _sits_out(self, table: Iterable[int]) -> bool:
        return any(self._conducts[entrant].sits_out for entrant in table)


class _Conduct:
    """What one entrant has done so far."""

    def __init__(self, policy: FaultPolicy) -> None:
        self._policy = policy
        self._matches = 0
        self._faults = 0
        self._recent: deque[bool] = deque(maxlen=policy.probation.matches if policy.probation else 0)
        self.disqualified = False
        self.rounds_out = 0

    @property
    def sits_out(self) -> bool:
        return self.disqualified or self.rounds_out > 0

    def add(self, fault: bool) -> None:
        """Count a match."""
        self._matches += 1
        self._faults += fault
        self._recent.append(fault)

    def verdict(self) -> str:
        """Decide; the empty text for nothing."""
        return "" if self.sits_out else self._disqualify() or self._put_on_probation()

    def _disqualify(self) -> str:
        rule = self._policy.disqualify
        if rule is None or self._matches < rule.matches or self._faults * 100 <= rule.percent * self._matches:
            return ""
        self.disqualified = True
        return f"is disqualified: {self._faults} of its {counted(self._matches, 'match')} had a fault"

    def _put_on_probation(self) -> str:
        rule = self._policy.probation
        if rule is None or sum(self._recent) < rule.faults:
            return ""
        self.rounds_out = rule.rounds
        faults, matches = sum(self._recent), len(self._recent)
        self._recent.clear()
        return f"sits out {counted(rule.rounds, 'round')}: {faults} of its last {counted(matches, 'match')} had a fault"


def rounds(blocks: Iterator[Block], entrants: int, seats: int) -> Iterator[list[Block]]:
    """Divide the blocks of a tournament into its rounds; the last may be shorter."""
    size = blocks_for(entrants, seats, rounds=1)
    while portion := list(islice(blocks, size)):
        yield portion


def suspensions_after(policy: FaultPolicy, entrants: int, seats: int, blocks: int, faults: Faults) -> Suspensions:
    """Judge a tournament by its results, up to the first round that has not been played in full."""
    suspensions = Suspensions(policy, entrants)
    for portion in rounds(islice(round_robin(entrants, seats, seed=0), blocks), entrants, seats):
        due = [match for block in portion for match in suspensions.due(block)]
        if not all(key in faults for key, _ in due):
            break
        suspensions.judge(due, faults)
    return suspensions
