"""The board of Tzolk'in as characters: five gears, temples, technologies, cards, and what the players have."""

from math import cos, radians, sin
from typing import Any, Final

from ballcourt.engine.core.view.drawing import (
    Canvas,
    Line,
    about,
    heading,
    letter,
    listed,
    own_last,
    paragraph,
    side_by_side,
)
from ballcourt.engine.core.view.scene import PlayerScene, Scene, Scenery, Token, in_words
from ballcourt.engine.games.tzolkin.tables import GEAR_NAMES, TECH_NAMES, TEMPLE_NAMES

APART: Final = 16
"""Columns from one gear to the next."""
WIDE, HIGH = 5.6, 3.2
"""The radii of a gear: columns and rows."""
SIGNS: Final = "# nobody's worker, x crystal skull, . out of sight"
"""What stands on the gears besides numbers and the letters of players."""


def draw(scenery: Scenery, scene: Scene) -> list[Line]:
    """Draw the board, the gears and one's own last: a low terminal scrolls away what is above."""
    tables = side_by_side(_temples(scenery, scene), _techs(scenery, scene), 50)
    cards = [*_cards(scenery, scene, "row", "Buildings"), *_cards(scenery, scene, "display", "Monuments")]
    *others, own = [_player(scenery, scene, scene["players"][index], index) for index in own_last(scene)]
    around = [line for lines in others for line in lines]
    gears = [*_gears(scenery, scene), [(SIGNS, "faint")]]
    return [*cards, *tables, *_jungle(scene), *around, *_calendar(scenery, scene), *gears, *own]


def _calendar(scenery: Scenery, scene: Scene) -> list[Line]:
    board = scene["board"]
    food = [day for day in scenery["board"]["food_days"] if day >= board["day"]]
    parts = [
        f"food on day {food[0]}" if food else "no food day left",
        f"{board['corn_on_teeth']} corn on the teeth",
        f"{board['skulls_in_bank']} skulls",
    ]
    start: Line = [("; start player ", ""), letter(board["start_player"])]
    return [[*heading(f"{scene['phase']}, day {board['day']}"), (f"; {'; '.join(parts)}", ""), *start]]


def _gears(scenery: Scenery, scene: Scene) -> list[Line]:
    """Draw each gear as a ring: space 0 at the bottom, the others clockwise."""
    canvas = Canvas()
    for number, name in enumerate(GEAR_NAMES):
        middle = APART * number + 7
        canvas.centre(middle, 0, heading(in_words(name)))
        canvas.centre(middle, 5, [("(o)", "faint")])
        teeth = scenery["board"]["gears"][name]["teeth"]
        for space in range(teeth):
            angle = radians(90 + 360 / teeth * space)
            words = _space(scenery, scene, name, space)
            canvas.centre(middle + round(WIDE * cos(angle)), 5 + round(HIGH * sin(angle)), words)
    return canvas.lines()


def _space(scenery: Scenery, scene: Scene, gear: str, space: int) -> Line:
    """Return the number of a space, with who stands there; a dot where no worker can be placed."""
    place = f"{gear}.{space}"
    here: Line = [_worker(token) for token in scene["at"].get(place, [])]
    if gear == "chichen_itza" and space in scene["board"]["skulls_at_chichen_itza"]:
        here.append(("x", "strong"))
    number = str(space) if scenery["places"][place]["label"] or not space else "."
    return [(number, "" if here else "faint"), *here]


def _worker(token: Token) -> tuple[str, str]:
    return letter(token["player"]) if "player" in token else ("#", "faint")


def _jungle(scene: Scene) -> list[Line]:
    groups = [
        f"{place.partition('.')[2]}: {listed(map(_tiles, tokens))}"
        for place, tokens in scene["at"].items()
        if place.startswith("jungle.")
    ]
    lines: list[Line] = paragraph(f"Jungle of Palenque: {'; '.join(groups) or 'empty'}")
    waiting = [_worker(token) for token in scene["at"].get("start", [])]
    return [*lines, [("On the start space: ", ""), *waiting]] if waiting else lines


def _tiles(token: Token) -> str:
    return f"{token['count']} {token['kind'].split()[0]}"


def _temples(scenery: Scenery, scene: Scene) -> list[Line]:
    canvas = Canvas()
    high = max(len(scenery["tracks"][name]["steps"]) for name in TEMPLE_NAMES)
    for index, name in enumerate(TEMPLE_NAMES):
        track, column = scenery["tracks"][name], 16 * index
        bonus = [points[index] for points in scenery["board"]["temple_bonus"]]
        canvas.put(column, 0, track["label"], "strong")
        for step, text in enumerate(track["steps"]):
            canvas.put(column, high - step, f"{text:8}", "faint")
            for offset, player in enumerate(_at_step(scene, name, step)):
                canvas.put(column + 9 + offset, high - step, *letter(player))
        canvas.put(column, high + 1, f"best +{bonus[0]}, +{bonus[1]}", "faint")
    return canvas.lines()


def _techs(scenery: Scenery, scene: Scene) -> list[Line]:
    lines: list[Line] = [heading("Technologies")]
    for name in TECH_NAMES:
        line: Line = [(f"{scenery['tracks'][name]['label']:13}", "")]
        for level in range(len(scenery["tracks"][name]["steps"])):
            line += [(f"{level}", "faint"), *map(letter, _at_step(scene, name, level)), (" ", "")]
        lines.append(line)
    piles = [f"{name} {pile['count']}" for name, pile in scene["piles"].items() if pile["count"]]
    return [*lines, [], [(f"to come: {listed(piles)}", "faint")]]


def _at_step(scene: Scene, track: str, step: int) -> list[int]:
    return [index for index, player in enumerate(scene["players"]) if player["tracks"][track] == step]


def _cards(scenery: Scenery, scene: Scene, where: str, title: str) -> list[Line]:
    places = [place for place in scene["at"] if place.startswith(f"{where}.")]
    tiles = scenery["board"]["tiles"]
    cards = [
        line
        for place in places
        for line in paragraph(f"{int(place.partition('.')[2]) + 1} {card(tiles[scene['at'][place][0]['face']])}", 2)
    ]
    return [heading(title), *cards] if cards else []


def card(tile: dict[str, Any]) -> str:
    """Return what is printed on a tile."""
    cost = ", ".join(_counted(count, name) for name, count in tile["cost"].items())
    price = f"{tile['category']} for {cost}: " if cost else ""
    return price + "; ".join(tile["effects"])


def _counted(count: int, things: str) -> str:
    """Return a number of things, in the singular for one."""
    return f"{count} {things.removesuffix('s') if count == 1 else things}"


def _player(scenery: Scenery, scene: Scene, player: PlayerScene, index: int) -> list[Line]:
    own, tiles = player["own"], scenery["board"]["tiles"]
    lines = about(player, index)
    harvested = [_counted(own[f"{kind}_tiles"], f"{kind} tiles") for kind in ("corn", "wood") if own[f"{kind}_tiles"]]
    fed = [_counted(own["workers_fed"], "workers") + " fed"] if own["workers_fed"] else []
    cheaper = [f"food {own['food_discount']} cheaper"] if own["food_discount"] else []
    if harvested or fed or cheaper:
        lines += paragraph(", ".join(harvested + fed + cheaper), 2)
    for built in own["buildings"] + own["monuments"]:
        lines += paragraph(f"{in_words(built.partition('.')[0])}: {card(tiles[built])}", 2)
    question = scene["question"]
    offered = scene["known"][index]["offered"]
    if offered and question and question["kind"] == "Draft":
        for number, tile in enumerate(offered, start=1):
            lines += paragraph(f"offered {number}: {card(tiles[tile])}", 2)
    return lines
