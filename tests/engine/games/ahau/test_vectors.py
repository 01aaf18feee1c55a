"""Positions and decisions as plain data; every worked example of vectors.json is used by a test."""

import copy
import re
from pathlib import Path

import pytest

from ballcourt.engine.core.observation import observe
from ballcourt.engine.games.ahau import GAME
from ballcourt.engine.games.ahau.state import AhauState
from tests.bench.measure import COMPILED
from tests.engine.games.ahau.playing import TABLES, VECTORS, at_table, described, next_round, plainest, select
from tests.engine.games.ahau.vectors import BadPosition, NotLegal, apply, dump, legal, state_from

SOURCES = "".join(path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("test_*.py")))

interpreted = pytest.mark.skipif(COMPILED, reason="a subclass of the state fixes the draws")


@pytest.mark.parametrize("name", VECTORS)
def test_every_vector_is_used_by_a_test(name: str) -> None:
    players = re.fullmatch(r"setup-(\d)p", name)
    assert f'"{name}"' in SOURCES or (players and 'f"setup-{players}p"' in SOURCES)


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_a_dumped_position_reads_back_the_same(seats: int, options: dict[str, str]) -> None:
    """Before the summary cards are picked and at the start of later rounds, with the same legal decisions."""
    state = GAME.initial_state(seats, 5, options)
    assert isinstance(state, AhauState)
    for number in range(1, 6):
        while legal(state) and dump(state)["round"] < number:
            apply(state, plainest(legal(state)))
        again = state_from(dump(state))
        assert dump(again) == dump(state)
        assert legal(again) == legal(state)


def test_a_seat_with_a_role_card_knows_which_it_left_in_the_deck() -> None:
    state = at_table(2, seat={0: {"role": "queen"}}, role_deck=["dancer", "merchant"])
    assert observe(state, 0).private == [[9, 1 << 6 | 1 << 1, 0]]
    assert observe(state, 1).private == [[0, 0, 0]]


def test_reading_does_not_change_the_description() -> None:
    given = described(2)
    before = copy.deepcopy(given)
    state_from(given)
    assert given == before


def test_decisions_after_the_position_are_played() -> None:
    after = [[1, "select_cards", 2, 6], [0, "select_cards", 3, 5]]
    state = state_from(described(2, after=after))
    assert [dump(state)["player"][seat]["ruler"] for seat in "01"] == [3, 2]


def test_an_illegal_decision_changes_nothing() -> None:
    state = at_table(2)
    before = state.to_rows()
    with pytest.raises(NotLegal, match="is not legal; it must be one of"):
        apply(state, [0, "select_cards", 6, 1])
    assert state.to_rows() == before


def test_an_unknown_name_is_reported_in_one_sentence() -> None:
    with pytest.raises(BadPosition, match="unknown name 'pt99'"):
        state_from(described(2, bag=["pt99"]))


def test_a_legal_decision_is_listed_once() -> None:
    decisions = [str(words) for words in legal(at_table(5))]
    assert len(decisions) == len(set(decisions)) == 5 * 30


@interpreted
def test_a_number_fixes_the_order_of_a_draw() -> None:
    """The example of the format: entry 7 orders pt01..pt04 as pt01, pt03, pt02, pt04."""
    given = described(2, bag=[], tile_discard=["pt04", "pt03", "pt02", "pt01"], chance=[7])
    after = dump(next_round(select(state_from(given), {0: (1, 2), 1: (5, 2)})))
    assert [after["regions"][region]["tiles"] for region in "12"] == [["pt01", "pt03"], ["pt02", "pt04"]]


@interpreted
def test_a_list_fixes_the_order_of_a_draw() -> None:
    given = described(2, bag=[], tile_discard=["pt01", "pt02", "pt03"], chance=[["pt03"]])
    after = dump(next_round(select(state_from(given), {0: (1, 2), 1: (5, 2)})))
    assert [after["regions"][region]["tiles"] for region in "12"] == [["pt03", "pt01"], ["pt02", None]]
