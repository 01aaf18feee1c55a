"""Hidden information, and sampled positions that agree with what a seat knows (RULES §10)."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ballcourt.engine.core.chance import Stream
from ballcourt.engine.core.observation import SPECTATOR, Observation, observe
from ballcourt.engine.core.state import Rows
from ballcourt.engine.games.maya import GAME
from ballcourt.engine.games.maya.actions import HIDE, TILE
from ballcourt.engine.games.maya.columns import BLIND, KINDS, SUPPLY, UNSEEN
from ballcourt.engine.games.maya.state import MayaState
from ballcourt.engine.games.maya.tables import MIX
from ballcourt.engine.games.maya.turns.planting import PlantCell
from tests.engine.games.maya.decisions import step_of
from tests.engine.games.maya.playing import answer, at_table, new_match, play, seen, walk
from tests.engine.games.maya.vectors import dump, legal

VARIANTS = st.sampled_from(["none", "new_beginning", "two_cities"])


def spread(rack: list[int]) -> list[int]:
    """List the kinds of the tiles that are counted."""
    return [kind for kind, count in enumerate(rack) for _ in range(count)]


def counted(tiles: list[int]) -> list[int]:
    return [tiles.count(kind) for kind in range(KINDS)]


def left(state: MayaState, seat: int) -> list[int]:
    """List the remaining tiles of a supply, the next one last."""
    return state.supplies[seat][: state.players[seat][SUPPLY]]


def twin(state: MayaState, observer: int, chance: Stream) -> MayaState:
    """Return a position in which exactly what the observer cannot see is shuffled."""
    other = state.clone()
    mixed = [
        _mix_unseen(state, seat, chance) if seat == observer else _mix_all(state, seat, chance)
        for seat in range(state.seats)
    ]
    other.racks = [rack for rack, _, _ in mixed]
    other.supplies = [supply for _, supply, _ in mixed]
    other.hidden = [hidden for _, _, hidden in mixed]
    if state.held != UNSEEN and state.pending_seats() != [observer]:
        other.held = chance.choice(spread(other.racks[state.pending_seats()[0]]))
    return other


def _mix_unseen(state: MayaState, seat: int, chance: Stream) -> Rows:
    """Mix a seat's own supply with the tiles that it laid down unseen; return rack, supply and face-down tiles."""
    unseen = [place for place in range(len(state.hidden[seat])) if state.players[seat][BLIND] >> place & 1]
    pool = chance.shuffled(left(state, seat) + [state.hidden[seat][place] for place in unseen])
    hidden = [pool.pop() if place in unseen else kind for place, kind in enumerate(state.hidden[seat])]
    return [state.racks[seat][:], pool, hidden]


def _mix_all(state: MayaState, seat: int, chance: Stream) -> Rows:
    """Mix rack, supply and face-down tiles, but for a tile that has been shown, and return them."""
    top = state.frames[-1] if state.frames else None
    rack = [top.tile] if isinstance(top, PlantCell) and top.seat == seat else []
    pool = spread(state.racks[seat]) + left(state, seat) + state.hidden[seat]
    for kind in rack:
        pool.remove(kind)
    pool = chance.shuffled(pool)
    rack += [pool.pop() for _ in range(sum(state.racks[seat]) - len(rack))]
    hidden = [pool.pop() for _ in state.hidden[seat]]
    return [counted(rack), pool, hidden]


def assert_alike(state: MayaState, other: MayaState, observer: int) -> None:
    """Compare everything that a seat sees of two positions."""
    assert observe(state, observer) == observe(other, observer)
    assert GAME.scene(state, observer) == GAME.scene(other, observer)
    assert state.pending_seats() == other.pending_seats()
    assert (state.scores(), state.placements()) == (other.scores(), other.placements())
    if observer in state.pending_seats():
        assert state.legal_actions(observer) == other.legal_actions(observer)


def assert_stay_alike(state: MayaState, other: MayaState, observer: int, chance: Stream) -> None:
    """Play the same visible decisions in both positions; they must still look the same to the others."""
    for seat in state.pending_seats():
        both = [action for action in state.legal_actions(seat) if action in other.legal_actions(seat)]
        actions = [chance.choice(both)] * 2 if both else []
        if step_of(state) == "expand_tile" and seat != observer:
            actions = [chance.choice(position.legal_actions(seat)) for position in (state, other)]
        for position, action in zip((state, other), actions, strict=False):
            position.apply(seat, action)
        if actions:
            assert len({state.seen_action(seat, action, observer) for action in actions}) == 1
            assert state.public_rows() == other.public_rows()


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 4), st.integers(0, 2**32), VARIANTS)
def test_racks_and_supplies_cannot_be_read(seats: int, seed: int, variant: str) -> None:
    """§10.2, §10.3, §10.4, R-I1: not from observations, legal actions, events or the next question."""
    chance = Stream(seed)
    for state in walk(new_match(seats, seed, variant=variant), seed):
        if chance.below(8) == 0 or not state.pending_seats():
            observer = chance.below(seats + 1) - 1
            other = twin(state, observer, chance)
            assert GAME.violations(other) == []
            assert_alike(state, other, observer)
            assert_stay_alike(state.clone(), other, observer, chance)


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 4), st.integers(0, 2**32), VARIANTS)
def test_a_position_drawn_for_a_seat_agrees_with_what_it_knows(seats: int, seed: int, variant: str) -> None:
    """§10.4, §11.4: and play can continue from it."""
    chance = Stream(seed)
    for state in walk(new_match(seats, seed, variant=variant), seed):
        if chance.below(8):
            continue
        observer = chance.below(seats + 1) - 1
        drawn = GAME.sample(observe(state, observer), chance)
        assert isinstance(drawn, MayaState)
        assert GAME.violations(drawn) == []
        assert_alike(state, drawn, observer)
        for _ in range(6):
            for pending in drawn.pending_seats():
                drawn.apply(pending, chance.choice(drawn.legal_actions(pending)))
                assert GAME.violations(drawn) == []


def drawings(state: MayaState, observer: int, number: int) -> list[MayaState]:
    chance, observation = Stream(7), observe(state, observer)
    drawn = [GAME.sample(observation, chance) for _ in range(number)]
    return [position for position in drawn if isinstance(position, MayaState)]


def test_everything_a_seat_does_not_know_is_resampled() -> None:
    """§10.2, §10.3, §10.4: the others' racks and face-down tiles, every supply, and own tiles laid down unseen."""
    state = new_match(2, 3)
    play(state, f"expand {seen(state, 'rack')['0'][0]} G7", f"expand {seen(state, 'rack')['1'][0]} G8")
    described = dump(state)
    state = at_table(
        **{name: described[name] for name in ("players", "areas", "city", "city_tiles")},
        rack={1: described["rack"]["1"]},
        supply={0: described["supply"]["0"], 1: described["supply"]["1"]},
    )
    play(state, "expand blind H7")
    drawn = drawings(state, 0, 60)
    assert len(drawn) == 60
    for own in (state.racks[0], state.hidden[0][0]):
        assert [own] * 60 == [
            position.racks[0] if own is state.racks[0] else position.hidden[0][0] for position in drawn
        ]
    assert len({position.hidden[0][1] for position in drawn}) > 3
    assert len({position.hidden[1][0] for position in drawn}) > 3
    assert len({tuple(position.racks[1]) for position in drawn}) > 20
    for seat in (0, 1):
        assert len({tuple(left(position, seat)) for position in drawn}) > 50


def test_racks_are_drawn_evenly() -> None:
    """§10.1, §10.2: a rack of 5 out of 32 tiles holds one of two given ones about 5 times in 16."""
    state = new_match(2)
    drawn = Counter(kind for position in drawings(state, 0, 1000) for kind in spread(position.racks[1]))
    assert all(abs(drawn[kind] - 5000 * count / 32) < 60 * count**0.5 for kind, count in enumerate(MIX))


@pytest.mark.parametrize("observer", [SPECTATOR, 0, 1])
def test_only_the_player_learns_what_is_laid_face_down(observer: int) -> None:
    """§10.3: every player sees its place and its owner, R-I1."""
    state = at_table(rack={0: ["corn:1", "pepper:2"], 1: ["corn:1"]}, supply={0: 9})
    answer(state, "expand")
    laid, planted = HIDE + 1, TILE + 1
    assert state.seen_action(0, laid, observer) == (laid if observer == 0 else 0)
    assert state.seen_action(0, planted, observer) == planted
    answer(state, "pepper:2")
    assert (observe(state, observer).private[-1:] == [[1]]) == (observer == 0)
    answer(state, "G7")
    scene = GAME.scene(state, observer)
    assert "G7" in repr(scene)
    assert len(state.backs[0]) == 1


def test_no_seat_learns_what_is_laid_unseen() -> None:
    """§10.3, R-I1: not even its player, and not at the end of the game."""
    state = at_table(rack={1: ["corn:1"]}, supply={0: ["pepper:1"]})
    other = at_table(rack={1: ["corn:1"]}, supply={0: ["corn:2"]})
    for position in (state, other):
        play(position, "expand blind G7")
    assert state.pending_seats() == []
    for observer in (SPECTATOR, 0, 1):
        assert_alike(state, other, observer)
    assert seen(state, "city_tiles") != seen(other, "city_tiles")


def test_no_seat_learns_whether_planting_could_have_gone_on() -> None:
    """§10.2: with tiles left the player is asked, and with none of the crop can only stop."""
    racks = [["corn:1", "corn:1"], ["corn:1", "pepper:1"]]
    states = [at_table(rack={0: rack, 1: ["corn:1"]}, supply={0: 3, 1: 3}) for rack in racks]
    for state in states:
        for action in ("plant", "corn:1", "E7"):
            chosen = legal(state).index([0, step_of(state), action])
            state.apply(0, state.legal_actions(0)[chosen])
    assert [step_of(state) for state in states] == ["plant_more", "plant_more"]
    for observer in (SPECTATOR, 1):
        assert_alike(states[0], states[1], observer)


def test_sizes_are_open() -> None:
    """§10.1: nothing else on the table changes when a tile is drawn."""
    state = new_match(3)
    play(state, f"expand {seen(state, 'rack')['0'][0]} G7")
    other = observe(state, 2)
    assert isinstance(other, Observation)
    table = GAME.scene(state, 2)
    assert table == GAME.scene(twin(state, 2, Stream(1)), 2)
    assert [player[2:4] for player in other.public[4:7]] == [[7, 24], [5, 27], [5, 27]]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_seed_and_decisions_replay_a_match(seats: int) -> None:
    """§10.5"""
    played = [[state.to_rows() for state in walk(new_match(seats, 5), 6)] for _ in range(2)]
    assert played[0] == played[1]
