"""What environments of other libraries share: how they are shown, as text or as an image, and copied."""

import warnings
from copy import deepcopy
from typing import Any, Final, Literal, Self

import numpy as np
from numpy.typing import NDArray

from ballcourt.arena.extras import needs
from ballcourt.env.errors import EnvError
from ballcourt.env.single import Env

RenderMode = Literal["ansi", "rgb_array"]
"""What `render` returns: the whole position as text, or the board as an image; secrets are included."""

MODES: Final = ("ansi", "rgb_array")
FRAMES_PER_SECOND: Final = 2
"""How fast a film of images shows the steps."""
WIDTH, HEIGHT, DPI = 960, 720, 72
LINE: Final = 1.25
"""The height of a line of text and, halved, about the width of its characters, in sizes of the font."""


class Shown:
    """An environment that has a render mode, and whose copies have matches of their own."""

    render_mode: str | None

    def __copy__(self) -> Self:
        return deepcopy(self)

    def _show(self, mode: RenderMode | None) -> None:
        """Set the render mode. Raises EnvError for another one, MissingExtra if it needs what is not installed."""
        if mode not in (None, *MODES):
            raise EnvError(f"render_mode is {mode!r}; it must be None, 'ansi' or 'rgb_array'")
        if mode == "rgb_array":
            needs("plot")
        self.render_mode = mode

    def _rendered(self, env: Env) -> str | NDArray[np.uint8] | None:
        if self.render_mode is None:
            warnings.warn("there is no render mode, so nothing is shown; give render_mode='ansi'", stacklevel=3)
            return None
        return str(env.state) if self.render_mode == "ansi" else _pixels(env.board())


def _pixels(text: str) -> NDArray[np.uint8]:
    """Draw lines of text, as large as they fit, into an image: uint8 (720, 960, 3)."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    lines = text.split("\n")
    size = min(HEIGHT / len(lines), 2 * WIDTH / max(*map(len, lines), 1)) / LINE
    canvas: Any = FigureCanvasAgg(Figure((WIDTH / DPI, HEIGHT / DPI), DPI))
    canvas.figure.text(0, 1, text, family="monospace", size=size, va="top", parse_math=False)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].copy()
