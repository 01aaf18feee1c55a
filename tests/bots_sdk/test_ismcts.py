"""Information-set tree search: best play in tiny games, secrecy, budgets, pondering."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from random import Random
from threading import Event
from threading import enumerate as threads

import pytest

from ballcourt import Bot, Decision, Session
from ballcourt.arena.bots.known import find_bots
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.arena.match.spec import Clock
from ballcourt.arena.workers.runner import Runner
from ballcourt.bots.flat_monte_carlo.bot import FlatMonteCarloBot
from ballcourt.bots.ismcts import budget
from ballcourt.bots.ismcts.bot import IsmctsBot
from ballcourt.bots.ismcts.budget import Budget, budget_for, own_decisions
from ballcourt.bots.ismcts.domain import AnyGame, Move
from ballcourt.bots.ismcts.search import Search
from ballcourt.bots.ismcts.tree import Choice
from ballcourt.bots.ismcts.turns import Turns
from ballcourt.bots.planner import maya
from ballcourt.bots.random.bot import RandomBot
from ballcourt.engine.core import State, Stream
from ballcourt.engine.core.messages.wire import Encoder
from ballcourt.engine.core.observation import observe
from ballcourt.engine.registry import find_game
from ballcourt.v1.protocol_pb2 import ArenaMessage, Decide, MatchEnd, MatchStart, Observe
from tests.arena.conftest import PATIENCE_S, bluff_is_installed, wait_until  # noqa: F401
from tests.arena.matches import match_of
from tests.bluff import GAME as BLUFF
from tests.bots_sdk.positions import position
from tests.bots_sdk.tiny import pennies, tree

HOUR = 3600.0


def chosen(state: State, simulations: int = 200, seat: int = 0) -> Choice:
    """What the search of a game without hidden things chooses."""
    search = Search(seat, AnyGame(Random(1)), Random(2))
    return search.choose(state.clone, state.legal_actions(seat), Budget(simulations, HOUR))


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("secret", [1, 2, 3])
def test_the_best_bid_is_found_whatever_the_others_hide(seats: int, secret: int) -> None:
    seed = next(seed for seed in count() if observe(BLUFF.initial_state(seats, seed), 0).private[0][0] == secret)
    seen, draws = observe(BLUFF.initial_state(seats, seed, {"rounds": "1"}), 0), count(1)
    search = Search(0, AnyGame(Random(1)), Random(2))
    choice = search.choose(lambda: BLUFF.sample(seen, Stream(next(draws))), [1, 2, 3], Budget(300, HOUR))
    assert choice.move == (secret,)


def test_the_others_are_expected_to_find_their_best_reply() -> None:
    """Going left would be better if seat 1 replied at random."""
    left = (1, {1: [9, 1], 2: [9, 1], 3: [0, 9]})
    assert chosen(tree(2, (0, {1: left, 2: [5, 5]}))).move == (2,)


def test_the_others_are_expected_to_serve_themselves_rather_than_to_harm() -> None:
    """Seat 2 could put seat 0 last, and not second as going left does, but wins the match otherwise."""
    right = (2, {1: [8, 1, 9], 2: [0, 9, 1]})
    assert chosen(tree(3, (0, {1: [1, 9, 1], 2: right}))).move == (2,)


def test_a_seat_does_not_know_the_simultaneous_answer_of_another() -> None:
    """A seat 1 that knew the penny of seat 0 would always win."""
    assert abs(chosen(pennies(), 1000).mean) < 0.3


def test_what_is_hidden_is_drawn_for_every_simulation() -> None:
    """Action 1 wins in two of three samples, action 2 in one; neither is always right."""
    draws = count()

    def draw() -> State:
        good, bad = [1, 0], [0, 1]
        return tree(2, (0, {1: good, 2: bad}) if next(draws) % 3 else (0, {1: bad, 2: good}))

    choice = Search(0, AnyGame(Random(1)), Random(2)).choose(draw, [1, 2], Budget(300, HOUR))
    assert choice.move == (1,)
    assert 0 < choice.mean < 2 / 3


def test_a_move_that_is_seldom_possible_is_tried_when_it_is() -> None:
    draws = count()

    def draw() -> State:
        possible = {1: [0, 1], 2: [1, 0]} if next(draws) % 4 else {1: [0, 1], 2: [1, 0], 3: [3, 0]}
        return tree(2, (1, {1: [0, 0], 2: (0, possible)}))

    search = Search(1, AnyGame(Random(1)), Random(2))
    assert search.choose(draw, [1, 2], Budget(400, HOUR)).move == (1,)


def test_half_of_the_moves_are_dropped_after_each_share_of_the_budget() -> None:
    state = tree(2, (0, {action: [action, 4] for action in range(1, 9)}))
    search, spent = Search(0, AnyGame(Random(1)), Random(2)), Budget(240, HOUR)
    best = search.choose(state.clone, range(1, 9), spent)
    assert best.move[0] > 4
    assert (best.visits, spent.done) == (10 + 20 + 40, 240)


def test_what_a_move_seems_to_be_worth_counts_until_it_has_been_tried() -> None:
    class Mistaken(AnyGame):
        def moves(self, state: State, seat: int, *, thorough: bool) -> list[tuple[Move, float]]:
            return [((1,), 0.5), ((2,), 0.0)]

    win = tree(2, (0, {1: [0, 1], 2: [1, 0]}))
    for simulations, action in ((2, 1), (40, 2)):
        search = Search(0, Mistaken(Random(1)), Random(2))
        assert search.choose(win.clone, [1, 2], Budget(simulations, HOUR)).move == (action,)


def test_a_single_move_needs_no_simulation() -> None:
    class Certain(AnyGame):
        def moves(self, state: State, seat: int, *, thorough: bool) -> list[tuple[Move, float]]:
            return [((2,), 0.0)]

    spent = Budget(10, HOUR)
    state = tree(2, (0, {1: [0, 1], 2: [1, 0]}))
    assert Search(0, Certain(Random(1)), Random(2)).choose(state.clone, [1, 2], spent).move == (2,)
    assert spent.done == 0


def test_the_tree_is_kept_for_the_next_decision() -> None:
    state = tree(2, (0, {1: (0, {1: [0, 1], 2: [1, 0]}), 2: [0, 1]}))
    search = Search(0, AnyGame(Random(1)), Random(2))
    search.choose(state.clone, [1, 2], Budget(100, HOUR))
    state.apply(0, 1)
    assert search.choose(state.clone, [1, 2], Budget(2, HOUR)).visits > 10


@pytest.mark.parametrize(("cheap", "asked"), [(False, [0, 1, 1]), (True, [0, 1])])
def test_where_values_are_cheap_moves_are_drawn_up_for_positions_that_are_met_again(
    cheap: bool, asked: list[int]
) -> None:
    class Noting(AnyGame):
        values_are_cheap = cheap

        def moves(self, state: State, seat: int, *, thorough: bool) -> Sequence[tuple[Move, float]]:
            seats.append(seat)
            return super().moves(state, seat, thorough=thorough)

    seats: list[int] = []
    state = tree(2, (0, {1: (1, {1: [0, 1], 2: [1, 0]}), 2: (1, {1: [0, 1], 2: [1, 0]})}))
    Search(0, Noting(Random(1)), Random(2)).choose(state.clone, [1, 2], Budget(3, HOUR))
    assert seats == asked


def test_a_tree_stops_growing_when_it_is_full_and_is_dropped_before_a_decision_that_is_not_in_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ballcourt.bots.ismcts.search.MOST_NODES", 5)
    state = BLUFF.initial_state(2, 1, {"rounds": "3"})
    search, spent = Search(0, AnyGame(Random(1)), Random(2)), Budget(200, HOUR)
    first = search.choose(state.clone, [1, 2, 3], spent)
    assert (spent.done, first.visits > 50) == (200, True)
    assert search.is_full
    assert len(search._nodes) == 5
    search.choose(state.clone, [1, 2, 3], Budget(3, HOUR))
    assert search.is_full, "it was grown for this decision, perhaps while pondering"
    elsewhere = BLUFF.initial_state(2, 2, {"rounds": "100"})
    search.choose(elsewhere.clone, [1, 2, 3], Budget(3, HOUR))
    assert not search.is_full


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4])
def test_a_turn_is_played_to_its_end_in_every_sample(seats: int) -> None:
    for seed in range(2):
        state, seat = position("maya", seed, 50, seats)
        turns = Turns(maya)
        moves = turns.moves(state, seat, thorough=True)
        assert [worth for _, worth in moves] == sorted((worth for _, worth in moves), reverse=True)
        seen = observe(state, seat)
        for draw in range(3):
            for move, _ in moves:
                after = find_game("maya").sample(seen, Stream(draw))
                turns.play(after, seat, move)
                assert not after.frames or after.pending_seats() != [seat]
                values = turns.values(after, seat)
                assert len(values) == seats
                assert sum(values) == pytest.approx(0, abs=1e-9)


# -- budgets


def decision(state: State, clock: Clock) -> Decision:
    """A question of a match of bluff with this clock."""
    start = MatchStart(game="bluff", seat=0, seats=state.seats, clock=clock.to_message())
    limit = min(clock.cap_ms, clock.bank_ms)
    return Decision(start, Decide(legal=state.legal_actions(0), bank_ms=clock.bank_ms, limit_ms=limit))


def paced(monkeypatch: pytest.MonkeyPatch, seconds: float, clock: Clock) -> int:
    """Count the simulations within a budget if each takes this long."""
    granted: Budget | None = None
    monkeypatch.setattr(budget, "monotonic", lambda: granted.done * seconds if granted else 0.0)
    state = BLUFF.initial_state(2, 1, {"rounds": "3"})
    granted = budget_for(decision(state, clock), state, Random(1), 0.0)
    while granted.used() < 1:
        granted.spend()
    return granted.done


def test_a_work_limit_is_the_number_of_simulations(monkeypatch: pytest.MonkeyPatch) -> None:
    assert paced(monkeypatch, 0.001, Clock(work=70)) == 70


def test_a_work_limit_cannot_exceed_the_limit_of_the_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    assert paced(monkeypatch, 0.1, Clock(work=70, cap_ms=1000)) == 9


def test_the_bank_is_divided_among_the_decisions_to_come(monkeypatch: pytest.MonkeyPatch) -> None:
    assert paced(monkeypatch, 0.01, Clock(bank_ms=3000, increment_ms=0)) == 89
    assert paced(monkeypatch, 0.01, Clock(bank_ms=3000, increment_ms=100)) == 98


def test_an_empty_bank_leaves_no_time_for_simulations(monkeypatch: pytest.MonkeyPatch) -> None:
    assert paced(monkeypatch, 0.01, Clock(bank_ms=50, increment_ms=0)) == 0


def test_moves_are_drawn_up_quickly_where_the_thorough_way_would_take_half_of_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ways = []

    class Noting(AnyGame):
        def moves(self, state: State, seat: int, *, thorough: bool) -> Sequence[tuple[Move, float]]:
            ways.append(thorough)
            return super().moves(state, seat, thorough=thorough)

    seconds = count()
    monkeypatch.setattr("ballcourt.bots.ismcts.search.monotonic", lambda: float(next(seconds)))
    state, later = tree(2, (0, {1: [0, 1], 2: [1, 0]})), tree(2, (0, {1: [0, 1], 2: [1, 0], 3: [0, 0]}))
    search = Search(0, Noting(Random(1)), Random(2))
    search.choose(state.clone, [1, 2], Budget(2, HOUR))
    search.choose(later.clone, [1, 2, 3], Budget(2, 1.9))
    assert ways == [True, False]


def test_a_decision_stays_below_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert paced(monkeypatch, 0.01, Clock(bank_ms=60_000, cap_ms=500)) == 45


def test_without_a_clock_the_number_of_simulations_is_fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert paced(monkeypatch, 0.01, Clock(bank_ms=10**9, cap_ms=10**9)) == budget.SIMULATIONS


def test_own_decisions_are_those_with_a_choice() -> None:
    forced = (0, {1: (1, {1: [0, 1], 2: [0, 1]})})
    assert own_decisions(tree(2, (0, {1: forced, 2: forced})), 0, Random(1)) == 1


# -- the bots


@pytest.mark.parametrize("searcher", [IsmctsBot, FlatMonteCarloBot])
@pytest.mark.parametrize("seed", range(4))
def test_a_searcher_plays_bluff_perfectly(searcher: type[Bot], seed: int) -> None:
    clock = Clock(cap_ms=10**6, work=100)
    record = play_in_process(
        "bluff", [Session(searcher()), Session(RandomBot())], seed=seed, options={"rounds": "1"}, clock=clock
    )
    (secret, _), *_ = observe(BLUFF.initial_state(2, seed), 0).private
    assert record.results[0].score == secret


def pondering() -> tuple[IsmctsBot, Callable[[], object], Callable[[], object]]:
    """A bot in a match in which it may ponder, what lets it observe the opening, and what ends the match."""
    bot = IsmctsBot()
    session = Session(bot)
    start = MatchStart(game="bluff", seat=0, seats=2, clock=Clock(ponder=True, cap_ms=100).to_message())
    session.handle(ArenaMessage(match_start=start))
    seen = Encoder(BLUFF.wire()).encode(BLUFF.initial_state(2, 3, {"rounds": "3"}), 0)
    messages = ArenaMessage(observe=Observe(observation=seen)), ArenaMessage(match_end=MatchEnd())
    observe, end = (partial(session.handle, message) for message in messages)
    return bot, observe, end


def test_a_pondering_bot_searches_while_others_decide_and_stops_when_asked() -> None:
    bot, observe, end = pondering()
    simulated = Event()
    bot.search.simulate = lambda state: simulated.set()  # type: ignore[method-assign]
    before = {*threads()}  # those of other tests may end meanwhile
    observe()
    assert simulated.wait(PATIENCE_S)
    end()
    assert {*threads()} <= before


def test_a_bot_ponders_until_its_tree_is_full_and_again_when_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    bot, observe, end = pondering()
    before = {*threads()}
    for most in (3, 6):
        monkeypatch.setattr("ballcourt.bots.ismcts.search.MOST_NODES", most)
        observe()
        assert wait_until(lambda: {*threads()} <= before)
        assert len(bot.search._nodes) == most
    end()


@pytest.mark.slow
def test_the_searchers_play_as_processes() -> None:
    known = find_bots().bots
    spec = match_of("key", "maya", {}, 5, (known["ismcts"], known["flat-monte-carlo"]), Clock(work=1))
    with Runner(workers=1) as runner:
        (record,) = runner.run([spec])
    assert list(record.faults) == []
    assert list(record.work) == [1, 1]


@pytest.mark.slow
@pytest.mark.parametrize("searcher", [IsmctsBot, FlatMonteCarloBot])
def test_a_searcher_plays_the_same_match_again_with_the_same_work(searcher: type[Bot]) -> None:
    def play(work: int) -> list[int]:
        seats = [Session(searcher()), Session(RandomBot())]
        record = play_in_process("bluff", seats, seed=3, options={"rounds": "100"}, clock=Clock(work=work))
        return list(record.decisions.actions)

    assert play(4) == play(4) != play(5)
