"""The board of Maya as characters: hexes in rows, each half a cell aside of the next one."""

from typing import Final

from ballcourt.engine.core.view.drawing import Canvas, Line, Word, about, heading, letter, listed, own_last, paragraph
from ballcourt.engine.core.view.scene import Place, PlayerScene, Scene, Scenery, Token, in_words
from ballcourt.engine.games.maya.view.scene import ROW_HEIGHT

CELL: Final = 2.5
"""Columns of half a cell, the unit of `Place.x`."""
CROPS: Final = {"corn": "c", "pepper": "p", "squash": "s", "potato": "t"}
LEGEND: Final = (
    "^B2 temple site, ^5 temple of a city of 5 tiles, *5 scored, [A] city tile of A, Ac2 plantation of A: "
    + ", ".join(f"{sign} {crop}" for crop, sign in CROPS.items())
)


def draw(scenery: Scenery, scene: Scene) -> list[Line]:
    """Draw the map, the cities, and what is known of the racks."""
    canvas = Canvas()
    left = min(place["x"] for place in scenery["places"].values())
    for name, place in scenery["places"].items():
        column, row = round((place["x"] - left) * CELL), round(place["y"] / ROW_HEIGHT)
        canvas.put(column + 1, row, *_empty(name, place))
        for token in scene["at"].get(name, []):
            canvas.put(column, row, "     ")
            _put_token(canvas, column + 1, row, token, scene)
    return [
        *canvas.lines(),
        *paragraph(LEGEND, style="faint"),
        *_cities(scene),
        *[line for index in own_last(scene) for line in _player(scene, scene["players"][index], index)],
    ]


def _empty(name: str, place: Place) -> Word:
    if place["kind"] == "border":
        return "~~", "faint"
    return (f"^{name}", "strong") if place["kind"] == "temple" else (name, "faint")


def _put_token(canvas: Canvas, column: int, row: int, token: Token, scene: Scene) -> None:
    if token["kind"] == "temple":
        city = scene["board"]["cities"][token["face"]]
        canvas.put(column, row, f"{'*' if city['scored'] else '^'}{city['size']}", "strong")
        return
    owner, style = letter(token["player"])
    if token["kind"] == "city":
        canvas.put(column, row, f"[{owner}]", style)
    else:
        crop, value = token["face"].split(":")
        canvas.put(column, row, f"{owner}{CROPS[crop]}{value}", style)


def _cities(scene: Scene) -> list[Line]:
    cities = [
        f"{in_words(temple)} {city['size']}"
        + (" scored" if city["scored"] else f" ({city['empty_cells_around']} free)")
        for temple, city in scene["board"]["cities"].items()
    ]
    return [heading("Cities: tiles and free cells around"), *paragraph(listed(cities), 2)]


def _player(scene: Scene, player: PlayerScene, index: int) -> list[Line]:
    known = scene["known"][index]
    if known["rack"] is None:
        return about(player, index)
    lines = [*about(player, index), *paragraph(f"rack: {_faces(known['rack'])}", 2)]
    if known["held"]:
        lines += paragraph(f"about to lay face down: {_faces([known['held']])}", 2)
    if known["city_tiles"]:
        tiles = [f"{cell} {_face(face)}" for cell, face in known["city_tiles"].items() if face]
        lines += paragraph(f"face down: {', '.join(tiles)}", 2)
    return lines


def _faces(faces: list[str]) -> str:
    return listed(map(_face, faces))


def _face(face: str) -> str:
    return face.replace(":", " ")
