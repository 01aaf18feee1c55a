"""Suspensions: which entrants sit out, the part of the fault policy that looks across matches.

Entrants are judged at the end of each round, and of the tournament, by the results alone and in the order of the
schedule. So an interrupted run comes to the same verdicts as an uninterrupted one, in whatever order its matches ended.

- A disqualified entrant sits out for the rest of the tournament.
- An entrant on probation sits out the number of rounds that the policy says; then its recent faults are forgotten.

A match in which an entrant would sit out is skipped: the whole block, or with one seat that entrant's match alone. What
has been played counts, for that entrant and for the others.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ballcourt.arena.match.policy import FaultPolicy, counted
from ballcourt.arena.tournament.schedules.schedule import Block, PlayedBlock, Seating, keyed_seatings


class Verdict(NamedTuple):
    """An entrant, by index, and what is decided about it: a sentence without its subject."""

    entrant: int
    sentence: str


class Suspensions:
    """The entrants that sit out, as of the last round that was judged."""

    def __init__(self, policy: FaultPolicy, entrants: int) -> None:
        self._policy = policy
        self._conducts = [_Conduct(policy) for _ in range(entrants)]

    def join(self, entrants: int) -> None:
        """Add entrants, so that there are this number of them."""
        self._conducts += [_Conduct(self._policy) for _ in range(entrants - len(self._conducts))]

    @property
    def any(self) -> bool:
        """Whether an entrant sits out."""
        return any(conduct.sits_out for conduct in self._conducts)

    @property
    def disqualified(self) -> Mapping[int, str]:
        """The entrants that sit out for the rest of the tournament, and the sentence of each without its subject."""
        return {entrant: one.disqualified for entrant, one in enumerate(self._conducts) if one.disqualified}

    def due(self, block: Block) -> tuple[Seating, ...]:
        """Return the matches of a block in which no entrant sits out."""
        return tuple((key, table) for key, table in keyed_seatings(block) if not self.sits_out(table))

    def status(self, entrant: int) -> str:
        """Return "disqualified", "on probation", or an empty string."""
        conduct = self._conducts[entrant]
        return "disqualified" if conduct.disqualified else "on probation" if conduct.rounds_out else ""

    def judge(self, played: Iterable[PlayedBlock]) -> list[Verdict]:
        """End a round: count the matches that were played in it, and decide who sits out from now on."""
        for conduct in self._conducts:
            conduct.rounds_out = max(0, conduct.rounds_out - 1)
        for match in (match for block in played for match in block.matches):
            for entrant, outcome in zip(match.table, match.outcomes, strict=True):
                self._conducts[entrant].add(outcome.fault)
        sentences = [conduct.verdict() for conduct in self._conducts]
        return [Verdict(entrant, sentence) for entrant, sentence in enumerate(sentences) if sentence]

    def sits_out(self, table: Iterable[int]) -> bool:
        """Return whether one of these entrants sits out."""
        return any(self._conducts[entrant].sits_out for entrant in table)


class _Conduct:
    """What one entrant has done so far."""

    def __init__(self, policy: FaultPolicy) -> None:
        self._policy = policy
        self._matches = 0
        self._faults = 0
        self._recent: deque[bool] = deque(maxlen=policy.probation.matches if policy.probation else 0)
        rule = policy.disqualify
        self._last: deque[bool] = deque(maxlen=rule.matches if rule and rule.of_last else 0)
        self.disqualified = ""
        self.rounds_out = 0

    @property
    def sits_out(self) -> bool:
        return bool(self.disqualified) or self.rounds_out > 0

    def add(self, fault: bool) -> None:
        """Count a match."""
        if self._last and len(self._last) == self._last.maxlen:  # the oldest counts no more
            self._matches -= 1
            self._faults -= self._last[0]
        self._matches += 1
        self._faults += fault
        self._last.append(fault)
        self._recent.append(fault)

    def verdict(self) -> str:
        """Decide; return an empty string for nothing."""
        return "" if self.sits_out else self._disqualify() or self._put_on_probation()

    def _disqualify(self) -> str:
        rule = self._policy.disqualify
        if rule is None or self._matches < rule.matches or self._faults * 100 <= rule.percent * self._matches:
            return ""
        last = "last " if rule.of_last else ""
        self.disqualified = (
            f"is disqualified: {self._faults} of its {last}{counted(self._matches, 'match')} had a fault"
        )
        return self.disqualified

    def _put_on_probation(self) -> str:
        rule = self._policy.probation
        if rule is None or sum(self._recent) < rule.faults:
            return ""
        self.rounds_out = rule.rounds
        faults, matches = sum(self._recent), len(self._recent)
        self._recent.clear()
        return f"sits out {counted(rule.rounds, 'round')}: {faults} of its last {counted(matches, 'match')} had a fault"
