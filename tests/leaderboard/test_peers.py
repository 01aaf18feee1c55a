"""Ratings and mixes compared with libraries that others wrote: choix, evalica and OpenSpiel."""

import sys
from dataclasses import replace
from types import ModuleType

import numpy as np
import pytest
from scipy.special import expit, ndtr

from ballcourt.leaderboard.model.estimates import MODEL, tables_of
from ballcourt.leaderboard.model.fit.arrays import Floats, Tables
from ballcourt.leaderboard.model.fit.cycles import Cycles, maximal_lottery
from ballcourt.leaderboard.model.fit.ep import solve
from ballcourt.leaderboard.model.fit.pairs import PairFit, fit_pairs
from ballcourt.leaderboard.model.scale import SIGMA
from tests.leaderboard.made import random_tables
from tests.needs import library

choix, evalica, pyspiel = library("choix"), library("evalica"), library("pyspiel")

CROWD = 7
Duels = list[tuple[int, int]]
"""Winner and loser of each match."""


def league(seed: int) -> tuple[Tables, Duels]:
    """Return matches of two seats without ties."""
    matches = random_tables(np.random.default_rng(seed), bots=CROWD, seats=2, blocks=250, margin=0.0)
    decided = [match for match in matches if len({seat.placement for seat in match.seats}) == 2]
    entrants = sorted({seat.entrant for match in decided for seat in match.seats})
    ordered = [sorted(match.seats, key=lambda seat: seat.placement) for match in decided]
    return tables_of(decided, entrants), [
        (entrants.index(first.entrant), entrants.index(last.entrant)) for first, last in ordered
    ]


def centred(values: Floats) -> Floats:
    return np.asarray(values - values.mean())


@pytest.mark.parametrize("seed", [4, 5])
def test_the_rating_of_two_seats_is_that_of_choix_by_expectation_propagation(seed: int) -> None:
    """Both solve the same probit model; choix keeps the covariance of skills, so they differ a little."""
    tables, duels = league(seed)
    fit = replace(fit_pairs(tables, MODEL), seat=np.zeros(2), margin=1e-9)
    mean, _ = choix.ep_pairwise(CROWD, duels, (MODEL.spread / SIGMA) ** 2, model="probit")
    assert solve(tables, fit, MODEL).mu - MODEL.mean == pytest.approx(centred(mean) * MODEL.spread, abs=0.03)


def test_the_pairs_fit_agrees_with_bradley_and_terry_about_who_wins_how_often() -> None:
    """Their curve is logistic, ours normal: the same shares of wins come from strengths on different scales."""
    tables, duels = league(6)
    ours = centred(fit_pairs(tables, MODEL).skill)
    winners, losers = zip(*duels, strict=True)
    found = evalica.bradley_terry(winners, losers, [evalica.Winner.X] * len(duels)).scores.sort_index()
    theirs = centred(np.log(found.to_numpy()))
    assert theirs == pytest.approx(centred(choix.opt_pairwise(CROWD, duels, alpha=1e-6)), abs=0.02)
    share = ndtr((ours[:, None] - ours) / MODEL.spread)
    assert share == pytest.approx(expit(theirs[:, None] - theirs), abs=0.04)
    assert np.corrcoef(ours, theirs)[0, 1] > 0.998


def mix_of(advantage: Floats) -> Floats:
    """Return the maximal lottery of a field; `advantage[a, b]` is the lead of bot a over bot b, in rating points."""
    nothing = np.zeros(len(advantage))
    fit = PairFit(nothing, np.zeros(1), 0.5, np.eye(1), nothing)
    return maximal_lottery(fit, Cycles(0.5, 0.1, advantage), MODEL)


def antisymmetric(seed: int, size: int) -> Floats:
    drawn = np.random.default_rng(seed).normal(0, MODEL.beta, (size, size))
    return np.asarray(drawn - drawn.T)


@pytest.mark.parametrize("seed", range(8))
def test_the_maximal_lottery_is_an_equilibrium_for_openspiel(seed: int) -> None:
    advantage = antisymmetric(seed, 3 + seed)
    mix = mix_of(advantage)
    payoff = (2 * ndtr(advantage / MODEL.spread) - 1).tolist()
    back = [[-value for value in row] for row in payoff]
    game = pyspiel.convert_to_turn_based(pyspiel.create_matrix_game(payoff, back))
    opening = game.new_initial_state()
    asked = [opening.information_state_string(0), opening.child(0).information_state_string(1)]
    policy = {question: list(enumerate(mix.tolist())) for question in asked}
    assert mix.sum() == pytest.approx(1)
    assert pyspiel.exploitability(game, policy) == pytest.approx(0, abs=1e-6)


@pytest.fixture
def alpharank(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Alpha-rank without its drawings, which need matplotlib."""
    monkeypatch.setitem(sys.modules, "open_spiel.python.egt.alpharank_visualizer", ModuleType("drawings"))
    from open_spiel.python.egt import alpharank

    return alpharank  # type: ignore[no-any-return]  # which has no types


@pytest.mark.filterwarnings("ignore:overflow encountered in exp")  # in alpha-rank, where it stands for infinity
@pytest.mark.parametrize("seed", range(8))
def test_only_bots_in_the_top_cycle_are_in_the_mix(alpharank: ModuleType, seed: int) -> None:
    """Alpha-rank, with strong selection, is where evolution stays: among those that no other beats for good."""
    advantage = antisymmetric(seed, 6)
    payoff = 2 * ndtr(advantage / MODEL.spread) - 1
    stays = alpharank.compute([payoff], m=50, alpha=10.0)[2]
    assert set(np.flatnonzero(mix_of(advantage) > 1e-6)) <= set(np.flatnonzero(stays > 1e-6))


def test_rock_paper_and_scissors_share_the_mix_as_they_share_alpha_rank(alpharank: ModuleType) -> None:
    cycle = np.array([[0.0, 4.0, -4.0], [-4.0, 0.0, 4.0], [4.0, -4.0, 0.0]])
    stays = alpharank.compute([2 * ndtr(cycle / MODEL.spread) - 1], m=50, alpha=10.0)[2]
    assert mix_of(cycle) == pytest.approx(stays, abs=1e-3)
