"""`ballcourt event`: what an organiser decides about an event, while it runs or not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ballcourt.arena.cli.flags import Json
from ballcourt.arena.cli.output import dump, note, numbers, say

if TYPE_CHECKING:
    from ballcourt.arena.tournament.organiser import Organiser
    from ballcourt.arena.tournament.trail import Decision

event = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Change an event that has begun: withdraw or add bots, void or repeat matches, lengthen it, pause it.\n\n"
    "Every decision is kept with its time, author and reason in the event's folder. A run that plays the event, in "
    "whatever terminal, notices it before it begins another block; otherwise the next run does.",
)

Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="The event's output folder.", show_default=False)]
Reason = Annotated[
    str, typer.Option("--reason", metavar="TEXT", help="Why; the trail of the event keeps it.", show_default=False)
]
Match = Annotated[
    str,
    typer.Argument(
        metavar="MATCH", help="A match, such as b000012-r1, or a block, such as b000012.", show_default=False
    ),
]


@event.command()
def withdraw(
    folder: Folder,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="A bot: NAME, or 'NAME VERSION'.", show_default=False)],
    reason: Reason,
    strike: Annotated[
        bool, typer.Option("--strike", help="Its past matches do not count either, for anybody at their tables.")
    ] = False,
) -> None:
    """Play no more matches with a bot.

    \b
    Example:
      ballcourt event withdraw runs/cup mine --strike --reason "plays by network"
    """
    _told(_organiser(folder, reason).withdraw(bot, strike=strike))


@event.command()
def void(folder: Folder, match: Match, reason: Reason) -> None:
    """Let a match or a block not count; it is not played again.

    Where later rounds depend on it, such as in a Swiss tournament, those whose pairings change are played again.
    """
    _told(_organiser(folder, reason).void(match))


@event.command()
def repeat(folder: Folder, match: Match, reason: Reason) -> None:
    """Play a match or a block again, with another deal; what it was before does not count.

    Where later rounds depend on it, such as in a Swiss tournament, those whose pairings change are played again.
    """
    _told(_organiser(folder, reason).repeat(match))


@event.command()
def add(
    folder: Folder,
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="A bot: a name, a folder, or LABEL=BOT.", show_default=False)
    ],
    reason: Reason,
    owner: Annotated[str, typer.Option(metavar="NAME", help="Who entered it.")] = "",
    arg: Annotated[
        list[str] | None, typer.Option(metavar="WORD", help="A word to add to its command; may be repeated.")
    ] = None,
    clock: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="What differs from the clock of the event; may be repeated."),
    ] = None,
) -> None:
    """Let a bot join. From the next block on, the rest of the event is scheduled for all who play then.

    It is built now, in the event's sandbox, and plays only as long as its files stay as they are.

    \b
    Example:
      ballcourt event add runs/cup ./late --owner ann --reason "its owner was ill"
    """
    table = {"path": bot, "owner": owner, "args": arg or [], "clock": numbers("--clock", clock or ())}
    _told(_organiser(folder, reason).add(table))


@event.command()
def lengthen(
    folder: Folder,
    reason: Reason,
    rounds: Annotated[int | None, typer.Option(metavar="N", min=1, help="Play N rounds in all.")] = None,
    blocks: Annotated[int | None, typer.Option(metavar="N", min=1, help="Play N blocks in all.")] = None,
    matches: Annotated[int | None, typer.Option(metavar="N", min=1, help="Play at least N matches in all.")] = None,
) -> None:
    """Let the event be longer; give what it has in all, counted from its beginning."""
    from ballcourt.arena.tournament.schedule import Length

    asked = {"rounds": rounds, "blocks": blocks, "matches": matches}
    given = [(unit, number) for unit, number in asked.items() if number is not None]
    if len(given) != 1:
        raise typer.BadParameter("give one of --rounds, --blocks and --matches")
    _told(_organiser(folder, reason).lengthen(Length(*given[0])))  # type: ignore[arg-type]  # a unit


@event.command()
def pause(folder: Folder, reason: Reason) -> None:
    """Begin no more blocks until the event is resumed; those that have begun are played to their end."""
    _told(_organiser(folder, reason).pause())


@event.command()
def resume(folder: Folder, reason: Reason) -> None:
    """Let a paused event go on."""
    _told(_organiser(folder, reason).resume())


@event.command()
def log(folder: Folder, as_json: Json = False) -> None:
    """Show what has been decided about an event."""
    from ballcourt.arena.tournament.organiser import event_in
    from ballcourt.arena.tournament.trail import read_trail

    event_in(folder)
    decisions = read_trail(folder)
    if as_json:
        dump([decision.to_json() for decision in decisions])
        return
    if not decisions:
        note("nothing has been decided")
    say(f"{decision.number}  {decision.time}  {decision.sentence}; {_since(decision)}" for decision in decisions)


def _organiser(folder: Path, reason: str) -> Organiser:
    from ballcourt.arena.tournament.organiser import Organiser

    return Organiser(folder, reason)


def _told(decision: Decision) -> None:
    say([f"decision {decision.number}: {decision.sentence}"])
    note("a run in progress follows it from its next block on; otherwise run the tournament again")


def _since(decision: Decision) -> str:
    return "no run has noticed it yet" if decision.block is None else f"noticed before block {decision.block}"
