"""Simulated leagues: who meets whom, what decides a match, and what is true."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ballcourt.leaderboard.model.fit.arrays import Floats, Integers, Tables
from ballcourt.leaderboard.model.fit.pairs import fit_pairs
from ballcourt.leaderboard.model.fit.trueskill import TrueSkill
from ballcourt.leaderboard.model.scale import BETA

SEATS = 4
MARGIN = 0.8
MAYA = np.array([1.5, 0.5, -0.5, -1.5])
"""Seat effects in rating points that give the shares of wins observed in Maya."""

SAMPLE = 40
"""Outside the model, the truth is estimated from this many times the matches."""


@dataclass(frozen=True, slots=True)
class World:
    """A league of `bots` that plays `blocks`; effects are in rating points."""

    bots: int = 12
    blocks: int = 60
    rotated: bool = True
    window: int = 0
    """Tables are drawn among this many neighbours in strength; 0: among all."""
    across: float = 0.0
    """Share of the tables of a ladder that are drawn among all."""
    gauntlet: bool = False
    """Whether bot 0 sits at every table."""
    deal_suits_bot: float = 0.0
    deal_suits_seat: float = 0.0
    """Standard deviations of the luck of a deal; the rest of the variance beta^2 is drawn in every match."""
    seat_effects: tuple[float, ...] = (0.0,) * SEATS
    noise: str = "normal"
    cycles: float = 0.0
    crashes: float = 0.0
    """The highest rate of crashes of a bot."""
    apart: float = 1.0
    """Standard deviation of the strengths, in units of beta."""
    copies: int = 1
    """How many bots have the same strength."""
    margin: float = MARGIN
    """Performances that differ by less are tied; of two equal bots `2 Phi(margin / (sqrt(2) beta)) - 1` are."""

    @property
    def seats(self) -> int:
        """How many seats a table has."""
        return len(self.seat_effects)

    @property
    def in_model(self) -> bool:
        """Whether the strengths that were drawn are what the model estimates."""
        return self.noise == "normal" and not self.cycles and not self.crashes


@dataclass(frozen=True, slots=True)
class Bots:
    """The bots of a league: strengths, what each does against each other beyond them, and rates of crashes."""

    strength: Floats
    cyclic: Floats
    crashes: Floats


WORLDS = {
    "own model, 15 blocks": World(blocks=15),
    "own model, 60 blocks": World(),
    "ladder of 12": World(window=6),
    "ladder of 50, 10 % across": World(bots=50, blocks=750, window=8, across=0.1),
    "gauntlet": World(gauntlet=True),
    "a deal suits a bot": World(deal_suits_bot=0.7 * BETA),
    "a deal suits a bot by .9, 15 blocks": World(blocks=15, deal_suits_bot=0.9 * BETA),
    "a deal suits a seat": World(deal_suits_seat=0.7 * BETA),
    "Maya's seats": World(seat_effects=tuple(MAYA)),
    "Maya's seats doubled, no rotation": World(blocks=240, rotated=False, seat_effects=tuple(2 * MAYA)),
    "Plackett-Luce": World(noise="gumbel"),
    "heavy tails (t3)": World(noise="t3"),
    "crashes": World(crashes=0.1),
    "cycles": World(cycles=0.7 * BETA),
    "strong seats": World(seat_effects=tuple(BETA * np.array([2.0, 0.7, -0.7, -2.0]))),
    "strong seats, two of them, no rotation": World(
        bots=8, blocks=400, rotated=False, seat_effects=(1.5 * BETA, -1.5 * BETA)
    ),
    "strong seats, two bots": World(bots=2, blocks=200, seat_effects=(BETA, -BETA)),
    "four in five are tied, two seats": World(bots=8, blocks=150, seat_effects=(0.0, 0.0), margin=2.2 * BETA),
    "half are tied, four seats": World(margin=1.3 * BETA),
}


LOOKED_AT = {
    "two seats": World(bots=8, blocks=1000, seat_effects=(0.0, 0.0)),
    "two seats, close": World(bots=8, blocks=1000, seat_effects=(0.0, 0.0), apart=0.3),
    "two seats, copies": World(bots=8, blocks=1000, seat_effects=(0.0, 0.0), apart=0.3, copies=2),
    "four seats, close": World(bots=8, blocks=1000, apart=0.3),
    "20 bots, two seats": World(bots=20, blocks=1000, seat_effects=(0.0, 0.0)),
}
"""Leagues that are looked at after every block."""


def draw_bots(world: World, chance: np.random.Generator) -> Bots:
    """Draw the bots of a league, in ascending strength."""
    strength = np.sort(chance.normal(0, BETA * world.apart, world.bots // world.copies).repeat(world.copies))
    raw = chance.normal(0, world.cycles, (world.bots, world.bots))
    return Bots(strength, (raw - raw.T) / np.sqrt(2), chance.uniform(0, world.crashes, world.bots))


def play(world: World, bots: Bots, chance: np.random.Generator) -> Tables:
    """Play all blocks of a league."""
    order = _groups(world, chance)
    turns = world.seats if world.rotated else 1
    table = np.concatenate([np.roll(order, turn, axis=1) for turn in range(turns)])
    block = np.tile(np.arange(len(order)), turns)
    suits_bot = chance.normal(0, world.deal_suits_bot, (len(order), world.bots))
    suits_seat = chance.normal(0, world.deal_suits_seat, (len(order), world.seats))
    mean = bots.strength[table] + np.array(world.seat_effects) + suits_bot[block[:, None], table] + suits_seat[block]
    mean += bots.cyclic[table[:, :, None], table[:, None, :]].sum(axis=2) / (world.seats - 1)
    performance = mean + _noise(world, chance, table.shape)
    performance[chance.random(table.shape) < bots.crashes[table]] = -np.inf
    return _tables(world, table, block, performance)


def truth(world: World, bots: Bots, chance: np.random.Generator, model: TrueSkill) -> Floats:
    """Return the true strengths, less their mean."""
    if world.in_model:
        return np.asarray(bots.strength - bots.strength.mean())
    many = play(replace(world, blocks=world.blocks * SAMPLE), bots, chance)
    skill = fit_pairs(many, model).skill
    return np.asarray(skill - skill.mean())


def _groups(world: World, chance: np.random.Generator) -> Integers:
    """Draw who sits at the table of each block, in any order."""
    width = world.window or world.bots
    first = chance.integers(0, world.bots - width + 1, world.blocks)
    near = first[:, None] + np.argsort(chance.random((world.blocks, width)), axis=1)[:, : world.seats]
    far = np.argsort(chance.random((world.blocks, world.bots)), axis=1)[:, : world.seats]
    found = np.where((chance.random(world.blocks) < world.across)[:, None], far, near)
    if world.gauntlet:
        rest = 1 + np.argsort(chance.random((world.blocks, world.bots - 1)), axis=1)[:, : world.seats - 1]
        found = chance.permuted(np.hstack([np.zeros((world.blocks, 1), np.int64), rest]), axis=1)
    return found


def _noise(world: World, chance: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    if world.noise == "gumbel":
        return chance.gumbel(0, BETA * np.sqrt(6) / np.pi, shape)
    if world.noise == "t3":
        return np.asarray(BETA / np.sqrt(3) * chance.standard_t(3, shape))
    return chance.normal(0, np.sqrt(BETA**2 - world.deal_suits_bot**2 - world.deal_suits_seat**2), shape)


def _tables(world: World, table: Integers, block: Integers, performance: Floats) -> Tables:
    """Rank each table; a gap below the margin is a tie, and those that crashed share the last place."""
    order = np.argsort(-performance, axis=1, kind="stable")
    ranked = np.take_along_axis(performance, order, axis=1)
    with np.errstate(invalid="ignore"):
        apart: NDArray[np.bool_] = ranked[:, :-1] - ranked[:, 1:] > world.margin
    place = np.ones(table.shape, np.int64)
    for position in range(1, world.seats):
        place[:, position] = np.where(apart[:, position - 1], position + 1, place[:, position - 1])
    starts = np.arange(len(table) + 1) * world.seats
    entrant = np.take_along_axis(table, order, axis=1)
    return Tables(world.bots, starts, entrant.ravel(), place.ravel(), order.ravel(), block)
