"""`ballcourt check sdk`: checks whether an SDK follows the protocol."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from ballcourt.arena.bots.bot import BOT_FILE, load_bot
from ballcourt.arena.building.builds import built
from ballcourt.arena.contract import (
    MIRROR,
    VERSION,
    ContractError,
    Conversation,
    ConversationResult,
    conversations,
    play_conversations,
)
from ballcourt.arena.files import PACKAGE
from ballcourt.cli.declaring import argument, option
from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.flags import Json
from ballcourt.cli.output import dump, say
from ballcourt.engine.errors import did_you_mean


def sdk(
    sdk: Annotated[str, argument("FOLDER", "The folder of the mirror bot; or `python`, the installed SDK.")],
    only: Annotated[list[str] | None, option("Only this conversation; may be repeated.", "NAME")] = None,
    as_json: Json = False,
) -> None:
    """Replay the recorded conversations with an SDK's mirror bot.

    Every reply is compared with the recorded one. `ballcourt docs contract` explains the conversations and the mirror
    bot, for authors of SDKs.

    \b
    Exit codes: 0 every reply was as recorded; 1 one was not.
    Examples:
      ballcourt check sdk python
      ballcourt check sdk ./mirror --only several_matches
    """
    held = _chosen(only or [])
    bot = load_bot(_folder(sdk))
    if bot.name != MIRROR:
        raise ContractError(
            f"{sdk} holds the bot {bot.name}, but an SDK's mirror bot is called {MIRROR}; others: `ballcourt check bot`"
        )
    outcomes = asyncio.run(play_conversations(built(bot), held))
    if as_json:
        dump([{"conversation": outcome.conversation.name, "complaint": outcome.complaint} for outcome in outcomes])
    else:
        say(line for outcome in outcomes for line in _lines(outcome))
        say([f"contract {VERSION}; `ballcourt docs contract` lists what each version changed"])
    raise typer.Exit(CHECK_FAILED if any(outcome.complaint for outcome in outcomes) else 0)


def _folder(sdk: str) -> Path:
    """Return the folder of a mirror bot that is given by its path, or by the language of an installed SDK."""
    installed = PACKAGE / "bots" / "sdk" / sdk / "mirror"
    return installed if (installed / BOT_FILE).is_file() and not Path(sdk).exists() else Path(sdk)


def _chosen(names: list[str]) -> list[Conversation]:
    known = {conversation.name: conversation for conversation in conversations()}
    for name in names:
        if name not in known:
            raise ContractError(
                f"there is no conversation '{name}'; known conversations: {', '.join(known)}{did_you_mean(name, known)}"
            )
    return [known[name] for name in names or known]


def _lines(outcome: ConversationResult) -> Iterator[str]:
    conversation = outcome.conversation
    yield f"{'FAILED' if outcome.complaint else 'ok    '}  {conversation.name:20} {conversation.about}"
    yield from (f"        {line}" for line in outcome.complaint.splitlines())
