"""The list of checks, and a run of a game through them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from ballcourt.engine.conformance import facts, hidden, positions, wire
from ballcourt.engine.conformance.walk import Walk, ends, raised, repeats
from ballcourt.engine.core.game import Game

SENTENCES_PER_MATCH = 2
SENTENCES = 6
SEEDS = 1 << 64


@dataclass(frozen=True, slots=True)
class Check:
    """One promise of a game. `run` goes through a match and yields a sentence per breach."""

    name: str
    promise: str
    run: Callable[[Walk], Iterator[str]]


CHECKS = (
    Check("names", "action names are unique and equal the enum of the protocol", facts.names),
    Check("frames", "every kind of frame has its own number, and equals the enum of the protocol", facts.frames),
    Check("settings", "every seat count and option is dealt, any other refused with a sentence", facts.settings),
    Check("ends", "a match ends within max_decisions", ends),
    Check("repeats", "the same seed and the same actions lead to the same positions", repeats),
    Check("legal", "legal actions are ascending, unique, within the action space and never empty", positions.legal),
    Check("refuses", "anything else is refused and changes nothing", positions.refuses),
    Check("conserves", "no conservation law of the game is ever broken", positions.conserves),
    Check("clones", "changing a clone never changes the original, nor the reverse", positions.clones),
    Check("rows", "a position saved and loaded is the same position and plays on alike", positions.rows),
    Check("replaced", "rows that the features declare as replaced are never altered", positions.replaced),
    Check("standings", "scores, placements and returns cover all seats and agree", positions.standings),
    Check("secrecy", "nothing a seat receives depends on what it cannot know, byte for byte", hidden.secrecy),
    Check("samples", "sampled positions agree with the observation, are sound and playable", hidden.samples),
    Check("simultaneous", "simultaneous answers stay secret and their order does not matter", hidden.simultaneous),
    Check("wire", "decoding reverses encoding, with and without the encoder's cache", wire.wire),
    Check("size", "an encoded observation stays small", wire.size),
    Check("scene", "the scene is JSON for every viewer, fits the scenery and leaves the position alone", wire.scene),
)


@dataclass(frozen=True, slots=True)
class Result:
    """The findings of one check: a sentence per breach, for the first few; empty if the game keeps its promise."""

    check: Check
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConformanceReport:
    """The findings of all checks in a number of matches."""

    game: str
    rules_version: str
    matches: int
    decisions: int
    results: tuple[Result, ...]

    @property
    def passed(self) -> bool:
        """Whether no check found anything."""
        return not any(result.problems for result in self.results)

    def failures(self) -> list[str]:
        """Return the names of the checks that found something."""
        return [result.check.name for result in self.results if result.problems]


def check(
    game: Game,
    matches: int = 12,
    seed: int = 0,
    checks: tuple[Check, ...] = CHECKS,
    seats: int | None = None,
    options: Mapping[str, str] | None = None,
) -> ConformanceReport:
    """Run the checks in random matches, with seeds from `seed` (0 <= seed < 2**64) on.

    The matches take the game's seat counts in turn, or all have `seats`; options not given are random.
    Raises InvalidOption when seats or options are not possible.
    """
    tables = (seats,) if seats else game.seat_counts
    if seats or options:
        for count in tables:
            game.check(count, options or {})
    walks = [Walk(game, tables[n % len(tables)], (seed + n) % SEEDS, options) for n in range(matches)]
    results = tuple(Result(one, tuple(islice(_problems(one, walks), SENTENCES))) for one in checks)
    return ConformanceReport(
        game.name, game.rules_version, matches, sum(len(walk.decisions) for walk in walks), results
    )


def _problems(one: Check, walks: list[Walk]) -> Iterator[str]:
    for walk in walks:
        yield from islice(_in_one_match(one, walk), SENTENCES_PER_MATCH)


def _in_one_match(one: Check, walk: Walk) -> Iterator[str]:
    walk.at = 0
    try:
        for sentence in one.run(walk):
            yield f"{walk.place()}: {sentence}"
    except Exception as error:  # a broken game may raise anything
        yield f"{walk.place()}: {raised(error)}"
