"""The board of Ahau as characters: the map with its regions, temples and tracks, and the pyramids of the players."""

from itertools import zip_longest
from typing import Final

from ballcourt.engine.core.view.drawing import (
    WIDTH,
    Canvas,
    Line,
    Word,
    about,
    heading,
    letter,
    listed,
    own_last,
    paragraph,
    side_by_side,
)
from ballcourt.engine.core.view.scene import PlayerScene, Scene, Scenery, in_words

COLUMNS, ROWS = 0.074, 0.021
"""Columns and rows of a unit of the scenery."""
SPACE: Final = 9
"""Columns of a space of a pyramid."""


def draw(scenery: Scenery, scene: Scene) -> list[Line]:
    """Draw the board, the map and one's own last: a low terminal scrolls away what is above."""
    *others, own = own_last(scene)
    estates = [_estate(scenery, scene, scene["players"][index], index) for index in others]
    pairs = zip_longest(estates[::2], estates[1::2], fillvalue=list[Line]())
    return [
        heading(f"{scene['phase']}, round {scene['round']}"),
        *[line for left, right in pairs for line in side_by_side(left, right, WIDTH // 2 + 1)],
        *[line for index in others for line in _player(scenery, scene, scene["players"][index], index)],
        *_tables(scenery, scene),
        *_map(scenery, scene),
        *_regions(scenery, scene),
        *_estate(scenery, scene, scene["players"][own], own),
        *_player(scenery, scene, scene["players"][own], own),
    ]


def _map(scenery: Scenery, scene: Scene) -> list[Line]:
    canvas = Canvas()
    places = {name: _at(place["x"], place["y"]) for name, place in scenery["places"].items()}
    for start, end in scenery["board"]["links"].values():
        _road(canvas, places[start], places[end])
    for link in scenery["board"]["links"]:
        site = scene["at"].get(link)
        canvas.centre(*places[link], [(f"({site[0]['face'][:3]})", site[0]["face"])] if site else [("( )", "faint")])
    for region in scenery["board"]["regions"]:
        rulers = scene["at"].get(f"region.{region}.rulers", [])
        column, row = places[f"region.{region}.building"]
        owners = [letter(token["player"]) for token in rulers]
        canvas.centre(column, row, [(f"<{region}", "strong"), (" " if owners else "", ""), *owners, (">", "strong")])
    for city, god in scenery["board"]["city_gods"].items():
        column, row = places[city]
        canvas.centre(column, row, [(in_words(city), "strong"), (f" {god[:3]}", "faint")])
        canvas.centre(column, row + 1, _workers(scene, city))
    return canvas.lines()


def _at(x: float, y: float) -> tuple[int, int]:
    return round(x * COLUMNS) + 2, round(y * ROWS)


def _road(canvas: Canvas, start: tuple[int, int], end: tuple[int, int]) -> None:
    steps = max(abs(end[0] - start[0]) // 2, abs(end[1] - start[1]))
    for step in range(steps + 1):
        share = step / steps
        column, row = (round(one + share * (other - one)) for one, other in zip(start, end, strict=True))
        canvas.put(column, row, ".", "faint")


def _workers(scene: Scene, city: str) -> Line:
    """Return the workers in a city: a letter and their number each, in brackets those that lie."""
    words: Line = []
    for token in scene["at"].get(city, []):
        letters, style = letter(token["player"])
        people = f"{letters}{token.get('count', 1)}"
        words += [(" ", ""), (f"({people})" if token["kind"] == "lying worker" else people, style), (" ", "")]
    return words


def _regions(scenery: Scenery, scene: Scene) -> list[Line]:
    lines: list[Line] = [heading("Regions: tiles, and what comes with them")]
    for region in scenery["board"]["regions"]:
        tiles = [
            f"{side} {_tile(tokens[0]['face'])}"
            for side in ("left", "right")
            if (tokens := scene["at"].get(f"region.{region}.{side}"))
        ]
        gifts = [
            _building(scenery, token["face"]) if token["kind"] == "building" else token["face"]
            for token in scene["at"].get(f"region.{region}.building", [])
        ]
        lines += paragraph(f"{region}: {listed(tiles)}; {listed(gifts)}", 2)
    return lines


def _tables(scenery: Scenery, scene: Scene) -> list[Line]:
    """Draw the temples, the Might track, the offer and the calendar."""
    board = scenery["board"]
    lines: list[Line] = [heading("Temples")]
    for god in board["gods"]:
        line: Line = [(f"  {in_words(god):7}", "")]
        for space, fame in enumerate(board["marker_fame"]):
            markers = scene["at"].get(f"temple.{god}.{space}", [])
            line += [(f" {fame}:", "faint"), letter(markers[0]["player"]) if markers else ("-", "faint")]
        lines.append([*line, (f"   scores {board['scoring'][god]}", "faint")])
    steps = scenery["tracks"]["might"]["steps"]
    might: Line = [("Might: ", "strong")]
    for player in scene["board"]["might"]:
        step = scene["players"][player]["tracks"]["might"]
        might += [letter(player), (f" {step}{f' ({steps[step]})' if steps[step] else ''}  ", "")]
    offer = [
        f"{slot + 1} {_building(scenery, tokens[0]['face'])}"
        for slot in range(len(scenery["places"]))
        if (tokens := scene["at"].get(f"offer.{slot}"))
    ]
    sites = [
        token["face"] for place, tokens in scene["at"].items() if place.startswith("calendar.") for token in tokens
    ]
    piles = [f"{name} {pile['count']}" for name, pile in scene["piles"].items() if pile["count"]]
    return [
        *lines,
        might,
        *(paragraph(f"Offer: {listed(offer)}") if "offer.0" in scenery["places"] else []),
        *paragraph(f"Calendar, {len(sites)} of {board['calendar_spaces']} sites: {listed(sites)}"),
        *paragraph(f"Face down: {listed(piles)}", style="faint"),
    ]


def _estate(scenery: Scenery, scene: Scene, player: PlayerScene, index: int) -> list[Line]:
    """Draw a pyramid: its tiles, and what its free spaces give."""
    board = scenery["board"]
    seats = len(scene["known"])
    rewards = board["pyramid_rewards"][0 if index < seats else -1]
    highest = max(level for level, _ in board["spaces"])
    canvas = Canvas()
    canvas.centre(SPACE * 2, 0, [letter(index), (" pyramid", "")])
    for space, (level, position) in enumerate(board["spaces"]):
        column = SPACE * position + SPACE * (level - 1) // 2
        built = player["own"]["pyramid"].get(str(space))
        text, style = _built(*built) if built else (rewards[space][: SPACE - 2].strip(), "faint")
        canvas.put(column, 1 + highest - level, f"[{text:^{SPACE - 2}}]", style)
    return canvas.lines()


def _built(face: str, paint: str) -> Word:
    colour, god, _ = face.split()
    return f"{'*' if colour == 'wild' else ''}{paint[:3]} {god[:3]}", paint


def _player(scenery: Scenery, scene: Scene, player: PlayerScene, index: int) -> list[Line]:
    own = player["own"]
    lines = about(player, index)
    rewards = scenery["board"]["building_rewards"][0 if index < len(scene["known"]) else -1]
    buildings = [
        _building(scenery, built) if built else f"({reward})"
        for built, reward in zip(own["buildings"], rewards, strict=True)
    ]
    lines += paragraph(f"buildings: {', '.join(buildings)}", 2)
    if own["reserve"]:
        lines += paragraph(f"reserve: {', '.join(map(_tile, own['reserve']))}", 2)
    parts = [f"{what} {listed(map(in_words, cards))}" for what, cards in _cards(scene, player, index) if cards]
    return [*lines, *paragraph("; ".join(parts), 2)] if parts else lines


def _cards(scene: Scene, player: PlayerScene, index: int) -> list[tuple[str, list[str]]]:
    own = player["own"]
    known = scene["known"][index] if index < len(scene["known"]) else {"selected": None, "role": None}
    return [
        ("plays", [name for name in own["cards"] if name]),
        ("has selected", known["selected"] or []),
        ("holds the role", [known["role"]] if known["role"] else []),
        ("took a role as number", [str(own["role_order"])] if own["role_order"] else []),
        ("on the table", own["on_table"]),
        ("discarded", own["discarded"]),
        ("ruler in region", [str(own["ruler"])] if own["ruler"] else []),
    ]


def _tile(face: str) -> str:
    return face.rpartition(" ")[0]


def _building(scenery: Scenery, tile: str) -> str:
    building = scenery["board"]["buildings"][tile]
    return f"{building['label']} ({' '.join(building['cost'])})"
