"""What candidates are asked: the game, their opponents, how bots are treated; and the matches of a block.

A block is one deal for each of its tables, at which the candidate takes every seat in turn. Its share is that of the
duels that the candidate won: with two seats against each opponent that the block draws, with more against all others at
its table, with one seat against opponents who play the same deal alone.

No process of a candidate or of a stranger meets a deal twice, since it plays in one seat only. The bots that come with
Ballcourt remember nothing, so one process of theirs plays with all candidates.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Final

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.bots.entries import Entry
from ballcourt.arena.match.spec import Clock, MatchSpec
from ballcourt.arena.sandbox.tiers import Sandbox
from ballcourt.arena.tournament.event.setups import SetUp
from ballcourt.arena.workers.playable import Lifetime, PlayableMatch
from ballcourt.engine.core.chance import stream
from ballcourt.evaluation.duels import duels_of, share_won
from ballcourt.evaluation.opponents import is_ours
from ballcourt.evaluation.points import points_share
from ballcourt.v1.record_pb2 import MatchRecord

FORMAT: Final = "ballcourt-evaluation-1"
MOST_MET: Final = 4
"""How many opponents a block of two seats draws at most. All are equally likely, so the mean is over all of them."""
CANDIDATE: Final = "candidate-"
"""The beginning of the labels of candidates; no opponent's label begins with it."""
OPPONENT: Final = "against-"
SHORT: Final = 12
"""How much of the name of an opponent is left in its label."""

Player = tuple[Entrant, Bot]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a block is: its deals, by name, and its number among them, from 0."""

    deals: str
    number: int

    def __str__(self) -> str:
        return f"{self.deals}.{self.number:06d}"

    def seed(self, base: int, what: str) -> int:
        """Derive a seed of 64 bits for something in the block."""
        return stream(base, f"{self} {what}").next64()


@dataclass(frozen=True)
class Terms:
    """The terms on which candidates are evaluated: on the same terms, the same candidate gets the same answer."""

    setup: SetUp
    opponents: tuple[Entry, ...]
    """Ready to be started."""
    clock: Clock
    """That of candidates, and of opponents that have none of their own."""
    sandbox: Sandbox
    lifetime: Lifetime
    rival_clock: Clock | None = None
    """That of opponents, if they have one of their own."""

    @property
    def key(self) -> str:
        """A digest of everything that the answer depends on, besides the candidate, the deals and the machine."""
        parts = {
            "format": FORMAT,
            "game": [self.setup.game, self.setup.rules_version, self.setup.seats, self.setup.options],
            "opponents": sorted(entry.entrant.bot.content_hash for entry in self.opponents),
            "clock": asdict(self.clock),
            "sandbox": self.sandbox.to_table(),
            "lifetime": self.lifetime,
        }
        if self.rival_clock:
            parts["rival_clock"] = asdict(self.rival_clock)
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    @property
    def tables(self) -> int:
        """How many tables a block has; with one seat, how many opponents."""
        return min(MOST_MET, len(self.opponents)) if self.setup.seats <= 2 else 1

    @property
    def matches(self) -> int:
        """How many matches a block has."""
        return 1 + self.tables if self.setup.seats == 1 else self.tables * self.setup.seats

    def block(self, candidate: Bot, place: Place, base: int) -> list[PlayableMatch]:
        """Return the matches of a block; all chance follows from `base`."""
        tables = [
            (place.seed(base, f"table {number}"), sitting)
            for number, drawn in enumerate(self._drawn(place, base))
            for sitting in self._seatings(candidate, drawn)
        ]
        if self.setup.seats == 1:  # all of them play the same deal alone
            deal, own = tables[0][0], _labelled(candidate.entrant, candidate, f"{CANDIDATE}0")
            tables = [(deal, [own]), *((deal, sitting) for _, sitting in tables)]
        return [self._match(candidate, place, number, *table) for number, table in enumerate(tables)]

    def share(self, records: Sequence[MatchRecord]) -> float:
        """Return the share of duels that the candidate won in the matches of a block, in order. Raises RecordError."""
        return share_won(duels_of(records, is_candidate))

    def points(self, records: Sequence[MatchRecord]) -> float | None:
        """Return what the margins of these duels are worth; None if the game states no spread. Raises RecordError."""
        spread = self.setup.rules.points_spread
        return points_share(duels_of(records, is_candidate), spread) if spread else None

    def _drawn(self, place: Place, base: int) -> list[list[Entry]]:
        """Draw the opponents of each table of a block."""
        chance, each = Random(place.seed(base, "opponents")), max(1, self.setup.seats - 1)  # no secret
        drawn: list[Entry] = []
        while len(drawn) < self.tables * each:
            drawn += chance.sample(self.opponents, len(self.opponents))
        return [drawn[first : first + each] for first in range(0, self.tables * each, each)]

    def _seatings(self, candidate: Bot, drawn: Sequence[Entry]) -> list[list[Player]]:
        """Return the players in seat order, with the candidate in each seat in turn, and the others behind it."""
        if self.setup.seats == 1:
            return [[_rival(entry, candidate, 0, number) for number, entry in enumerate(drawn)]]
        seatings = []
        for seat in range(self.setup.seats):
            own = _labelled(candidate.entrant, candidate, f"{CANDIDATE}{seat}")
            behind = [own, *(_rival(entry, candidate, seat, number) for number, entry in enumerate(drawn))]
            seatings.append([behind[(number - seat) % self.setup.seats] for number in range(self.setup.seats)])
        return seatings

    def _match(self, candidate: Bot, place: Place, number: int, deal: int, sitting: Sequence[Player]) -> PlayableMatch:
        rival = self.rival_clock
        clocks = (self.clock if is_candidate(entrant.bot.name) else rival for entrant, _ in sitting) if rival else ()
        spec = MatchSpec(
            key=f"{candidate.content_hash[:12]}-{place}-{number}",
            game=self.setup.game,
            options=dict(self.setup.options),
            seed=deal,
            entrants=tuple(entrant for entrant, _ in sitting),
            clock=self.clock,
            seat_clocks=tuple(clocks),
        )
        return PlayableMatch(spec, dict(sitting), self.sandbox, self.lifetime)


def is_candidate(label: str) -> bool:
    """Whether an entrant, given by its label, is the candidate."""
    return label.startswith(CANDIDATE)


def candidate_seats(record: MatchRecord) -> list[int]:
    """Return the seats of the candidate in a match; none if an opponent played alone."""
    return [seat for seat, entrant in enumerate(record.entrants) if is_candidate(entrant.name)]


def _rival(entry: Entry, candidate: Bot, seat: int, number: int) -> Player:
    """Return an opponent under a label that no other process has which may meet the same deal."""
    assert entry.bot, "opponents are bots of this machine"
    name = entry.entrant.bot.name[:SHORT]
    met = "" if is_ours(entry) else f"-{candidate.content_hash[:8]}.{seat}"
    return _labelled(entry.entrant, entry.bot, f"{OPPONENT}{name}-{number}{met}")


def _labelled(entrant: Entrant, bot: Bot, label: str) -> Player:
    return entrant.labelled(label), bot
