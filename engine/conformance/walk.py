"""A random match of a game, written down so that every check can go through it again."""

from collections import Counter
from collections.abc import Iterator, Mapping

from ballcourt.engine.core.chance import Stream, stream
from ballcourt.engine.core.errors import InvalidOption
from ballcourt.engine.core.frames import Action, Seat
from ballcourt.engine.core.game import Game
from ballcourt.engine.core.playout import decisions
from ballcourt.engine.core.state import State, digest


class Walk:
    """One match of a game with random decisions, which depend on the seed alone.

    Options that are not `fixed` are random too. `decisions` are the (seat, action) pairs in order and `digests` the
    state-hash chain, one longer. A game that gets into trouble ends the walk early; `trouble` says how. `at` is the
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
        """Open a random stream for a check; the same purpose always draws the same."""
        return stream(self.seed, f"conformance {purpose}")

    def opening(self) -> State:
        """Set the match up anew."""
        return self.game.initial_state(self.seats, self.seed, self.options)

    def positions(self, every: int = 1) -> Iterator[State]:
        """Play the match again and show every n-th position and the last; the state shown must not be changed."""
        state = self.opening()
        for index, (seat, action) in enumerate(self.decisions):
            if index % every == 0:
                self.at = index
                yield state
            state.apply(seat, action)
        self.at = len(self.decisions)
        yield state

    def place(self) -> str:
        """Say where in which match a check is, so that it can be found again."""
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
    """Plays every seat at random, half of the time an action taken least often so far, to get into every corner."""

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
    """Draw a value for every other option in turn; one that does not go with those before it stays at its default.

    Raises InvalidOption when the fixed ones are not possible.
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
    """Say what went wrong inside a game."""
    return f"{type(error).__name__} was raised: {error}"
