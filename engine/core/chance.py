"""Seeded random streams. Every draw of a game comes from a stream named after what is drawn.

A stream is a key and a counter, so drawing from one never shifts another, and a position that holds a stream
saves and clones it as two ints. The generator is SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom
number generators, OOPSLA 2014), written here because a record must replay the same on every Python version,
which the standard library does not promise for shuffles.
"""

from functools import cache
from hashlib import blake2b
from struct import Struct
from typing import Final

MASK: Final = 0xFFFFFFFFFFFFFFFF
GAMMA: Final = 0x9E3779B97F4A7C15


def limit(bound: int) -> int:
    """Return the largest multiple of a bound up to 2**64; draws from there on are not equally likely."""
    return (1 << 64) - (1 << 64) % bound


LIMITS: Final = (0, *[limit(bound) for bound in range(1, 129)])
"""By small bounds: their limits."""
LANE: Final = 128
"""Bits between two draws in an int that holds several; the product of two numbers of 64 bits has room there."""
MOST: Final = 64
"""How many draws an int holds at most."""


@cache
def lanes(count: int) -> tuple[int, int, int, Struct]:
    """Return ints of `count` lanes: ones, multiples of GAMMA from 0 on, and masks; and what unpacks such an int."""
    places = [LANE * number for number in range(count)]
    ones = sum([1 << place for place in places])
    steps = sum([number * GAMMA << place for number, place in enumerate(places)])
    return ones, steps, MASK * ones, Struct("<" + "Q8x" * count)


class Stream:
    """One random stream, identified by `key` (64 bits) and the number of draws made so far, `count`."""

    key: int
    count: int

    def __init__(self, key: int, count: int = 0) -> None:
        self.key = key
        self.count = count

    def next64(self) -> int:
        """Draw an int in [0, 2**64)."""
        self.count += 1
        z = (self.key + self.count * GAMMA) & MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def several(self, count: int) -> tuple[int, ...]:
        """Draw `count` ints as `next64` does, at most MOST, all of them in the lanes of one int."""
        ones, steps, mask, numbers = lanes(count)
        z = ((self.key + (self.count + 1) * GAMMA) * ones + steps) & mask
        self.count += count
        z = ((z ^ (z >> 30)) & mask) * 0xBF58476D1CE4E5B9 & mask
        z = ((z ^ (z >> 27)) & mask) * 0x94D049BB133111EB & mask
        return numbers.unpack((z ^ (z >> 31)).to_bytes(LANE // 8 * count, "little"))

    def below(self, bound: int) -> int:
        """Draw an int in [0, bound), every value equally likely; `bound` is at least 1."""
        highest = LIMITS[bound] if 0 < bound < len(LIMITS) else limit(bound)
        while True:
            draw = self.next64()
            if draw < highest:
                return draw % bound

    def shuffled(self, items: list[int]) -> list[int]:
        """Return the items in random order (Fisher-Yates); the argument is not changed."""
        deck = items[:]
        last = len(deck) - 1
        while last > 0:
            for draw in self.several(min(last, MOST)) if last > 1 else (self.next64(),):
                bound = last + 1
                if draw < (LIMITS[bound] if bound < len(LIMITS) else limit(bound)):  # as in `below`
                    other = draw % bound
                    deck[last], deck[other] = deck[other], deck[last]
                    last -= 1
        return deck

    def choice(self, items: list[int]) -> int:
        """Draw one of the items, of which there is at least one."""
        return items[self.below(len(items))]


def stream(seed: int, name: str) -> Stream:
    """Open the stream `name` of the match seed `seed` (0 <= seed < 2**64)."""
    digest = blake2b(name.encode(), digest_size=8, key=seed.to_bytes(8, "little")).digest()
    return Stream(int.from_bytes(digest, "little"))


def bot_seed(seed: int, seat: int) -> int:
    """Derive the 64-bit seed that a seat's bot receives. The match seed cannot be computed from it."""
    secret = seed.to_bytes(8, "little")
    return int.from_bytes(blake2b(b"seat %d" % seat, digest_size=8, key=secret, person=b"bot seed").digest(), "little")
