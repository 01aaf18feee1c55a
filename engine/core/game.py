"""The rules of a game: its static facts, and how its positions are set up, saved and sampled."""

import importlib
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from typing import Any

from ballcourt.engine.core.chance import Stream
from ballcourt.engine.core.frames import Action, Frame, Seat, load_frames
from ballcourt.engine.core.messages.wire import Wire
from ballcourt.engine.core.observation import Observation
from ballcourt.engine.core.options import Option, complete
from ballcourt.engine.core.state import Rows, State
from ballcourt.engine.core.vectors.features import Features
from ballcourt.engine.core.view.drawing import Draw, plain_drawing
from ballcourt.engine.core.view.scene import (
    Choice,
    Explanation,
    Lesson,
    Scene,
    Scenery,
    plain_choice,
    plain_explanation,
    plain_scenery,
)
from ballcourt.engine.errors import InvalidOption, MalformedRows


class Game:
    """One game. A subclass sets the facts and writes `deal`, `draw_secrets`, `scene` and `violations`."""

    name: str
    """What commands and files call it: lower case, no spaces."""
    title: str
    """What the box calls it."""
    rules_version: str
    """Changes whenever the same actions could lead elsewhere; ratings and records never mix versions."""
    seat_counts: tuple[int, ...]
    options: tuple[Option, ...] = ()
    action_names: tuple[str, ...]
    """The action space: the name of action a at index a. Index 0 is UNSPECIFIED and never legal."""
    max_decisions: int
    """No match is longer, forced decisions included."""
    points_spread: float | None = None
    """The standard deviation of the difference in points between two seats of one match, among good bots.

    It is the unit in which `compare` weighs points; None if points are not to be weighed.
    """
    state_class: type[State]
    """The class of its positions; the constructor takes a seat count and frames."""
    frame_classes: tuple[type[Frame[Any]], ...]
    """Every question and every automatic step."""

    def initial_state(self, seats: int, seed: int, options: Mapping[str, str] | None = None) -> State:
        """Set up a match; the same arguments always give the same position.

        Raises InvalidOption for a seat count, seed or option that the game does not allow.
        """
        completed = self.check(seats, options or {})
        if not 0 <= seed < 1 << 64:
            raise InvalidOption(f"seed {seed} is out of range; it must be at least 0 and below 2**64")
        state = self.deal(seats, seed, completed)
        state.settle()
        return state

    def check(self, seats: int, options: Mapping[str, str]) -> dict[str, str]:
        """Validate a seat count and options; return the options with their defaults filled in.

        Raises InvalidOption. A game with options that depend on each other extends this.
        """
        if seats not in self.seat_counts:
            allowed = ", ".join(str(count) for count in self.seat_counts)
            raise InvalidOption(f"{self.name} is not played by {seats}; it takes {allowed} seats")
        return complete(self.name, self.options, options)

    def from_rows(self, rows: Rows) -> State:
        """Load a position saved by `State.to_rows`. Raises MalformedRows when it is not a position of this game."""
        try:
            seats, public, secret = rows[0]
            if len(rows) != 1 + public + secret:
                raise MalformedRows(f"{len(rows)} rows do not match the header {rows[0]} of a {self.name} position")
            return self.restore(seats, rows[1 : 1 + public], rows[1 + public :])
        except MalformedRows:
            raise
        except (IndexError, TypeError, KeyError, ValueError) as error:
            raise MalformedRows(f"the rows are not a position of {self.name}: {error}") from error

    def restore(self, seats: int, public: Rows, secret: Rows) -> State:
        """Build the position that has these rows. The rows are copied."""
        state = self.state_class(seats, [])
        first_frame = state.lay_out([row[:] for row in public], [row[:] for row in secret])
        state.frames = load_frames(self.frame_classes, public[first_frame:])
        return state

    def sample(self, observation: Observation, chance: Stream) -> State:
        """Draw a full position that is consistent with an observation: what the seat knows stays, the rest is drawn."""
        return self.restore(observation.seats, observation.public, self.draw_secrets(observation, chance))

    def wire(self) -> Wire:
        """Load the game's translation to protobuf, the `WIRE` of its module `wire`."""
        package = sys.modules[type(self).__module__].__package__
        wire: Wire = importlib.import_module(f"{package}.wire").WIRE
        return wire

    def features(self) -> Features | None:
        """Load the declaration of the game's vectors, the `FEATURES` of its module `features`; None without one."""
        module = self._module("features")
        return module.FEATURES if module else None

    def drawing(self) -> Draw:
        """Load what draws scenes in a terminal, `draw` of the game's `view.drawing`; the plain one without it."""
        module = self._module("view.drawing")
        return module.draw if module else plain_drawing

    def lessons(self) -> Sequence[Lesson]:
        """Load the tour of the board for a first match, `LESSONS` of the game's `view.lessons`; empty without it."""
        module = self._module("view.lessons")
        return module.LESSONS if module else ()

    def rules_file(self) -> Path | None:
        """Return the path of the game's RULES.md, which is in its package; None if it has none."""
        source = sys.modules[type(self).__module__].__file__
        file = Path(source).with_name("RULES.md") if source else None
        return file if file and file.is_file() else None

    def _module(self, name: str) -> Any:  # noqa: ANN401 (modules have no types)
        """Load a module of the game's package; None if there is none of this name."""
        package = sys.modules[type(self).__module__].__package__ or ""
        outermost_first = accumulate((package, *name.split(".")), "{}.{}".format)
        return importlib.import_module(f"{package}.{name}") if all(map(find_spec, outermost_first)) else None

    # -- what each game supplies

    def deal(self, seats: int, seed: int, options: dict[str, str]) -> State:
        """Set up a match; the arguments have been checked."""
        raise NotImplementedError

    def draw_secrets(self, observation: Observation, chance: Stream) -> Rows:
        """Draw secret rows that are consistent with an observation."""
        raise NotImplementedError

    def scene(self, state: State, seat: Seat | None = None) -> Scene:
        """Describe the position for a viewer, as a seat or SPECTATOR sees it, or with None with all secrets.

        The scene for a seat must follow from its observation; `plain_scene` is a beginning.
        """
        raise NotImplementedError

    def scenery(self, state: State) -> Scenery:
        """Describe what never changes in the match of this opening position; everyone may know it."""
        return plain_scenery()

    def choice(self, state: State, seat: Seat, action: Action) -> Choice:
        """Describe a legal action of a pending seat in words; they must not reveal more than the action does."""
        return plain_choice(action, self.action_names[action])

    def explain(self, state: State, seat: Seat, action: Action) -> Explanation:
        """Explain a legal action of a pending seat to a person without the rules; as `choice`, it reveals nothing."""
        return plain_explanation()

    def violations(self, state: State) -> list[str]:
        """List the broken conservation laws of a position, one sentence each; empty when all is well."""
        raise NotImplementedError
