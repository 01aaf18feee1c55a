"""`ballcourt contest scrimmage`: asks for a match that counts nowhere."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from ballcourt.arena.files import in_place_of
from ballcourt.arena.records.store import MOST_BYTES
from ballcourt.cli.declaring import argument, option, switch
from ballcourt.cli.failures import ARENA_FAILED
from ballcourt.cli.flags import ContestUrl, Json
from ballcourt.cli.output import dump, note, say, writing
from ballcourt.contest.client.connection import ContestServer
from ballcourt.contest.client.keyring import token_for


def scrimmage(
    opponent: Annotated[str, argument("BOT", "The other bot: a team's, also your own, or a resident of the ladder.")],
    bot: Annotated[str, option("Your team's bot; by default its only one.", "NAME")] = "",
    matches: Annotated[
        int, option("How many; more than one only against a resident, to learn how good it is.", "N", min=1)
    ] = 1,
    to: ContestUrl = None,
    wait: Annotated[bool, switch("--wait", "Wait until it has been played.")] = False,
    record: Annotated[
        Path | None, option("Wait, and write the record of the match to this file.", "FILE.match")
    ] = None,
    as_json: Json = False,
) -> None:
    """Ask for a match that counts nowhere, of your bot in a contest against another one.

    The versions play that are in the ladder now, in its sandbox and by its clock. Your team alone sees how it went,
    until both teams publish the match. With --matches it is an evaluation against a bot of the arena: the share of
    duels won, with an interval, and what can be learnt from the matches. `ballcourt docs contest` says more.

    \b
    Exit codes: 0 played, or without --wait asked for; 2 wrong use, or the contest does not take it now; 3 it could not
    be played, or the server failed or cannot be reached.
    Examples:
      ballcourt contest scrimmage random --wait
      ballcourt contest scrimmage rocket --bot mine --record rocket.match
      ballcourt contest scrimmage greedy --matches 60 --wait
    """
    if record and matches > 1:
        raise typer.BadParameter(f"--record keeps one match, and --matches is {matches}; leave one of them out")
    server = ContestServer(*token_for(to), note)
    asked = server.ask_json("POST", "/scrimmages", {"opponent": opponent, "bot": bot, "matches": matches})
    page = f"{server.url}/scrimmages/{asked['id']}"
    if wait or record:
        for found in server.followed("/scrimmages", asked["id"]):
            asked, place = found, f"; {found['place']} before it" if found["place"] else ""
            note(f"scrimmage against {found['opponent']}: {found['state']}{place}")
    if record and asked["state"] == "played":
        with writing(record), in_place_of(record) as temporary, temporary.open("wb") as file:
            server.fetch_into(f"/scrimmages/{asked['id']}/record", file, 2 * MOST_BYTES)
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
