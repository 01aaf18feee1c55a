"""`ballcourt contest scrimmage`: asks for a match that counts nowhere."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer

from ballcourt.arena.files import in_place_of
from ballcourt.cli.failures import ARENA_FAILED
from ballcourt.cli.output import dump, note, say, writing
from ballcourt.contest.client.connection import ContestServer
from ballcourt.contest.client.keyring import token_for


def scrimmage(
    opponent: str, bot: str, matches: int, to: str | None, wait: bool, record: Path | None, as_json: bool
) -> None:
    """Run `ballcourt contest scrimmage`."""
    if record and matches > 1:
        raise typer.BadParameter(f"--record keeps one match, and --matches is {matches}; leave one of them out")
    url, token = token_for(to.rstrip("/") if to else None)
    server = ContestServer(url, token, note)
    asked = server.ask_json("POST", "/scrimmages", {"opponent": opponent, "bot": bot, "matches": matches})
    page = f"{server.url}/scrimmages/{asked['id']}"
    if wait or record:
        for found in server.followed("/scrimmages", asked["id"]):
            asked, place = found, f"; {found['place']} before it" if found["place"] else ""
            note(f"scrimmage against {found['opponent']}: {found['state']}{place}")
    if record and asked["state"] == "played":
        with writing(record), in_place_of(record) as temporary, temporary.open("wb") as file:
            server.fetch_into(f"/scrimmages/{asked['id']}/record", file)
    learnt = ""
    if matches > 1 and asked["state"] == "played":
        learnt = "\n".join(server.ask_json("GET", f"/scrimmages/{asked['id']}/logs").values())
    if as_json:
        dump({**asked, "page": page} | ({"feedback": learnt} if learnt else {}))
    else:
        say([_sentence(asked), *learnt.splitlines()[1:], page])
    raise typer.Exit(ARENA_FAILED if asked["state"] in ("failed", "cancelled") else 0)


def _sentence(asked: Mapping[str, Any]) -> str:
    how = f": {asked['sentence']}" if asked["sentence"] else ""
    return f"{asked['bot']} {asked['version']} against {asked['opponent']}: {asked['state']}{how}"
