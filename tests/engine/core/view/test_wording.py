"""What a language model reads, and the disguise: other names, other numbers, the same game."""

import re
from collections.abc import Iterator
from random import Random

import pytest

from ballcourt.engine.core import Game, State, Stream
from ballcourt.engine.core.observation import observe
from ballcourt.engine.core.view.prompts import position_text, rules_text
from ballcourt.engine.core.view.wording import Disguise, Wording
from ballcourt.engine.registry import find_game

NAMES = {
    "maya": "maya palenque tikal uxmal chichen itza corn pepper squash potato temple city e7 k10",
    "tzolkin": "tzolk tzolkin mayan palenque yaxchilan tikal uxmal chichen itza chaac quetzalcoatl kukulcan corn wood "
    "stone gold skull skulls crystal agriculture theology gear gears temple temples tomb shrine farm",
    "ahau": "ahau yucatán yucatan tulum edzna lamanai jaguar queen merchant priestess pyramid katun k'atun weapons "
    "yellow blue black white brown fame pakal chief",
}
GAMES = [pytest.param(name, marks=[pytest.mark.slow] if name == "ahau" else []) for name in NAMES]


def positions(game: Game, seats: int = 2, every: int = 9) -> Iterator[tuple[State, int]]:
    """Yield positions of a random match, and a seat that is asked in each."""
    state, chance = game.initial_state(seats, 1), Random(1)
    for number in range(10**6):
        asked = state.pending_seats()
        if not asked:
            return
        if number % every == 0:
            yield state, asked[0]
        state.apply(asked[0], chance.choice(state.legal_actions(asked[0])))


def read(wording: Wording, state: State, seat: int) -> str:
    """Return all that a model reads in a position."""
    rules = wording.rules(state, seat, wording.game.check(state.seats, {}))
    return "\n".join([rules, wording.position(state, seat), wording.legal(state, seat, state.legal_actions(seat))])


@pytest.mark.parametrize("name", GAMES)
def test_nothing_that_a_model_reads_in_disguise_has_a_name_of_the_game(name: str) -> None:
    game = find_game(name)
    plain, disguised = Wording(game), Wording(game, 7)
    known = set(NAMES[name].split())
    seen = set()
    for state, seat in positions(game):
        seen |= known & set(re.findall(r"[^\W_]+(?:'[^\W_]+)?", read(plain, state, seat).lower()))
        assert not known & set(re.findall(r"[^\W_]+(?:'[^\W_]+)?", read(disguised, state, seat).lower()))
    assert len(seen) > len(known) / 2, "the names are those of the game"


@pytest.mark.parametrize("name", GAMES)
def test_numbers_of_actions_are_permuted_and_mean_the_same_actions(name: str) -> None:
    game = find_game(name)
    disguise, actions = Disguise(game, 3), range(1, len(game.action_names))
    shown = [disguise.shown(action) for action in actions]
    assert sorted(shown) == [*actions]
    assert shown != [*actions]
    assert [disguise.meant(number) for number in shown] == [*actions]
    assert disguise.meant(10**6) == 10**6, "illegal stays illegal"


def test_other_names_are_one_for_each_word_and_fit_its_case_and_number() -> None:
    game = find_game("tzolkin")
    text = Disguise(game, 5).text
    words = ["corn", "wood", "stone", "gold", "skull", "shrine", "tomb", "chaac"]
    assert len({*map(text, words)}) == len(words), "it can be reversed"
    assert text("Corn") == text("corn").capitalize()
    assert text("skulls") == text("skull") + "s"
    assert text("palenque.3 of your corn_tiles") == f"{text('palenque')}.3 of your {text('corn')}_tiles"
    assert text(text("corn")) == text("corn"), "what is new is no word of the game"


def test_a_disguise_depends_on_its_seed_alone_and_not_on_the_table() -> None:
    game = find_game("maya")
    first, again, other = Disguise(game, 1), Disguise(game, 1), Disguise(game, 2)
    assert first.text("Palenque corn E7") == again.text("Palenque corn E7") != other.text("Palenque corn E7")
    assert [first.shown(each) for each in range(50)] == [again.shown(each) for each in range(50)]


@pytest.mark.parametrize("name", GAMES)
def test_a_disguise_shows_nothing_that_is_hidden(name: str) -> None:
    game = find_game(name)
    wording = Wording(game, 4)
    for state, seat in positions(game, every=40):
        sampled = game.sample(observe(state, seat), Stream(9))
        assert wording.position(sampled, seat) == wording.position(state, seat)


def test_without_a_disguise_a_model_reads_the_game_as_it_is() -> None:
    game = find_game("tzolkin")
    wording = Wording(game)
    state = game.initial_state(2, 1)
    legal = state.legal_actions(0)
    assert wording.rules(state, 0, {}) == rules_text(game, state, 0, {})
    assert wording.position(state, 0) == position_text(game, state, 0)
    assert wording.legal(state, 0, legal).splitlines() == [
        f"{each}: {game.choice(state, 0, each)['label']}" for each in legal
    ]
    assert [wording.meant(number) for number in wording.choices(state, 0, legal)] == legal


def test_the_list_of_legal_actions_is_in_the_order_of_the_numbers_that_are_shown() -> None:
    game = find_game("maya")
    wording = Wording(game, 8)
    state = game.initial_state(2, 1)
    (seat,) = state.pending_seats()
    legal = state.legal_actions(seat)
    numbers = [int(line.partition(":")[0]) for line in wording.legal(state, seat, legal).splitlines()]
    assert numbers == sorted(numbers)
    assert sorted(map(wording.meant, numbers)) == legal
