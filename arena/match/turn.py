"""An unfinished turn, played on positions that fit what a seat knows, so that it can be taken back.

Nothing that is hidden from the seat can be revealed by playing it, since the position of the match is never touched.
"""

from dataclasses import dataclass

from ballcourt.engine.core import Action, Game, IllegalAction, Observation, Rows, State, Stream, WrongInput

SAMPLES = 12
"""How many positions are compared to find out whether something hidden decides what comes after an answer."""

Known = tuple[Rows, Rows]
"""What a seat knows of a position: the public rows and its private ones."""


class NothingToUndo(WrongInput):
    """The turn has no answer that can be taken back."""


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer of a turn, and what the seat knew when it gave it."""

    known: Known
    action: Action


class Turn:
    """The answers of one seat from a question of the arena on, while no other seat and nothing hidden interferes.

    Questions with a single legal action are answered by the rules, as the referee does.
    """

    def __init__(self, game: Game, observation: Observation, chance: Stream) -> None:
        """Begin with a question of the arena. Draws from `chance`."""
        self.seat = observation.seat
        self.is_over = False
        """Whether the answers must go to the arena before anything else can be asked."""
        self._answers: list[Answered] = []
        self._positions = [[game.sample(observation, chance) for _ in range(SAMPLES)]]  # before each answer, and now

    @property
    def state(self) -> State:
        """A position that fits what the seat knows. It must not be changed."""
        return self._positions[-1][0]

    @property
    def answers(self) -> tuple[Answered, ...]:
        """The answers so far, oldest first."""
        return tuple(self._answers)

    def take(self, action: Action) -> None:
        """Answer the question. Raises IllegalAction, also when the turn is over."""
        if self.is_over:
            raise IllegalAction(f"action {action} comes after the end of the turn")
        here = self._positions[-1]
        after = [self._after(state, action) for state in here]
        self._answers.append(Answered(known(here[0], self.seat), action))
        self.is_over = not self._continues(after)
        if not self.is_over:
            self._positions.append(after)

    def undo(self) -> None:
        """Take back the last answer. Raises NothingToUndo."""
        if self.is_over or not self._answers:
            raise NothingToUndo("there is nothing to take back: answers are final once the turn is over")
        self._answers.pop()
        self._positions.pop()

    def _after(self, state: State, action: Action) -> State:
        """Return the position after an action and those that the rules force on the seat."""
        after = state.clone()
        after.apply(self.seat, action)
        while after.pending_seats() == [self.seat] and len(legal := after.legal_actions(self.seat)) == 1:
            after.apply(self.seat, legal[0])
        return after

    def _continues(self, positions: list[State]) -> bool:
        """Return whether the seat alone is asked next, and knows the position whatever is hidden."""
        expected = known(positions[0], self.seat)
        return all(state.pending_seats() == [self.seat] and known(state, self.seat) == expected for state in positions)


def known(state: State, seat: int) -> Known:
    """Return what a seat knows of a position."""
    return state.public_rows(), state.private_rows(seat)
