"""Games as OpenSpiel games; needs `pip install ballcourt[rl]`.

`load_game("maya", seats=2)` returns a `pyspiel.Game` that OpenSpiel's algorithms accept. A match begins with a chance
node, which draws its seed; simultaneous questions are asked in seat order.

The information state string is a hash of everything that a player has seen and done. The information state tensor has
three parts:

- `observation`, the observation tensor: what the player sees now, as the vector of `Env.vector`
- `actors` (1,024), who made the decisions so far, the last one first: 1 for the player, 2 for the next seat and so on
- `actions` (1,024), what they decided, as numbers of actions; 0 for what the player was not shown

Unused places are 0. A match has at most some 600 decisions; of a longer one, the tensor has the last 1,024. What chance
has brought is in the tensor as far as it can still be seen or follows from the actions: the observations before every
decision would make it some hundred times as long.
"""

from collections.abc import Mapping
from struct import Struct
from typing import Any, Final, Self, SupportsIndex, cast

import numpy as np
from numpy.typing import NDArray

from ballcourt.arena.extras import importing
from ballcourt.engine.core import Action, Game, IllegalAction, Seat, Stream
from ballcourt.engine.core.observation import SPECTATOR, observe
from ballcourt.engine.core.saving import load_game as game_of_module
from ballcourt.engine.core.state import digest_rows
from ballcourt.engine.core.view.printing import outline
from ballcourt.engine.registry import find_game
from ballcourt.env.errors import WHICH, whole
from ballcourt.env.single import Env, seat_at

with importing("rl"):
    import pyspiel

Decisions = NDArray[np.int16]

DEALS = 1024
"""The outcomes of the chance node: matches have the seeds 0 to 1023."""
DECISIONS: Final = 1024
"""The places for decisions in the information state tensor."""
DECISION: Final = Struct("<hh")
"""An actor and an action, in 16 bits each."""


def load_game(game: str | Game, seats: int | None = None, options: Mapping[str, str] | None = None) -> Any:  # noqa: ANN401
    """Return a game of ours as a `pyspiel.Game`.

    It is registered with OpenSpiel under a name such as "ballcourt_ahau_2_board_night": the game, its seats, and the
    options that differ from the defaults. Raises UnknownGame and InvalidOption.
    """
    rules = game if isinstance(game, Game) else find_game(game)
    count = rules.seat_counts[0] if seats is None else whole(seats, "seats")
    completed = rules.check(count, options or {})
    changed = [
        f"{option.name}_{completed[option.name]}"
        for option in rules.options
        if completed[option.name] != option.default
    ]
    name = "_".join([f"ballcourt_{rules.name}_{count}", *changed])
    if name not in pyspiel.registered_names():
        _register(rules, name, count, completed)
    return pyspiel.load_game(name)


def resample(state: "BallcourtState", player: Seat) -> "BallcourtState":
    """Return a state that looks the same to the player, with the secrets drawn again, and what others remember of them.

    It is what `set_resampler` of OpenSpiel's IS-MCTS takes. Two calls draw different states.
    """
    other: BallcourtState = state.clone()
    chance = Stream(int(np.random.randint(1 << 62)))
    rules = state.env.game.sample(observe(state.env.state, player), chance)
    asked = state.env.state.pending_seats()
    for seat in [seat for seat in rules.pending_seats() if seat not in asked]:  # who has answered did so here too
        rules.apply(seat, chance.choice(rules.legal_actions(seat)))
    other.env.state = rules
    for seat in range(other.env.seats):
        if seat != player:
            other.recall(seat, player)
    return other


class BallcourtState(pyspiel.State):  # type: ignore[misc]
    """A position of a match, or the chance node before it."""

    def __init__(self, game: Any) -> None:  # noqa: ANN401
        super().__init__(game)
        self.env: Env = game.env  # until the deal all states share it
        self.dealt = False
        self._seen = [b""] * self.env.seats
        self._decisions = [b""] * self.env.seats  # as each player knows them; bytes are quick to copy

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle with the position, which after `resample` is not that of the history."""
        return _restored, (self.get_game(), self.history(), self.__dict__)

    def __copy__(self) -> Self:
        return cast(Self, self.clone())

    def apply_action(self, action: SupportsIndex) -> None:
        """Play an action. Raises what `Env.step` raises, and IllegalAction for a seed that chance does not draw."""
        number = whole(action, "the action", WHICH)
        if not 0 <= number < (self.env.actions if self.dealt else DEALS):
            raise IllegalAction(f"action {number} is not legal; it must be one of legal_actions()")
        super().apply_action(number)

    apply_action_with_legality_check = apply_action

    def child(self, action: SupportsIndex) -> Self:
        """Return the state after an action. Raises what `apply_action` raises."""
        after = self.__copy__()
        after.apply_action(action)
        return after

    def current_player(self) -> int:
        """Return the seat whose turn it is, or that chance is asked, or that the match is over."""
        if not self.dealt:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.env.done else self.env.seat

    def is_terminal(self) -> bool:
        """Return whether the match is over."""
        return self.dealt and self.env.done

    def returns(self) -> list[float]:
        """Return the share of opponents beaten less the share lost to, per player; 0 before the end."""
        return self.env.returns() if self.dealt else [0.0] * self.env.seats

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """List the seeds, all equally likely."""
        return [(seed, 1 / DEALS) for seed in range(DEALS)]

    def information_state_string(self, player: int | None = None) -> str:
        """Return a hash of what a player has seen and done so far."""
        seat = seat_at(self.env.seats, self.current_player() if player is None else player)
        return f"{seat}:{self._seen[seat].hex()}"

    def decisions(self, player: int) -> Decisions:
        """Return the decisions so far as a player knows them, the last one first: actors and actions, shape (n, 2)."""
        return np.frombuffer(self._decisions[seat_at(self.env.seats, player)], np.int16).reshape(-1, 2)[::-1]

    def recall(self, seat: Seat, player: Seat) -> None:
        """Replace what a seat remembers, and the player does not know, by what must have been in this position."""
        decisions = np.frombuffer(self._decisions[seat], np.int16).reshape(-1, 2).copy()
        known = np.frombuffer(self._decisions[player], np.int16).reshape(-1, 2)[:, 1]
        own = np.flatnonzero(decisions[:, 0] == 1)
        actions = np.array(self.env.state.recalled(seat, decisions[own, 1].tolist()), np.int16)
        decisions[own, 1] = np.where(known[own] == 0, actions, decisions[own, 1])
        self._decisions[seat] = decisions.tobytes()
        rows = [[seat], decisions[own, 1].tolist(), *self.env.state.private_rows(seat)]
        self._seen[seat] = digest_rows(rows, self._seen[player])

    def _legal_actions(self, player: int) -> list[Action]:
        return self.env.legal if player == self.env.seat else []

    def _apply_action(self, action: Action) -> None:
        if not self.dealt:
            self.env = self.env.clone()
            self.env.reset(action)
            self.dealt = True
            self._note(SPECTATOR, 0)
            return
        seat = self.env.seat
        self.env.step(action)
        self._note(seat, action)

    def _note(self, actor: Seat, action: Action) -> None:
        """Add what every player sees now, and what it saw of the action, to its hash."""
        state = self.env.state
        public = state.public_rows()
        for seat, seen in enumerate(self._seen):
            known = 0
            if actor != SPECTATOR:
                known = state.seen_action(actor, action, seat)
                self._decisions[seat] += DECISION.pack(1 + (actor - seat) % self.env.seats, known)
            self._seen[seat] = digest_rows([[actor, known], *public, *state.private_rows(seat)], seen)

    def _action_to_string(self, player: int, action: Action) -> str:
        return f"seed {action}" if player == pyspiel.PlayerId.CHANCE else self.env.game.action_names[action]

    def __str__(self) -> str:
        return str(self.env.state) if self.dealt else "before the deal"


class _Observer:
    """What a player sees: the vector of `Env.vector`, and the scene as text."""

    def __init__(self, size: int, **others: int) -> None:
        """`others` are the names and sizes of more parts of the tensor."""
        self.tensor = np.zeros(size + sum(others.values()), np.float32)
        ends = np.cumsum([size, *others.values()])[:-1]
        self.dict = dict(zip(("observation", *others), np.split(self.tensor, ends), strict=True))

    def set_from(self, state: BallcourtState, player: int) -> None:
        """Fill the tensor with what the player sees; zeros before the deal."""
        self.dict["observation"][:] = state.env.vector(player) if state.dealt else 0

    def string_from(self, state: BallcourtState, player: int) -> str:
        """Return what the player sees as text."""
        if not state.dealt:
            return "before the deal"
        return "\n".join(outline(state.env.game.scene(state.env.state, player)))


class _Rememberer(_Observer):
    """What a player has seen and done: what it sees now and the decisions so far, and a hash of everything."""

    def __init__(self, size: int) -> None:
        super().__init__(size, actors=DECISIONS, actions=DECISIONS)

    def set_from(self, state: BallcourtState, player: int) -> None:
        """Fill the tensor; zeros before the deal."""
        super().set_from(state, player)
        for part, column in zip(("actors", "actions"), state.decisions(player).T, strict=True):
            known = column[:DECISIONS]
            self.dict[part][: len(known)] = known
            self.dict[part][len(known) :] = 0

    def string_from(self, state: BallcourtState, player: int) -> str:
        """Return the hash."""
        return state.information_state_string(player)


def _registered(module: str, seats: int, options: Mapping[str, str]) -> Any:  # noqa: ANN401
    """Return a game that another process has registered."""
    return load_game(cast(Game, game_of_module(module)), seats, options)


def _restored(game: Any, history: list[Action], saved: dict[str, Any]) -> BallcourtState:  # noqa: ANN401
    """Return a state that another process has pickled."""
    state: BallcourtState = game.new_initial_state()
    for action in history:
        state.apply_action(action)
    state.__dict__.update(saved)
    return state


def _register(rules: Game, name: str, seats: int, options: Mapping[str, str]) -> None:
    """Make a game with these options known to OpenSpiel."""
    rivals = rules.initial_state(seats, 0, options).rivals()
    utilities = pyspiel.GameType.Utility
    game_type = pyspiel.GameType(
        short_name=name,
        long_name=rules.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utilities.GENERAL_SUM if rivals else utilities.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=seats,
        min_num_players=seats,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )
    game_info = pyspiel.GameInfo(
        num_distinct_actions=len(rules.action_names),
        max_chance_outcomes=DEALS,
        num_players=seats,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=None if rivals else 0.0,
        max_game_length=rules.max_decisions,
    )

    class Registered(pyspiel.Game):  # type: ignore[misc]
        """The game with these options."""

        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            super().__init__(game_type, game_info, params or {})
            self.env = Env(rules, seats, options, skip_forced=False)

        def __reduce__(self) -> tuple[Any, ...]:
            return _registered, (type(rules).__module__, seats, dict(options))

        def new_initial_state(self) -> BallcourtState:
            """Return the chance node before the deal."""
            return BallcourtState(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer | None:  # noqa: ANN401
            """Return what observes states; None for only what is public, or only what is private."""
            wanted = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
            if not wanted.public_info or wanted.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
                return None
            size = len(self.env.features)
            return _Rememberer(size) if wanted.perfect_recall else _Observer(size)

    pyspiel.register_game(game_type, Registered)
