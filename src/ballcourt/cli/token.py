"""`ballcourt admin token`: the tokens that let remote bots in."""

from pathlib import Path

from ballcourt.arena.remote.tokens import TokenError, TokenFile
from ballcourt.cli.output import columns, dump, note, say


def new(bot: str, owner: str, tokens: Path, as_json: bool) -> None:
    """Run `ballcourt admin token new`."""
    kept, secret = TokenFile(tokens).new(bot, owner)
    if as_json:
        dump({**kept.model_dump(), "token": secret})
        return
    note(f"token {kept.id} lets {kept.bot} of {kept.owner} in; it is shown only this once:")
    say([secret])


def revoke(token_id: str, tokens: Path, as_json: bool) -> None:
    """Run `ballcourt admin token revoke`."""
    kept = TokenFile(tokens).revoke(token_id)
    if as_json:
        dump(kept)
        return
    say([f"token {kept.id} of {kept.owner} for {kept.bot} is revoked"])


def list_all(tokens: Path, as_json: bool) -> None:
    """Run `ballcourt admin token list`."""
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
