"""What `Env` promises and refuses, every wrapper and adapter does too."""

import copy
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest

from ballcourt.engine.core import IllegalAction, InvalidOption
from ballcourt.engine.registry import games
from ballcourt.env import Env, EnvError
from ballcourt.env.errors import WrongType
from tests.needs import library

for needed in ("gymnasium", "pettingzoo", "pyspiel"):
    library(needed)

import gymnasium  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, render_test, seed_test  # noqa: E402

from ballcourt.env.gymnasium import SeatEnv  # noqa: E402
from ballcourt.env.openspiel import load_game, resample  # noqa: E402
from ballcourt.env.opponents import FirstOpponent, RandomOpponent  # noqa: E402
from ballcourt.env.pettingzoo import aec_env, env, parallel_env  # noqa: E402
from tests.env.faces import FACES, SEED, Face, dealt, inner, rows  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
every_face = pytest.mark.parametrize("face", FACES.values(), ids=FACES)
QUICK = {name: face for name, face in FACES.items() if name != "BatchEnv with processes"}  # it checks like the other
every_quick_face = pytest.mark.parametrize("face", QUICK.values(), ids=QUICK)


class Tensor:
    """A number as PyTorch has it, whose truth values are indices too."""

    def __init__(self, value: int, dtype: str = "torch.int64") -> None:
        self.value, self.dtype = value, dtype

    def __index__(self) -> int:
        return self.value

    __int__ = __index__

    def __repr__(self) -> str:
        return f"tensor({self.value})"


NUMBERS = [np.int64, np.uint16, np.array, Tensor]
NOT_NUMBERS = [True, np.True_, Tensor(1, "torch.bool"), 1.0, -0.0, float("nan"), np.float64(1), "1", [1], np.array([1])]


def pickled(made: Any) -> Any:  # noqa: ANN401
    return pickle.loads(pickle.dumps(made))


@every_quick_face
@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickled])
def test_a_copy_goes_its_own_way(face: Face, duplicate: Callable[[Any], Any]) -> None:
    made = face.begun()
    before = repr(face.rows(made))
    other = duplicate(made)
    assert repr(face.rows(other)) == before
    after = face.later(other)
    assert repr(face.rows(made)) == before
    assert face.later(made) == after != before
    if face is not FACES["OpenSpiel"]:  # whose chance node wants a seed
        face.reset(made, None)
        face.reset(other, None)
        assert repr(face.rows(made)) == repr(face.rows(other))


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_another_process_plays_on(method: str) -> None:
    command = [sys.executable, "-m", "tests.env.faces", method]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    different = done.stdout.splitlines()
    if method == "fork":  # which alone takes them along; they cannot obey two masters
        assert re.match(r"BatchEnv with processes: .* of which this is a fork; make another", different.pop())
    assert (different, done.returncode) == ([], 0), done.stderr


@every_quick_face
@pytest.mark.parametrize("number", NUMBERS)
def test_whole_numbers_of_any_library_are_actions_and_seeds(face: Face, number: Callable[[int], Any]) -> None:
    made, other = face.make(), face.begun()
    face.reset(made, number(SEED))
    for _ in range(3):
        face.step(made, number(face.legal(made)[0]))
    assert repr(face.rows(made)) == repr(face.rows(other))


@every_quick_face
@pytest.mark.parametrize("value", NOT_NUMBERS, ids=repr)
def test_what_is_no_whole_number_is_refused_with_its_type_and_changes_nothing(face: Face, value: object) -> None:
    made = face.begun()
    before = repr(face.rows(made))
    shown = re.escape(f" is {value!r} ({type(value).__name__}); it must be a whole number")
    with pytest.raises(WrongType, match=shown):
        face.step(made, value)
    with pytest.raises(WrongType, match=shown):
        face.reset(made, value)
    assert repr(face.rows(made)) == before
    assert face.later(made) == face.later(face.begun())


@every_quick_face
@pytest.mark.parametrize("action", [0, -1, 2**40, 2**63, 2**70])
def test_an_illegal_action_is_refused_and_changes_nothing(face: Face, action: int) -> None:
    made = face.begun()
    before = repr(face.rows(made))
    with pytest.raises(IllegalAction, match=f"action {action} .*is not legal"):
        face.step(made, action)
    assert repr(face.rows(made)) == before


@every_quick_face
@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_out_of_range_is_refused(face: Face, seed: int) -> None:
    with pytest.raises((InvalidOption, IllegalAction), match=f"{seed} is (out of range|not legal)"):
        face.reset(face.make(), seed)


@every_quick_face
def test_what_is_legal_may_be_changed_by_who_asked(face: Face) -> None:
    made = face.begun()
    face.legal(made).clear()
    assert face.legal(made)


@every_face
def test_it_may_be_closed_twice(face: Face) -> None:
    made = face.begun()
    for _ in range(2 if hasattr(made, "close") else 0):
        made.close()


@pytest.mark.parametrize("name", ["Env", "SeatEnv", "aec_env", "parallel_env", "OpenSpiel"])
def test_a_step_after_the_end_says_what_to_do(name: str) -> None:
    face = FACES[name]
    made = face.begun()
    while not inner(made).done:
        face.play(made, 1)
    for _ in range(len(made.agents) if name == "aec_env" else 0):
        made.step(None)
    with pytest.raises(EnvError, match=r"the match is over; call reset\(\) before the next step\(\)"):
        face.step(made, 1)
    if name != "OpenSpiel":
        face.reset(made, SEED)
        face.play(made, 3)
        assert rows(made) == rows(face.begun())


@pytest.mark.parametrize("make", [aec_env, parallel_env])
def test_a_step_after_the_last_cycle_is_refused(make: Any) -> None:  # noqa: ANN401
    made = make("maya", 2, max_cycles=1)
    face = FACES["aec_env" if make is aec_env else "parallel_env"]
    face.play(made, 1)
    for _ in range(2 if make is aec_env else 0):
        made.step(None)
    with pytest.raises(EnvError, match="the match is over"):
        face.step(made, face.legal(made)[0])


def test_a_step_before_the_first_reset_does_not_play_for_another_seat() -> None:
    with pytest.raises(EnvError, match=r"no match has begun; call reset\(\) before the first step\(\)"):
        SeatEnv("maya", [RandomOpponent()], seat=1).step(1)


@pytest.mark.parametrize("name", ["n", "processes"])
def test_a_batch_takes_whole_numbers_only(name: str) -> None:
    with pytest.raises(WrongType, match=rf"{name} is 1\.0 \(float\)"):
        FACES["BatchEnv"].make().__class__("maya", **{"n": 2, name: 1.0})


def test_an_array_of_another_kind_is_no_action() -> None:
    batch = FACES["BatchEnv"].begun()
    for kind in (np.bool_, np.float64, object):
        with pytest.raises(EnvError, match="one int for each match"):
            batch.step(np.ones(2, kind))


def test_a_batch_is_not_copied_while_it_steps_or_has_processes() -> None:
    batch = FACES["BatchEnv"].begun()
    batch.send(batch.masks.argmax(axis=1))
    with pytest.raises(EnvError, match=r"cannot be copied; call receive\(\) first"):
        copy.deepcopy(batch)
    batch.receive()
    copy.deepcopy(batch)
    with pytest.raises(EnvError, match="cannot be copied; make it with processes=1"):
        pickle.dumps(FACES["BatchEnv with processes"].make())


@pytest.mark.parametrize("seat", [True, 1.5, "a", -1, 2])
def test_a_seat_that_is_not_there_has_neither_mask_nor_view(seat: Any) -> None:  # noqa: ANN401
    made = FACES["Env"].begun()
    for look in (made.mask, made.vector, made.observation):
        with pytest.raises(EnvError, match="seat"):
            look(seat)
    state = FACES["OpenSpiel"].begun()
    for look in (state.information_state_string, state.decisions):
        with pytest.raises(EnvError, match="seat"):
            look(seat)
    with pytest.raises(EnvError, match="seat"):
        SeatEnv("maya", [FirstOpponent()], seat=seat)


@pytest.mark.parametrize("opponents", ["random", RandomOpponent(), [None], [1.5]])
def test_what_is_no_list_of_opponents_is_refused(opponents: Any) -> None:  # noqa: ANN401
    with pytest.raises(EnvError, match=r"^opponents is .*; it must be a list of opponents, such as \[RandomOpponent"):
        SeatEnv("maya", opponents)


@pytest.mark.parametrize("action", [True, 1.0, None])
def test_the_actions_of_opponents_are_whole_numbers_too(action: Any) -> None:  # noqa: ANN401
    class Other(FirstOpponent):
        def choose(self, env: Env) -> int:
            return cast(int, action)

    with pytest.raises(WrongType, match=f"the action of the opponent in seat 0 is {action} "):
        SeatEnv("maya", [Other()], seat=1).reset(seed=1)


@pytest.mark.parametrize("make", [aec_env, parallel_env])
def test_an_agent_that_is_not_there_is_refused(make: Any) -> None:  # noqa: ANN401
    made = make("maya", 2)
    for look in (made.observation_space, made.action_space):
        with pytest.raises(EnvError, match="there is no agent 'player_2'; it must be one of player_0, player_1"):
            look("player_2")
    if make is parallel_env:
        with pytest.raises(EnvError, match="there is no agent 'player_2'"):
            made.step({"player_0": 1, "player_2": 1})


def test_a_pickled_state_keeps_the_secrets_that_were_drawn_again() -> None:
    state = resample(FACES["OpenSpiel"].begun(), 0)
    other = pickled(state)
    assert rows(other) == rows(state)
    assert other.information_state_string(1) == state.information_state_string(1)
    assert other.history() == state.history()


@pytest.mark.parametrize("value", NOT_NUMBERS, ids=repr)
@pytest.mark.parametrize("way", ["child", "apply_action_with_legality_check"])
def test_every_way_to_act_in_openspiel_takes_whole_numbers_only(way: str, value: object) -> None:
    with pytest.raises(WrongType, match="it must be a whole number"):
        getattr(FACES["OpenSpiel"].begun(), way)(value)


def test_a_pickled_game_of_openspiel_is_the_same_game() -> None:
    game = load_game("ahau", 2, {"board": "night"})
    assert str(pickled(game)) == str(game)
    assert pickled(dealt()).is_chance_node()


FACTORIES: dict[str, Callable[..., Any]] = {
    "aec_env": lambda **given: aec_env("maya", **given),
    "env": lambda **given: env("maya", **given),
    "parallel_env": lambda **given: parallel_env("maya", **given),
    "SeatEnv": lambda **given: SeatEnv("maya", **given),
    "gymnasium.make": lambda **given: gymnasium.make("ballcourt/maya-v1", **given),
}


@pytest.mark.parametrize("make", FACTORIES.values(), ids=FACTORIES)
def test_every_factory_takes_a_render_mode(make: Callable[..., Any]) -> None:
    library("matplotlib")
    shown = {}
    for mode in (None, "ansi", "rgb_array"):
        made = make(render_mode=mode)
        assert made.render_mode == mode
        made.reset(seed=SEED)
        shown[mode] = made.render()
    assert shown[None] is None
    assert "seat 0 is asked" in shown["ansi"]
    assert (shown["rgb_array"].shape, shown["rgb_array"].dtype) == ((720, 960, 3), np.uint8)
    assert len(np.unique(shown["rgb_array"])) > 2  # something is drawn
    if make is not FACTORIES["gymnasium.make"]:  # which opens a window for it
        with pytest.raises(EnvError, match="render_mode is 'human'; it must be None, 'ansi' or 'rgb_array'"):
            make(render_mode="human")


def test_an_image_without_its_library_is_refused_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ballcourt.arena.extras.find_spec", lambda module: None)
    with pytest.raises(ImportError, match=r"pip install 'ballcourt\[plot\]'"):
        SeatEnv("maya", render_mode="rgb_array")


def test_the_tests_of_pettingzoo_pass_for_its_usual_factory() -> None:
    library("matplotlib")
    api_test(env("maya"), num_cycles=30)
    seed_test(lambda: env("maya"), num_cycles=20)
    render_test(lambda render_mode: env("maya", render_mode=None if render_mode == "human" else render_mode))


@pytest.mark.parametrize("name", [f"{game.name}-v{game.rules_version}" for game in games().values()])
def test_every_game_is_registered_with_gymnasium(name: str) -> None:
    library("matplotlib")
    made = gymnasium.make(f"ballcourt.env.gymnasium:ballcourt/{name}", illegal="first")
    check_env(made.unwrapped)
    assert made.unwrapped.spec and made.unwrapped.spec.id == f"ballcourt/{name}"
    made.reset(seed=1)
    assert made.get_wrapper_attr("action_masks")().any()


@pytest.mark.parametrize("settings", [{}, {"context": "spawn"}], ids=repr)
def test_registered_games_are_vectorised(settings: dict[str, Any]) -> None:
    mode = "async" if settings else "sync"
    envs = gymnasium.make_vec("ballcourt/maya-v1", 2, mode, vector_kwargs=settings)
    _, info = envs.reset(seed=1)
    envs.step(info["action_mask"].argmax(axis=1))
    envs.close()
