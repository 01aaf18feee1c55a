"""How uncertain a fit is: each block left out in turn, in closed form.

Matches of one block share a table and may share a deal, and pairs of one match share performances, so nothing inside a
block is independent; blocks are. To first order, leaving out block b with gradient g and curvature H_b moves the
maximum by

    -H^-1 u,  u = (1 - H_b H^-1)^-1 g

and the covariance of the estimate is H^-1 (sum of u u' + P) H^-1, with the prior's curvature P: the CR3 estimator of
Bell and McCaffrey (2002), "Bias reduction in standard errors for linear regression with multi-stage samples".

The scatter of a handful of blocks says little, and so does that of many blocks that all went one way. The eigenvectors
of the results' curvature are combinations of parameters. One about which the results say as much as n blocks of equals
takes n / (n + 2) of the scatter and the rest from the model. It expects a scatter of f H_b in each block, where f, at
least 1, is by how much more the blocks of the whole event scatter than independent matches would: the sum of g'u over
that of the traces of H_b. As u comes from the fit without the block, that is not biased by the fit to it.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ballcourt.leaderboard.model.fit.arrays import Floats, Integers, Tables, inverted, pairs_of
from ballcourt.leaderboard.model.fit.blocks import Blocks, Piece
from ballcourt.leaderboard.model.fit.pairs import PairFit, compared, seat_parameters, slopes
from ballcourt.leaderboard.model.fit.sums import Grouped
from ballcourt.leaderboard.model.fit.threads import one_thread
from ballcourt.leaderboard.model.fit.trueskill import TrueSkill

FEW_BLOCKS: Final = 2.0
LeftOut = tuple[Integers, Floats, float]
"""Members of some blocks; u of each: by member, then by the parameters that all blocks share; and the sum of g'u."""


@dataclass(frozen=True, slots=True)
class Between:
    """Derivatives of some blocks, summed up by block and pair of members."""

    blocks: Integers
    """Their numbers."""
    members: Integers
    """Entrants, a row per block."""
    pull: Floats
    """First derivatives, antisymmetric."""
    bend: Floats
    """Negative second derivatives, symmetric."""


def covariance(blocks: Blocks, fit: PairFit, model: TrueSkill) -> Floats:
    """Return the covariance of the skills, relative to the mean of the field, in squared rating points.

    Without any tables it is that of the prior.
    """
    return _of_skills(blocks, fit, model, None)


def covariance_and_blocks(blocks: Blocks, fit: PairFit, model: TrueSkill) -> tuple[Floats, list[Between]]:
    """Return what `covariance` does, and derivatives of all blocks."""
    between: list[Between] = []
    return _of_skills(blocks, fit, model, between), between


def seat_covariance(blocks: Blocks, fit: PairFit, model: TrueSkill) -> Floats:
    """Return the covariance of the effects of two seats or more, relative to their mean, in squared rating points."""
    entrants, seats = blocks.tables.entrants, blocks.tables.seats
    found = _of_parameters(blocks, fit, model, None)
    return relative_to(found[entrants:-1, entrants:-1], np.arange(seats))


def _of_skills(blocks: Blocks, fit: PairFit, model: TrueSkill, between: list[Between] | None) -> Floats:
    entrants = blocks.tables.entrants
    if not blocks.tables.blocks:
        return np.eye(entrants) * model.sigma**2
    found = _of_parameters(blocks, fit, model, between)
    return relative_to(found[:entrants, :entrants], np.arange(entrants))


@one_thread
def _of_parameters(blocks: Blocks, fit: PairFit, model: TrueSkill, between: list[Between] | None) -> Floats:
    """Return the covariance of all parameters, in the order of `PairFit.curvature`.

    Add derivatives of all blocks to the list `between`, if there is one.
    """
    tables, inverse = blocks.tables, inverted(fit.curvature)
    left_out = [_left_out(piece, blocks, fit, inverse, model, between) for piece in blocks.pieces()]
    scatter, expected = _scatter(left_out, tables.entrants, len(inverse)), fit.curvature - np.diag(fit.prior)
    information, combined = np.linalg.eigh(expected)
    information = np.maximum(information, 0.0) / _among_equals(blocks, model)  # in blocks
    expected *= _alike_inside(sum(seen for _, _, seen in left_out), expected, tables)
    meat = np.diag(fit.prior)
    for part, shares in (
        (scatter, information / (information + FEW_BLOCKS)),
        (expected, FEW_BLOCKS / (information + FEW_BLOCKS)),
    ):
        root = combined * np.sqrt(shares) @ combined.T
        meat += root @ part @ root
    return np.asarray(inverse @ meat @ inverse, np.float64)


def _among_equals(blocks: Blocks, model: TrueSkill) -> float:
    """Return how much a block of the usual size says about the strength of an entrant among equals."""
    weight = sum(float(pairs.weight.sum()) for pairs in pairs_of(blocks.tables))
    return 2 * weight / int(blocks.met.sum()) * (2 / np.pi) / model.spread**2


def _alike_inside(seen: float, expected: Floats, tables: Tables) -> float:
    """Return by what factor, at least 1, blocks scatter more than independent matches would; few blocks say little."""
    independent = float(np.trace(expected[: tables.entrants, : tables.entrants]))
    trust = tables.blocks / (tables.blocks + FEW_BLOCKS)
    return max(1.0, trust * seen / independent + 1 - trust) if independent > 0 else 1.0


def allowing_for(difference: Floats, known: Floats) -> Floats:
    """Return the covariance of ratings that differ from the fit by this, each relative to the mean of the field.

    Which of two estimates is nearer to the truth is open, so their difference counts as an error. It matters where a
    bot hardly ever loses: blocks do not scatter then, and say nothing about how far ahead it is.
    """
    return known + np.outer(difference, difference)


def relative_to(covariance: Floats, rows: Integers) -> Floats:
    """Return the covariance of the same values less the mean of those in `rows`."""
    by_row = covariance - covariance[rows].mean(axis=0)
    found = by_row - by_row[:, rows].mean(axis=1, keepdims=True)
    return np.asarray((found + found.T) / 2)


def _left_out(
    piece: Piece, blocks: Blocks, fit: PairFit, inverse: Floats, model: TrueSkill, between: list[Between] | None
) -> LeftOut:
    """Return what leaving out each block gives; add its derivatives by pair to the list `between`, if there is one."""
    gradient, curvature = _of_blocks(piece, blocks, fit, model, between)
    own = _own_part(inverse, piece.members, blocks.tables.entrants)
    u = np.linalg.solve(np.eye(own.shape[1]) - curvature @ own, gradient[:, :, None])[:, :, 0]
    width = piece.members.shape[1]
    return piece.members, np.asarray(u, np.float64), float(np.sum(gradient[:, :width] * u[:, :width]))


def _own_part(inverse: Floats, members: Integers, entrants: int) -> Floats:
    """Return the part of a matrix for the parameters of each block: its members and what all blocks share."""
    rows, width = members.shape
    shared = len(inverse) - entrants
    own = np.empty((rows, width + shared, width + shared))
    own[:, :width, :width] = inverse.take(members[:, :, None] * len(inverse) + members[:, None, :])
    own[:, :width, width:] = inverse[:, entrants:].take(members, axis=0)
    own[:, width:, :width] = own[:, :width, width:].transpose(0, 2, 1)
    own[:, width:, width:] = inverse[entrants:, entrants:]
    return own


def _scatter(left_out: list[LeftOut], entrants: int, parameters: int) -> Floats:
    """Return the sum of u u' over all blocks."""
    total = np.zeros((parameters, parameters))
    for members, u, _ in left_out:
        shared = np.broadcast_to(np.arange(entrants, parameters), (len(u), parameters - entrants))
        rows = np.concatenate([members, shared], axis=1)
        cells = rows[:, :, None] * parameters + rows[:, None, :]
        total += np.bincount(cells.ravel(), (u[:, :, None] * u[:, None, :]).ravel(), total.size).reshape(total.shape)
    return total


def _of_blocks(
    piece: Piece, blocks: Blocks, fit: PairFit, model: TrueSkill, between: list[Between] | None
) -> tuple[Floats, Floats]:
    """Return gradient and curvature of each block by its own parameters: its members and what all blocks share.

    Add the derivatives by pair to the list `between`, if there is one.
    """
    tables, (rows, width) = blocks.tables, piece.members.shape
    seats = seat_parameters(tables)
    gradient = np.zeros((rows, width + seats + 1))
    curvature = np.zeros((rows, width + seats + 1, width + seats + 1))
    pull = np.zeros((rows, width, width))
    for row, pairs in blocks.pairs(piece):
        data = compared(tables, pairs)
        above, below = blocks.local.take(pairs.above), blocks.local.take(pairs.below)
        grouped = Grouped(row, rows, above, below, data.seat_above, data.seat_below, width, seats)
        found = slopes(data, fit.skill, fit.seat, fit.margin, model)
        gradient += grouped.gradient(found)
        curvature += grouped.curvature(found)
        if between is not None:
            pull += grouped.pulls(found)
    if between is not None:
        bend = -curvature[:, :width, :width]
        bend[:, np.arange(width), np.arange(width)] = 0.0
        between.append(Between(piece.blocks, piece.members, pull, bend))
    return gradient, curvature
