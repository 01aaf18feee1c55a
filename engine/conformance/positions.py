"""Checks of every position of a match: legal actions, clones, saved rows and standings."""

from collections.abc import Iterator
from itertools import chain, pairwise
from math import isclose, isfinite

from ballcourt.engine.conformance.walk import Player, Walk
from ballcourt.engine.core.game import Game
from ballcourt.engine.core.state import Rows, State
from ballcourt.engine.errors import IllegalAction, MalformedRows

EVERY = 16
"""Expensive checks look at every n-th position."""

LOOKAHEAD = 40
"""How many decisions a clone is played on to see whether the original changes."""


def legal(walk: Walk) -> Iterator[str]:
    """Check the pending seats and their legal actions."""
    size = len(walk.game.action_names)
    for state in walk.positions():
        pending = state.pending_seats()
        if not _ascending(pending) or not all(0 <= seat < walk.seats for seat in pending):
            yield f"the pending seats are {pending}; they must be ascending and among 0 to {walk.seats - 1}"
        for seat in pending:
            actions = state.legal_actions(seat)
            if not actions:
                yield f"seat {seat} is asked but has no legal action"
            elif not _ascending(actions):
                yield f"the legal actions of seat {seat} are not ascending and unique: {actions}"
            elif not 1 <= actions[0] <= actions[-1] < size:
                yield f"the legal actions of seat {seat} leave the action space 1 to {size - 1}: {actions}"
            elif state.clone().legal_actions(seat) != actions:
                yield f"the legal actions of seat {seat} differ in a clone"


def _ascending(numbers: list[int]) -> bool:
    return all(one < other for one, other in pairwise(numbers))


def refuses(walk: Walk) -> Iterator[str]:
    """Check that illegal actions and actions out of turn raise IllegalAction and change nothing."""
    for state in walk.positions():
        before = state.to_rows()
        for seat, action in _illegal(walk.game, state):
            if not _refused(state, seat, action):
                yield f"action {action} of seat {seat} is not legal, but was accepted"
                return
            if state.to_rows() != before:
                yield f"the refused action {action} of seat {seat} changed the position"
                return


def _illegal(game: Game, state: State) -> Iterator[tuple[int, int]]:
    pending = state.pending_seats()
    for seat in range(-1, state.seats + 1):
        if seat not in pending:
            yield seat, 1
            continue
        allowed = state.legal_actions(seat)
        yield from ((seat, action) for action in (-1, 0, len(game.action_names)) if action not in allowed)
        others = [action for action in range(1, len(game.action_names)) if action not in allowed]
        yield from ((seat, action) for action in (*others[:1], *others[-1:]))


def _refused(state: State, seat: int, action: int) -> bool:
    try:
        state.apply(seat, action)
    except IllegalAction:
        return True
    return False


def conserves(walk: Walk) -> Iterator[str]:
    """Check the game's own conservation laws."""
    for state in walk.positions():
        yield from walk.game.violations(state)


def clones(walk: Walk) -> Iterator[str]:
    """Check that clones and originals do not change each other, however far one is played on."""
    old: list[tuple[int, State, Rows]] = []
    for state in walk.positions():
        before = state.to_rows()
        if not _alike(state.clone(), state):
            yield "a clone is not equal to its original"
        if walk.at % EVERY == 0:
            for _ in Player(walk.chance(f"clone {walk.at}")).play(state.clone(), LOOKAHEAD):
                pass
            old.append((walk.at, state.clone(), before))
        elif walk.at < len(walk.decisions):
            state.clone().apply(*walk.decisions[walk.at])
        if state.to_rows() != before:
            yield "playing on with a clone changed the original"
            return
    for at, clone, rows in old:
        if clone.to_rows() != rows:
            yield f"a clone made after {at} decisions changed while the original was played on"


def rows(walk: Walk) -> Iterator[str]:
    """Check saving and loading."""
    for state in walk.positions():
        saved = state.to_rows()
        loaded = walk.game.from_rows(_copy(saved))
        if not _alike(loaded, state):
            yield "a position saved and loaded is not the same"
        if walk.at % EVERY == 0:
            yield from _aliases(walk, state)
            yield from _plays_on(walk, loaded)
    yield from _accepted_nonsense(walk.game, walk.opening().to_rows())


def _alike(one: State, other: State) -> bool:
    pending = one.pending_seats()
    return (
        one.to_rows() == other.to_rows()
        and pending == other.pending_seats()
        and all(one.legal_actions(seat) == other.legal_actions(seat) for seat in pending)
    )


def _aliases(walk: Walk, state: State) -> Iterator[str]:
    """Change all rows that were returned or passed in, and see whether the position changes."""
    before = state.to_rows()
    handed_in = _copy(before)
    loaded = walk.game.from_rows(handed_in)
    handed_out = [state.public_rows(), state.secret_rows(), *(state.private_rows(seat) for seat in range(walk.seats))]
    for spoiled in (handed_in, *handed_out):
        for row in spoiled:
            row.append(-9)
    if state.to_rows() != before:
        yield "public_rows, private_rows or secret_rows hand out the position's own lists instead of copies"
    if loaded.to_rows() != before:
        yield "restore keeps the rows it was given instead of copies"


def _plays_on(walk: Walk, state: State) -> Iterator[str]:
    for seat, action in walk.decisions[walk.at : walk.at + LOOKAHEAD]:
        state.apply(seat, action)
    target = walk.opening()
    for seat, action in walk.decisions[: walk.at + LOOKAHEAD]:
        target.apply(seat, action)
    if state.to_rows() != target.to_rows():
        yield "a position saved, loaded and played on went another way than the original"


def _accepted_nonsense(game: Game, good: Rows) -> Iterator[str]:
    mutilated: tuple[Rows, ...] = ([], [[]], good[:1], good[:-1], [*good, []])
    for nonsense in mutilated:
        try:
            game.from_rows(_copy(nonsense))
        except MalformedRows:
            continue
        yield f"from_rows accepts {len(nonsense)} rows where a position has {len(good)}"


def _copy(rows: Rows) -> Rows:
    return [row[:] for row in rows]


def replaced(walk: Walk) -> Iterator[str]:
    """Check that the rows that are declared as replaced are never altered."""
    features = walk.game.features()
    if features is None:
        return
    seen: dict[int, tuple[list[int], list[int]]] = {}  # by identity, which the list kept here keeps from being reused
    for state in walk.positions():
        public = state.open_rows()
        private = chain.from_iterable(map(state.own_rows, range(walk.seats)))
        declarations = [*features.rows(len(public)), *features.private * walk.seats]
        for row, declared in zip(chain(public, private), declarations, strict=True):
            if not declared.replaced:
                continue
            _, before = seen.setdefault(id(row), (row, row[:]))
            if row != before:
                yield f"the row {declared.name!r}, which is declared as replaced, was altered"
                return


def standings(walk: Walk) -> Iterator[str]:
    """Check scores, rivals, placements and returns, at the end and on the way."""
    names = [rival.name for rival in walk.opening().rivals()]
    for state in walk.positions():
        scores, rivals, groups, returns = state.scores(), state.rivals(), state.placements(), state.returns()
        if len(scores) != walk.seats or not all(isfinite(score) for score in scores):
            yield f"the scores are not one finite number per seat: {scores}"
        if [rival.name for rival in rivals] != names or not all(isfinite(rival.score) for rival in rivals):
            yield f"the rivals are not {names} with a finite score each: {rivals}"
        if sorted(player for group in groups for player in group) != list(range(walk.seats + len(names))):
            yield f"the placements do not name every seat and rival once: {groups}"
        elif not all(group and _ascending(group) for group in groups):
            yield f"a group of the placements is empty or not ascending: {groups}"
        elif not _agree(groups, returns, walk.seats):
            yield f"the returns {returns} do not match the placements {groups}"


def _agree(groups: list[list[int]], returns: list[float], seats: int) -> bool:
    rivals = sum(len(group) for group in groups) - seats
    if len(returns) != seats or not (rivals or isclose(sum(returns), 0.0, abs_tol=1e-9)):
        return False
    levels = [{returns[player] for player in group if player < seats} for group in groups]
    ordered = [level for levels_of_group in levels for level in levels_of_group]
    return (
        all(len(level) <= 1 for level in levels)
        and all(better > worse for better, worse in pairwise(ordered))
        and all(-1.0 <= level <= 1.0 for level in ordered)
    )
