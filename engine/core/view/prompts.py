"""Positions, rules and legal actions as text for language models, the same way for every game.

The rules come first and never change in a match, so that endpoints can cache them; the position is short and comes
last. Both follow from scene and scenery, so a position holds only what its seat may know.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from ballcourt.engine.core.frames import Seat
from ballcourt.engine.core.game import Game
from ballcourt.engine.core.state import State
from ballcourt.engine.core.view.scene import Scene, Scenery

FORMAT: Final = "ballcourt-text-5"
"""Changes whenever the same match would be written differently."""
NUMBER: Final = r"(?:§\d+(?:\.\d+)?|R-[A-Z]?\d+)"
"""The number of a chapter, a rule or a ruling."""
LABEL: Final = re.compile(rf"(?<=[-#] )\**({NUMBER})\** ")
"""A number at the beginning of what it stands for."""
REFERENCE: Final = re.compile(rf"\s*\({NUMBER}(?:(?:, | and | or | to |-){NUMBER})*\)")
ORIGIN: Final = re.compile(r"\s*[^.]*\brulebook\b[^.]*\.")
"""A sentence about what the rulebook of a game says or leaves open."""
CHARACTERS_PER_TOKEN: Final = 3
"""Fewer than models need for English, so that estimates are on the safe side."""


def rules_text(game: Game, state: State, seat: Seat, options: Mapping[str, str]) -> str:
    """Return what a player must know for a whole match: the rules, the seat, and what the names of places mean.

    `state` is any position of the match.
    """
    chosen = ", ".join(f"{name} = {value}" for name, value in options.items()) or "none"
    file = game.rules_file()
    return "\n".join(
        [
            f"You play {game.title} on seat {seat} of {state.seats}, numbered from 0. Options: {chosen}.",
            f"Positions are in the format {FORMAT}.",
            "",
            *([played_rules(file.read_text(encoding="utf-8")), ""] if file else []),
            *_scenery(game.scenery(state)),
        ]
    ).strip()


def played_rules(page: str) -> str:
    """Return a page of rules without what a player has no use for.

    That is what stands before the first chapter, where rules are from, numbers of rules that no sentence mentions, and
    references in brackets.

    >>> played_rules("# Cards\\nFrom a box.\\n\\n## §1 Turns\\n- **§1.1** Draw (§2.1, R-3).\\n- **§1.2** See §1.1.")
    '## Turns\\n- **§1.1** Draw.\\n- See §1.1.'
    """
    chapters = page[found.start() :] if (found := re.search(r"^## ", page, re.MULTILINE)) else page
    text = ORIGIN.sub("", REFERENCE.sub("", chapters))
    mentioned = set(re.findall(NUMBER, LABEL.sub("", text)))
    return LABEL.sub(lambda label: label[0] if label[1] in mentioned else "", text).strip()


def position_text(game: Game, state: State, seat: Seat) -> str:
    """Return a position as a seat sees it: one line for each player and each part of the table."""
    scene = game.scene(state, seat)
    return "\n".join([*scene_lines(scene, seat), *_glossary(scene, game.scenery(state))])


def tokens(text: str) -> int:
    """Estimate the number of tokens in a string, erring on the high side."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def compact(value: object) -> str:
    """Return JSON values in a few words; what is unknown or empty is left out.

    >>> compact({"corn": 3, "tiles": [], "at": {"row": ["a", "b"]}})
    'corn 3, at (row a b)'
    """
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_inner(part)}".strip() for name, part in value.items() if not _is_empty(part))
    if isinstance(value, list):
        phrases = any(isinstance(part, str) and " " in part for part in value)
        return ("; " if phrases else " ").join(_inner(part) for part in value)
    if value is None:
        return "-"
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def _inner(value: object) -> str:
    return (
        f"({compact(value)})"
        if isinstance(value, Mapping) or (isinstance(value, list) and _nests(value))
        else compact(value)
    )


def _nests(value: list[Any]) -> bool:
    return any(isinstance(part, list | Mapping) for part in value)


def _is_empty(value: object) -> bool:
    return value is None or value == [] or value == {} or value == ""


def scene_lines(scene: Scene, seat: Seat) -> Iterator[str]:
    """Yield a scene in lines for the seat that sees it: the table, each player, what lies where, and the question."""
    yield ", ".join(filter(None, (f"round {scene['round']}", scene["phase"], _turn(scene["turn"]))))
    for number, player in enumerate(scene["players"]):
        own = " (you)" if number == seat else ""
        parts = (compact(player[part]) for part in ("stock", "tracks", "own"))
        yield f"player {number} {player['name']}{own}: {player['score']:g} points; {'; '.join(filter(None, parts))}"
    pieces = ", ".join(f"{place}: {' + '.join(map(_token, here))}" for place, here in scene["at"].items())
    yield f"on the board: {pieces or 'nothing'}"
    if scene["piles"]:
        yield "face down: " + compact({name: pile["count"] for name, pile in scene["piles"].items()})
    if board := compact(scene["board"]):
        yield f"table: {board}"
    if known := compact(scene["known"][seat]):
        yield f"you alone know: {known}"
    if question := scene["question"]:
        yield f"question: {question['text']}"


def _turn(seat: Seat | None) -> str:
    return "" if seat is None else f"turn of player {seat}"


def _token(token: Mapping[str, Any]) -> str:
    count = f"{token['count']} " if token.get("count", 1) != 1 else ""
    face = f" {token['face']}" if "face" in token else ""
    owner = f" of {token['player']}" if "player" in token else ""
    return f"{count}{token['kind']}{face}{owner}"


def _glossary(scene: Scene, scenery: Scenery) -> Iterator[str]:
    """Yield what is printed on the pieces in a scene, where the scenery says so."""
    names = dict.fromkeys(_strings(dict(scene)))
    for printed in scenery["board"].values():
        if isinstance(printed, Mapping):
            yield from (f"{name}: {compact(printed[name])}" for name in names if isinstance(printed.get(name), Mapping))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from _strings(part)


def _scenery(scenery: Scenery) -> Iterator[str]:
    """Yield what the names of places and the steps of tracks mean."""
    places = [(name, place["label"]) for name, place in scenery["places"].items()]
    labels = [f"{name}: {label}" for name, label in places if label and _plain(label) != _plain(name)]
    if labels:
        yield "Places: " + "; ".join(labels)
    adjacent = [(name, place["adjacent"]) for name, place in scenery["places"].items() if place.get("adjacent")]
    if adjacent:
        yield "Adjacent places: " + "; ".join(f"{name}: {' '.join(others)}" for name, others in adjacent)
    for name, track in scenery["tracks"].items():
        yield f"Track {name}: " + ", ".join(f"{step} {text}".strip() for step, text in enumerate(track["steps"]))


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", " ", name).lower()
