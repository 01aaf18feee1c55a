"""The matches of a soak: every fifth has a hostile seat, which is a tenth of all seats."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle

from ballcourt.arena.workers.playable import PlayableMatch
from tests.attacks.attack import Need
from tests.attacks.classes import IN_MATCH
from tests.attacks.in_match import InMatch, peaceful

HOSTILE_EVERY = 5
SLOW_EVERY = 15
"""One hostile match in this many has a slow attack: one where nothing happens until a time limit is reached."""
SLOW = {"FAILED_TO_START", "TIMEOUT"}


@dataclass(frozen=True)
class Bout:
    """A match of the soak, and its attack, if any."""

    match: PlayableMatch
    attack: InMatch | None
    tier: int


def bouts(count: int, attacks: Sequence[InMatch], *, confined: bool) -> Iterator[Bout]:
    """Plan matches with all attacks in turn. Where bots can be confined, half of the harmless attackers are as well."""
    ways = _interleaved(attacks)
    for number in range(count):
        attack = next(ways) if number % HOSTILE_EVERY == 0 else None
        only_confined = attack is not None and Need.CONFINEMENT in attack.needs
        tier = int(confined and (only_confined or number // HOSTILE_EVERY % 2 == 1))
        match = attack.match(tier) if attack else peaceful(tier)
        yield Bout(replace(match, spec=replace(match.spec, key=str(number))), attack, tier)


def harmless(*, confined: bool) -> list[InMatch]:
    """List the attacks that do not harm this machine."""
    return [attack for attack in IN_MATCH if confined or Need.CONFINEMENT not in attack.needs]


def _interleaved(attacks: Sequence[InMatch]) -> Iterator[InMatch]:
    """Cycle through the quick attacks, with one of the slow ones from time to time."""
    quick = cycle([attack for attack in attacks if attack.deserves not in SLOW])
    slow = cycle([attack for attack in attacks if attack.deserves in SLOW])
    while True:
        yield from (next(quick) for _ in range(SLOW_EVERY - 1))
        yield next(slow)
