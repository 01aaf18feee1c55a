"""Names of newcomers: none that could be mistaken for another, or for a word of the commands."""

import pytest

from ballcourt.arena.ladder.arrivals.names import name_refusal
from ballcourt.arena.ladder.roster import RESIDENT

HOMES = {"Alice": "alice", "greedy": RESIDENT, "human": "old", "HUMAN": "older", "bob-10": "bob"}


@pytest.mark.parametrize(
    "name", ["alice", "ALICE", "a1ice", "AIice", "Greedy", "bob_1O", "b0b.l0", "bobi0", "Alice-", "a.l-i_c_e"]
)
def test_a_name_that_looks_like_another_is_refused(name: str) -> None:
    reason = name_refusal(name, "new", HOMES)
    assert f"the name {name} looks like " in reason
    assert "which is another bot; choose a name that differs" in reason


def test_the_other_name_is_named() -> None:
    assert "looks like Alice, which" in name_refusal("alice", "alice", HOMES)


@pytest.mark.parametrize("name", ["Human", "remote", "N0ne", "1adder"])
def test_words_of_the_commands_are_reserved(name: str) -> None:
    assert (
        "looks like one of the words admin, arena, ballcourt, human, ladder, none, organiser, remote, root"
        in name_refusal(name, "new", {})
    )


@pytest.mark.parametrize("name", ["alicia", "bob-11", "bob", "humane"])
def test_other_names_are_free(name: str) -> None:
    assert name_refusal(name, "new", HOMES) == ""


@pytest.mark.parametrize(("name", "place"), [("human", "old"), ("HUMAN", "older"), ("Alice", "alice")])
def test_bots_that_have_joined_keep_their_names(name: str, place: str) -> None:
    assert name_refusal(name, place, HOMES) == ""


def test_a_name_belongs_to_its_folder() -> None:
    assert name_refusal("Alice", "thief", HOMES) == (
        "the name Alice belongs to the folder alice, from which it came first; choose another name"
    )
    assert "belongs to a resident" in name_refusal("greedy", "thief", HOMES)
