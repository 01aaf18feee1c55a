"""`ballcourt check positions`: counts at how many positions a bot answers with an accepted action."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from ballcourt.arena.bots.bot import check_plays
from ballcourt.arena.bots.known import resolve_bot
from ballcourt.arena.building.builds import built
from ballcourt.arena.debug.positions import PositionAnswer, examined, read_suite
from ballcourt.arena.faults import BotFault
from ballcourt.arena.match.policy import counted
from ballcourt.arena.records.readable import action_name
from ballcourt.cli.declaring import argument, switch
from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.flags import BotPath, Json
from ballcourt.cli.output import dump, note, say


def positions(
    file: Annotated[Path, argument("FILE", "A file of positions (TOML).")],
    bot: BotPath,
    history: Annotated[bool, switch("--history", "First send everything that the seat had been sent before.")] = False,
    as_json: Json = False,
) -> None:
    """Count at how many recorded positions a bot answers with an accepted action.

    The file has a table for each position: record, decision and the names of the accepted actions, and why, if you
    like. The bot gets the same questions as in the matches, without a clock; one process answers those of a game.

    \b
      [[position]]
      record = "runs/cup/records/b000000-r0.match"   # relative to the file
      decision = 40                                  # as `ballcourt replay show` numbers them
      accepted = ["PLACE_TIKAL", "PLACE_UXMAL"]
      why = "corn for the first feeding day"

    \b
    Exit codes: 0 every answer was accepted; 1 one was not.
    Examples:
      ballcourt check positions openings.toml ./mine
      ballcourt check positions openings.toml ./mine --history --json
    """
    tasks = read_suite(file)
    resolved = resolve_bot(bot)
    for task in tasks:
        check_plays(resolved, task.source.game)
    resolved = built(resolved)
    outcomes: list[PositionAnswer] = []

    async def examine() -> None:
        async for outcome in examined(resolved, tasks, history=history):
            outcomes.append(outcome)
            if not as_json:
                say(_lines(outcome))

    try:
        asyncio.run(examine())
    except BotFault as fault:
        note(f"{resolved.name} failed before a question: {fault.sentence}")
        raise typer.Exit(CHECK_FAILED) from None
    right = sum(outcome.accepted for outcome in outcomes)
    if as_json:
        dump({"positions": [_values(outcome) for outcome in outcomes], "accepted": right})
    else:
        say([f"{resolved.name} answered {right} of {counted(len(outcomes), 'position')} with an accepted action"])
    raise typer.Exit(0 if right == len(outcomes) else CHECK_FAILED)


def _lines(outcome: PositionAnswer) -> Sequence[str]:
    position = outcome.task.position
    if outcome.accepted:
        return [f"ok      {position.title}: {_answer(outcome)}"]
    wanted = f"        accepted: {', '.join(position.accepted)}{'; ' + position.why if position.why else ''}"
    return [f"MISSED  {position.title}: {_answer(outcome)}", wanted]


def _answer(outcome: PositionAnswer) -> str:
    reply = outcome.reply
    if reply.fault or not reply.answer:
        return f"at fault: {reply.fault}"
    return action_name(outcome.task.source.game, reply.answer.action)


def _values(outcome: PositionAnswer) -> dict[str, object]:
    reply, names = outcome.reply, outcome.task.source.game.action_names
    return {
        "position": outcome.task.position.title,
        "answer": names[reply.answer.action] if reply.answer and not reply.fault else None,
        "fault": reply.fault or None,
        "accepted": outcome.accepted,
    }
