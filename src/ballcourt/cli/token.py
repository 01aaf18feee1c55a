"""`ballcourt token`: the tokens that let remote bots in."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ballcourt.cli.flags import Json, Tokens
from ballcourt.cli.output import columns, dump, note, say

token = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Make, revoke and list the tokens that let remote bots in."
)


@token.command()
def new(
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="The name that the bot gives in its Hello.", show_default=False)
    ],
    owner: Annotated[str, typer.Option(metavar="NAME", help="The owner of the bot.", show_default=False)],
    tokens: Tokens = Path("tokens.json"),
    as_json: Json = False,
) -> None:
    """Make a token and show it once; the file keeps only its hash.

    Give it to the bot's owner, who runs `ballcourt connect`. A bot may have several, for example one per machine.

    \b
    Example:
      ballcourt token new alice-bot --owner alice > alice-bot.token
    """
    from ballcourt.arena.remote.tokens import TokenFile

    kept, secret = TokenFile(tokens).new(bot, owner)
    if as_json:
        dump({**asdict(kept), "token": secret})
        return
    note(f"token {kept.id} lets {kept.bot} of {kept.owner} in; it is shown only this once:")
    say([secret])


@token.command()
def revoke(
    token_id: Annotated[str, typer.Argument(metavar="ID", help="The ID; `ballcourt token list` shows it.")],
    tokens: Tokens = Path("tokens.json"),
    as_json: Json = False,
) -> None:
    """Revoke a token; a bot that is connected with it is refused when it dials next."""
    from ballcourt.arena.remote.tokens import TokenFile

    kept = TokenFile(tokens).revoke(token_id)
    if as_json:
        dump(asdict(kept))
        return
    say([f"token {kept.id} of {kept.owner} for {kept.bot} is revoked"])


@token.command("list")
def list_(tokens: Tokens = Path("tokens.json"), as_json: Json = False) -> None:
    """List all tokens, including revoked ones."""
    from ballcourt.arena.remote.tokens import TokenError, TokenFile

    if not tokens.exists():
        raise TokenError(f"there is no file {tokens}; `ballcourt token new` makes one, and --tokens names another")
    every = TokenFile(tokens).all()
    if as_json:
        dump([asdict(entry) for entry in every])
        return
    rows = [
        ("id", "bot", "owner", "created", "revoked"),
        *((t.id, t.bot, t.owner, t.created, t.revoked) for t in every),
    ]
    say(columns(rows))
