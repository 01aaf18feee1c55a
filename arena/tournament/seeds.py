"""The seed of a tournament, typed or drawn, and the deals of the matches that follow from it."""

import secrets
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b

from ballcourt.engine.core.chance import stream

SEED_LIMIT = 1 << 63  # what a TOML integer can hold
GUESSED = 1 << 48
"""A program can try all smaller seeds in days or less, and see which one deals its own hand."""


class Deals(StrEnum):
    """Which matches of a block have the same deal."""

    MATCH = "match"
    """None: every match has its own."""
    BLOCK = "block"
    """All: the rotations of a table play the same deal, so a bot that remembers one knows the cards of the next."""


@dataclass(frozen=True, slots=True)
class Seed:
    """A number from 0 to SEED_LIMIT - 1 from which all chance of a tournament follows."""

    number: int
    is_secret: bool = False
    """Whether it was drawn: then nobody knows it before the tournament is over."""

    def deal(self, deals: Deals, block: int, key: str, repeats: int = 0) -> int:
        """Return the 64-bit seed of the match `key` in a block, or of its repetition, whose cards nobody has seen.

        Neither the number nor another deal follows from it.
        """
        name = f"block {block}" if deals is Deals.BLOCK else f"match {key}"
        return stream(self.number, f"{name} again {repeats}" if repeats else name).next64()

    @property
    def commitment(self) -> str:
        """A hash of the number: it reveals nothing, and proves later that the seed was not changed."""
        return "blake2b:" + blake2b(str(self.number).encode(), digest_size=16, person=b"tournament seed").hexdigest()


def draw_seed() -> int:
    """Draw a seed of 63 bits that nobody can guess."""
    return secrets.randbelow(SEED_LIMIT)


def caution(seed: int, tier: int) -> str:
    """Return what to know about a typed seed where bots are confined to a sandbox; empty if it cannot be guessed."""
    if not tier or seed >= GUESSED:
        return ""
    return f"seed {seed} can be guessed by trying, and who guesses it knows all hidden cards: leave it out to draw one"
