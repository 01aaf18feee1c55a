"""The matches of a soak: every fifth has a hostile seat, so of all seats a tenth are."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle

from ballcourt.arena.workers.playable import PlayableMatch
from tests.attacks.attack import ATTACKS, Attack, peaceful

HOSTILE_EVERY = 5
SLOW_EVERY = 15
"""Of the hostile matches; the rest are not with bots whose attack is that nothing happens until a limit is reached."""
SLOW = {"FAILED_TO_START", "TIMEOUT"}


@dataclass(frozen=True)
class Bout:
    """A match of the soak, and the attack that is carried out in it, if any."""

    match: PlayableMatch
    attack: Attack | None
    confined: bool


def bouts(count: int, attacks: Sequence[Attack], *, confined: bool) -> Iterator[Bout]:
    """Plan matches, those of each kind in turn. Where bots can be confined, half of the attackers that need not are."""
    ways = _interleaved(attacks)
    for number in range(count):
        attack = next(ways) if number % HOSTILE_EVERY == 0 else None
        tier_1 = confined and ((attack is not None and attack.only_confined) or number // HOSTILE_EVERY % 2 == 1)
        match = attack.match(confined=tier_1) if attack else peaceful(confined=tier_1)
        yield Bout(replace(match, spec=replace(match.spec, key=str(number))), attack, tier_1)


def harmless(*, confined: bool) -> list[Attack]:
    """The attacks that this machine can take."""
    return [attack for attack in ATTACKS if confined or not attack.only_confined]


def _interleaved(attacks: Sequence[Attack]) -> Iterator[Attack]:
    """Go round the quick attacks, and now and then take one of the slow ones."""
    quick = cycle([attack for attack in attacks if attack.deserves not in SLOW])
    slow = cycle([attack for attack in attacks if attack.deserves in SLOW])
    while True:
        yield from (next(quick) for _ in range(SLOW_EVERY - 1))
        yield next(slow)
