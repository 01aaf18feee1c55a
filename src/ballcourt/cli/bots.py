"""`ballcourt bots`: the bots that have a name here."""

from ballcourt.arena.bots.known import find_bots
from ballcourt.cli.output import dump, note, say


def bots(as_json: bool) -> None:
    """Run `ballcourt bots`."""
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
