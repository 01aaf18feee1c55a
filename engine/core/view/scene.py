"""What viewers draw: the scenery of a match, which never changes, and a scene for each position.

All values are JSON. `board` and `own` hold what only one game has; everything else means the same in every game, so
that a viewer which knows nothing about a game can still show it.

A scene says what lies at each place, and pieces have no identity beyond that. Equal pieces are interchangeable in a
position, and numbers given to hidden pieces would let an observer follow them from place to place.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

from ballcourt.engine.core.frames import EVERYBODY, Action, Seat

if TYPE_CHECKING:
    from ballcourt.engine.core.state import State

Observer = Seat | None
"""Who looks: a seat, `SPECTATOR`, or None, who sees all secrets."""


class Place(TypedDict):
    """Somewhere on the board. `x` grows to the right and `y` downwards, both in a unit of the game's own."""

    kind: str
    x: float
    y: float
    label: str
    adjacent: NotRequired[list[str]]
    """The places next to it by the rules, by id; only where the rules ask for it."""


class Track(TypedDict):
    """A row of steps on which each player has a marker; `steps` says what stands at each, from step 0."""

    label: str
    steps: list[str]


class Scenery(TypedDict):
    """What is the same in all scenes of a match: places and tracks by id, and what is printed on the pieces.

    `texts` says in a sentence what places, pieces, cards and tracks are for, for people who do not know the rules: by
    id, of places and of `Explanation.things`, or by kind of place.
    """

    places: dict[str, Place]
    tracks: dict[str, Track]
    board: dict[str, Any]
    texts: NotRequired[dict[str, str]]


class Token(TypedDict):
    """Pieces of one kind at a place: whose they are (a player), what they show, how many there are if not one."""

    kind: str
    player: NotRequired[int]
    face: NotRequired[str]
    count: NotRequired[int]


class Pile(TypedDict):
    """A face-down pile: how many pieces it has, and which, the top last; None to who may not know."""

    count: int
    pieces: list[str] | None


class PlayerScene(TypedDict):
    """What lies in front of a player: its points, what it has of each thing, and its steps on the tracks."""

    name: str
    score: float
    stock: dict[str, int]
    tracks: dict[str, int]
    own: dict[str, Any]


class Question(TypedDict):
    """What the table waits for: the class of the frame and its row, the question in words, and whose answer it is.

    While several seats answer in secret, an observer cannot know which of them already have; they all stay in `seats`.
    """

    kind: str
    numbers: list[int]
    text: str
    seats: list[int]


class Scene(TypedDict):
    """A position as one observer sees it.

    `players` are the seats, then the players without a bot. `known` has what each seat alone knows, with None for what
    the observer does not know; its shape is the same for every observer. `question` is None once the match is over.
    `sources` say for each player what its points were given for, where a match was followed from its beginning.
    """

    round: int
    phase: str
    turn: int | None
    question: Question | None
    players: list[PlayerScene]
    at: dict[str, list[Token]]
    piles: dict[str, Pile]
    known: list[dict[str, Any]]
    board: dict[str, Any]
    sources: NotRequired[list[dict[str, float]]]


class Choice(TypedDict):
    """An action in words that a player uses, and the places it is about."""

    action: int
    label: str
    places: list[str]


class ChoiceStep(TypedDict):
    """A step towards an action, such as one of its two cards: its name, what it does, ids of what it is about."""

    label: str
    text: str
    things: list[str]


class Explanation(TypedDict):
    """What an action does, for people who do not know the rules.

    `text` is a sentence or two, or empty; `section` is a section of RULES.md, such as "7.6", or empty; `things` are the
    ids of what the action is about besides places: cards, tiles in front of the player, tracks. `steps` lead to the
    action where it is one of many; actions that begin alike share their first step.
    """

    text: str
    section: str
    things: list[str]
    steps: NotRequired[list[ChoiceStep]]


class Lesson(TypedDict):
    """A step of the tour of the board for a first match; `things` are ids of places and things to look at."""

    title: str
    text: str
    things: list[str]


def plain_explanation() -> Explanation:
    """Return the explanation of an action that its label explains."""
    return {"text": "", "section": "", "things": []}


def plain_scenery() -> Scenery:
    """Return the scenery of a game without a board."""
    return {"places": {}, "tracks": {}, "board": {}}


def plain_scene(state: "State", observer: Observer, scores: Sequence[float]) -> Scene:
    """Return a scene with the points of the players, which the observer must be allowed to know, and the question."""
    return {
        "round": 0,
        "phase": "",
        "turn": None,
        "question": question(state, observer),
        "players": [plain_player(f"seat {seat}", score) for seat, score in enumerate(scores)],
        "at": {},
        "piles": {},
        "known": [{} for _ in range(state.seats)],
        "board": {},
    }


def plain_player(name: str, score: float) -> PlayerScene:
    """Return a player with points and nothing else."""
    return {"name": name, "score": score, "stock": {}, "tracks": {}, "own": {}}


def question(state: "State", observer: Observer, texts: Mapping[str, str] | None = None) -> Question | None:
    """Return what the table waits for; None at the end. `texts` are questions in words by class of frame."""
    if not state.frames:
        return None
    top = state.frames[-1]
    kind = type(top).__name__
    secretly = top.seat == EVERYBODY and observer is not None
    return {
        "kind": kind,
        "numbers": top.row(),
        "text": (texts or {}).get(kind, kind),
        "seats": list(range(state.seats)) if secretly else top.pending(state),
    }


def pile(pieces: list[str], observer: Observer) -> Pile:
    """Return a face-down pile that no seat may look into."""
    return {"count": len(pieces), "pieces": pieces if observer is None else None}


def sees(observer: Observer, seat: Seat) -> bool:
    """Return whether the observer knows the secrets of a seat."""
    return observer is None or observer == seat


def in_words(name: str) -> str:
    """Return an id of a game as words: "chichen_itza" as "Chichen Itza"."""
    return " ".join(word.capitalize() for word in name.split("_"))


def plain_choice(action: Action, name: str) -> Choice:
    """Return an action by its name alone: PLACE_TIKAL as "Place tikal"."""
    return {"action": action, "label": name.replace("_", " ").capitalize(), "places": []}
