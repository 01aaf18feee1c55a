"""Boards as characters, for terminals: lines of words, each with a style.

A game draws its scenes on a `Canvas` or line by line; `plain_drawing` serves the games without a drawing. Players are
letters, since a terminal may lack colours.
"""

from collections.abc import Callable, Iterable, Mapping
from textwrap import wrap
from typing import Final, TypeAlias

from ballcourt.engine.core.view.printing import outline
from ballcourt.engine.core.view.scene import PlayerScene, Scene, Scenery, Token, in_words

WIDTH: Final = 79
"""Columns of a line at most."""
LETTERS: Final = "ABCDEFGH"
"""The letters of the players."""

Word: TypeAlias = tuple[str, str]
"""Characters and their style: "p0" for player 0 and so on, "strong", "faint", a colour such as "yellow", or nothing."""

Line: TypeAlias = list[Word]
Draw: TypeAlias = Callable[[Scenery, Scene], list[Line]]


class Canvas:
    """Characters at places: columns from 0 to the right, rows from 0 downwards."""

    def __init__(self) -> None:
        self._cells: dict[int, dict[int, Word]] = {}

    def put(self, column: int, row: int, text: str, style: str = "") -> None:
        """Write over what is there; what is left of column 0 is lost."""
        cells = self._cells.setdefault(row, {})
        for offset, character in enumerate(text):
            if column + offset >= 0:
                cells[column + offset] = (character, style)

    def centre(self, column: int, row: int, words: Line) -> None:
        """Write words with their middle at a column."""
        column -= sum(len(text) for text, _ in words) // 2
        for text, style in words:
            self.put(column, row, text, style)
            column += len(text)

    def lines(self) -> list[Line]:
        """Return the rows from the first to the last that is used."""
        return [self._line(self._cells.get(row, {})) for row in range(min(self._cells), max(self._cells) + 1)]

    def _line(self, cells: Mapping[int, Word]) -> Line:
        line: Line = []
        for column in range(max(cells, default=-1) + 1):
            text, style = cells.get(column, (" ", ""))
            if line and line[-1][1] == style:
                line[-1] = (line[-1][0] + text, style)
            else:
                line.append((text, style))
        return line


def letter(player: int) -> Word:
    """Return the letter of a player."""
    return LETTERS[player], f"p{player}"


def side_by_side(left: list[Line], right: list[Line], column: int) -> list[Line]:
    """Return lines next to each other, the right ones from a column on."""
    lines = []
    for row in range(max(len(left), len(right))):
        line = left[row][:] if row < len(left) else []
        if row < len(right):
            line.append((" " * (column - sum(len(text) for text, _ in line)), ""))
            line += right[row]
        lines.append(line)
    return lines


def paragraph(text: str, indent: int = 0, style: str = "") -> list[Line]:
    """Return words as lines of at most `WIDTH` columns; the second and later ones are indented further."""
    ahead = " " * indent
    return [[(line, style)] for line in wrap(text, WIDTH, initial_indent=ahead, subsequent_indent=ahead + "  ")]


def heading(text: str) -> Line:
    """Return a line in bold."""
    return [(text, "strong")]


def about(player: PlayerScene, index: int) -> list[Line]:
    """Return lines about a player: the letter, points and stock."""
    stock = ", ".join(f"{name} {count}" for name, count in player["stock"].items())
    sign, style = letter(index)
    first, *more = paragraph(f"{sign} {player['name']}: {player['score']:g} points" + (f"; {stock}" if stock else ""))
    return [[(sign, style), (first[0][0].removeprefix(sign), "")], *more]


def own_last(scene: Scene) -> list[int]:
    """Return the players in their order, but the one who looks last; if the scene does not tell, the one who is asked.

    A low terminal scrolls away what is above, and one decides by what is one's own.
    """
    looking = [seat for seat, facts in enumerate(scene["known"]) if any(fact is not None for fact in facts.values())]
    if len(looking) != 1:
        looking = scene["question"]["seats"] if scene["question"] else []
    own = looking if len(looking) == 1 else []
    return [player for player in range(len(scene["players"])) if player not in own] + own


def listed(named: Iterable[str]) -> str:
    """Return names with commas, or "none"."""
    return ", ".join(named) or "none"


def plain_drawing(scenery: Scenery, scene: Scene) -> list[Line]:
    """Draw a scene of any game: the players, what lies where, and what only this game has."""
    lines = [heading(" ".join(filter(None, (f"Round {scene['round']}" if scene["round"] else "", scene["phase"]))))]
    for index in own_last(scene):
        player = scene["players"][index]
        lines += about(player, index)
        tracks = [f"{_track(scenery, name)} {step}" for name, step in player["tracks"].items()]
        lines += paragraph(", ".join(tracks), 2)
        lines += [[("  " + line, "")] for line in outline(player["own"])]
    for place, tokens in scene["at"].items():
        where = scenery["places"][place]["label"] if place in scenery["places"] else in_words(place)
        lines += paragraph(f"{where}: {listed(map(_token, tokens))}")
    lines += [[(f"{name}: {pile['count']} face down", "")] for name, pile in scene["piles"].items()]
    known = {f"{LETTERS[seat]} knows": facts for seat, facts in enumerate(scene["known"]) if facts}
    return [line for line in lines if line != heading("")] + [
        [(line, "")] for line in [*outline(known), *outline(scene["board"])]
    ]


def _track(scenery: Scenery, name: str) -> str:
    return scenery["tracks"][name]["label"] if name in scenery["tracks"] else in_words(name)


def _token(token: Token) -> str:
    owner = f" of {LETTERS[token['player']]}" if "player" in token else ""
    count = f"{token['count']} " if token.get("count", 1) != 1 else ""
    return f"{count}{token.get('face', '')} {token['kind']}".strip() + owner
