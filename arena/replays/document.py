"""The replay document: a recorded match as one observer saw it, whole and in JSON.

It has the first scene and, for each decision, what changed. A viewer needs no rules: it carries out the changes.
Everything that an observer sees went through the redaction of the game (`Game.scene`, `State.seen_action`) and of
`summaries`, as in a match that is still being played.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any, Literal, TypedDict, cast

from ballcourt.arena.faults import short_name
from ballcourt.arena.printable import cut
from ballcourt.arena.records.replay import opening, positions
from ballcourt.arena.records.summaries import DecisionSummary, decision_summaries, seat_summaries
from ballcourt.arena.replays.view import Operation, View
from ballcourt.engine.core import State
from ballcourt.engine.core.messages.schema import json_schema
from ballcourt.engine.core.observation import SPECTATOR
from ballcourt.engine.core.view.scene import Choice, Observer, Scene, Scenery
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import MatchRecord, ToleratedFault

SCHEMA_ID = "https://github.com/ballcourt/ballcourt/schemas/ballcourt-replay-1.json"
THOUGHTS = 100_000
"""Characters that the thoughts of a match may take in all; longer ones are cut alike."""


class Fault(TypedDict):
    """A fault that was tolerated: its kind, a sentence, and what was done about it ("retry" or "substitute")."""

    termination: str
    detail: str
    remedy: str


class Seat(TypedDict):
    """A seat and how its match ended; None stands for what the observer does not know.

    While the match is being played, `placement` is 0 and `termination` empty. `faults` are failed starts that were
    tolerated; none if the observer cannot know.
    """

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
    faults: list[Fault]


class Rival(TypedDict):
    """A player that the rules play."""

    name: str
    placement: int
    score: float


class Origin(TypedDict):
    """The match that a match branched off from, and the first decision that was not taken over."""

    match: str
    decision: int


class Step(TypedDict):
    """A decision and what it changed. `action` is 0 while it is secret; `by` is "bot", "fallback" (the bot
    answered without choosing itself), "rules" (it was forced), "substitute", "nobody" (the seat was vacated), "record"
    (taken over from another match), or None. `faults` are those that were tolerated before the decision; none if the
    observer cannot know. An op is [path, value], or [path] to remove.
    """

    seat: int
    action: int
    label: str
    places: list[str]
    by: str | None
    think_ms: float | None
    thoughts: str
    faults: list[Fault]
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
    branched_from: Origin | None
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
    begun, _ = unfinished_document(record, observer, record.started)
    return begun | {
        "seats": _seats(record, observer),
        "rivals": [{"name": rival.name, "placement": rival.placement, "score": rival.score} for rival in record.rivals],
    }


def opening_document(
    key: str, opening: State, view: View, options: Mapping[str, str], bots: Iterable[tuple[str, str]], started: str
) -> Document:
    """Return the document of a match that begins, without steps; `bots` are names and versions in seat order."""
    game = view.game
    return {
        "format": "ballcourt-replay-1",
        "match": key,
        "game": game.name,
        "title": game.title,
        "rules_version": game.rules_version,
        "options": dict(sorted(options.items())),
        "started": started,
        "branched_from": None,
        "observer": view.observer,
        "seats": [_seat_of_a_running_match(seat, *bot) for seat, bot in enumerate(bots)],
        "rivals": [],
        "scenery": game.scenery(opening),
        "first": view.scene,
        "steps": [],
    }


def unfinished_document(record: MatchRecord, observer: Observer, started: str) -> tuple[Document, Scene]:
    """Return a match that has not ended, with the decisions of its record so far, and the scene after them.

    Raises RecordError if the record cannot be executed here.
    """
    game, state = opening(record)
    view = View(game, state, observer)
    bots = ((entrant.name, entrant.version) for entrant in record.entrants)
    begun = opening_document(record.key, state, view, record.options, bots, started)
    begun["branched_from"] = _origin(record)
    return begun | {"steps": list(_steps(record, view))}, view.scene


def public_step(seat: int, choice: Choice, ops: list[Operation]) -> Step:
    """Return a step with what everyone at the table may know of it."""
    return {"seat": seat, **choice, "by": None, "think_ms": None, "thoughts": "", "faults": [], "ops": ops}


def observers(record: MatchRecord) -> list[Observer]:
    """List whose views of a match there are: everything, a spectator's, and each seat's."""
    return [None, SPECTATOR, *range(len(record.entrants))]


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a replay document."""
    return json_schema(Document, SCHEMA_ID)


def _origin(record: MatchRecord) -> Origin | None:
    if not record.HasField("branched_from"):
        return None
    return {"match": record.branched_from.key, "decision": record.branched_from.decision}


def _seats(record: MatchRecord, observer: Observer) -> list[Seat]:
    seats = [asdict(seat) | {"faults": []} for seat in seat_summaries(record, observer)]
    for seat in seats:
        if observer in (None, seat["seat"]):
            seat["faults"] = _tolerated(record, seat["seat"], None)
    return [cast(Seat, {name: seat[name] for name in Seat.__annotations__}) for seat in seats]


def _seat_of_a_running_match(seat: int, bot: str, version: str) -> Seat:
    return {
        "seat": seat,
        "bot": bot,
        "version": version,
        "placement": 0,
        "score": 0.0,
        "termination": "",
        "detail": None,
        "vacated_at": None,
        "think_mean_ms": None,
        "think_max_ms": None,
        "faults": [],
    }


def _steps(record: MatchRecord, view: View) -> Iterator[Step]:
    """Execute a record and yield its decisions as the observer of a view of its opening saw them."""
    observer = view.observer
    longest = THOUGHTS // max(1, len(record.decisions.thoughts))
    following = positions(record)
    state = next(following)
    for summary, action in zip(decision_summaries(record, observer), record.decisions.actions, strict=True):
        before = state.clone()
        next(following)  # refuses an illegal action before anything is asked about it
        faults = _tolerated(record, summary.seat, summary.number) if observer in (None, summary.seat) else []
        yield _step(summary, longest, faults, *view.step(before, summary.seat, action, state))


def _tolerated(record: MatchRecord, seat: int, decision: int | None) -> list[Fault]:
    """List the faults of a seat that were tolerated before a decision; with None, those of its start."""
    return [
        {"termination": short_name(fault.termination), "detail": fault.detail, "remedy": fault.remedy}
        for fault in record.tolerated
        if fault.seat == seat and decision == (None if _is_of_start(fault) else fault.decision)
    ]


def _is_of_start(fault: ToleratedFault) -> bool:
    return fault.termination == Termination.TERMINATION_FAILED_TO_START


def _step(summary: DecisionSummary, longest: int, faults: list[Fault], choice: Choice, ops: list[Operation]) -> Step:
    return {
        "seat": summary.seat,
        **choice,
        "by": summary.by,
        "think_ms": summary.think_ms,
        "thoughts": cut(summary.thoughts, longest),
        "faults": faults,
        "ops": ops,
    }
