"""The conversation with people at a terminal, without processes."""

import asyncio
import io
import os
import re
from collections.abc import Callable, Sequence

import pytest
from rich.console import Console

from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.match.adviser import Adviser
from ballcourt.arena.match.person import UNHURRIED, Person, PersonSeat, clock_of_person, person_entrant
from ballcourt.arena.match.referee import Match
from ballcourt.arena.match.scripted_seats import ScriptedSeat
from ballcourt.arena.match.seats import Answer, Seat
from ballcourt.arena.match.spec import Clock, MatchSpec
from ballcourt.arena.records.replay import verify
from ballcourt.arena.terminal.dialogue import Dialogue, Quit, numbered
from ballcourt.arena.terminal.keyboard import Keyboard
from ballcourt.engine.registry import find_game
from ballcourt.v1.record_pb2 import MatchRecord


def talk(
    typed: Sequence[str] | None,
    game: str = "bluff",
    *,
    people: int = 1,
    clock: Clock = UNHURRIED,
    adviser: Adviser | None = None,
    asked: Callable[[], None] = lambda: None,
) -> tuple[str, MatchRecord]:
    """Play a match of two in which people type these lines; return what they saw, and the record so far.

    With None they type nothing, and do not end the input either.
    """
    screen = Console(file=io.StringIO(), width=80, highlight=False, markup=False)
    reading, writing = os.pipe()
    if typed is not None:
        os.write(writing, "".join(f"{line}\n" for line in typed).encode())
        os.close(writing)

    async def play() -> MatchRecord:
        rules = find_game(game)
        here = [Person(rules, name, lambda: conversation.changed()) for name in ("anna", "ben")[:people]]
        seats: list[Seat] = [PersonSeat(person, clock) for person in here]
        seats += [ScriptedSeat(lambda decide: Answer(decide.legal[0])) for _ in range(2 - people)]
        entrants = [person_entrant(person.name) for person in here] + [Entrant(BotVersion("low", "1"))] * (2 - people)
        clocks = (clock,) * 2
        match = Match(rules, MatchSpec("k", game, {}, 1, tuple(entrants), seat_clocks=clocks), seats)
        conversation = Dialogue(here, [str(one.bot) for one in entrants], screen, Keyboard(reading), adviser, asked)
        playing = asyncio.create_task(match.play())
        try:
            await conversation.hold()
        except Quit:
            playing.cancel()
            return match.so_far()
        return await playing

    try:
        record = asyncio.run(play())
    finally:
        if typed is None:
            os.close(writing)
        os.close(reading)
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue(), record


def test_numbers_choose_the_answers_in_the_order_shown() -> None:
    shown, record = talk(["2", "3", "1"])
    assert list(record.decisions.actions)[::2] == [2, 3, 1]
    assert verify(record).agrees
    assert " 1 Bid 1   2 Bid 2   3 Bid 3" in shown
    assert "A anna person (you), B low 1" in shown


def test_what_others_did_is_told_before_the_board_so_that_it_scrolls_nothing_away() -> None:
    shown, _ = talk(["2", "3", "1"])
    assert "  low 1: " in shown
    assert shown.rindex("  low 1: ") < shown.rindex("A anna person (you)") < shown.rindex("A seat 0: ")


def test_a_choice_that_is_too_long_for_a_line_goes_on_below_its_beginning() -> None:
    screen = Console(file=io.StringIO(), width=30)
    screen.print(numbered(["Keep wealth tiles 1 and 2: 3 corn", "Pass"]))
    assert isinstance(screen.file, io.StringIO)
    lines = [line.rstrip() for line in screen.file.getvalue().splitlines()]
    assert lines == [" 1 Keep wealth tiles 1 and 2:", "   3 corn", " 2 Pass"]


@pytest.mark.parametrize("line", ["0", "4", "x", "-1", "1.0", "²", "9" * 5000, "0000000019", "\x1b[2J"])
def test_anything_but_a_number_shown_is_answered_with_what_is_possible(line: str) -> None:
    shown, record = talk([line, "2", "2", "2"])
    assert "is not an answer; type a number from 1 to 3, or ?" in " ".join(shown.split())
    assert "\x1b" not in shown
    assert verify(record).agrees


def test_an_empty_line_and_a_question_mark_show_the_commands() -> None:
    shown, _ = talk(["?", ""])
    assert shown.count("u       undo your last answer, until the turn is over") == 2


def test_an_answer_is_undone_until_the_turn_is_over() -> None:
    shown, record = talk(["u", "1", "1", "u", "2", "q"], "tzolkin")
    assert "there is nothing to take back" in shown
    assert shown.count("Place workers, or pick some up?") == 2
    assert not [seat for seat in list(record.decisions.seats)[2:] if seat == 0]


def test_the_board_is_shown_with_the_answers_of_the_unfinished_turn() -> None:
    shown, _ = talk(["1", "1", "b"], "tzolkin")
    before, after = shown.split("Place another worker?")[0], shown.split("Place another worker?")[1]
    assert "in\n  hand 3" in before
    assert "in\n  hand 2" in after


def test_the_end_of_the_input_saves_the_match() -> None:
    _, record = talk(["2"])
    assert list(record.decisions.actions) == [2, 1]
    assert not record.results


def test_every_turn_is_announced_before_its_first_question() -> None:
    turns: list[None] = []
    talk(["2", "x", "2", "2"], asked=lambda: turns.append(None))
    assert len(turns) == 3


def test_two_people_hand_over_before_either_sees_what_it_knows() -> None:
    shown, record = talk(["", "1", "", "3"] * 3, people=2)
    assert list(record.decisions.actions) == [1, 3] * 3
    assert verify(record).agrees
    assert shown.count("press Enter when no one else looks") == 6
    assert shown.index("anna plays; press Enter") < shown.index("anna: Bid")


def test_a_person_whose_time_is_up_learns_it_and_is_not_waited_for() -> None:
    shown, record = talk(None, clock=Clock(bank_ms=1, cap_ms=1))
    assert "anna has lost the seat: timeout" in shown
    assert verify(record).agrees


def test_a_question_says_how_long_the_turn_may_take() -> None:
    shown, _ = talk(["2"], clock=clock_of_person(600))
    assert re.search(r"anna: .* \((599|600) s\)", shown)
    assert " s)" not in talk(["2"])[0]


def test_without_an_adviser_a_hint_says_how_to_get_one() -> None:
    shown, _ = talk(["h"])
    assert "name one with --hints BOT" in shown


def test_a_hint_says_what_a_bot_would_choose_and_why() -> None:
    class Sage(Adviser):
        name = "sage"

        def __init__(self) -> None:
            """Know everything."""

        async def advise(self, *_: object) -> Answer:
            return Answer(2, thoughts="two is enough")

    shown, _ = talk(["h", "2"], adviser=Sage())
    assert "sage would choose 2: Bid 2\n  two is enough\n" in shown


def test_the_key_explains_the_places_of_the_board() -> None:
    shown, _ = talk(["k"], "tzolkin")
    assert "  palenque.3: 5 corn or 2 wood" in shown


def test_answers_are_explained_with_their_rule_and_a_tour_is_given() -> None:
    seen, record = talk(["e", "e 2", "e 99", "t", "3"], "ahau")
    words = " ".join(seen.split())
    assert "1 Take summary card 1: You begin with the resources yellow, blue, black" in words
    assert words.count("2 Take summary card 2: You begin with") == 2
    assert "(rules, §2.8)" in words
    assert "'e 99' is not an answer" in words
    assert "Two secret cards." in words
    assert record.decisions.actions[0] == 3
    assert "there is no tour of this game" in " ".join(talk(["t"])[0].split())
