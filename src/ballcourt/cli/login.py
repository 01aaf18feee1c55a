"""`ballcourt login`: gets the token for a contest and keeps it."""

from pathlib import Path
from typing import Annotated

from ballcourt.cli.declaring import argument, option
from ballcourt.cli.output import note, say
from ballcourt.contest.client.connection import ContestServer
from ballcourt.contest.client.keyring import keep_token
from ballcourt.contest.refusals import ContestError


def login(
    url: Annotated[str, argument("URL", "The address of the contest.")],
    token_file: Annotated[
        Path | None, option("A file with a token; by default you allow this machine in a browser.", "FILE")
    ] = None,
) -> None:
    """Sign this machine in to a contest, so that `ballcourt submit` can enter bots.

    It shows a code, which you allow in a browser in which you are signed in. Without a browser, make a token on the
    page "Account" of the contest, or ask its organiser. The token is kept in ~/.config/ballcourt, in a file that only
    you may read.

    \b
    Examples:
      ballcourt login https://cup.example.org
      ballcourt login http://127.0.0.1:8000 --token-file alice.token
    """
    server = ContestServer(url)
    name = server.about()["name"]
    token = _read(token_file) if token_file else _allowed(server)
    ContestServer(url, token).submissions()  # refused with a token that is not valid
    file = keep_token(server.url, token)
    say([f"signed in to {name}; the token is in {file}"])


def _allowed(server: ContestServer) -> str:
    """Return a token that a person allows in a browser."""
    device, code, address = server.begin_sign_in()
    note(f"open {address} in a browser in which you are signed in, and allow the code {code}; it works for ten minutes")
    return server.token_of(device)


def _read(file: Path) -> str:
    """Return the token in a file. Raises ContestError."""
    try:
        token = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ContestError(f"cannot read {file}: {error}") from error
    if not token or not token.isascii() or not token.isprintable():
        raise ContestError(f"{file} holds no token; copy it as it was shown")
    return token
