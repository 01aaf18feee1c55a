"""Maya on the wire: the contents of an observation."""

from ballcourt.engine.core import State
from ballcourt.engine.core.messages.wire import Encoder
from ballcourt.engine.core.observation import SPECTATOR
from ballcourt.engine.games.maya.columns import BLIND, CITY, FIELD, OUT, PLANTATION, SITE, UNSEEN, WILD
from ballcourt.engine.games.maya.state import MayaState
from ballcourt.engine.games.maya.tables import CELL_NAMES, TIKAL
from ballcourt.engine.games.maya.wire import WIRE
from ballcourt.v1.maya_pb2 import MayaAction, MayaObservation, MayaQuestion
from tests.engine.games.maya.playing import answer, at_table, play

CORN = 6


def table() -> MayaState:
    return at_table(
        tiles={"E7": "1 corn:2"},
        rack={0: ["corn:1", "corn:1", "pepper:2"], 1: ["squash:1"]},
        supply={0: ["potato:1"] * 9, 1: ["pepper:1"] * 9},
    )


def seen(state: State, seat: int) -> MayaObservation:
    return MayaObservation.FromString(Encoder(WIRE).encode(state, seat))


def test_a_bot_reads_what_lies_on_every_cell() -> None:
    cells = dict(zip(CELL_NAMES, seen(table(), 0).cells, strict=True))
    assert cells["E7"] == PLANTATION + 8 + CORN + 1
    assert cells["F8"] == CITY + TIKAL
    assert cells["F7"] == SITE + TIKAL
    assert (cells["D7"], cells["G4"], cells["A1"]) == (FIELD, WILD, OUT)


def test_a_bot_reads_the_size_and_edge_of_a_city() -> None:
    cities = seen(table(), 0).cities
    assert (cities.sizes[TIKAL], cities.edges[TIKAL]) == (1, 5)
    assert sum(cities.sizes) == 1


def test_a_bot_reads_how_many_tiles_everybody_has() -> None:
    players = seen(table(), 1).players
    assert [(player.rack, player.supply) for player in players] == [(3, 9), (1, 9)]


def test_a_seat_reads_only_its_own_rack() -> None:
    state = table()
    assert list(seen(state, 0).own.rack) == [0, 1, 0, 0, 0, 0, 2, 0]
    assert list(seen(state, 1).own.rack) == [0, 0, 1, 0, 0, 0, 0, 0]
    assert not seen(state, SPECTATOR).HasField("own")


def test_only_its_player_reads_the_tile_about_to_go_face_down() -> None:
    state = table()
    answer(state, "expand", "pepper:2")
    assert (seen(state, 0).own.held, seen(state, 1).own.held) == (1, UNSEEN)
    assert seen(state, 1).question == MayaQuestion.MAYA_QUESTION_EXPAND_CELL


def test_only_its_player_reads_the_kind_of_a_city_tile() -> None:
    state = table()
    play(state, "expand pepper:2 F7")
    cell = CELL_NAMES.index("F7")
    assert [list(tiles.cells) for tiles in seen(state, 1).city_tiles] == [[cell], []]
    assert (list(seen(state, 0).own.hidden), list(seen(state, 1).own.hidden)) == ([1], [])


def test_a_player_reads_that_a_city_tile_was_placed_unseen() -> None:
    state = table()
    play(state, "expand pepper:2 F7")
    state.players[0][BLIND] = 1
    assert list(seen(state, 1).players[0].blind) == [0]
    assert list(seen(state, 0).own.hidden) == [UNSEEN]


def test_the_question_is_the_one_on_top() -> None:
    state = table()
    answer(state, "plant", "corn:1")
    assert seen(state, 1).question == MayaQuestion.MAYA_QUESTION_PLANT_CELL
    assert list(seen(state, 1).waiting[-1].numbers) == [0, CORN]


def test_the_actions_carry_the_names_of_cells() -> None:
    state = table()
    answer(state, "plant", "corn:1")
    names = [MayaAction.Name(MayaAction.ValueType(action)) for action in state.legal_actions(0)]
    assert "MAYA_ACTION_CELL_F7" in names
