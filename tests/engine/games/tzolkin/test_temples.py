"""The three temples (RULES §7)."""

import pytest

from tests.engine.games.tzolkin.playing import at_table, offered, play, seat

TOPS = {"chaac": 6, "quetzalcoatl": 8, "kukulcan": 7}


def climbing(temple: str, *others: int, **player: object) -> dict[str, object]:
    """Buy one step on a temple on which the other players stand on these steps."""
    people: dict[int, object] = {other + 1: {"temples": {temple: step}} for other, step in enumerate(others)}
    state = at_table(gears={"uxmal": {1: 0}}, player={0: {"corn": 3, **player}, **people})
    play(state, "pick uxmal 1", "do 1 0", f"temple {temple}")
    return seat(state)


@pytest.mark.parametrize("temple", TOPS)
def test_every_step_below_the_top_has_room_for_everybody(temple: str) -> None:
    """§7.1"""
    for step in range(TOPS[temple] - 1):
        climbed = climbing(temple, step + 1, step + 1, temples={temple: step})
        assert climbed["temples"][temple] == step + 1  # type: ignore[index]


@pytest.mark.parametrize(("temple", "top"), TOPS.items())
def test_the_top_holds_one_player(temple: str, top: int) -> None:
    """§7.1"""
    assert climbing(temple, temples={temple: top - 1})["temples"][temple] == top  # type: ignore[index]
    assert climbing(temple, top, temples={temple: top - 1})["temples"][temple] == top - 1  # type: ignore[index]


@pytest.mark.parametrize(("temple", "top"), TOPS.items())
def test_reaching_the_top_turns_the_light_side_up(temple: str, top: int) -> None:
    """§7.1"""
    assert climbing(temple, temples={temple: top - 1}, light=False)["light"] is True


@pytest.mark.parametrize(("temple", "top"), TOPS.items())
def test_a_step_that_is_lost_does_not_turn_the_board(temple: str, top: int) -> None:
    """§7.1: neither on the top nor below a taken top; nor does any other step."""
    assert climbing(temple, temples={temple: top}, light=False)["light"] is False
    assert climbing(temple, top, temples={temple: top - 1}, light=False)["light"] is False
    assert climbing(temple, temples={temple: top - 2}, light=False)["light"] is False


def test_two_steps_from_below_the_top_stop_at_the_top() -> None:
    """§7.1: building 27 gives two steps on chaac."""
    people = {0: {"stone": 2, "light": False, "temples": {"chaac": 5}}}
    state = at_table(age=2, day=16, gears={"tikal": {2: 0}}, row=[27], player=people)
    play(state, "pick tikal 2", "do 2 0", "build 27 false null")
    assert (seat(state)["temples"]["chaac"], seat(state)["light"], seat(state)["vp"]) == (6, True, 2)


def test_the_top_is_free_again_when_its_holder_begs() -> None:
    """§7.2, §7.1"""
    people = {0: {"corn": 2, "temples": {"chaac": 6}}, 1: {"corn": 3, "temples": {"chaac": 5}}}
    state = at_table(gears={"uxmal": {1: 1}}, player=people)
    play(state, "beg chaac", "place palenque", "end")
    play(state, "pick uxmal 1", "do 1 0", "temple chaac")
    assert [seat(state, number)["temples"]["chaac"] for number in (0, 1)] == [5, 6]


def test_no_player_steps_down_from_the_bottom() -> None:
    """§7.2"""
    state = at_table(gears={"palenque": {3: 0}}, player={0: {"temples": {"chaac": 0, "quetzalcoatl": 0}}})
    assert {text for text in offered(state) if text.startswith("beg")} == {"beg kukulcan"}
    play(state, "pick palenque 3", "do 3 0")
    assert offered(state) == {"wood", "burn kukulcan"}
