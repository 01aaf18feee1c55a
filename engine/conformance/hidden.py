"""Checks of hidden information: resample what a seat cannot know, and compare what it receives."""

import json
from collections.abc import Iterator

from ballcourt.engine.conformance.walk import Player, Walk
from ballcourt.engine.core.chance import Stream
from ballcourt.engine.core.game import Game
from ballcourt.engine.core.messages.wire import Encoder
from ballcourt.engine.core.observation import SPECTATOR, observe
from ballcourt.engine.core.state import State

EVERY = 7
"""Every n-th position is resampled, beginning with the first."""

PLAYED_EVERY = 4 * EVERY
"""Every n-th position is sampled and the sample played to its end."""

DRAWS = 24
"""How often the first position is sampled for a spectator, to see whether samples differ."""

ANSWERS = 8
"""How many answers of a seat are compared."""


def secrecy(walk: Walk) -> Iterator[str]:
    """Check that a seat receives the same bytes in all positions that look the same to it."""
    chance = walk.chance("secrecy")
    for state in walk.positions(EVERY):
        for seat in range(SPECTATOR, walk.seats):
            other = walk.game.sample(observe(state, seat), chance)
            for what in _differences(walk, state, other, seat):
                yield f"{what} of {_name(seat)} depends on something that seat cannot know"


def _differences(walk: Walk, state: State, other: State, seat: int) -> Iterator[str]:
    if _encoded(walk.game, state, seat) != _encoded(walk.game, other, seat):
        yield "the encoded observation"
    if _drawn(walk.game, state, seat) != _drawn(walk.game, other, seat):
        yield "the scene"
    if seat == SPECTATOR:
        return
    if _offered(state, seat) != _offered(other, seat):
        yield "the list of legal actions"
    if walk.at:
        last = walk.decisions[walk.at - 1]
        if state.seen_action(*last, seat) != other.seen_action(*last, seat):
            yield "the event of the last action"


def _encoded(game: Game, state: State, seat: int) -> bytes:
    return Encoder(game.wire()).encode(state, seat)


def _drawn(game: Game, state: State, seat: int) -> str:
    return json.dumps(game.scene(state, seat))


def _offered(state: State, seat: int) -> list[int]:
    return state.legal_actions(seat) if seat in state.pending_seats() else []


def _name(seat: int) -> str:
    return "a spectator" if seat == SPECTATOR else f"seat {seat}"


def samples(walk: Walk) -> Iterator[str]:
    """Check that sampled positions are possible, and that they differ."""
    chance = walk.chance("samples")
    yield from _constant(walk, chance)
    for state in walk.positions(EVERY):
        for seat in range(SPECTATOR, walk.seats):
            sampled = walk.game.sample(observe(state, seat), chance)
            if observe(sampled, seat) != observe(state, seat):
                yield f"a sample for {_name(seat)} shows it something that the position does not"
            yield from (f"a sample for {_name(seat)} is unsound: {law}" for law in walk.game.violations(sampled))
        if walk.at % PLAYED_EVERY == 0:
            yield from _unplayable(walk, walk.game.sample(observe(state, walk.at % walk.seats), chance), chance)


def _constant(walk: Walk, chance: Stream) -> Iterator[str]:
    opening = walk.opening()
    first, *others = [walk.game.sample(observe(opening, SPECTATOR), chance).to_rows() for _ in range(DRAWS)]
    if opening.secret_rows() != [[] for _ in opening.secret_rows()] and all(rows == first for rows in others):
        yield f"{DRAWS} samples of the opening for a spectator are all the same"


def _unplayable(walk: Walk, state: State, chance: Stream) -> Iterator[str]:
    for _ in Player(chance).play(state, walk.game.max_decisions):
        pass
    if state.pending_seats():
        yield f"a sampled position does not end within max_decisions, {walk.game.max_decisions}"


def simultaneous(walk: Walk) -> Iterator[str]:
    """Check that simultaneous answers stay secret, and that their order does not matter."""
    chance = walk.chance("simultaneous")
    for state in walk.positions():
        pending = state.pending_seats()
        if len(pending) < 2:
            continue
        answers = {seat: chance.choice(state.legal_actions(seat)) for seat in pending}
        if _answered(state, pending, answers) != _answered(state, pending[::-1], answers):
            yield f"the answers {answers} lead elsewhere when given in another order"
        for first in pending:
            yield from (
                f"seat {second} learns from what seat {first} has answered before it answers itself"
                for second in pending
                if second != first and _learns(walk.game, state, first, second)
            )


def _answered(state: State, order: list[int], answers: dict[int, int]) -> list[list[int]]:
    state = state.clone()
    for seat in order:
        state.apply(seat, answers[seat])
    return state.to_rows()


def _learns(game: Game, state: State, first: int, second: int) -> bool:
    seen = []
    for action in state.legal_actions(first)[:ANSWERS]:
        after = state.clone()
        after.apply(first, action)
        seen.append((_encoded(game, after, second), _offered(after, second), after.seen_action(first, action, second)))
    return any(view != seen[0] for view in seen)
