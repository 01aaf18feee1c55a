"""The evaluator: how good a program is, in seconds, safely, with an interval."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import chain, count
from math import ceil
from pathlib import Path
from threading import RLock
from typing import Final, Self

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.bots.entries import Entry
from ballcourt.arena.building.builds import ready, ready_entries
from ballcourt.arena.checks.check import account
from ballcourt.arena.extras import needs_linux
from ballcourt.arena.printable import printable
from ballcourt.arena.temporary import scratch_folder
from ballcourt.arena.tournament.event.model import Event, SettingsError
from ballcourt.arena.tournament.event.reading import event_from
from ballcourt.arena.tournament.playing.play import workers_of
from ballcourt.arena.workers.capacity import require
from ballcourt.arena.workers.playable import Lifetime
from ballcourt.arena.workers.runner import BlockRunner, Runner
from ballcourt.engine.core import Game
from ballcourt.engine.registry import find_game
from ballcourt.evaluation.archive import Archive, Describe
from ballcourt.evaluation.assessment import (
    Assessment,
    Budget,
    BudgetError,
    Conclusion,
    believed,
    is_broken,
    points_ahead,
    verdict_of,
)
from ballcourt.evaluation.candidates import Candidate, Reception, Written
from ballcourt.evaluation.court import Court, Due
from ballcourt.evaluation.feedback import feedback_text
from ballcourt.evaluation.ledger import FRESH, KeptBlock, Ledger
from ballcourt.evaluation.opponents import opponents_of
from ballcourt.evaluation.race import Race, rounds_of
from ballcourt.evaluation.terms import Place, Terms, candidate_seats
from ballcourt.v1.record_pb2 import MatchRecord

BUDGET: Final = "200 matches"
START_S: Final = 1.2
"""How long a program may compute before its Hello."""
SAID: Final = "Evaluator"
"""How errors name what gave the settings."""
MOST_FAULTS: Final = 3
FINAL: Final = 0.2
"""The part of the budget of a race that is for the final answers."""
Machines = Callable[[Terms], AbstractContextManager[BlockRunner]]
"""Starts what plays on these terms."""


@dataclass(frozen=True, slots=True)
class RaceNews:
    """How a race stands."""

    blocks: int
    """How many have been played by those that are left."""
    left: tuple[Assessment, ...]
    """The candidates that are left, the best first."""
    is_final: bool = False
    """Whether these are the answers, from fresh deals."""


class Evaluator:
    """Evaluates programs against the same opponents, one after another. Use it as a context manager, or `close` it.

    Its workers and the opponents stay between evaluations, so all but the first begin at once. What it has found out
    is kept in the file `cache`, by the content of candidates and opponents and by all settings: what was asked before
    costs no match, and a larger budget continues the smaller one. Without a file it is kept in memory.

        with Evaluator("maya", opponents=["greedy"]) as arena:
            print(arena.evaluate("./mine", "100 matches"))

    `opponents` are names and folders of bots, folders of bots, and `ladder:NAME`. `clock`, `sandbox` and `options` are
    as in a tournament file; by default candidates are confined to sandbox tier 1. A program that computes for
    `start_s` seconds before its Hello is given up in its first block. Each process plays several matches, in one seat
    and never the same deal twice; with `lifetime="match"` every match gets new ones. `seed` makes
    the deals repeatable; by default it is drawn, and secret. `machines` is for clusters.

    Raises a WrongInput if any of this is wrong, or the machine cannot do it.
    """

    def __init__(
        self,
        game: str,
        *,
        opponents: Sequence[str | Path] | str | Path = ("greedy",),
        seats: int | None = None,
        options: Mapping[str, str] | None = None,
        clock: Mapping[str, object] | None = None,
        sandbox: int | Mapping[str, object] = 1,
        lifetime: str = Lifetime.TOURNAMENT,
        workers: int | None = None,
        cache: str | Path | None = None,
        start_s: float = START_S,
        seed: int | None = None,
        machines: Machines | None = None,
    ) -> None:
        needs_linux("evaluations need")
        confined = {"tier": sandbox} if isinstance(sandbox, int) else dict(sandbox)
        given = {
            "clock": dict(clock or {}),
            "sandbox": confined,
            "lifetime": lifetime,
            "workers": workers,
            "seed": seed,
        }
        settings = event_from(None, given, SAID)
        self._machines = machines
        self._lock = RLock()
        self._stack = ExitStack()
        rules = find_game(game)
        named = [opponents] if isinstance(opponents, str | Path) else opponents
        found = opponents_of([*map(str, named)], rules)
        self._terms = Terms(
            game=rules,
            seats=_seats(rules, seats),
            options=rules.check(_seats(rules, seats), dict(options or {})),
            opponents=found if machines else _made_ready(found, settings),
            clock=settings.clock.clock(),
            sandbox=settings.sandbox.sandbox(),
            lifetime=settings.lifetime or Lifetime.TOURNAMENT,
        )
        if not start_s > 0:
            raise SettingsError(f"start_s is {start_s:g}; it must be above 0")
        self._ledger = Ledger(Path(cache).expanduser() if cache is not None else None)
        self._stack.callback(self._ledger.close)
        folder = self._stack.enter_context(scratch_folder())
        self._reception = Reception(folder, rules, (lambda bot: bot) if machines else self._prepared)
        start = (lambda: machines(self._terms)) if machines else self._workers(settings)
        self._question = self._terms.key if seed is None else f"{self._terms.key} {seed}"
        base = self._ledger.seed(self._question) if seed is None else seed
        self._court = Court(self._terms, base, start, round(1000 * start_s))
        self._stack.callback(self._court.close)

    def __enter__(self) -> Self:
        """Start the workers."""
        self._court.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the workers and all bots."""
        self._stack.close()

    def evaluate(
        self,
        candidate: Written,
        budget: str = BUDGET,
        *,
        half_width: float | None = None,
        better_than: float | None = None,
        fresh: bool = False,
    ) -> Assessment:
        """Play until one of these is reached, or the candidate is broken or hopeless; return what is known then.

        `candidate` is a program in Python with a subclass of `Bot`, as a string or a file; or the folder or name of a
        bot. `budget` is a number of "matches" or of "cpu-seconds" of all bots, with those that were played before;
        `half_width` is half the width of the interval, `better_than` the share of duels that the test decides about.
        With `fresh`, deals are played that no other candidate meets, for a final answer. Else candidates share deals,
        which makes them comparable; after every 50 candidates others take their place.
        """
        *_, last = self.watch(candidate, budget, half_width=half_width, better_than=better_than, fresh=fresh)
        return last

    def watch(
        self,
        candidate: Written,
        budget: str = BUDGET,
        *,
        half_width: float | None = None,
        better_than: float | None = None,
        fresh: bool = False,
    ) -> Iterator[Assessment]:
        """Do the same, and yield what is known after every block; the last one is the answer."""
        asked = Budget.of(budget, half_width=half_width, better_than=better_than)
        with self._lock:
            yield from self._watched(self._reception.let_in(candidate), asked, fresh=fresh)

    def feedback(self, candidate: Written) -> str:
        """Return feedback on the matches that a candidate has played, in at most 2,000 tokens.

        Faults, the decisions that cost most by an estimate, and where points came from, its own and the opponents'.
        """
        entered, known = self._known(candidate)
        found = self._assessed(entered, known, Budget(matches=1.0), 0, fresh=False)
        return feedback_text(found, [record for block in known.values() for record in block.unpacked()])

    def records(self, candidate: Written) -> list[MatchRecord]:
        """Return the records that were kept of a candidate's matches: of its first blocks, and where it lost a seat."""
        _, known = self._known(candidate)
        return [record for block in known.values() for record in block.unpacked()]

    def archive(
        self, describe: Describe, ranges: Sequence[tuple[float, float]], bins: Sequence[int] = (8, 8)
    ) -> Archive:
        """Return an empty archive of programs that play in different ways (MAP-Elites); it needs the extra `evolve`.

        `describe` gets a match of a candidate and returns a number for each side of the grid, which has `ranges` and
        `bins`.

            archive = arena.archive(lambda match: (match.score, len(match.actions)), ranges=[(0, 100), (0, 40)])
            archive.add(program, "40 matches")
            print(archive.elites[0].assessment)
        """
        return Archive(self, describe, ranges, bins)

    def _known(self, written: Written) -> tuple[Candidate, dict[int, KeptBlock]]:
        """Return a candidate, and what is known of it on the deals that it shares with others."""
        with self._lock:
            candidate, question = self._reception.let_in(written), self._question
            deals = self._ledger.shared_deals(question, candidate.content_hash)
            return candidate, self._ledger.blocks(question, candidate.content_hash, deals)

    def race(self, candidates: Sequence[Written], keep: int = 1, budget: str = "2000 matches") -> Iterator[RaceNews]:
        """Find the best of several candidates; yield who is left, best first, after every block.

        All of them meet the same deals; see `ballcourt.evaluation.race`. A fifth of the budget is left for those that
        are kept, who are assessed again on fresh deals: the last news has these answers. Of those that it calls better
        than the opponents, 5 % at most are not, as the e-BH procedure decides about all together. Raises RaceError.
        """
        asked = Budget.of(budget)
        if asked.matches is None:
            raise BudgetError(f"the budget of a race is {budget}; give matches, such as '2000 matches'")
        with self._lock:
            entered = {one.content_hash: one for one in map(self._reception.let_in, candidates)}
            yield from self._raced([*entered.values()], keep, asked.matches)

    def _raced(self, field: Sequence[Candidate], keep: int, matches: float) -> Iterator[RaceNews]:
        question = self._question
        race = Race(len(field), keep, self._blocks_of_race(len(field), keep, matches))
        named = sha256(" ".join(sorted(one.content_hash for one in field)).encode()).hexdigest()
        deals = self._ledger.own_deals(question, f"race {named}")
        known = [self._ledger.blocks(question, one.content_hash, deals) for one in field]
        new = [0] * len(field)
        while not race.is_over:
            number, left = race.played, [*race.alive]
            missing = {field[one].content_hash: one for one in left if number not in known[one]}
            place = Place(deals, number)
            for played in self._court.play(
                Due(field[one], place, attempt=None if number else 0) for one in missing.values()
            ):
                one = missing[played.due.candidate.content_hash]
                self._ledger.add(question, played.due.candidate.content_hash, place, played.block)
                known[one][number] = played.block
                new[one] += played.block.matches
            race.learn({one: known[one][number].share for one in left})
            race.retire([one for one in left if is_broken(known[one].values())])
            yield RaceNews(number + 1, tuple(self._in_race(field[one], known[one], new[one]) for one in race.ranked()))
        last = Budget(matches=max(float(self._terms.matches), matches * FINAL / keep))
        answers = [[*self._watched(field[one], last, fresh=True)][-1] for one in race.ranked()[:keep]]
        best = sorted(believed([(one, self._fresh_blocks(one)) for one in answers]), key=lambda answer: -answer.mean)
        yield RaceNews(race.played, tuple(best), is_final=True)

    def _blocks_of_race(self, candidates: int, keep: int, matches: float) -> int:
        """Return the blocks of a race before its answers. Raises RaceError, and BudgetError if they are too few."""
        blocks, needed = int(matches * (1 - FINAL) / self._terms.matches), candidates * rounds_of(candidates, keep)
        if blocks < needed:
            raise BudgetError(
                f"the budget is {matches:g} matches; a race of {candidates} candidates for {keep} needs at least "
                f"{ceil(needed * self._terms.matches / (1 - FINAL))}"
            )
        return blocks

    def _fresh_blocks(self, answer: Assessment) -> list[KeptBlock]:
        """Return the blocks on fresh deals that an answer is from."""
        deals = self._ledger.own_deals(self._question, f"{FRESH} {answer.content_hash}")
        known = self._ledger.blocks(self._question, answer.content_hash, deals)
        return [known[number] for number in range(_unbroken(known))]

    def _in_race(self, candidate: Candidate, known: Mapping[int, KeptBlock], new: int) -> Assessment:
        return self._assessed(candidate, known, Budget(gives_up=False), new, fresh=False)

    def _watched(self, candidate: Candidate, asked: Budget, *, fresh: bool) -> Iterator[Assessment]:
        question, own = self._question, candidate.content_hash
        deals = (
            self._ledger.own_deals(question, f"{FRESH} {own}") if fresh else self._ledger.shared_deals(question, own)
        )
        known = self._ledger.blocks(question, own, deals)
        new = 0
        found = self._assessed(candidate, known, asked, new, fresh=fresh)
        yield found

        def dues() -> Iterator[Due]:
            for number in count():
                if found.is_over or (asked.matches and number * self._terms.matches >= asked.matches):
                    return
                if number not in known:
                    yield Due(candidate, Place(deals, number))

        # the first block alone, as it is the last one of a broken candidate
        first = () if known or found.is_over else (Due(candidate, Place(deals, 0), attempt=0),)
        for played in chain(self._court.play(iter(first)), self._court.play(dues())):
            self._ledger.add(question, own, played.due.place, played.block)
            known[played.due.place.number] = played.block
            new += played.block.matches
            if found.is_over:  # it was begun before that
                found = replace(found, new_matches=new)
                continue
            found = self._assessed(candidate, known, asked, new, fresh=fresh)
            if not found.is_over:
                yield found
        if found.new_matches:
            yield found

    def _assessed(
        self, candidate: Candidate, known: Mapping[int, KeptBlock], asked: Budget, new: int, *, fresh: bool
    ) -> Assessment:
        """Weigh the blocks that are known, up to the first that is missing."""
        blocks = [known[number] for number in range(_unbroken(known))]
        verdict, evidence = verdict_of(blocks, asked)
        return Assessment(
            candidate=candidate.name,
            content_hash=candidate.content_hash,
            verdict=verdict,
            mean=evidence.share,
            low=evidence.low,
            high=evidence.high,
            better=evidence.is_better,
            bound=evidence.bound,
            by_points=points_ahead(blocks, self._terms.game.points_spread),
            blocks=len(blocks),
            matches=sum(block.matches for block in blocks),
            new_matches=new,
            lost=sum(block.lost for block in blocks),
            faults=_faults(blocks) if verdict is not Conclusion.OPEN else (),
            own_cpu_s=sum(block.own_cpu_us for block in blocks) / 1e6,
            cpu_s=sum(block.cpu_us for block in blocks) / 1e6,
            deals=FRESH if fresh else "shared",
        )

    def _prepared(self, bot: Bot) -> Bot:
        (prepared,) = ready([bot], self._terms.sandbox)
        return prepared

    def _workers(self, settings: Event) -> Callable[[], Runner]:
        workers = workers_of(settings)
        require(workers, self._terms.seats)
        return lambda: Runner(workers)


def _seats(rules: Game, asked: int | None) -> int:
    """Return the seats of a table: by default two, where one match says most."""
    usual = 2 if 2 in rules.seat_counts else max(rules.seat_counts)
    return usual if asked is None else asked


def _made_ready(opponents: Sequence[Entry], settings: Event) -> tuple[Entry, ...]:
    bots = ready_entries(opponents, settings.sandbox.sandbox())
    return tuple(replace(entry, bot=bots[entry.entrant]) for entry in opponents)


def _unbroken(known: Mapping[int, object]) -> int:
    """Return how many blocks are known without a gap."""
    return next(number for number in count() if number not in known)


def _faults(blocks: Sequence[KeptBlock]) -> tuple[str, ...]:
    """Return how the candidate lost its seats: each kind of fault once, with its last output."""
    found: dict[tuple[int, str], str] = {}
    for block in blocks:
        for record in block.unpacked() if block.lost else ():
            for fault in record.faults:
                if fault.seat in candidate_seats(record) and len(found) < MOST_FAULTS:
                    lines = "\n".join(map(printable, account(fault).splitlines()))
                    found.setdefault((fault.termination, fault.detail), lines)
    return tuple(found.values())
