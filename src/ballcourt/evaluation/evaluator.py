"""The evaluator: how good a program is, in seconds, safely, with an interval."""

import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from importlib.metadata import distributions
from itertools import chain, count
from math import ceil, inf
from pathlib import Path
from threading import RLock
from time import monotonic, sleep
from typing import Final, Self, TypeVar

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.bots.entries import Entry
from ballcourt.arena.building.builds import ready, ready_entries
from ballcourt.arena.checks.check import account
from ballcourt.arena.extras import needs_linux
from ballcourt.arena.printable import cut, printable
from ballcourt.arena.sandbox.tiers import SandboxError, unavailable
from ballcourt.arena.temporary import scratch_folder
from ballcourt.arena.tournament.event.model import Event, SettingsError
from ballcourt.arena.tournament.event.reading import event_from
from ballcourt.arena.tournament.event.setups import set_up
from ballcourt.arena.tournament.playing.play import workers_of
from ballcourt.arena.workers.capacity import require
from ballcourt.arena.workers.playable import Lifetime
from ballcourt.arena.workers.runner import BlockRunner, Runner
from ballcourt.engine.registry import find_game
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
from ballcourt.evaluation.candidates import Reception, Written
from ballcourt.evaluation.court import Court, Due
from ballcourt.evaluation.evidence import Measure, Method, Weighing, weigh
from ballcourt.evaluation.feedback import feedback_text
from ballcourt.evaluation.ledger import FRESH, KeptBlock, Ledger, shared, unbroken
from ballcourt.evaluation.opponents import opponents_of
from ballcourt.evaluation.question import Question
from ballcourt.evaluation.race import Race, rounds_of
from ballcourt.evaluation.terms import Place, Terms, candidate_seats
from ballcourt.v1.record_pb2 import MatchRecord

BUDGET: Final = "200 matches"
CONFINED: Final = 1
"""The sandbox tier of candidates by default."""
DEFAULT: Final[Mapping[str, object]] = {}
START_S: Final = 1.2
"""How long a program may compute or sleep before its Hello."""
SAID: Final = "Evaluator"
"""How errors name what gave the settings."""
MOST_FAULTS: Final = 3
FINAL: Final = 0.2
"""The part of the budget of a race that is for the final answers."""
LOOK_S: Final = 0.2
"""How often to look for what another process has played."""
T = TypeVar("T")
Machines = Callable[[Terms], AbstractContextManager[BlockRunner]]
"""Starts what plays on these terms."""


@dataclass
class Known:
    """What is known of a candidate on some deals."""

    candidate: Bot
    deals: str
    blocks: dict[int, KeptBlock]
    new: set[int] = field(default_factory=set)
    """The numbers of the blocks that were played now."""

    def unbroken(self) -> list[KeptBlock]:
        """Return the blocks up to the first that is missing."""
        return unbroken(self.blocks)

    def place(self, number: int) -> Place:
        """Return where the block of a number is."""
        return Place(self.deals, number)


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
    costs no match, and a larger budget continues the smaller one. Several processes may use the file at once; of those
    that ask the same, one plays and the others wait. Where a candidate lost a seat, that is kept for this `start_s`,
    Python and its libraries alone. Without a file it is kept in memory.

        with Evaluator("maya", opponents=["greedy"]) as arena:
            print(arena.evaluate("./mine", "100 matches"))

    `opponents` are names and folders of bots, folders of bots, `ladder:NAME`, and entries. `clock`, `sandbox` and
    `options` are as in a tournament file; `opponents_clock` has what differs from the clock in that of the opponents.
    By default candidates are confined to sandbox tier 1. A program that computes or sleeps
    for `start_s` seconds before its Hello is given up in its first block. Each process plays several matches, in one
    seat and never the same deal twice; with `lifetime="match"` every match gets new ones. With a `seed` all candidates
    get the same deals, whatever was asked before; by default it is drawn and secret, and after every 50 candidates
    other deals take the place of those that they share. `machines` is for clusters.

    Raises a WrongInput if any of this is wrong, or the machine cannot do it.
    """

    def __init__(
        self,
        game: str,
        *,
        opponents: Sequence[str | Path | Entry] | str | Path = ("greedy",),
        seats: int | None = None,
        options: Mapping[str, str] | None = None,
        clock: Mapping[str, object] | None = None,
        opponents_clock: Mapping[str, object] | None = None,
        sandbox: int | Mapping[str, object] = DEFAULT,
        lifetime: str = Lifetime.TOURNAMENT,
        workers: int | None = None,
        cache: str | Path | None = None,
        start_s: float = START_S,
        seed: int | None = None,
        machines: Machines | None = None,
    ) -> None:
        needs_linux("evaluations need")
        confined = {"tier": sandbox} if isinstance(sandbox, int) else _confined(sandbox, here=not machines)
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
        found = opponents_of(named, rules)
        self._terms = Terms(
            setup=set_up(rules, usual_seats(game) if seats is None else seats, options or {}),
            opponents=found if machines else _made_ready(found, settings),
            clock=settings.clock.clock(),
            sandbox=settings.sandbox.sandbox(),
            lifetime=settings.lifetime or Lifetime.TOURNAMENT,
            rival_clock=event_from(None, {"clock": {**(clock or {}), **opponents_clock}}, SAID).clock.clock()
            if opponents_clock
            else None,
        )
        if not start_s > 0:
            raise SettingsError(f"start_s is {start_s:g}; it must be above 0")
        self._ledger = Ledger(Path(cache).expanduser() if cache is not None else None)
        self._stack.callback(self._ledger.close)
        folder = self._stack.enter_context(scratch_folder())
        self._reception = Reception(folder, rules, (lambda bot: bot) if machines else self._prepared)
        self._start = (lambda: machines(self._terms)) if machines else self._workers(settings)
        self._question = self._terms.key if seed is None else f"{self._terms.key} {seed}"
        self._is_seeded = seed is not None
        self._base = self._ledger.seed(self._question) if seed is None else seed
        self._start_ms = round(1000 * start_s)
        self._idle: list[Court] = []

    def __enter__(self) -> Self:
        """Start the workers."""
        self._idle.append(self._court())
        self._idle[0].open()
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
        by: str = Measure.DUELS,
        gives_up: bool | None = None,
        fresh: bool = False,
        again: bool = False,
    ) -> Assessment:
        """Play until one of these is reached, or the candidate is broken or hopeless; return what is known then.

        `candidate` is a program in Python with a subclass of `Bot`, as a string or a file; or the folder or name of a
        bot. `budget` is a number of "matches" or of "cpu-seconds" of all bots, with those that were played before, or
        of "seconds" or "minutes" by the clock from now on;
        `half_width` is half the width of the interval, `better_than` the share of duels that the test decides about.
        With `by="points"` the points of duels decide instead of who won them: both limits mean shares of duels still,
        and what margins of such bots are worth. `gives_up` is whether to stop when it is hopeless; by default unless
        there is a `half_width`. With `fresh`, deals are played that no other candidate meets, for a final answer. Else
        candidates share deals, which makes them comparable. With `again`, what is known of it is forgotten first.
        """
        with self._lock:
            *_, last = self.watch(
                candidate,
                budget,
                half_width=half_width,
                better_than=better_than,
                by=by,
                gives_up=gives_up,
                fresh=fresh,
                again=again,
            )
        return last

    def watch(
        self,
        candidate: Written,
        budget: str = BUDGET,
        *,
        half_width: float | None = None,
        better_than: float | None = None,
        by: str = Measure.DUELS,
        gives_up: bool | None = None,
        fresh: bool = False,
        again: bool = False,
    ) -> Iterator[Assessment]:
        """Do the same, and yield what is known after every block; the last one is the answer.

        While it waits for its reader, other threads may ask; they play with workers of their own.
        """
        gives_up = half_width is None if gives_up is None else gives_up
        limits = {"half_width": half_width, "better_than": better_than, "gives_up": gives_up}
        asked = Budget.of(budget, by=self._measure(by), **limits)
        with self._lock:
            entered = self._reception.let_in(candidate)
            if again:
                self._ledger.forget(self._question, [entered.content_hash])
            known = self._fresh(entered) if fresh else self._shared([entered])[0]
        yield from self._played(lambda court: self._watched(court, known, asked))

    def feedback(self, candidate: Written) -> str:
        """Return feedback on the matches that a candidate has played, in at most 2,000 tokens.

        Faults, the decisions that cost most by an estimate, and where points came from, its own and the opponents'.
        """
        with self._lock:
            (known,) = self._shared([self._reception.let_in(candidate)])
        most = sum(block.matches for block in known.unbroken())
        return feedback_text(self._assessed(known, Budget(matches=max(1.0, most))), _records(known))

    def records(self, candidate: Written) -> list[MatchRecord]:
        """Return the records that were kept of a candidate's matches: of its first blocks, and where it lost a seat."""
        with self._lock:
            (known,) = self._shared([self._reception.let_in(candidate)])
        return _records(known)

    def race(
        self,
        candidates: Sequence[Written],
        keep: int = 1,
        budget: str = "2000 matches",
        *,
        by: str = Measure.DUELS,
        again: bool = False,
    ) -> Iterator[RaceNews]:
        """Find the best of several candidates; yield who is left, best first, after every block.

        All of them meet the same deals; see `ballcourt.evaluation.race`. What decides is the duels, or with
        `by="points"` their points. A fifth of the budget is left for those that are kept, who are assessed again on
        fresh deals: the last news has these answers. Of those that it calls better than the opponents, 5 % at most are
        not, as the e-BH procedure decides about all together. With `again`, what is known of them is forgotten first.
        Raises RaceError.
        """
        asked = Budget.of(budget, by=self._measure(by), gives_up=False)
        if asked.matches is None:
            raise BudgetError(f"the budget of a race is {budget}; give matches, such as '2000 matches'")
        with self._lock:
            entered = {one.content_hash: one for one in map(self._reception.let_in, candidates)}
            if again:
                self._ledger.forget(self._question, [*entered])
        yield from self._played(lambda court: self._raced(court, [*entered.values()], keep, asked))

    def _played(self, play: Callable[[Court], Generator[T | None, None, None]]) -> Iterator[T]:
        """Yield what is found out by playing, and wait where it yields None: another process plays.

        Between its steps, and while it waits, other threads may play, with workers of their own.
        """
        with self._lock:
            court = self._court()
            steps = play(court)
        try:
            while True:
                with self._lock:
                    try:
                        found = next(steps)
                    except StopIteration:
                        return
                if found is None:
                    sleep(LOOK_S)
                else:
                    yield found
        finally:
            with self._lock:
                steps.close()
                self._idle.append(court)

    def _court(self) -> Court:
        """Return workers that are idle, new ones if none are."""
        if self._idle:
            return self._idle.pop()
        court = Court(self._terms, self._base, self._start, self._start_ms)
        self._stack.callback(court.close)
        return court

    def _raced(
        self, court: Court, entered: Sequence[Bot], keep: int, asked: Budget
    ) -> Generator[RaceNews | None, None, None]:
        assert asked.matches, "races have a budget of matches"
        race = Race(len(entered), keep, self._blocks_of_race(len(entered), keep, asked.matches))
        runners, going_on = self._shared(entered), replace(asked, matches=None)
        while not race.is_over:
            number, left = race.played, [*race.alive]
            yield from self._play(court, [runners[one] for one in left], number)
            race.learn({one: asked.decides(runners[one].blocks[number]) for one in left})
            race.retire([one for one in left if is_broken(runners[one].unbroken()[: number + 1])])
            standings = (self._assessed(runners[one], going_on, most=number + 1) for one in race.ranked())
            yield RaceNews(number + 1, tuple(standings))
        last = replace(asked, matches=max(float(self._terms.matches), asked.matches * FINAL / keep), gives_up=True)
        best = [self._fresh(entered[one]) for one in race.ranked()[:keep]]
        answers = []
        for one in best:
            answer = yield from self._answer(court, one, last)
            answers.append((answer, one.unbroken()))
        ranked = sorted(believed(answers, last), key=lambda answer: -answer.score)
        yield RaceNews(race.played, tuple(ranked), is_final=True)

    def _play(self, court: Court, runners: Sequence[Known], number: int) -> Iterator[None]:
        """Play a block of a race for all those who have not met it, unless another process does."""

        def missing_ones() -> dict[str, Known]:
            return {one.candidate.content_hash: one for one in runners if number not in one.blocks}

        if not missing_ones():
            return
        with self._ledger.turn(self._question, f"race on {runners[0].deals}") as take:
            for is_new in self._until_ours(take, runners):
                if not missing_ones():
                    return
                if not is_new:
                    yield
            missing = missing_ones()
            for due, block in court.play(Due(one.candidate, one.place(number), not number) for one in missing.values()):
                self._keep(missing[due.candidate.content_hash], due, block)

    def _until_ours(self, take: Callable[[], bool], runners: Sequence[Known]) -> Iterator[bool]:
        """Look what other processes have played until the turn is ours; yield whether there is something new."""
        is_ours = False
        while not is_ours:
            is_ours = take()
            looks = [self._look(one) for one in runners]
            if any(looks) or not is_ours:
                yield any(looks)

    def _answer(self, court: Court, known: Known, asked: Budget) -> Generator[None, None, Assessment]:
        """Play what is missing and return what is known then."""
        for found in self._watched(court, known, asked):
            if found is None:
                yield
            else:
                last = found
        return last

    def _blocks_of_race(self, candidates: int, keep: int, matches: float) -> int:
        """Return the blocks of a race before its answers. Raises RaceError, and BudgetError if they are too few."""
        blocks, needed = int(matches * (1 - FINAL) / self._terms.matches), candidates * rounds_of(candidates, keep)
        if blocks < needed:
            raise BudgetError(
                f"the budget is {matches:g} matches; a race of {candidates} candidates for {keep} needs at least "
                f"{ceil(needed * self._terms.matches / (1 - FINAL))}"
            )
        return blocks

    def _watched(self, court: Court, known: Known, asked: Budget) -> Generator[Assessment | None, None, None]:
        end = monotonic() + (inf if asked.time_s is None else asked.time_s)
        found = self._assessed(known, asked)
        yield found
        if found.is_over:
            return
        with self._ledger.turn(self._question, f"{known.candidate.content_hash} on {known.deals}") as take:
            for is_new in self._until_ours(take, [known]):
                found = self._assessed(known, asked) if is_new else found
                yield found if is_new else None
                if found.is_over or monotonic() >= end:
                    break
            yield from self._judged(court, known, asked, found, end)

    def _judged(self, court: Court, known: Known, asked: Budget, found: Assessment, end: float) -> Iterator[Assessment]:
        """Play what is missing until `end`, by the monotonic clock, and yield what is known after every block."""

        def dues() -> Iterator[Due]:
            for number in count():
                is_enough = asked.matches and number * self._terms.matches >= asked.matches
                if found.is_over or is_enough or monotonic() >= end:
                    return
                if number not in known.blocks:
                    yield Due(known.candidate, known.place(number))

        # the first block alone, as it is the last one of a broken candidate
        first = (
            ()
            if known.blocks or found.is_over or monotonic() >= end
            else (Due(known.candidate, known.place(0), is_first=True),)
        )
        for due, block in chain(court.play(iter(first)), court.play(dues())):
            self._keep(known, due, block)
            if not found.is_over:  # else the block had begun before that
                found = self._assessed(known, asked, too_few=found.blocks)
                yield found
        if not found.is_over:
            yield replace(found, verdict=Conclusion.SPENT, faults=faults_of(known.unbroken()))

    def _keep(self, known: Known, due: Due, block: KeptBlock) -> None:
        number = due.place.number
        block = replace(block, circumstances=self._circumstances) if block.lost else block
        self._ledger.add(self._question, known.candidate.content_hash, due.place, block)
        known.blocks[number] = block
        known.new.add(number)

    def _shared(self, candidates: Sequence[Bot]) -> list[Known]:
        """Return what is known of candidates on the deals that they share with each other, and with others."""
        hashes = [one.content_hash for one in candidates]
        deals = shared(0) if self._is_seeded else self._ledger.shared_deals(self._question, hashes)
        return [self._known(one, deals) for one in candidates]

    def _fresh(self, candidate: Bot) -> Known:
        """Return what is known of a candidate on the deals that no other candidate meets."""
        return self._known(candidate, f"{FRESH}-{candidate.content_hash}")

    def _known(self, candidate: Bot, deals: str) -> Known:
        known = Known(candidate, deals, {})
        self._look(known)
        return known

    def _look(self, known: Known) -> bool:
        """Learn what any process has kept of a candidate, and return whether there was something new."""
        kept = self._ledger.blocks(self._question, known.candidate.content_hash, known.deals)
        new = {
            number: block
            for number, block in kept.items()
            if number not in known.blocks and (not block.lost or block.circumstances == self._circumstances)
        }
        known.blocks |= new
        return bool(new)

    @cached_property
    def _circumstances(self) -> str:
        """A digest of what may have cost a candidate its seat, besides itself and chance."""
        metadata = [one.metadata for one in distributions()]  # which is parsed whenever it is asked for
        libraries = sorted(f"{one['Name']} {one['Version']}" for one in metadata)
        return sha256(f"{self._start_ms} {sys.version} {libraries}".encode()).hexdigest()

    def _measure(self, by: str) -> Measure:
        """Return what decides. Raises BudgetError, and LeaderboardError if it is points in a game without a spread."""
        if by not in [*Measure]:
            raise BudgetError(f"by is {cut(repr(by))}; it must be one of {', '.join(Measure)}")
        return Weighing(Question(), Method.BETTING, self._terms.setup.rules.points_spread, Measure(by)).by

    def _assessed(self, known: Known, asked: Budget, too_few: int = 0, most: int | None = None) -> Assessment:
        """Weigh the blocks that are known, `most` of them, up to a missing one or the one that ends the evaluation."""
        candidate, blocks = known.candidate, known.unbroken()[:most]
        verdict, evidence = verdict_of(blocks, asked, too_few)
        blocks = blocks[: evidence.blocks]
        duels = evidence
        if asked.by is not Measure.DUELS:
            duels = weigh([block.share for block in blocks], Question(), Method.BETTING, asked.half_width)
        return Assessment(
            bot=candidate.entrant.bot,
            verdict=verdict,
            mean=duels.share,
            low=duels.low,
            high=duels.high,
            better=evidence.is_better,
            bound=evidence.bound,
            by=asked.by,
            score=evidence.share,
            by_points=points_ahead(blocks, self._terms.setup.rules.points_spread),
            blocks=len(blocks),
            matches=sum(block.matches for block in blocks),
            new_matches=sum(block.matches for number, block in enumerate(blocks) if number in known.new),
            lost=sum(block.lost for block in blocks),
            faults=faults_of(blocks) if verdict is not Conclusion.OPEN else (),
            own_cpu_s=sum(block.own_cpu_us for block in blocks) / 1e6,
            cpu_s=sum(block.cpu_us for block in blocks) / 1e6,
            deals=known.deals.partition("-")[0],
        )

    def _prepared(self, bot: Bot) -> Bot:
        (prepared,) = ready([bot], self._terms.sandbox)
        return prepared

    def _workers(self, settings: Event) -> Callable[[], Runner]:
        workers = workers_of(settings)
        require(workers, self._terms.setup.seats)
        return lambda: Runner(workers)


def _confined(sandbox: Mapping[str, object], *, here: bool) -> Mapping[str, object]:
    """Return the sandbox with the tier that candidates have by default.

    Raises SandboxError if candidates play on this machine, which cannot offer it, and no tier was asked for.
    """
    if "tier" not in sandbox and here and (why := unavailable(CONFINED)):
        raise SandboxError(
            f"candidates are confined to sandbox tier {CONFINED} by default, which is not available: {why}; or choose "
            "tier 0 (--sandbox 0), in which they have all your rights"
        )
    return {"tier": CONFINED, **sandbox}


def usual_seats(game: str) -> int:
    """Return the seats of a table if nothing is asked for: two where the game allows it, as one match says most there.

    Raises UnknownGame.
    """
    allowed = find_game(game).seat_counts
    return 2 if 2 in allowed else max(allowed)


def _made_ready(opponents: Sequence[Entry], settings: Event) -> tuple[Entry, ...]:
    bots = ready_entries(opponents, settings.sandbox.sandbox())
    return tuple(replace(entry, bot=bots[entry.entrant]) for entry in opponents)


def _records(known: Known) -> list[MatchRecord]:
    return [record for block in known.blocks.values() for record in block.unpacked()]


def faults_of(blocks: Sequence[KeptBlock]) -> tuple[str, ...]:
    """Return how the candidate lost its seats: each kind of fault once, with its last output."""
    found: dict[tuple[int, str], str] = {}
    for block in blocks:
        for record in block.unpacked() if block.lost else ():
            for fault in record.faults:
                if fault.seat in candidate_seats(record) and len(found) < MOST_FAULTS:
                    lines = "\n".join(map(printable, account(fault).splitlines()))
                    found.setdefault((fault.termination, fault.detail), lines)
    return tuple(found.values())
