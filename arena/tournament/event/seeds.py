"""The seed of a tournament, typed or drawn, and the deals of the matches that follow from it."""

import re
import secrets
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from ballcourt.engine.core.chance import stream

SEED_LIMIT = 1 << 63  # what a TOML integer can hold
GUESSED = 1 << 48
"""A program can try all smaller seeds in days or less, and see which one deals its own hand."""

_SALT = re.compile(r"[0-9a-f]{32}")


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
    salt: str = ""
    """Drawn together with a number that is secret: with it, the number cannot be found by trying. Empty: it is not."""

    @property
    def is_secret(self) -> bool:
        """Whether it was drawn: then no one knows it before the tournament is over."""
        return bool(self.salt)

    def deal(self, deals: Deals, block: int, key: str, repeats: int = 0) -> int:
        """Return the 64-bit seed of the match `key` in a block, or of its repetition, whose cards no one has seen.

        Neither the number nor another deal follows from it.
        """
        name = f"block {block}" if deals is Deals.BLOCK else f"match {key}"
        return stream(self.number, f"{name} again {repeats}" if repeats else name).next64()

    @property
    def commitment(self) -> str:
        """The SHA-256 of `opening`: it reveals nothing, and proves later that the seed was not changed."""
        return "sha256:" + sha256(self.opening.encode()).hexdigest()

    @property
    def opening(self) -> str:
        """Number and salt, with a space between: what was committed to."""
        return f"{self.number} {self.salt}"


def draw_seed() -> Seed:
    """Draw a secret seed of 63 bits, with a salt of 128."""
    return Seed(secrets.randbelow(SEED_LIMIT), secrets.token_hex(16))


def opened(opening: str) -> Seed:
    """Return the secret seed that has this opening. Raises ValueError if none has."""
    number, salt = opening.split()
    if not _SALT.fullmatch(salt) or not 0 <= int(number) < SEED_LIMIT:
        raise ValueError(opening)
    return Seed(int(number), salt)


def caution(seed: int, tier: int) -> str:
    """Return what to know about a typed seed where bots are confined to a sandbox; empty if it cannot be guessed."""
    if not tier or seed >= GUESSED:
        return ""
    return f"seed {seed} can be guessed by trying, and who guesses it knows all hidden cards: leave it out to draw one"
