"""Bots that say what they would do, now or at all decisions of a record, in processes of their own."""

from collections.abc import AsyncIterator, Callable
from itertools import islice

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.match.adviser import Adviser
from ballcourt.arena.match.person import PendingQuestion
from ballcourt.arena.match.seats import Answer
from ballcourt.arena.match.spec import Clock
from ballcourt.arena.processes.bot_process import Role
from ballcourt.arena.records.replay import opening, positions, questions
from ballcourt.arena.replays.document import Appraisal, Marked, Ranked
from ballcourt.arena.replays.judgement import JudgedDecision
from ballcourt.arena.sandbox.tiers import Sandbox
from ballcourt.arena.workers.pool import Pool, ProcessSeat
from ballcourt.engine.core import Game, State
from ballcourt.engine.core.chance import bot_seed
from ballcourt.v1.protocol_pb2 import Event, MatchStart
from ballcourt.v1.record_pb2 import MatchRecord


def adviser_of(bot: Bot, game: Game, sandbox: Sandbox, pool: Pool, work: int = 0) -> Adviser:
    """Return a bot as an adviser; `work` limits one that counts its work, others answer by the clock."""
    clock = Clock(work=work)
    role = Role(bot, game, sandbox, f"adviser {bot.name}")  # shares no process with a bot that plays
    return Adviser(bot.name, game, clock, lambda: ProcessSeat(role, clock, pool))


def start_of(record: MatchRecord, game: Game, seat: int) -> MatchStart:
    """Return the start of a recorded match, as a seat learns it."""
    return MatchStart(
        game=record.game,
        rules_version=record.rules_version,
        options=record.options,
        seat=seat,
        seats=len(record.entrants),
        bot_seed=bot_seed(record.seed, seat),
        observation_type=game.wire().observation_type,
    )


def events_seen(record: MatchRecord, before: int, seat: int) -> tuple[State, list[Event]]:
    """Return the position before a decision of a record, and what a seat has seen of the match by then."""
    decisions, events = record.decisions, []
    following = positions(record)
    state = next(following)
    made = zip(decisions.seats, decisions.actions, following, strict=False)
    for other, action, _ in islice(made, before):
        events.append(Event(seat=other, action=state.seen_action(other, action, seat)))
    return state, events


async def by_bot(record: MatchRecord, adviser: Adviser, tell: Callable[[int], None]) -> AsyncIterator[JudgedDecision]:
    """Yield what a bot says of each decision that was not forced; `tell` gets the number of each decision.

    Raises RecordError if the record cannot be executed here, BotFault and ArenaError.
    """
    game, _ = opening(record)
    decisions = record.decisions
    seen: list[list[Event]] = [[] for _ in record.entrants]
    following = positions(record)
    state = next(following)
    kinds = [*questions(record)]
    for number, (seat, action) in enumerate(zip(decisions.seats, decisions.actions, strict=True)):
        tell(number)
        legal = tuple(state.legal_actions(seat))
        if len(legal) > 1:
            question = PendingQuestion(state, legal, (), 0.0)
            answer = await adviser.advise(start_of(record, game, seat), question, seen[seat])
            found = estimate_of(game, state, seat, answer)
            yield {"decision": number, "question": kinds[number], "estimate": found}
        for _ in islice(following, 1):
            for observer, events in enumerate(seen):
                events.append(Event(seat=seat, action=state.seen_action(seat, action, observer)))


def estimate_of(game: Game, state: State, seat: int, answer: Answer) -> Appraisal:
    """Return what a bot's answer says of a position: its choice first, then the other legal actions that it ranks."""
    legal = state.legal_actions(seat)
    own = answer.evaluation
    worth = {one.action: (one.value, one.visits) for one in (own.ranked if own else ()) if one.action in legal}
    order = sorted(worth, key=lambda action: (action != answer.action, -worth[action][0]))
    if answer.action in legal and answer.action not in worth:
        order, worth = [answer.action, *order], worth | {answer.action: (0.0, 0)}
    ranked: list[Ranked] = [
        {
            "action": action,
            "label": game.choice(state, seat, action)["label"],
            "value": worth[action][0],
            "visits": worth[action][1],
        }
        for action in order
    ]
    marks: list[Marked] = [{"place": one.place, "label": one.label} for one in (own.marks if own else ())]
    return {"values": [*own.values] if own else [], "wins": [], "points": [], "ranked": ranked, "marks": marks}
