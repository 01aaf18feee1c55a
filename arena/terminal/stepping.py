"""A recorded match at a terminal, decision by decision, as the keys say."""

from functools import cache
from typing import Final

from rich.console import Console, Group
from rich.text import Text

from ballcourt.arena.printable import printable
from ballcourt.arena.replays.kept import Replay
from ballcourt.arena.replays.sheets import sheet_lines
from ballcourt.arena.terminal.boards import drawn, legend
from ballcourt.arena.terminal.keys import TICK, next_key, single_keys
from ballcourt.engine.core import UnknownGame
from ballcourt.engine.core.observation import SPECTATOR
from ballcourt.engine.core.view.drawing import plain_drawing
from ballcourt.engine.core.view.scene import Observer, Scene
from ballcourt.engine.registry import find_game

PACE_S: Final = 1.0
"""Between two decisions while the match is followed."""
HELP: Final = "n next, p previous, N/P 10, g first, G last, f follow, w points, 0-9 seat, a all, s spectator, q quit"
STEPS: Final = {TICK: 1, "n": 1, " ": 1, "\n": 1, "\r": 1, "p": -1, "N": 10, "P": -10, "g": -(10**9), "G": 10**9}


class Stepper:
    """The place in a recorded match, and whose view is shown."""

    def __init__(self, replay: Replay, number: int = 0, observer: Observer = None, *, fixed: bool = False) -> None:
        """Begin before decision `number`; if the view is `fixed`, it cannot be changed."""
        self.replay = replay
        self.record = replay.record
        self.number = number
        self.observer = observer
        self.follows = False
        self.shows_points = False
        """Whether where the points came from is shown instead of the board."""
        self._fixed = fixed
        self._last = len(self.record.decisions.seats)
        self._document = cache(replay.document)

    def press(self, key: str) -> bool:
        """Do what a key says, or follow the match at a `TICK`; return False if the key ends the show."""
        self.number = min(max(self.number + STEPS.get(key, 0), 0), self._last)
        if key != TICK:
            self.follows = key == "f" and not self.follows
            self.shows_points ^= key == "w"
        self.follows = self.follows and self.number < self._last
        if not self._fixed:
            self._look(key)
        return key != "q"

    def _look(self, key: str) -> None:
        if key == "a":
            self.observer = None
        elif key == "s":
            self.observer = SPECTATOR
        elif key.isdecimal() and int(key) < len(self.record.entrants):
            self.observer = int(key)

    def picture(self) -> Group:
        """Draw the position, the decision that led to it, and where in the match it is."""
        views = {None: "all secrets", SPECTATOR: "as a spectator sees it"}
        view = views.get(self.observer, f"as seat {self.observer} sees it")
        where = f"position {self.number} of {self._last}, {view}"
        shown = self._points() if self.shows_points else picture_at(self.replay, self.number, self.observer)
        return Group(Text(where, style="bold"), shown, self._decision())

    def _points(self) -> Text:
        return Text("\n".join(sheet_lines(self._document(self.observer), self.number)))

    def _decision(self) -> Text:
        if not self.number:
            return Text("the opening")
        step = self._document(self.observer)["steps"][self.number - 1]
        text = f"{self.record.entrants[step['seat']].name}: {step['label']}"
        return Text("\n".join(map(printable, [text, *(f"  {line}" for line in step["thoughts"].splitlines())])))


def picture_at(replay: Replay, number: int, observer: Observer) -> Group:
    """Draw the position before a decision. Raises RecordError."""
    scene = replay.scene(number, observer)
    names = [f"{entrant.name} {entrant.version}" for entrant in replay.record.entrants]
    own = observer if observer is not None and observer >= 0 else None
    text = legend([printable(name) for name in names], len(scene["players"]) - len(names), own)
    return Group(_board(replay, scene), text)


def _board(replay: Replay, scene: Scene) -> Text:
    """Draw a scene as its game does, or plainly if that game is not installed or draws other scenes now."""
    scenery = replay.scenery()
    try:
        return drawn(find_game(replay.record.game).drawing(), scenery, scene)
    except (UnknownGame, LookupError, TypeError, ValueError):
        if not replay.why_kept:
            raise
        return drawn(plain_drawing, scenery, scene)


def show_step_by_step(stepper: Stepper, console: Console, descriptor: int = 0) -> None:
    """Show positions until a key or the end of the input ends it."""
    with single_keys(descriptor):
        going = True
        while going:
            if console.is_terminal:
                console.clear()
            console.print(stepper.picture(), Text(HELP, style="dim"))
            going = stepper.press(next_key(descriptor, PACE_S if stepper.follows else None))
