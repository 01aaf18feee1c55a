"""Many matches of one game as one environment, in NumPy arrays."""

from collections.abc import Mapping, Sequence
from typing import Any, SupportsIndex, TypeVar

import numpy as np
from numpy.typing import NDArray

from ballcourt.engine.core import Game, IllegalAction, State
from ballcourt.env.errors import WHICH, EnvError, whole
from ballcourt.env.part import BatchPart, arrays_in, bytes_of, masks_in
from ballcourt.env.processes import STEP, Processes
from ballcourt.env.single import Env, Reward
from ballcourt.env.tensors import Dtype, Ints

Array = TypeVar("Array", bound=NDArray[np.generic])

MOST = 2**63 - 1
"""The largest number in the arrays."""


class BatchEnv:
    """n matches stepped with one call; the arrays are filled again by every `step` and `reset`.

        batch = BatchEnv("maya", 64, seats=2)
        batch.reset(seed=1)
        actions = batch.masks.argmax(axis=1)  # an array of 64 actions; here the lowest legal ones
        batch.step(actions)

    A match that ends is replaced in the same step: `observations`, `masks` and `acting` are those of the new one, while
    `terminals`, `rewards` and `final_observations` are about the one that ended. The arrays:

    - `observations`: float32 (n, features), what the seat to act sees; `features` names the elements; read-only, as a
      step writes only what has changed. With `dtype="uint8"` they take a quarter of the memory: numbers are not
      divided by their `limits` then, and stay between 0 and 255
    - `masks`: int8 (n, actions), 1 for every legal action of that seat; read-only
    - `acting`: int64 (n), that seat
    - `acted`: int64 (n), the seat whose action the last step played
    - `rewards`: float32 (n, seats), of the last step: 0 except at the end of a match
    - `terminals`: bool (n), whether the last step ended the match
    - `final_observations`: like `observations`, what the seat that ended a match sees then; 0 for the others
    - `seeds`: uint64 (n), of the matches being played

    A step is also `send` and then `receive`. With several processes, other work can be done between the two: two
    batches in turn keep both the processes and a policy busy.
    """

    def __init__(
        self,
        game: str | Game,
        n: int,
        seats: int | None = None,
        options: Mapping[str, str] | None = None,
        *,
        skip_forced: bool = True,
        reward: Reward = "placement",
        dtype: Dtype = "float32",
        processes: int = 1,
    ) -> None:
        """Set up n tables; the arguments are those of `Env`. Call `reset` before the first step.

        With several processes, each steps a part of the tables; the matches are the same.

        Raises UnknownGame, InvalidOption and EnvError.
        """
        n, processes = whole(n, "n"), whole(processes, "processes")
        if n < 1:
            raise EnvError(f"a batch of {n} matches is not possible; it must be at least 1")
        if not 1 <= processes <= n:
            raise EnvError(f"processes is {processes}; a batch of {n} takes from 1 to {n}")
        first = self._first = Env(game, seats, options, skip_forced=skip_forced, reward=reward, dtype=dtype)
        self.game, self.seats, self.options = first.game, first.seats, first.options
        self.reward, self.skip_forced, self.n = reward, skip_forced, n
        self.actions, self.encoder, self.features = first.actions, first.encoder, first.features
        self.limits = first.encoder.limits
        self._processes = Processes(first, n, processes) if processes > 1 else None
        self._memory = self._processes.memory if self._processes else memoryview(bytearray(bytes_of(first, n)))
        self._arrays = arrays_in(self._memory, first, n)
        self._masks = masks_in(self._arrays)
        self._part = None if self._processes else BatchPart(first, self._arrays, 0)
        self._is_stepping = False
        self.observations = _read_only(self._arrays.observations)
        self.masks = _read_only(self._arrays.masks)
        self.final_observations = self._arrays.final_observations
        self.acting, self.acted = self._arrays.acting, self._arrays.acted
        self.rewards, self.terminals, self.seeds = self._arrays.rewards, self._arrays.terminals, self._arrays.seeds
        self.reset(first.seed)

    def reset(self, seed: SupportsIndex | None = None) -> None:
        """Begin n matches, whose seeds come from this one; without a seed, from the one given last.

        Raises InvalidOption for a seed out of range, and EnvError if a process has ended.
        """
        number = None if seed is None else whole(seed, "the seed")
        if number is not None:
            self.game.initial_state(self.seats, number, self.options)  # the seed may be out of range
        if self._is_stepping:
            self.receive()
        if self._processes:
            self._processes.reset(number)
        elif self._part:
            self._part.reset(number)

    def step(self, actions: Sequence[SupportsIndex] | Ints) -> None:
        """Play one action in every match, for the seats in `acting`.

        Raises EnvError unless there are n actions, WrongType if one is not a whole number, IllegalAction if one is not
        legal; nothing has changed then. Raises EnvError if a process has ended.
        """
        self.send(actions)
        self.receive()

    def send(self, actions: Sequence[SupportsIndex] | Ints) -> None:
        """Begin a step, and do not wait for it; with one process, `receive` makes the step.

        Until `receive` returns, the arrays change. Raises what `step` raises.
        """
        if self._is_stepping:
            raise EnvError("send() was called twice; call receive() before the next send()")
        self._arrays.actions[:] = self._check(actions)
        if self._processes:
            self._processes.tell(STEP)
        self._is_stepping = True

    def receive(self) -> None:
        """Wait for the end of the step that `send` began. Raises EnvError if none was begun or a process has ended."""
        if not self._is_stepping:
            raise EnvError("no step was begun; call send() before receive()")
        if self._part:
            self._part.step()
        elif self._processes:
            try:
                self._processes.finish()
            except EnvError:
                self._is_stepping = False
                raise
        self._is_stepping = False

    def close(self) -> None:
        """End the processes of the batch, if it has any; without this, they end with the batch or its process."""
        if self._processes:
            self._processes.close()

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle with the matches. Raises EnvError while it steps, and with several processes."""
        if self._is_stepping or not self._part:
            wanted = "call receive() first" if self._part else "make it with processes=1"
            raise EnvError(f"a batch that is stepping or has several processes cannot be copied; {wanted}")
        return _copied, (self._first.clone(), self.n, self._part.saved(), bytes(self._memory))

    @property
    def states(self) -> list[State]:
        """The positions at the tables, with what is hidden, for opponents in the batch; do not change them.

        Raises EnvError with several processes.
        """
        if not self._part:
            raise EnvError("a batch of several processes has no positions to look at; make it with processes=1")
        return self._part.matches.states

    @property
    def fingerprint(self) -> str:
        """16 hexadecimal digits that change whenever the meaning of the vectors does."""
        return self.encoder.fingerprint

    def _check(self, actions: Sequence[SupportsIndex] | Ints) -> Ints:
        """Return the actions as an array. Raises EnvError, WrongType and IllegalAction."""
        if isinstance(actions, Sequence):  # NumPy would make numbers of True
            takes = f"step() takes {self.n} actions, one int for each match"
            listed = [
                action if type(action) is int else whole(action, f"{takes}; that of match {table}", WHICH)
                for table, action in enumerate(actions)
            ]
            chosen = np.array([min(max(action, -1), MOST) for action in listed], np.int64)
        else:
            chosen = np.asarray(actions)
        if chosen.shape != (self.n,) or not np.issubdtype(chosen.dtype, np.integer):
            raise EnvError(
                f"step() takes {self.n} actions, one int for each match, not an array of {chosen.dtype} of shape "
                f"{chosen.shape}"
            )
        found: Ints = chosen.astype(np.int64)  # what is too large becomes negative
        if (table := self._masks.first_illegal(found.tolist())) < self.n:
            raise IllegalAction(
                f"action {actions[table]} in match {table} of the batch is not legal for seat {self.acting[table]}; "
                f"the legal actions are {np.flatnonzero(self.masks[table]).tolist()}"
            )
        return found


def _copied(first: Env, n: int, matches: bytes, memory: bytes) -> BatchEnv:
    batch = BatchEnv(
        *(first.game, n, first.seats, first.options),
        skip_forced=first.skip_forced,
        reward=first.reward,
        dtype=first.dtype,
    )
    assert batch._part
    batch._part.load(matches)
    batch._memory[:] = memory
    return batch


def _read_only(array: Array) -> Array:
    """Return a view of an array that cannot be written."""
    view = array.view()
    view.flags.writeable = False
    return view
