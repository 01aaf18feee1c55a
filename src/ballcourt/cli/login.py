"""`ballcourt login`: gets the token for a contest and keeps it."""

from pathlib import Path

from ballcourt.cli.output import note, say
from ballcourt.contest.client.connection import ContestServer
from ballcourt.contest.client.keyring import keep_token
from ballcourt.contest.refusals import ContestError


def login(url: str, token_file: Path | None) -> None:
    """Run `ballcourt login`."""
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
