"""Seals: hashes of 64 bits by which rows of a database are recognised, and without which none of them is believed.

They guard against damage and careless changes, not against forgery: a program that can write a row can seal it.
"""

import json
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from struct import Struct
from typing import Any, Final

RANGE: Final = 1 << 64
_ALL: Final = RANGE - 1
_FACTOR: Final = 0x9E3779B97F4A7C15


def mixed(values: Iterable[Any]) -> Any:  # noqa: ANN401 - the type of what it is given
    """Hash integers from 0 to 2^64 - 1 in this order; or NumPy arrays of them (uint64), element by element.

    Each step can be undone, so no change of a single value goes unnoticed.
    """
    total: Any = 0
    for value in values:
        total = ((total ^ value) * _FACTOR) & _ALL
        total ^= total >> 29
    return total


def text_seal(*words: str) -> int:
    """Hash strings to an integer from 0 to 2^64 - 1."""
    return int.from_bytes(sha256(json.dumps(words).encode()).digest()[:8])


def bits(*numbers: float) -> tuple[int, ...]:
    """Return the bits of numbers as floats of 64 bits, each as an integer, which `mixed` takes."""
    return _integers(len(numbers)).unpack(_floats(len(numbers)).pack(*numbers))


def signed(seal: int) -> int:
    """Return a seal as databases have integers: from -2^63 to 2^63 - 1."""
    return seal - RANGE if seal >= RANGE // 2 else seal


@cache
def _floats(count: int) -> Struct:
    return Struct(f"<{count}d")


@cache
def _integers(count: int) -> Struct:
    return Struct(f"<{count}Q")
