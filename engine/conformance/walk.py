"""A random match of a game, recorded so that every check can replay it; the checks of the match as a whole."""

from collections import Counter
from collections.abc import Iterator, Mapping

from ballcourt.engine.core.chance import Stream, stream
from ballcourt.engine.core.frames import Action, Seat
from ballcourt.engine.core.game import Game
from ballcourt.engine.core.playout import decisions
from ballcourt.engine.core.state import State, digest
from ballcourt.engine.errors import InvalidOption


class Walk:
    """One match of a game with random decisions that depend only on the seed.

    Options that are not `fixed` are random too. `decisions` are the (seat, action) pairs in order and `digests` the
    state-hash chain, one longer. A failing game ends the walk early; `trouble` says how. `at` is the
    number of decisions before the position that `positions` showed last.
    """

    def __init__(self, game: Game, seats: int, seed: int, fixed: Mapping[str, str] | None = None) -> None:
        self.game = game
        self.seats = seats
        self.seed = seed
        self.fixed = fixed or {}
        self.options: dict[str, str] = {}
        self.decisions: list[tuple[int, int]] = []
        self.digests: list[bytes] = []
        self.trouble = ""
        self.at = 0
        self._play()

    def chance(self, purpose: str) -> Stream:
        """Return a random stream for a check; the same purpose always draws the same numbers."""
        return stream(self.seed, f"conformance {purpose}")

    def opening(self) -> State:
        """Return the first position of the match."""
        return self.game.initial_state(self.seats, self.seed, self.options)

    def positions(self, every: int = 1) -> Iterator[State]:
        """Replay the match and yield every n-th position and the last. The caller must not change the state."""
        state = self.opening()
        for index, (seat, action) in enumerate(self.decisions):
            if index % every == 0:
                self.at = index
                yield state
            state.apply(seat, action)
        self.at = len(self.decisions)
        yield state

    def place(self) -> str:
        """Return the match and the decision where a check is, for its findings."""
        options = "".join(f", {name}={value}" for name, value in self.options.items())
        return f"{self.seats} seats, seed {self.seed}{options}, after {self.at} decisions"

    def _play(self) -> None:
        try:
            self.options = draw_options(self.game, self.seats, self.chance("options"), self.fixed)
            state = self.opening()
            self.digests.append(digest(state))
            self._play_on(state)
        except Exception as error:  # a broken game may raise anything
            self.trouble = raised(error)

    def _play_on(self, state: State) -> None:
        for decision in Player(self.chance("decisions")).play(state, self.game.max_decisions):
            self.decisions.append(decision)
            self.digests.append(digest(state, self.digests[-1]))
        if state.pending_seats():
            self.trouble = f"the match did not end within max_decisions, {self.game.max_decisions}"


class Player:
    """A policy for all seats: half of its decisions are random, half take an action chosen least often so far."""

    def __init__(self, chance: Stream) -> None:
        self._chance = chance
        self._taken: Counter[int] = Counter()

    def play(self, state: State, limit: int | None = None) -> Iterator[tuple[Seat, Action]]:
        """Play a position on, to its end or for `limit` decisions; yield each (seat, action) after it was applied."""
        return decisions(state, self.choose, self._chance.choice, limit)

    def choose(self, legal: list[Action]) -> Action:
        """Choose one of the legal actions."""
        if self._chance.below(2):
            rarest = min(self._taken[action] for action in legal)
            legal = [action for action in legal if self._taken[action] == rarest]
        action = self._chance.choice(legal)
        self._taken[action] += 1
        return action


def draw_options(game: Game, seats: int, chance: Stream, fixed: Mapping[str, str]) -> dict[str, str]:
    """Draw a value for every other option in turn; a value that conflicts with the earlier ones is not taken.

    Raises InvalidOption when the fixed options are not possible.
    """
    options = game.check(seats, fixed)
    drawn = dict(fixed)
    for option in game.options:
        value = option.choices[chance.below(len(option.choices))]
        if option.name not in fixed:
            try:
                options = game.check(seats, drawn | {option.name: value})
            except InvalidOption:
                continue
            drawn[option.name] = value
    return options


def raised(error: Exception) -> str:
    """Return a sentence about an exception that a game raised."""
    return f"{type(error).__name__} was raised: {error}"


def ends(walk: Walk) -> Iterator[str]:
    """Check that the walk reached the end of the match."""
    walk.at = len(walk.decisions)
    if walk.trouble:
        yield walk.trouble


def repeats(walk: Walk) -> Iterator[str]:
    """Check that a replay of the match passes through the same positions."""
    chain = b""
    for state in walk.positions():
        chain = digest(state, chain)
        if chain != walk.digests[walk.at]:
            yield "the same seed and actions led to a different position"
            return
