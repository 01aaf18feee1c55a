"""`ballcourt contest bot` and `ask`: what a team learns of its own bot, and asks the organiser."""

import zlib
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Annotated, Any, Final
from urllib.parse import quote
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from ballcourt.arena.faults import ServerError
from ballcourt.arena.files import write_folder_atomically
from ballcourt.arena.records.bundle import FILES
from ballcourt.arena.records.store import MOST_BYTES
from ballcourt.cli.declaring import argument, option
from ballcourt.cli.flags import ContestUrl, Json
from ballcourt.cli.output import columns, command, dump, note, say, writing
from ballcourt.contest.client.connection import ContestServer
from ballcourt.contest.client.keyring import token_for
from ballcourt.contest.refusals import ContestError

SHOWN: Final = 10
"""How many versions, matches, logs and lost seats are printed; --json has all that the server has."""


def bot(
    name: Annotated[str, argument("BOT", "Your team's bot; by default its only one.")] = "",
    log: Annotated[str, option("Print what the bot printed in this match, such as b000012-r1-seat0.", "KEY")] = "",
    fault: Annotated[str, option("Fetch all that is kept of this lost seat, as a folder.", "KEY")] = "",
    into: Annotated[
        Path | None, option("The new folder for --fault; by default KEY-BOT, in this one.", "FOLDER")
    ] = None,
    to: ContestUrl = None,
    as_json: Json = False,
) -> None:
    """Show your team's bot in a contest: versions, rank, newest matches, logs, and the seats that it lost.

    What phases hide is left out. Logs and lost seats can be read when all matches of their block have been played.

    \b
    Examples:
      ballcourt contest bot
      ballcourt contest bot rocket --log b000012-r1-seat0
      ballcourt contest bot rocket --fault b000012-r1-seat0
      ballcourt debug b000012-r1-seat0-rocket ./rocket
    """
    server = ContestServer(*token_for(to), note)
    name = name or _only(server)
    address = f"/bots/{quote(name, safe='')}"
    if log:
        say(server.fetch(f"{address}/logs/{quote(log, safe='')}").decode(errors="replace").splitlines())
    elif fault:
        _keep(server.fetch(f"{address}/faults/{quote(fault, safe='')}"), into or Path(f"{fault}-{name}"))
    else:
        found = server.ask_json("GET", address)
        if as_json:
            dump(found)
        else:
            say([*_lines(found), f"{server.url}/my-bots/{quote(name, safe='')}"])


def ask(
    text: Annotated[str, argument("TEXT", "The question; without one, those of your team are shown.")] = "",
    to: ContestUrl = None,
) -> None:
    """Ask the organiser of a contest, or show what your team asked and the answers.

    \b
    Examples:
      ballcourt contest ask "Does the clock count the start of a bot?"
      ballcourt contest ask
    """
    server = ContestServer(*token_for(to), note)
    if text:
        asked = server.ask_json("POST", "/questions", {"text": text})
        say([f"question {asked['number']} is asked; the answer will be on {server.url}/questions"])
        return
    for one in server.ask_json("GET", "/questions")["questions"]:
        say([f"question {one['number']} of team {one['team']}: {one['text']}", f"  {one['answer'] or 'no answer yet'}"])


def _only(server: ContestServer) -> str:
    """Return the name of the only bot. Raises ContestError."""
    names = [str(one["name"]) for one in server.ask_json("GET", "/bots")["bots"]]
    if len(names) != 1:
        raise ContestError(
            f"BOT must name one of your bots: {', '.join(names) or 'you have none; run ballcourt submit'}"
        )
    return names[0]


def _keep(archive: bytes, folder: Path) -> None:
    """Write a fetched bundle. Raises ContestError for a folder that is there, ServerError for another archive."""
    if folder.exists():
        raise ContestError(f"{folder} is there already; remove it, or name a new folder with --into")
    try:
        with ZipFile(BytesIO(archive)) as found:
            entries = {Path(one.filename).name: one for one in found.infolist()}
            files = {name: _unpacked(found, entries[name]) for name in FILES if name in entries}
    except (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise ServerError(f"the server sent what is not a fault bundle: {error}") from error
    with writing(folder):
        write_folder_atomically(folder, files)
    say([f"{folder} has all that was kept. To put its last question to the bot again:"])
    say([f"  {command('debug', str(folder), 'FOLDER_OF_THE_BOT')}"])


def _unpacked(archive: ZipFile, entry: ZipInfo) -> bytes:
    """Return a file of an archive. Raises what `zipfile` does, and ValueError for one that no bundle has."""
    if entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise ValueError(f"{entry.filename[:200]!r} is compressed in a way that is not read here")
    with archive.open(entry) as packed:
        data = packed.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ValueError(f"{entry.filename[:200]!r} unpacks to more than {MOST_BYTES} bytes")
    return data


def _lines(found: Mapping[str, Any]) -> Iterator[str]:
    for table in (found["standing"] or {"tables": []})["tables"]:
        after = table["history"][-1:]
        rating = f", rating {after[0]['rating']:.1f} after {after[0]['all_matches']} matches" if after else ""
        yield f"{found['standing']['version']}: rank {table['rank']} in {table['game']}{rating}"
    versions = found["versions"][:SHOWN]
    yield from columns([(str(one["number"]), one["version"], one["state"], one["sentence"]) for one in versions])
    for match in found["matches"][:SHOWN]:
        seats = sorted(match["seats"], key=lambda seat: seat["placement"])
        yield f"{match['match']}: " + ", ".join(f"{one['placement']}. {one['bot']} {one['score']:g}" for one in seats)
    for what in ("logs", "faults"):
        yield f"{what}: {', '.join(found[what][:SHOWN]) or 'none'}"
