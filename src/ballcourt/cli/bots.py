"""`ballcourt bots`: the bots that have a name here."""

from ballcourt.arena.bots.known import find_bots
from ballcourt.cli.flags import Json
from ballcourt.cli.output import dump, note, say


def bots(as_json: Json = False) -> None:
    """List the bots that commands know by name.

    They come with Ballcourt or are in the folders listed in BALLCOURT_BOTS: each the folder of a bot, or one that
    contains such folders. For any other bot, give its folder.
    """
    known = find_bots()
    for sentence in (*known.unusable, *known.ambiguous.values()):
        note(sentence)
    found = known.bots.values()
    if as_json:
        dump(
            [
                {
                    "name": bot.name,
                    "version": bot.version,
                    "author": bot.author,
                    "url": bot.url,
                    "games": list(bot.games),
                    "directory": str(bot.directory),
                    "content_hash": bot.content_hash,
                }
                for bot in found
            ]
        )
        return
    wide = max((len(f"{bot.name} {bot.version}") for bot in found), default=0)
    say(
        f"{f'{bot.name} {bot.version}':<{wide}}  {', '.join(bot.games) or 'any game'}  {bot.directory}" for bot in found
    )
