"""`ballcourt debug`: asks a bot a recorded question again."""

import asyncio
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from ballcourt.arena.bots.bot import check_plays
from ballcourt.arena.bots.known import resolve_bot
from ballcourt.arena.building.builds import built
from ballcourt.arena.debug.ask import Reply, ask_again
from ballcourt.arena.debug.cases import Case, find_question
from ballcourt.arena.faults import BotFault
from ballcourt.arena.records.readable import action_name, decide_lines
from ballcourt.cli.declaring import argument, switch
from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.flags import BotPath, Json
from ballcourt.cli.output import dump, note, say
from ballcourt.cli.records import named_file
from ballcourt.engine.core import Game


def debug(
    question: Annotated[str, argument("RECORD@DECISION", "A record and a decision, or the folder of a fault bundle.")],
    bot: BotPath,
    history: Annotated[bool, switch("--history", "First send everything that the seat had been sent before.")] = False,
    attach: Annotated[
        bool, switch("--attach", "Do not start the bot; print the environment it needs and wait for it.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Ask a bot a recorded question again, without a clock.

    The bot gets the same bytes. It runs in this terminal, so breakpoint() works. `ballcourt replay show` numbers the
    decisions. From the bundle of a lost seat, the bot gets the last question it was asked.

    \b
    Exit codes: 0 the answer was legal, as recorded or not; 1 the bot would lose its seat.
    Examples:
      ballcourt debug runs/demo/records/b000000-r0.match@40 ./mine
      ballcourt debug match.match@40 ./mine --history --attach
      ballcourt debug runs/demo/faults/b000000-r0-seat1-mine ./mine
    """
    path, at, number = question.rpartition("@")
    source = find_question(f"{named_file(Path(path))}@{number}" if at and number.isdecimal() else question)
    resolved = resolve_bot(bot)
    check_plays(resolved, source.game)
    resolved = built(resolved)

    def show(case: Case) -> None:
        if not as_json:
            say([case.title, *decide_lines(source.game, case.question)])

    try:
        reply = asyncio.run(
            ask_again(source, resolved, history=history, show=show, attach=_announce if attach else None)
        )
    except BotFault as fault:
        note(f"{resolved.name} failed before the question: {fault.sentence}")
        raise typer.Exit(CHECK_FAILED) from None
    if as_json:
        dump(_values(source.game, reply))
    else:
        say(_outcome(source.game, reply, history=history))
    raise typer.Exit(CHECK_FAILED if reply.fault else 0)


def _announce(environment: Mapping[str, str]) -> None:
    note("waiting for the bot; start it with these in its environment:")
    for name, value in environment.items():
        note(f"export {name}={shlex.quote(value)}")


def _outcome(game: Game, reply: Reply, *, history: bool) -> list[str]:
    case, lines = reply.case, []
    if history:
        asked = sum(message.HasField("decide") for message, _ in case.before)
        lines.append(f"before   {asked} questions, {reply.differed} answered differently than recorded")
    lines.append(f"recorded {'no answer' if case.answer is None else action_name(game, case.answer)}")
    if case.fault:
        lines.append(f"         at fault: {case.fault}")
    if reply.answer:
        verdict = "as recorded" if reply.agrees else "another answer"
        lines.append(f"now      {action_name(game, reply.answer.action)} in {_ms(reply)} ms, {verdict}")
    if reply.fault:
        lines.append(f"         at fault: {reply.fault}")
    return lines


def _values(game: Game, reply: Reply) -> dict[str, object]:
    case, answer = reply.case, reply.answer
    names = game.action_names
    return {
        "question": case.title,
        "legal": [names[action] for action in case.question.legal],
        "recorded": {"action": case.answer, "fault": case.fault or None},
        "answer": {"action": answer.action, "think_ms": _ms(reply)} if answer else None,
        "fault": reply.fault or None,
        "agrees": reply.agrees,
        "answered_otherwise_before": reply.differed,
    }


def _ms(reply: Reply) -> float:
    return reply.answer.think_us / 1000 if reply.answer else 0.0
