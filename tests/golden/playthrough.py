"""Matches as text: every decision, the legal actions, and what changed on the table."""

from collections.abc import Iterator
from pathlib import Path

from ballcourt.engine.conformance.walk import Player
from ballcourt.engine.core.chance import stream
from ballcourt.engine.core.game import Game
from ballcourt.engine.core.state import State, digest
from ballcourt.engine.core.view.scene import Pile
from ballcourt.engine.registry import games

FOLDER = Path(__file__).parent
CANDIDATES = 80
WIDTH = 116
NOTHING = "nothing"

Leaves = dict[str, str]


def golden_files() -> dict[Path, tuple[Game, int]]:
    """Return the golden files: one per seat count of every game of this repository."""
    own = [game for game in games().values() if type(game).__module__.startswith("ballcourt.engine.games.")]
    return {FOLDER / game.name / f"{seats}-seats.txt": (game, seats) for game in own for seats in game.seat_counts}


def playthrough(game: Game, seats: int, seed: int) -> str:
    """Play a match with actions drawn from its seed, with rare ones preferred; return it as text."""
    return "".join(f"{line}\n" for line in _lines(game, seats, seed))


def seed_of(path: Path, game: Game, seats: int) -> int:
    """Return the seed of a golden file; for a new one, the seed of the liveliest match.

    An existing file keeps its seed, so that a change of the rules shows as a small difference.
    """
    if path.exists():
        return int(path.read_text().partition("seed ")[2].partition(",")[0])
    return max(range(CANDIDATES), key=lambda seed: _liveliness(game, seats, seed))


def _liveliness(game: Game, seats: int, seed: int) -> int:
    """Return the number of different actions in a match."""
    state = game.initial_state(seats, seed)
    return len({action for _, action in _Narrator(seed).play(state)})


class _Narrator(Player):
    """Plays at random and remembers the last legal actions."""

    legal: list[int]

    def __init__(self, seed: int) -> None:
        super().__init__(stream(seed, "golden"))

    def choose(self, legal: list[int]) -> int:
        self.legal = legal
        return super().choose(legal)


def _lines(game: Game, seats: int, seed: int) -> Iterator[str]:
    state = game.initial_state(seats, seed)
    options = "".join(f" {name} {value}" for name, value in game.check(seats, {}).items())
    yield f"{game.title}, rules {game.rules_version}, {seats} seats, seed {seed},{options}"
    narrator = _Narrator(seed)
    chain = digest(state)
    leaves = _leaves(game, state)
    yield from ("", f"opening {chain.hex()}", *(f"    {path} {value}" for path, value in leaves.items()))
    question = _question(state)
    number = 0
    for number, (seat, action) in enumerate(narrator.play(state), 1):
        chain = digest(state, chain)
        yield from ("", f"{number} {chain.hex()}", f"  seat {seat} is asked {question}")
        yield from _wrapped("  of ", [game.action_names[option] for option in narrator.legal])
        yield f"  chooses {game.action_names[action]}"
        before, leaves = leaves, _leaves(game, state)
        yield from _changes(before, leaves)
        question = _question(state)
    yield from ("", f"end after {number} decisions", f"  scores {state.scores()}")
    yield from (f"  placements {state.placements()}", f"  returns {state.returns()}")


def _question(state: State) -> str:
    if not state.frames:
        return NOTHING
    top = state.frames[-1]
    return " ".join([type(top).__name__, *(str(number) for number in top.row())])


def _leaves(game: Game, state: State) -> Leaves:
    """Flatten the full scene to paths and values; a list of plain values or of tokens is one value."""
    scene: dict[str, object] = {**game.scene(state)}
    del scene["question"]  # already shown above every decision
    scene["piles"] = {name: _pile(pile) for name, pile in game.scene(state)["piles"].items()}
    return dict(_flat("", scene))


def _pile(pile: Pile) -> str:
    """Return the number of pieces and the top one; the others follow in time."""
    return f"{pile['count']} {pile['pieces'][-1] if pile['pieces'] else ''}".rstrip()


def _flat(path: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _flat(f"{path}.{name}" if path else name, part)
    elif isinstance(value, list) and any(isinstance(part, dict | list) and "kind" not in part for part in value):
        for index, part in enumerate(value):
            yield from _flat(f"{path}[{index}]", part)
    else:
        yield path, _plain(value)


def _plain(value: object) -> str:
    if isinstance(value, list):
        return f"[{' '.join(_plain(part) for part in value)}]"
    if isinstance(value, dict):
        return " ".join(_plain(part) for part in value.values())
    return "-" if value is None else str(value)


def _changes(before: Leaves, after: Leaves) -> Iterator[str]:
    for path in before | after:
        old, new = before.get(path, NOTHING), after.get(path, NOTHING)
        if old != new:
            yield f"    {path} {old} -> {new}"


def _wrapped(indent: str, words: list[str]) -> Iterator[str]:
    line = indent
    for word in words:
        if len(line) + len(word) > WIDTH:
            yield line.rstrip()
            line = " " * len(indent)
        line += f"{word} "
    yield line.rstrip()
