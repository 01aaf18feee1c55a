"""Many matches of one game as one environment, in NumPy arrays."""

from collections.abc import Mapping, Sequence
from operator import index
from typing import SupportsIndex

import numpy as np

from ballcourt.engine.core import Game, IllegalAction, State
from ballcourt.engine.core.chance import stream
from ballcourt.engine.core.observation import observe
from ballcourt.engine.core.stepping import MatchBatch
from ballcourt.engine.core.vectors.masks import Masks
from ballcourt.env.errors import EnvError
from ballcourt.env.single import Env, Reward, match_seeds, rewards_of
from ballcourt.env.tensors import Ints


class BatchEnv:
    """n matches stepped with one call; the arrays are filled again by every `step` and `reset`.

        batch = BatchEnv("maya", 64, seats=2)
        batch.reset(seed=1)
        actions = batch.masks.argmax(axis=1)  # an array of 64 actions; here the lowest legal ones
        batch.step(actions)

    A match that ends is replaced in the same step: `observations`, `masks` and `acting` are those of the new one, while
    `terminals`, `rewards` and `final_observations` are about the one that ended. The arrays:

    - `observations`: float32 (n, features), what the seat to act sees; `features` names the elements; read-only, as a
      step writes only what has changed
    - `masks`: int8 (n, actions), 1 for every legal action of that seat; read-only
    - `acting`: int64 (n), that seat
    - `acted`: int64 (n), the seat whose action the last step played
    - `rewards`: float32 (n, seats), of the last step: 0 except at the end of a match
    - `terminals`: bool (n), whether the last step ended the match
    - `final_observations`: float32 (n, features), what the seat that ended a match sees then; 0 for the others
    - `seeds`: uint64 (n), of the matches being played
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
    ) -> None:
        """Set up n tables; the arguments are those of `Env`. Call `reset` before the first step.

        Raises UnknownGame, InvalidOption and EnvError.
        """
        if n < 1:
            raise EnvError(f"a batch of {n} matches is not possible; it must be at least 1")
        first = Env(game, seats, options, skip_forced=skip_forced, reward=reward)
        self.game, self.seats, self.options = first.game, first.seats, first.options
        self.reward, self.skip_forced, self.n = reward, skip_forced, n
        self.actions = first.actions
        self.encoder = first.encoder
        self.features = first.features
        vectors, masks = bytearray(n * self.encoder.size), bytearray(n * self.actions)
        self._masks = Masks(masks, self.actions)
        self._looks = [self.encoder.look(vectors, table * self.encoder.size) for table in range(n)]
        self.observations = np.frombuffer(vectors, np.float32).reshape(n, -1)
        self.observations.flags.writeable = False
        self.masks = np.frombuffer(masks, np.int8).reshape(n, -1)
        self.masks.flags.writeable = False
        self.final_observations = np.zeros((n, len(self.features)), np.float32)
        self.acting = np.zeros(n, np.int64)
        self.acted = np.zeros(n, np.int64)
        self.rewards = np.zeros((n, self.seats), np.float32)
        self.terminals = np.zeros(n, np.bool_)
        self.seeds = np.zeros(n, np.uint64)
        self.reset(first.seed)

    def reset(self, seed: SupportsIndex | None = None) -> None:
        """Begin n matches, whose seeds come from this one; without a seed, from the one given last.

        Raises InvalidOption for a seed out of range.
        """
        if seed is not None:
            number = index(seed)
            self.game.initial_state(self.seats, number, self.options)  # the seed may be out of range
            firsts = [stream(number, f"table {table}").next64() for table in range(self.n)]
            self._streams = [match_seeds(first) for first in firsts]
        else:
            firsts = [matches.next64() for matches in self._streams]
        self._clear()
        states = [self._deal(table, first) for table, first in enumerate(firsts)]
        self._tables = MatchBatch(states, self.skip_forced, self._looks, self._masks)
        self.acting[:] = self._tables.seats

    def step(self, actions: Sequence[int] | Ints) -> None:
        """Play one action in every match, for the seats in `acting`.

        Raises EnvError unless there are n actions, IllegalAction if one is not legal; nothing has changed then.
        """
        chosen = self._check(actions)
        self._clear()
        self.acted[:] = self.acting
        for table in self._tables.step(chosen):
            self._finish(table)
        self.acting[:] = self._tables.seats

    @property
    def fingerprint(self) -> str:
        """16 hexadecimal digits that change whenever the meaning of the vectors does."""
        return self.encoder.features.fingerprint()

    def _check(self, actions: Sequence[int] | Ints) -> list[int]:
        """Return the actions as a list. Raises EnvError and IllegalAction."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.n,) or not np.issubdtype(chosen.dtype, np.integer):
            raise EnvError(
                f"step() takes {self.n} actions, one int for each match, not an array of {chosen.dtype} of shape "
                f"{chosen.shape}"
            )
        legal: list[int] = chosen.astype(np.int64).tolist()  # what is too large becomes negative
        if (table := self._masks.first_illegal(legal)) < self.n:
            raise IllegalAction(
                f"action {chosen[table]} in match {table} of the batch is not legal for seat {self.acting[table]}; the "
                f"legal actions are {np.flatnonzero(self.masks[table]).tolist()}"
            )
        return legal

    def _clear(self) -> None:
        """Forget what the last step ended."""
        if self.terminals.any():
            self.final_observations[self.terminals] = 0
            self.rewards[self.terminals] = 0
            self.terminals[:] = False

    def _finish(self, table: int) -> None:
        """Note the result of a match and begin the next at its table."""
        state = self._tables.states[table]
        self.terminals[table] = True
        self.rewards[table] = rewards_of(state, self.reward)
        self.final_observations[table] = self.encoder.encode(observe(state, int(self.acted[table])))
        self._tables.put(table, self._deal(table, self._streams[table].next64()))

    def _deal(self, table: int, seed: int) -> State:
        self.seeds[table] = seed
        return self.game.initial_state(self.seats, seed, self.options)
