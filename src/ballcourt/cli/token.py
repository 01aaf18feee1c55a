"""`ballcourt admin token`: the tokens that let remote bots in."""

from pathlib import Path
from typing import Annotated

from ballcourt.arena.remote.tokens import TokenError, TokenFile
from ballcourt.cli.declaring import argument, option
from ballcourt.cli.flags import Json, Tokens
from ballcourt.cli.output import columns, dump, note, say

TOKENS = Path("tokens.json")


def new(
    bot: Annotated[str, argument("BOT", "The name that the bot gives in its Hello.")],
    owner: Annotated[str, option("The owner of the bot.", "NAME")],
    tokens: Tokens = TOKENS,
    as_json: Json = False,
) -> None:
    """Make a token and show it once; the file keeps only its hash.

    Give it to the bot's owner, who runs `ballcourt connect`. A bot may have several, for example one per machine.

    \b
    Example:
      ballcourt admin token new alice-bot --owner alice > alice-bot.token
    """
    kept, secret = TokenFile(tokens).new(bot, owner)
    if as_json:
        dump({**kept.model_dump(), "token": secret})
        return
    note(f"token {kept.id} lets {kept.bot} of {kept.owner} in; it is shown only this once:")
    say([secret])


def revoke(
    token_id: Annotated[str, argument("ID", "The ID; `ballcourt admin token list` shows it.")],
    tokens: Tokens = TOKENS,
    as_json: Json = False,
) -> None:
    """Revoke a token; a bot that is connected with it is refused when it dials next."""
    kept = TokenFile(tokens).revoke(token_id)
    if as_json:
        dump(kept)
        return
    say([f"token {kept.id} of {kept.owner} for {kept.bot} is revoked"])


def list_all(tokens: Tokens = TOKENS, as_json: Json = False) -> None:
    """List all tokens, including revoked ones."""
    if not tokens.exists():
        raise TokenError(
            f"there is no file {tokens}; `ballcourt admin token new` makes one, and --tokens names another"
        )
    every = TokenFile(tokens).all()
    if as_json:
        dump(every)
        return
    rows = [
        ("id", "bot", "owner", "created", "revoked"),
        *((t.id, t.bot, t.owner, t.created, t.revoked) for t in every),
    ]
    say(columns(rows))
