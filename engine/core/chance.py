"""Seeded random streams. Every draw of a game comes from a stream named after what is drawn.

A stream is a key and a counter, so drawing from one never shifts another, and a position that holds a stream
saves and clones it as two ints. The generator is SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom
number generators, OOPSLA 2014), written here because a record must replay the same on every Python version,
which the standard library does not promise for shuffles.
"""

from hashlib import blake2b
from typing import Final

MASK: Final = 0xFFFFFFFFFFFFFFFF
GAMMA: Final = 0x9E3779B97F4A7C15
LIMITS: Final = (0, *((1 << 64) - (1 << 64) % bound for bound in range(1, 129)))
"""By small bounds: the largest multiple of the bound up to 2**64."""


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

    def below(self, bound: int) -> int:
        """Draw an int in [0, bound), every value equally likely; `bound` is at least 1."""
        limit = LIMITS[bound] if 0 < bound < len(LIMITS) else (1 << 64) - (1 << 64) % bound
        while True:
            draw = self.next64()
            if draw < limit:
                return draw % bound

    def shuffled(self, items: list[int]) -> list[int]:
        """Return the items in random order (Fisher-Yates); the argument is not changed."""
        deck = items[:]
        for last in range(len(deck) - 1, 0, -1):
            other = self.below(last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        return deck

    def choice(self, items: list[int]) -> int:
        """Draw one of the items, of which there is at least one."""
        return items[self.below(len(items))]


def stream(seed: int, name: str) -> Stream:
    """Open the stream `name` of the match seed `seed` (0 <= seed < 2**64)."""
    digest = blake2b(name.encode(), digest_size=8, key=seed.to_bytes(8, "little")).digest()
    return Stream(int.from_bytes(digest, "little"))
