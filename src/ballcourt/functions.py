"""What scripts and notebooks import from `ballcourt`: play a match, read records, rate bots."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from ballcourt.arena.bots.bot import BotError
from ballcourt.arena.debug.cases import FromRecord
from ballcourt.arena.match.in_process import play_in_process
from ballcourt.arena.records.readable import action_name
from ballcourt.arena.records.store import read_record
from ballcourt.arena.terminal.matches import HUMAN, match_of, seats_of_people
from ballcourt.arena.terminal.saved import Setup
from ballcourt.arena.tournament.event.seeds import draw_seed
from ballcourt.arena.tournament.folder.named import named_file, named_files
from ballcourt.arena.workers.runner import play_one
from ballcourt.bots.sdk.python import Bot, Session
from ballcourt.bots.sdk.python.connecting import without_a_loop
from ballcourt.engine.core import IllegalAction
from ballcourt.notebook import show_records
from ballcourt.v1.protocol_pb2 import ArenaMessage
from ballcourt.v1.record_pb2 import MatchRecord

show_records()


def play_match(
    game: str,
    bots: Sequence[str | Path | Bot],
    *,
    seed: int | None = None,
    options: Mapping[str, str] | None = None,
    clock: Mapping[str, object] | None = None,
    sandbox: int = 0,
) -> MatchRecord:
    """Play one match, in seat order, and return its record.

    Names and folders of bots play as `ballcourt play` lets them: each in a process of its own, on the clock, in the
    given sandbox tier. `clock` has the keys of the table `[clock]` of a tournament file. Objects of a subclass of `Bot`
    play in this process instead, without a clock and without a sandbox; a breakpoint works in them, and what they raise
    reaches the caller. Without a seed, one is drawn; the record has it.

        record = play_match("maya", ["greedy", "random"], seed=7)
        print([result.score for result in record.results])

    Raises TypeError if names and objects are mixed, and a WrongInput before anything is played if the input is wrong.
    """
    objects = [bot for bot in bots if isinstance(bot, Bot)]
    if objects:
        if len(objects) < len(bots):
            raise TypeError("bots are names or folders, or objects of Bot, not both: a name plays in its own process")
        if clock or sandbox:
            raise TypeError("clock and sandbox are for bots in processes of their own; give names or folders of bots")
        sessions = [Session(bot) for bot in objects]
        drawn = draw_seed().number if seed is None else seed
        return without_a_loop(partial(play_in_process, game, sessions, seed=drawn, options=options))
    names = tuple(map(str, bots))
    if seats_of_people(names, HUMAN):
        raise BotError(f"'{HUMAN}' is not a bot; a person plays with `ballcourt play`")
    tables: dict[str, object] = {"clock": dict(clock or {}), "sandbox": {"tier": sandbox}}
    if seed is not None:
        tables["seed"] = seed
    match = match_of(Setup(game=game, bots=names, options=dict(options or {}), said=tables), HUMAN)
    return without_a_loop(partial(play_one, match))


def ask_again(record: MatchRecord | str | Path, decision: int, bot: Bot, *, history: bool = False) -> str:
    """Ask an object a question of a match again, in this process, and return the name of its answer.

    The record may be a file, or `last`, the newest in ./runs; decisions are numbered as by `ballcourt replay show`.
    With `history` the bot first gets all earlier messages of its match. It is called in this thread and without a
    clock: a breakpoint works, in a notebook too, and what it raises reaches the caller.

        ask_again("last", 57, Mine())

    Raises RecordError for a decision for which no bot was asked, and IllegalAction for an answer that was not offered.
    """
    source = FromRecord(record if isinstance(record, MatchRecord) else read_record(named_file(Path(record))), decision)
    case = without_a_loop(lambda: asyncio.run(source.case(observes=bot.observes)))
    session = Session(bot)
    for message in (ArenaMessage(match_start=case.start), *(before for before, _ in case.before if history)):
        session.handle(message)
    reply = session.handle(ArenaMessage(decide=case.question))
    assert reply, "a question is answered"
    action, names = reply.action.action, source.game.action_names
    if action not in case.question.legal:
        offered = ", ".join(names[legal] for legal in case.question.legal)
        raise IllegalAction(f"{action_name(source.game, action)} was not offered; the legal actions are {offered}")
    return names[action]


def load_records(place: str | Path) -> Iterator[MatchRecord]:
    """Yield the records in the output folder of a tournament, in any folder of records, or in one file.

    Records are read one at a time, in the order of their names.

        lengths = [len(record.decisions.actions) for record in load_records("runs/cup")]

    Raises RecordError for a record that is damaged, and if there is none.
    """
    yield from map(read_record, named_files([Path(place)]))
