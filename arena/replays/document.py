"""The replay document: a recorded match as one observer saw it, whole and in JSON.

It has the first scene and, for each decision, what changed. A viewer needs no rules: it carries out the changes.
Everything that an observer sees went through the redaction of the game (`Game.scene`, `State.seen_action`) and of
`summaries`, as in a match that is still being played.
"""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Literal, TypedDict, cast

from ballcourt.arena.printable import cut
from ballcourt.arena.records.readable import HIDDEN
from ballcourt.arena.records.replay import opening, positions
from ballcourt.arena.records.summaries import DecisionSummary, decision_summaries, seat_summaries
from ballcourt.arena.replays.changes import changes
from ballcourt.engine.core.observation import SPECTATOR
from ballcourt.engine.core.scene import Choice, Observer, Scene, Scenery, plain_choice
from ballcourt.engine.core.schema import json_schema
from ballcourt.v1.record_pb2 import MatchRecord

SCHEMA_ID = "https://github.com/ballcourt/ballcourt/schemas/ballcourt-replay-1.json"
THOUGHTS = 100_000
"""Characters that the thoughts of a match may take in all; longer ones are cut alike."""


class Seat(TypedDict):
    """A seat and how its match ended; None stands for what the observer does not know."""

    seat: int
    bot: str
    version: str
    placement: int
    score: float
    termination: str
    detail: str | None
    vacated_at: int | None
    think_mean_ms: float | None
    think_max_ms: float | None


class Rival(TypedDict):
    """A player that the rules play."""

    name: str
    placement: int
    score: float


class Step(TypedDict):
    """A decision and what it changed. `action` is 0 while it is secret; `by` is "bot", "rules" (it was forced),
    "substitute", "nobody" (the seat was vacated), or None. An op is [path, value], or [path] to remove.
    """

    seat: int
    action: int
    label: str
    places: list[str]
    by: str | None
    think_ms: float | None
    thoughts: str
    ops: list[list[Any]]


class Document(TypedDict):
    """A replay: `steps` lead from the scene `first` to the end. `observer` is a seat, -1 for a spectator, None for
    everything.
    """

    format: Literal["ballcourt-replay-1"]
    match: str
    game: str
    title: str
    rules_version: str
    options: dict[str, str]
    started: str
    observer: int | None
    seats: list[Seat]
    rivals: list[Rival]
    scenery: Scenery
    first: Scene
    steps: list[Step]


def document(record: MatchRecord, observer: Observer = None) -> Document:
    """Return a match as a seat or SPECTATOR saw it, or with None with all secrets.

    Raises RecordError if the record cannot be executed here.
    """
    game, state = opening(record)
    return {
        "format": "ballcourt-replay-1",
        "match": record.key,
        "game": record.game,
        "title": game.title,
        "rules_version": record.rules_version,
        "options": dict(sorted(record.options.items())),
        "started": record.started,
        "observer": observer,
        "seats": _seats(record, observer),
        "rivals": [{"name": rival.name, "placement": rival.placement, "score": rival.score} for rival in record.rivals],
        "scenery": game.scenery(state),
        "first": game.scene(state, observer),
        "steps": list(_steps(record, observer)),
    }


def observers(record: MatchRecord) -> list[Observer]:
    """List whose views of a match there are: everything, a spectator's, and each seat's."""
    return [None, SPECTATOR, *range(len(record.entrants))]


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a replay document."""
    return json_schema(Document, SCHEMA_ID)


def _seats(record: MatchRecord, observer: Observer) -> list[Seat]:
    told = [asdict(seat) for seat in seat_summaries(record, observer)]
    return [cast(Seat, {name: seat[name] for name in Seat.__annotations__}) for seat in told]


def _steps(record: MatchRecord, observer: Observer) -> Iterator[Step]:
    """Execute a record and yield its decisions as an observer saw them."""
    game, _ = opening(record)
    longest = THOUGHTS // max(1, len(record.decisions.thoughts))
    following = positions(record)
    state = next(following)
    before = game.scene(state, observer)
    for told, action in zip(decision_summaries(record, observer), record.decisions.actions, strict=True):
        earlier = state.clone()
        next(following)  # refuses an illegal action before anything is asked about it
        seen = action if observer is None else state.seen_action(told.seat, action, observer)
        choice = game.choice(earlier, told.seat, action) if seen == action else _other(told, seen)
        after = game.scene(state, observer)
        yield _step(told, choice, longest, changes(before, after))
        before = after


def _other(told: DecisionSummary, seen: int) -> Choice:
    """Describe an action that an observer saw as another one, or not at all."""
    return plain_choice(seen, told.action) if seen else {"action": 0, "label": HIDDEN, "places": []}


def _step(told: DecisionSummary, choice: Choice, longest: int, ops: list[list[Any]]) -> Step:
    return {
        "seat": told.seat,
        **choice,
        "by": told.by,
        "think_ms": told.think_ms,
        "thoughts": cut(told.thoughts, longest),
        "ops": ops,
    }
