"""`ballcourt login`: keeps the token for a contest."""

import sys
from pathlib import Path

import typer

from ballcourt.cli.output import say
from ballcourt.contest.refusals import ContestError
from ballcourt.contest.sending.client import ContestServer
from ballcourt.contest.sending.keyring import keep_token


def login(url: str, token_file: Path | None) -> None:
    """Run `ballcourt login`."""
    server = ContestServer(url)
    token = _token(token_file)
    name = server.about()["name"]
    server = ContestServer(url, token)
    server.submissions()  # refused with a token that is not valid
    file = keep_token(server.url, token)
    say([f"signed in to {name}; the token is in {file}"])


def _token(file: Path | None) -> str:
    """Return the token, asked for without showing it. Raises ContestError."""
    try:
        if file:
            token = file.read_text(encoding="utf-8")
        elif sys.stdin.isatty():
            token = typer.prompt("token", hide_input=True)
        else:
            token = sys.stdin.readline()
    except (OSError, UnicodeDecodeError) as error:
        raise ContestError(f"cannot read {file}: {error}") from error
    if not token.strip() or not token.strip().isascii() or not token.strip().isprintable():
        raise ContestError("that is no token; copy it as it was shown")
    return token.strip()
