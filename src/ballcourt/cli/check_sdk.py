"""`ballcourt check sdk`: checks whether an SDK follows the protocol."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

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
from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.output import dump, say


def sdk(sdk: str, only: list[str] | None, as_json: bool) -> None:
    """Run `ballcourt check sdk`."""
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
            raise ContractError(f"there is no conversation '{name}'; known conversations: {', '.join(known)}")
    return [known[name] for name in names or known]


def _lines(outcome: ConversationResult) -> Iterator[str]:
    conversation = outcome.conversation
    yield f"{'FAILED' if outcome.complaint else 'ok    '}  {conversation.name:20} {conversation.about}"
    yield from (f"        {line}" for line in outcome.complaint.splitlines())
