"""Boards of games for rich: the lines of a game's drawing in colours, if the terminal has them."""

from typing import Final

from rich.text import Text

from ballcourt.arena.printable import printable
from ballcourt.engine.core.view.drawing import LETTERS, Draw, Line
from ballcourt.engine.core.view.scene import Scene, Scenery

STYLES: Final = {
    "p0": "bold red",
    "p1": "bold cyan",
    "p2": "bold green",
    "p3": "bold magenta",
    "p4": "bold yellow",
    "p5": "bold blue",
    "strong": "bold",
    "faint": "dim",
    "yellow": "yellow",
    "blue": "blue",
    "black": "bright_black",
    "brown": "red",
    "white": "bright_white",
    "wild": "bold magenta",
}
"""How the styles of drawings look; others have no look of their own."""


def drawn(draw: Draw, scenery: Scenery, scene: Scene) -> Text:
    """Draw a scene with the drawing of a game."""
    return Text("\n").join(map(_line, draw(scenery, scene)))


def legend(names: list[str], rivals: int, own: int | None) -> Text:
    """Say which letter is whose: the players by seat, of whom the seat `own` is marked, then `rivals` of the rules."""
    shown = [name + (" (you)" if seat == own else "") for seat, name in enumerate(names)] + ["no bot"] * rivals
    words = [Text.assemble((LETTERS[player], STYLES[f"p{player}"]), f" {name}") for player, name in enumerate(shown)]
    return Text(", ").join(words)


def _line(line: Line) -> Text:
    return Text.assemble(*[(printable(text), STYLES.get(style, "")) for text, style in line])
