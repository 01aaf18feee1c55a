"""Some tables of a batch, stepped in one process; all that others see of them is in arrays in one block of memory."""

import pickle
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ballcourt.engine.core import State, Stream
from ballcourt.engine.core.chance import stream
from ballcourt.engine.core.observation import observe
from ballcourt.engine.core.stepping import MatchBatch
from ballcourt.engine.core.vectors.masks import Masks
from ballcourt.env.single import Env, match_seeds, rewards_of
from ballcourt.env.tensors import Floats, Ints, Vectors

LINE = 64
"""The bytes of a line of the processor's cache, at which every array begins."""


@dataclass(frozen=True, slots=True)
class Arrays:
    """What the tables of a batch show, a row for each; see `BatchEnv`. `actions` are those to be played next."""

    observations: Vectors
    masks: NDArray[np.int8]
    acting: Ints
    acted: Ints
    rewards: Floats
    terminals: NDArray[np.bool_]
    final_observations: Vectors
    seeds: NDArray[np.uint64]
    actions: Ints

    def rows(self, first: int, end: int) -> "Arrays":
        """Return the arrays of the tables from `first` to `end - 1`."""
        return Arrays(*(getattr(self, field.name)[first:end] for field in fields(self)))


def bytes_of(env: Env, tables: int) -> int:
    """Return how many bytes the arrays of some tables take."""
    return sum(size for _, _, size in _laid_out(env, tables))


def arrays_in(memory: memoryview, env: Env, tables: int) -> Arrays:
    """Return the arrays of some tables in a block of `bytes_of` bytes."""
    found, at = [], 0
    for kind, row, size in _laid_out(env, tables):
        array = np.frombuffer(memory, kind, tables * max(row, 1), at)
        found.append(array.reshape(tables, row) if row else array)
        at += size
    return Arrays(*found)


def _laid_out(env: Env, tables: int) -> Iterator[tuple[np.dtype[Any], int, int]]:
    """Yield for each array its type, the length of a row (0: a single number), and its bytes."""
    vectors = env.encoder.dtype, len(env.features)
    kinds: tuple[tuple[DTypeLike, int], ...] = (
        *(vectors, (np.int8, env.actions), (np.int64, 0), (np.int64, 0), (np.float32, env.seats)),
        *((np.bool_, 0), vectors, (np.uint64, 0), (np.int64, 0)),
    )
    for kind, row in kinds:
        of = np.dtype(kind)
        yield of, row, -(-tables * max(row, 1) * of.itemsize // LINE) * LINE


def masks_in(arrays: Arrays) -> Masks:
    """Return what writes and checks the legal actions in these arrays."""
    return Masks(arrays.masks.data.cast("B"), arrays.masks.shape[1])


class BatchPart:
    """The matches at some tables of a batch, which has given numbers to them from `first` on."""

    def __init__(self, env: Env, arrays: Arrays, first: int) -> None:
        """`env` says what is played; the arrays, which are those of these tables, are zeros."""
        self._env = env
        self._first = first
        self._arrays = arrays
        self._tables = len(arrays.acting)
        vectors, size = arrays.observations.data.cast("B"), env.encoder.size
        self._looks = [env.encoder.look(vectors, table * size) for table in range(self._tables)]
        self._masks = masks_in(arrays)

    def reset(self, seed: int | None) -> None:
        """Begin the matches of a batch with this seed; without one, the next ones."""
        if seed is not None:
            firsts = [stream(seed, f"table {self._first + table}").next64() for table in range(self._tables)]
            self._streams = [match_seeds(first) for first in firsts]
        else:
            firsts = [matches.next64() for matches in self._streams]
        self._clear()
        states = [self._deal(table, first) for table, first in enumerate(firsts)]
        self.matches = MatchBatch(states, self._env.skip_forced, self._looks, self._masks)
        self._arrays.acting[:] = self.matches.seats

    def saved(self) -> bytes:
        """Return the matches and the seeds to come, for `load`; the arrays are not among them."""
        return pickle.dumps((self.matches.states, [(matches.key, matches.count) for matches in self._streams]))

    def load(self, saved: bytes) -> None:
        """Play on with the matches of another part, of the same tables."""
        states, streams = pickle.loads(saved)
        self._streams = [Stream(*matches) for matches in streams]
        self.matches = MatchBatch(states, self._env.skip_forced, self._looks, self._masks)

    def step(self) -> None:
        """Play the actions in the arrays, which are legal."""
        arrays = self._arrays
        self._clear()
        arrays.acted[:] = arrays.acting
        for table in self.matches.step(arrays.actions.tolist()):
            self._finish(table)
        arrays.acting[:] = self.matches.seats

    def _clear(self) -> None:
        """Forget what the last step ended."""
        arrays = self._arrays
        if arrays.terminals.any():
            arrays.final_observations[arrays.terminals] = 0
            arrays.rewards[arrays.terminals] = 0
            arrays.terminals[:] = False

    def _finish(self, table: int) -> None:
        """Note the result of a match and begin the next at its table."""
        arrays, state = self._arrays, self.matches.states[table]
        arrays.terminals[table] = True
        arrays.rewards[table] = rewards_of(state, self._env.reward)
        arrays.final_observations[table] = self._env.encoder.encode(observe(state, int(arrays.acted[table])))
        self.matches.put(table, self._deal(table, self._streams[table].next64()))

    def _deal(self, table: int, seed: int) -> State:
        self._arrays.seeds[table] = seed
        return self._env.game.initial_state(self._env.seats, seed, self._env.options)
