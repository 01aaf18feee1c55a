"""People in a match: they are asked, answer when they like, and take back answers of an unfinished turn."""

import asyncio
from collections.abc import Callable
from itertools import islice
from random import Random

import pytest

from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.arena.match.person import NotAsked, Person, PersonSeat, person_entrant
from ballcourt.arena.match.referee import play_match
from ballcourt.arena.match.scripted_seats import ScriptedSeat
from ballcourt.arena.match.seats import Answer
from ballcourt.arena.match.spec import Clock, MatchSpec
from ballcourt.arena.match.turn import NothingToUndo
from ballcourt.arena.records.replay import positions, verify
from ballcourt.arena.replays.view import scene_at
from ballcourt.bots.sdk.python.session import Session
from ballcourt.engine.core import IllegalAction
from ballcourt.engine.registry import find_game
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import DecidedBy, MatchRecord
from tests.bots.honest import Lowest


def seen_by(record: MatchRecord, seat: int) -> list[int]:
    """Return the actions of a match as a seat saw them, 0 for those that were hidden."""
    states = islice(positions(record), 1, None)
    rows = zip(record.decisions.seats, record.decisions.actions, states, strict=True)
    return [state.seen_action(other, action, seat) for other, action, state in rows]


Play = Callable[[Person], None]
"""Answers, or takes back answers, whenever the person is asked."""


def match_with(
    play: Play, game: str = "bluff", *, seats: int = 2, seed: int = 1, clock: Clock | None = None
) -> tuple[MatchRecord, Person]:
    """Play a match of a person in seat 0 against bots that play the lowest action; return it and the person."""
    rules = find_game(game)

    async def match() -> tuple[MatchRecord, Person]:
        loop = asyncio.get_running_loop()

        def changed() -> None:
            if person.question:
                loop.call_soon(lambda: play(person) if person.question else None)

        person = Person(rules, "anna", changed)
        others = [ScriptedSeat(lambda decide: Answer(decide.legal[0])) for _ in range(seats - 1)]
        table = [PersonSeat(person, clock) if clock else PersonSeat(person), *others]
        entrants = (person_entrant("anna"), *[Entrant(BotVersion("lowest", "1"))] * (seats - 1))
        spec = MatchSpec("k", game, {}, seed, entrants, clock or Clock(bank_ms=10**9, cap_ms=10**9))
        return await play_match(rules, spec, table), person

    return asyncio.run(match())


def lowest(person: Person) -> None:
    assert person.question
    person.act(person.question.legal[0])


@pytest.mark.parametrize("game", ["bluff", "maya", "tzolkin", "ahau"])
def test_a_person_plays_the_match_that_a_bot_with_the_same_answers_plays(game: str) -> None:
    record, person = match_with(lowest, game)
    bots = play_in_process(game, [Session(Lowest()), Session(Lowest())], seed=1)
    assert list(record.decisions.actions) == list(bots.decisions.actions)
    assert record.decisions.hashes == bots.decisions.hashes
    assert verify(record).agrees
    by_rules = [by == DecidedBy.DECIDED_BY_RULES for by in record.decisions.decided_by]
    own = [number for number, seat in enumerate(record.decisions.seats) if seat == person.seat]
    assert [person.news[number].is_forced for number in own] == [by_rules[number] for number in own]
    assert person.end is not None
    assert person.question is None
    last = scene_at(record, len(record.decisions.seats), person.seat)
    del last["sources"]  # a seat is not sent them while the match goes on
    assert person.scene() == last, "the final position"
    assert [(one.seat, one.action) for one in person.news] == [
        (seat, action) for seat, action in zip(record.decisions.seats, seen_by(record, person.seat), strict=True)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["maya", "tzolkin", "ahau"])
def test_a_match_with_every_answer_taken_back_once_is_the_match_without(game: str) -> None:
    chance = Random(0)
    taken_back: list[int] = []

    def hesitant(person: Person) -> None:
        assert person.question
        before, scene = person.question.legal, person.scene()
        person.act(chance.choice(before))
        if person.question and len(taken_back) % 2 == 0:
            person.undo()
            assert (person.question.legal, person.scene()) == (before, scene)
            person.act(before[0])
        elif person.question is None:
            return
        taken_back.append(person.seat)

    record, _ = match_with(hesitant, game)
    assert len(taken_back) > 10
    assert verify(record).agrees
    assert not record.faults


def test_only_the_final_answers_of_a_turn_reach_the_arena() -> None:
    tried: list[int] = []

    def play(person: Person) -> None:
        question = person.question
        assert question
        if not question.answers and len(tried) < 5:
            person.act(question.legal[-1])
            if person.question and person.question.answers:
                tried.append(question.legal[-1])
                person.undo()
            else:
                return
        lowest(person)

    record, _ = match_with(play, "tzolkin")
    assert len(tried) == 5
    assert record.decisions.thoughts == {}
    assert verify(record).agrees


def test_an_answer_is_final_once_others_are_asked() -> None:
    def play(person: Person) -> None:
        lowest(person)  # all seats bid at the same time, so the turn is over
        with pytest.raises(NotAsked, match="others play"):
            person.undo()

    record, _ = match_with(play)
    assert verify(record).agrees


def test_nothing_can_be_taken_back_before_the_first_answer() -> None:
    def play(person: Person) -> None:
        with pytest.raises(NothingToUndo, match="nothing to take back"):
            person.undo()
        lowest(person)

    match_with(play)


def test_an_illegal_answer_names_the_legal_ones_and_changes_nothing() -> None:
    def play(person: Person) -> None:
        with pytest.raises(
            IllegalAction, match="action 9 is not legal now; the legal actions are\n1: Bid 1\n2: Bid 2\n3: Bid 3"
        ):
            person.act(9)
        lowest(person)

    record, _ = match_with(play)
    assert record.results[0].termination == Termination.TERMINATION_OK


def test_a_person_who_leaves_loses_the_seat_and_the_match_goes_on() -> None:
    record, person = match_with(Person.leave)
    assert record.faults[0].detail == "anna left the match"
    assert person.lost == "crash"
    assert verify(record).agrees


def test_a_person_who_takes_too_long_loses_the_seat() -> None:
    record, person = match_with(lambda person: None, clock=Clock(bank_ms=1, cap_ms=1))
    assert record.results[0].termination == Termination.TERMINATION_TIMEOUT
    assert person.lost == "timeout"
    with pytest.raises(NotAsked, match="the match is over"):
        person.act(1)


def test_a_person_reads_in_words_what_everybody_did() -> None:
    record, person = match_with(lowest, "maya", seats=3)
    heard = len(person.news)
    assert [news.seat for news in person.news] == list(record.decisions.seats)[:heard]
    assert heard > len(record.decisions.seats) / 2
    names = find_game("maya").action_names
    act = names.index("ACT_PLANT")
    assert {news.label for news in person.news if news.seat == 1 and news.action == act} == {"Plant"}


def test_what_is_hidden_from_the_seat_is_not_in_its_news() -> None:
    _, person = match_with(lowest)
    assert {news.label for news in person.news if news.seat == 1} == {"something secret"}
