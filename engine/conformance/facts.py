"""Checks of a game's static facts: action names, frames, seat counts and options."""

from collections.abc import Iterator, Mapping
from typing import Any

from ballcourt.engine.conformance.walk import Walk
from ballcourt.engine.core.frames import Frame
from ballcourt.engine.core.game import Game
from ballcourt.engine.errors import InvalidOption

BEYOND = 1 << 64


def names(walk: Walk) -> Iterator[str]:
    """Check the names of the action space against themselves and against the protocol's enum."""
    game = walk.game
    if game.action_names[:1] != ("UNSPECIFIED",):
        yield "action 0 is not called UNSPECIFIED"
    for action, name in enumerate(game.action_names):
        if game.action_names.index(name) != action:
            yield f"actions {game.action_names.index(name)} and {action} are both called {name}"
    wire = game.wire()
    if wire.action_enum:
        yield from _differences(wire.action_enum, game.action_names, wire.action_names())


def _differences(enum: str, ours: tuple[str, ...], theirs: tuple[str, ...]) -> Iterator[str]:
    if len(ours) != len(theirs):
        yield f"the game has {len(ours)} actions, but {enum} has {len(theirs)} values"
    for action, (name, value) in enumerate(zip(ours, theirs, strict=False)):
        if name != value:
            yield f"action {action} is {name}, but {enum} calls it {value}"


def frames(walk: Walk) -> Iterator[str]:
    """Check the kinds of the frames against each other and against the protocol's enum of questions."""
    names: dict[int, str] = {}
    for frame in walk.game.frame_classes:
        if frame.kind < 1:
            yield f"{frame.__name__} is of kind {frame.kind}; kinds are 1 and up"
        if frame.kind in names:
            yield f"{names[frame.kind]} and {_question(frame)} are both of kind {frame.kind}"
        names[frame.kind] = _question(frame)
    wire = walk.game.wire()
    if not wire.question_enum:
        return
    theirs = wire.question_names()
    for kind in sorted(names.keys() | theirs.keys()):
        if names.get(kind) != theirs.get(kind):
            ours, value = names.get(kind, "no frame"), theirs.get(kind, "no value")
            yield f"kind {kind} is {ours}, but {value} in {wire.question_enum}"


def _question(frame: type[Frame[Any]]) -> str:
    """Return the name of a frame class in the protocol: TakeTile becomes TAKE_TILE."""
    words = "".join(f"_{letter}" if letter.isupper() else letter for letter in frame.__name__)
    return frame.name or words.removeprefix("_").upper()


def settings(walk: Walk) -> Iterator[str]:
    """Check that some seat count allows each choice of each option, and that nothing else is accepted."""
    game = walk.game
    for option in game.options:
        for choice in option.choices:
            if not any(_accepts(game, seats, 0, {option.name: choice}) for seats in game.seat_counts):
                yield f"no number of seats can play with {option.name}={choice}"
        if _accepts(game, walk.seats, 0, {option.name: "no such choice"}):
            yield f"option {option.name} accepts 'no such choice'"
    if _accepts(game, walk.seats, 0, {"no such option": "1"}):
        yield "an option that the game does not have is accepted"
    for seats in (-1, 0, max(game.seat_counts) + 1):
        if _accepts(game, seats, 0, {}):
            yield f"{seats} seats are accepted, but seat_counts are {game.seat_counts}"
    for seed in (-1, BEYOND):
        if _accepts(game, walk.seats, seed, {}):
            yield f"seed {seed} is accepted"


def _accepts(game: Game, seats: int, seed: int, options: Mapping[str, str]) -> bool:
    try:
        game.initial_state(seats, seed, options)
    except InvalidOption:
        return False
    return True
