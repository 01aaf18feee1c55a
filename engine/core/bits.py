"""Sets of small ints as bit masks: number n is in the set when bit n is 1."""

from collections.abc import Iterable


def members(bits: int) -> list[int]:
    """Return the numbers in a bit mask, ascending."""
    return [number for number in range(bits.bit_length()) if bits >> number & 1]


def mask(numbers: Iterable[int]) -> int:
    """Return the bit mask of some numbers."""
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return bits
