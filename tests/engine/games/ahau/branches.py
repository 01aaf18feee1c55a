"""Counts how many random matches of Ahau reach each branch of its rules.

Usage: `python -m tests.engine.games.ahau.branches 1000`.

The matches are those of the conformance checks: all seat counts in turn, random options and decisions. With `--rulings`
it also counts the matches that call a function citing a ruling, which takes longer.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from types import FrameType, FunctionType
from typing import cast

from ballcourt.engine.conformance import Walk
from ballcourt.engine.core import Frame
from ballcourt.engine.games.ahau import GAME
from ballcourt.engine.games.ahau.actions import ACTION_NAMES
from ballcourt.engine.games.ahau.columns import (
    BUILDING_SPACES,
    BUILDINGS,
    END_TRIGGERED,
    KATUN,
    KATUN_TRIGGERED,
    LEFT,
    POOL,
    PYRAMID,
    RIGHT,
    ROLE,
    ROUND,
)
from ballcourt.engine.games.ahau.game import FRAMES
from ballcourt.engine.games.ahau.state import AhauState
from ballcourt.engine.games.ahau.tables import (
    BUILDING_KIND,
    BUILDING_NAMES,
    GOD_NAMES,
    KATUNS,
    LAST_ROUND,
    ROLE_NAMES,
    SCORING_NAMES,
    TOP_SPACE,
)

PACKAGE = "ballcourt.engine.games.ahau."
CARRIED_OUT = ("answer", "own_answer", "run")
"""The methods that act. Options do not count: they are listed even if something else is chosen."""
ENDS = {"level 4", "last worker", "third K'atun", "last round"}


def expected() -> set[str]:
    """Return the names of all branches except rulings."""
    questions = [frame for frame in FRAMES if frame.answer is not Frame.answer]
    return {
        *(f"option {option.name}={value}" for option in GAME.options for value in option.choices),
        *(f"seats {seats}" for seats in GAME.seat_counts),
        *(f"asked {frame.__name__}" for frame in questions),
        *(f"built {name}" for name in BUILDING_NAMES),
        *(f"role taken {name}" for name in ROLE_NAMES),
        *(f"role played {name}" for name in ROLE_NAMES),
        *(f"scoring tile {name}" for name in SCORING_NAMES),
        *(f"summoned {name}" for name in GOD_NAMES),
        *(f"danced {name}" for name in GOD_NAMES),
        *(f"end by {reason}" for reason in ENDS),
    }


def reached(walk: Walk) -> set[str]:
    """Return the names of the branches that a match reached."""
    found = {f"seats {walk.seats}", *(f"option {name}={value}" for name, value in walk.options.items())}
    found |= {_chosen(ACTION_NAMES[action]) for _, action in walk.decisions}
    for position in walk.positions():
        state = cast(AhauState, position)
        if state.frames:
            found.add(f"asked {type(state.frames[-1]).__name__}")
        for actor, row in enumerate(state.actors):
            who = "" if actor < state.seats else "automaton: "
            found |= {f"{who}built {_building(tile)}" for tile in row[BUILDINGS : BUILDINGS + BUILDING_SPACES] if tile}
            found |= {
                f"{who}role played {ROLE_NAMES[card - ROLE - 1]}" for card in (row[LEFT], row[RIGHT]) if card > ROLE
            }
    return (found | _ending(state)) - {""}


def _chosen(name: str) -> str:
    """Return the name of the branch of an action; empty for most actions."""
    verb, _, what = name.partition("_")
    if verb == "ROLE":
        return f"role taken {what.removeprefix('PICK_').lower()}"
    return {"SUMMON": "summoned ", "DANCE": "danced "}[verb] + what.lower() if verb in ("SUMMON", "DANCE") else ""


def _building(tile: int) -> str:
    return BUILDING_NAMES[BUILDING_KIND[tile]]


def _ending(state: AhauState) -> set[str]:
    """Return the reasons why a finished match ended, and its God Scoring tiles."""
    table = state.table
    found = {f"scoring tile {SCORING_NAMES[tile]}" for tile in state.scoring}
    if any(row[PYRAMID + TOP_SPACE] for row in state.actors):
        found.add("end by level 4")
    if any(not row[POOL] for row in state.actors):
        found.add("end by last worker")
    if table[KATUN] == KATUNS and table[KATUN_TRIGGERED] and not table[END_TRIGGERED]:
        found.add("end by third K'atun")
    if table[ROUND] == LAST_ROUND:
        found.add("end by last round")
    return found


class Rulings:
    """Records the rulings cited by the functions called; a frame's citations belong to the methods that act."""

    def __init__(self) -> None:
        self.called: set[str] = set()
        self._cited = dict(_citations())

    def of(self, walk: Walk) -> set[str]:
        """Return the rulings reached by the set-up and the decisions of a match."""
        self.called = set()
        sys.setprofile(self._note)
        try:
            state = walk.opening()
            for seat, action in walk.decisions:
                state.apply(seat, action)
        finally:
            sys.setprofile(None)
        return self.called

    def known(self) -> set[str]:
        """Return all rulings that any function cites."""
        return set().union(*self._cited.values())

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            self.called |= self._cited.get(id(frame.f_code), set())


def _citations() -> Iterator[tuple[int, set[str]]]:
    """Yield the id of the code of each function of the game, with the rulings it cites."""
    for module in [module for name, module in sys.modules.items() if name.startswith(PACKAGE)]:
        for thing in vars(module).values():
            if isinstance(thing, FunctionType):
                yield id(thing.__code__), _rulings(thing)
            elif isinstance(thing, type):
                for name, method in vars(thing).items():
                    if isinstance(method, FunctionType):
                        yield (
                            id(method.__code__),
                            _rulings(method) | (_rulings(thing) if name in CARRIED_OUT else set()),
                        )


def _rulings(thing: object) -> set[str]:
    return {f"ruling {ruling}" for ruling in re.findall(r"R-\d\d", thing.__doc__ or "")}


def count(seeds: Iterable[int], rulings: Rulings | None = None) -> Counter[str]:
    """Count the matches that reach each branch. Raises AssertionError if a match fails."""
    counted: Counter[str] = Counter()
    for seed in seeds:
        walk = Walk(GAME, GAME.seat_counts[seed % len(GAME.seat_counts)], seed)
        assert not walk.trouble, f"{walk.place()}: {walk.trouble}"
        counted.update(reached(walk) | (rulings.of(walk) if rulings else set()))
    return counted


def main() -> None:
    """Print every branch with its share of the matches, including branches never reached."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("matches", type=int)
    parser.add_argument("--first", type=int, default=0, metavar="SEED", help="seed of the first match (default 0)")
    parser.add_argument("--rulings", action="store_true", help="count rulings too")
    arguments = parser.parse_args()
    rulings = Rulings() if arguments.rulings else None
    counted = count(range(arguments.first, arguments.first + arguments.matches), rulings)
    branches = expected() | counted.keys() | (rulings.known() if rulings else set())
    for branch in sorted(branches):
        print(f"{counted[branch] / arguments.matches:8.2%}  {branch}")  # noqa: T201


if __name__ == "__main__":
    main()
