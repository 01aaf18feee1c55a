"""One match as an environment: reset, ask who decides, step."""

from collections.abc import Mapping
from html import escape
from secrets import randbits
from typing import Any, Literal, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from ballcourt.engine.core import Action, Game, Observation, Seat, State, Stream
from ballcourt.engine.core.chance import stream
from ballcourt.engine.core.frames import NOBODY
from ballcourt.engine.core.observation import observe
from ballcourt.engine.core.saving import load_game
from ballcourt.engine.core.stepping import next_seat
from ballcourt.engine.registry import find_game
from ballcourt.env.errors import WHICH, EnvError, whole
from ballcourt.env.tensors import Dtype, FeatureEncoder, Vectors, checked

Reward = Literal["placement", "score"]
"""What a seat is rewarded with at the end: opponents beaten less opponents lost to, in [-1, 1]; or its points."""

REWARDS: tuple[Reward, ...] = ("placement", "score")

Illegal = Literal["raise", "first"]
"""What an illegal action does: raise IllegalAction, or play the lowest legal one."""

ILLEGAL: tuple[Illegal, ...] = ("raise", "first")

Masks = NDArray[np.int8]


class Env:
    """One match, played for all seats: the seat whose turn it is, its legal actions, and `step`.

        env = Env("maya", seats=2)
        env.reset(seed=1)
        while not env.done:
            env.step(env.legal[0])
        print(env.returns())

    `step` asks simultaneous questions one seat after another; no seat sees the answers before its own. With
    `skip_forced`, as in the arena, no seat is asked when a single action is legal.
    """

    def __init__(
        self,
        game: str | Game,
        seats: int | None = None,
        options: Mapping[str, str] | None = None,
        *,
        skip_forced: bool = True,
        reward: Reward = "placement",
        illegal: Illegal = "raise",
        dtype: Dtype = "float32",
    ) -> None:
        """Set up the first match, with a random seed. `seats` is by default the fewest of the game.

        With `illegal="first"`, `step` plays the lowest legal action for one that is not legal, for learners that do not
        know masks; `illegal_actions` counts how often it did in this match.

        Raises UnknownGame, InvalidOption and EnvError.
        """
        self.game = game if isinstance(game, Game) else find_game(game)
        self.seats = self.game.seat_counts[0] if seats is None else whole(seats, "seats")
        self.options = self.game.check(self.seats, options or {})
        if reward not in REWARDS:
            raise EnvError(f"the reward is '{reward}'; it must be one of {', '.join(REWARDS)}")
        if illegal not in ILLEGAL:
            raise EnvError(f"illegal is '{illegal}'; it must be one of {', '.join(ILLEGAL)}")
        self.reward = reward
        self.illegal = illegal
        self.illegal_actions = 0
        self.skip_forced = skip_forced
        self.dtype = checked(dtype)
        self.actions = len(self.game.action_names)
        self._encoder: FeatureEncoder | None = None
        self._seeds = Stream(0)
        self.reset(randbits(64))

    def reset(self, seed: SupportsIndex | None = None) -> None:
        """Begin a match with this seed, 0 to 2**64 - 1; without one, with the next seed drawn from the last one given.

        Raises InvalidOption for a seed out of range.
        """
        number = self._seeds.next64() if seed is None else whole(seed, "the seed")
        state = self.game.initial_state(self.seats, number, self.options)
        if seed is not None:
            self._seeds = match_seeds(number)
        self.seed = number
        self.illegal_actions = 0
        self.state: State = state
        self.seat: Seat = next_seat(state, self.skip_forced)

    @property
    def done(self) -> bool:
        """Whether the match is over."""
        return self.seat == NOBODY

    @property
    def legal(self) -> list[Action]:
        """What the seat whose turn it is may do, ascending; empty after the match. It may be changed."""
        return [] if self.done else self.state.legal_actions(self.seat)[:]

    def _repr_html_(self) -> str:
        """Return the board for a notebook, as the seat sees it whose turn it is; after the match, with all secrets."""
        turn = "the match is over" if self.done else f"seat {self.seat} decides: {len(self.legal)} actions"
        board = escape(self.board(None if self.done else self.seat))
        return f"<p>{escape(self.game.title)}, seed {self.seed}; {turn}</p><pre>{board}</pre>"

    def board(self, seat: Seat | None = None) -> str:
        """Return the board as lines of text, as a seat sees it; without one, with all secrets."""
        opening = self.game.initial_state(self.seats, self.seed, self.options)
        lines = self.game.drawing()(self.game.scenery(opening), self.game.scene(self.state, seat))
        return "\n".join("".join(text for text, _ in line) for line in lines)

    def step(self, action: SupportsIndex) -> None:
        """Play an action, an int or an integer of NumPy or PyTorch, for the seat whose turn it is.

        Raises IllegalAction, which changes nothing, WrongType for what is not a whole number, and EnvError after the
        end of the match.
        """
        if self.done:
            raise EnvError("the match is over; call reset() before the next step()")
        self.state.apply(self.seat, self._allowed(self.seat, action))
        self.seat = next_seat(self.state, self.skip_forced)

    @property
    def asked(self) -> list[Seat]:
        """The seats that are asked now: the one whose turn it is, and others if the question is simultaneous."""
        state = self.state
        return [seat for seat in state.pending_seats() if not self.skip_forced or len(state.legal_actions(seat)) > 1]

    def step_together(self, actions: Mapping[Seat, SupportsIndex]) -> None:
        """Play an action for every seat in `asked`.

        Raises IllegalAction and WrongType, which change nothing, and EnvError unless the seats are those that are
        asked.
        """
        asked = self.asked
        if not asked or sorted(actions) != asked:
            raise EnvError(f"seats {sorted(actions)} have actions, but {asked or 'no seat'} is asked")
        after = self.state.clone()
        for seat in asked:
            after.apply(seat, self._allowed(seat, actions[seat]))
        self.state = after
        self.seat = next_seat(after, self.skip_forced)

    def mask(self, seat: Seat | None = None) -> Masks:
        """Return an array of int8 with a 1 for every action that a seat, by default the one to act, may choose now.

        It is all zeros for a seat that is not asked. Raises EnvError for a seat that is not at the table.
        """
        mask = np.zeros(self.actions, np.int8)
        chosen = self.seat if seat is None else self._seen_by(seat)
        if chosen in self.asked:
            mask[self.state.legal_actions(chosen)] = 1
        return mask

    def observation(self, seat: Seat | None = None) -> Observation:
        """Return what a seat sees, by default the one to act.

        Raises EnvError after the end without a seat, and for a seat that is not at the table.
        """
        return observe(self.state, self._seen_by(seat))

    def vector(self, seat: Seat | None = None) -> Vectors:
        """Return what a seat sees, by default the one to act, as an array of `dtype`; `features` names the elements.

        Raises EnvError after the end without a seat, and for games that declare no features.
        """
        return self.encoder.encode(self.observation(seat))

    @property
    def encoder(self) -> FeatureEncoder:
        """What turns observations into vectors. Raises EnvError for a game that declares no features."""
        if self._encoder is None:
            self._encoder = encoder_of(self.game, self.seats, self.dtype)
        return self._encoder

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the elements of `vector`."""
        return self.encoder.names

    def returns(self) -> list[float]:
        """Return the reward of every seat: 0 before the end of the match."""
        return rewards_of(self.state, self.reward) if self.done else [0.0] * self.seats

    def clone(self) -> "Env":
        """Copy the environment with its match; stepping one of the two never changes the other."""
        copy = Env.__new__(Env)
        copy.__dict__.update(self.__dict__)
        copy.state = self.state.clone()
        copy._seeds = Stream(self._seeds.key, self._seeds.count)
        return copy

    __copy__ = clone

    def __deepcopy__(self, memo: dict[int, object]) -> "Env":
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without what is compiled or built on demand."""
        game, seeds = type(self.game).__module__, (self._seeds.key, self._seeds.count)
        return {**self.__dict__, "game": game, "_seeds": seeds, "_encoder": None}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        game, seeds = load_game(saved["game"]), Stream(*saved["_seeds"])
        self.__dict__.update(saved, game=game, _seeds=seeds)

    def _allowed(self, seat: Seat, action: SupportsIndex) -> Action:
        """Return the action, or what is played for it if it is illegal."""
        chosen = whole(action, "the action", WHICH)
        if self.illegal == "raise":
            return chosen
        legal = self.state.legal_actions(seat)
        if chosen in legal:
            return chosen
        self.illegal_actions += 1
        return legal[0]

    def _seen_by(self, seat: Seat | None) -> Seat:
        if seat is not None:
            return seat_at(self.seats, seat)
        if self.done:
            raise EnvError("the match is over and no seat is asked; name the seat whose view you want")
        return self.seat


def seat_at(seats: int, seat: SupportsIndex) -> Seat:
    """Return a seat at a table of `seats`. Raises EnvError for one that is not there."""
    number = whole(seat, "the seat")
    if not 0 <= number < seats:
        raise EnvError(f"seat {number} is not at a table of {seats}; seats are numbered from 0")
    return number


def rewards_of(state: State, reward: Reward) -> list[float]:
    """Return the reward of every seat at the end of a match."""
    return state.returns() if reward == "placement" else state.scores()


def match_seeds(seed: int) -> Stream:
    """Return the stream of the seeds of the matches after the first."""
    return stream(seed, "matches")


def encoder_of(game: Game, seats: int, dtype: Dtype = "float32") -> FeatureEncoder:
    """Return what turns the observations of a game into vectors.

    Raises EnvError if it declares no features, and for a dtype that vectors do not have.
    """
    features = game.features()
    if features is None:
        raise EnvError(f"the game {game.name} declares no features; write a features.py in its package")
    return FeatureEncoder(features, seats, dtype)
