"""The messages on stderr about a tournament: its plan, and then its events."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Final

from ballcourt.arena.durations import duration
from ballcourt.arena.match.policy import counted
from ballcourt.arena.processes.memory import SHORT
from ballcourt.arena.records.machines import MachineKind, kind_of
from ballcourt.arena.tournament.decisions.certificate import sentences
from ballcourt.arena.tournament.event.seeds import Deals, caution
from ballcourt.arena.tournament.event.setups import in_words
from ballcourt.arena.tournament.folder.events import (
    BlockVoided,
    BotRefused,
    DivisionChanged,
    EntrantJudged,
    EventPaused,
    Finished,
    LadderRests,
    LadderWaits,
    MatchesSkipped,
    MatchPlayed,
    OrganiserDecided,
    Planned,
    RecordUnreadable,
    Resumed,
    RunEvent,
    WorkerChanged,
)
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.playing.stuck import StuckBots
from ballcourt.arena.tournament.schedules import stop
from ballcourt.arena.tournament.schedules.formats import keeps_owners_apart
from ballcourt.arena.workers.playable import Lifetime
from ballcourt.arena.workers.queue import WorkerChange
from ballcourt.cli.output import command, note

MANY_BOTS = 20
"""From this number of bots on, the size of a whole round is a surprise worth announcing."""

MOST_SETUPS: Final = 12
"""How many set-ups are named."""


class Announcer:
    """Puts the events of a tournament into sentences, apart from the matches, which are the business of `Progress`."""

    def __init__(self, tables: int) -> None:
        """`tables` is the number of matches that are played at the same time."""
        self._tables = tables
        self._expected = 0
        self._thinking_s = 0.0  # of all bots, in the matches of earlier runs
        self._machines: set[MachineKind] = set()
        self._stuck = StuckBots()
        self._is_short = False  # of memory, which has been said
        self._liars: list[str] = []  # workers of a cluster

    def __call__(self, event: RunEvent) -> None:
        """Say what happened."""
        match event:
            case Planned():
                self._expected = event.matches
                for line in plan_lines(event.tournament):
                    note(line)
                say_commitment(event.tournament)
            case MatchPlayed():
                self._machines.add(kind_of(event.record.host))
                for line in self._stuck.add(event.record):
                    note(line)
                if not event.is_new:
                    self._thinking_s += sum(event.record.decisions.think_us) / 1e6
                else:
                    self._warn_of_memory(fault.detail for fault in event.record.faults)
            case MatchesSkipped():
                self._expected -= len(event.keys)
                self._stuck.forget(event.records)
            case Resumed():
                note(self._resumed(event.matches))
            case RecordUnreadable():
                note(f"played again, because {event.reason}")
            case BlockVoided():
                note(f"{_matches(event.keys)} played again: {event.reason}")
                self._warn_of_memory([event.reason])
                self._stuck.forget(event.records)
            case EntrantJudged():
                note(f"{event.name} {event.version} {event.sentence}")
            case WorkerChanged():
                note(f"worker {event.worker} {event.sentence}")
                if event.news is WorkerChange.SHUT_OUT:
                    self._liars.append(event.worker)
            case OrganiserDecided():
                self._expected = event.matches
                for decision in event.decisions:
                    note(f"decision {decision.number}: {decision.sentence}")
            case EventPaused():
                note(f"{event.decision.sentence}; `ballcourt event resume` lets it go on")
            case BotRefused():
                note(f"{event.place} is refused: {event.sentence}")
                if event.report:
                    note(f"what its author needs is in {event.report}")
            case DivisionChanged():
                way = "up" if event.after < event.before else "down"
                note(f"{event.name} {event.version} goes {way} from division {event.before} to {event.after}")
            case LadderWaits() | LadderRests():
                note(f"{event.event}: {event.sentence}")
            case Finished():
                self._finished(event)
            case _:
                pass

    def _warn_of_memory(self, reasons: Iterable[str]) -> None:
        """Say what to do, once, if memory is among the reasons of failures and faults."""
        if not self._is_short and any(SHORT in reason for reason in reasons):
            self._is_short = True
            note(f"{SHORT}: end other programs, or give fewer workers")

    def _finished(self, event: Finished) -> None:
        if event.reason:
            note(f"it ends after {counted(event.matches, 'match')}: {event.reason}")
        if len(self._machines) > 1:
            shows = command("study", "machines", str(event.folder))
            note(f"played on {len(self._machines)} kinds of machine; to separate them: {shows}")
        for liar in self._liars:
            again = command("event", "repeat", str(event.folder), "--worker", liar)
            note(f"worker {liar} lied and was shut out; to have all blocks that it played before played again: {again}")
        for line in self._stuck.summary():
            note(line)

    def _resumed(self, matches: int) -> str:
        line = f"{matches} of them have been played before"
        missing = self._expected - matches
        if missing <= 0:
            return line
        seconds = round(self._thinking_s / matches * missing / self._tables)
        return f"{line}; going on" + (f", with about {duration(seconds)} of thinking to come" if seconds else "")


def say_commitment(planned: Plan) -> None:
    """Say what can be published before the first match; nothing if the seed is public."""
    if planned.seed and planned.seed.is_secret:
        note(f"commitment to the seed: {planned.seed.commitment}")


def _matches(keys: Sequence[str]) -> str:
    return (
        f"match {keys[0]} does not count and is"
        if len(keys) == 1
        else f"matches {', '.join(keys)} do not count and are"
    )


def plan_lines(planned: Plan) -> Iterator[str]:
    """Say what a tournament plays, and how even that is."""
    bots = ", ".join(bot.bot.name for bot in planned.entrants)
    matches = ("" if planned.is_exact else "at most ") + counted(planned.matches, "match")
    yield f"{matches} of {_played(planned)}: {bots}"
    if planned.stop:
        yield f"it ends early when {' or '.join(map(stop.in_words, planned.stop))}, as judged after each round"
    if len(planned.entrants) >= MANY_BOTS:
        yield _round_size(planned)
    if not planned.stop:
        yield from _balance(planned)
    yield from _owners(planned)
    if planned.seats > 1 and planned.deals is Deals.BLOCK:
        yield "all rotations of a table play the same deal"
    if planned.lifetime is Lifetime.MATCH:
        yield "every bot gets a fresh process for every match"
    if planned.policy.judges:
        rounds = -(-planned.schedule.blocks // planned.schedule.round_size)
        yield (
            f"suspensions are decided after each of the {rounds} rounds"
            if rounds > 1
            else "suspensions are decided at the end"
        )
    seed = planned.seed
    if seed and not seed.is_secret and (sentence := caution(seed.number, planned.sandbox.tier)):
        yield sentence


def _played(planned: Plan) -> str:
    """Name the set-ups."""
    if len(planned.setups) == 1:
        return f"{planned.games} with {counted(planned.seats, 'seat')}"
    named = "; ".join(in_words(setup, planned.setups) for setup in planned.setups[:MOST_SETUPS])
    more = "; ..." if len(planned.setups) > MOST_SETUPS else ""
    return f"{planned.games} in {len(planned.setups)} set-ups ({named}{more})"


def _round_size(planned: Plan) -> str:
    blocks = planned.schedule.round_size
    matches = planned.schedule.matches_in(blocks)
    return f"a whole round of {len(planned.entrants)} bots has {blocks:,} blocks, which are {matches:,} matches"


def _balance(planned: Plan) -> Iterator[str]:
    if planned.seats == 1:
        yield f"each bot plays the same {counted(planned.schedule.blocks, 'deal')} alone"
    elif balances := planned.balances():
        yield from sentences(planned.setups, balances)
    else:
        why = "there are very many blocks" if planned.schedule.is_fixed else "who meets whom depends on results"
        yield f"{why}, so what each bot gets is counted at the end"
        if not planned.schedule.is_fixed:
            yield from _byes(planned)


def _byes(planned: Plan) -> Iterator[str]:
    """Yield how many bots do not play in the first round."""
    first = takewhile(lambda block: block.round == 0, planned.began.stage(()))
    seated = {entrant for block in first for table in block.tables for entrant in table}
    if resting := planned.founders - len(seated):
        yield f"{counted(resting, 'bot')} of {planned.founders} have a bye in the first round"


def _owners(planned: Plan) -> Iterator[str]:
    """Yield whether bots of one owner meet."""
    related = planned.field.related
    if not related or planned.seats == 1:
        return
    balances = planned.balances()
    if not balances:
        tries = keeps_owners_apart(planned.design.format)
        yield "bots of one owner " + ("meet only where no other table can be found" if tries else "may meet")
        return
    if met := sum(of_setup.pairs[pair] for of_setup in balances for pair in related):
        hint = (
            "" if keeps_owners_apart(planned.design.format) else '; the format "balanced" keeps them apart where it can'
        )
        yield f"bots of one owner meet {counted(met, 'time')}{hint}"
    else:
        yield "bots of one owner never meet"
