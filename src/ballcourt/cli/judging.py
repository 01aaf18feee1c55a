"""`ballcourt replay evaluate`: a judge looks at the decisions of recorded matches."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import fmean, stdev
from typing import Annotated, Any, Final

from ballcourt.arena.bots.bot import Bot
from ballcourt.arena.faults import BotFault
from ballcourt.arena.records.store import RecordError, read_record
from ballcourt.arena.replays.judgement import (
    JudgedDecision,
    Judgement,
    Opinion,
    judgement_beside,
    judgement_of,
    keep_judgement,
    opinions,
)
from ballcourt.arena.replays.playouts import by_playouts, points_of
from ballcourt.arena.sandbox.tiers import Sandbox
from ballcourt.arena.terminal.matches import adviser_for
from ballcourt.arena.tournament.event.reading import parse_event
from ballcourt.arena.tournament.folder.named import named_files
from ballcourt.arena.workers.adviser import adviser_of, by_bot
from ballcourt.arena.workers.local_match import open_pool
from ballcourt.cli.declaring import option, switch
from ballcourt.cli.flags import Json, Records, SandboxFlag
from ballcourt.cli.output import dump, say, working
from ballcourt.engine.core import Game
from ballcourt.engine.registry import find_game
from ballcourt.leaderboard.model.scale import Z95
from ballcourt.v1.record_pb2 import MatchRecord

SHOWN: Final = 5
"""How many of the largest swings are shown."""
Tell = Callable[[int], None]


PLAYOUTS = "playouts"
"""The judge that needs no bot."""


def evaluate(
    paths: Records,
    judge: Annotated[
        str, option("Who judges: playouts, or a bot that says what it makes of positions.", "BOT")
    ] = PLAYOUTS,
    work: Annotated[
        int, option("Playouts, or units of work of a bot that counts them, for each decision.", min=1)
    ] = 100,
    again: Annotated[bool, switch("--again", "Judge matches again that are judged already.")] = False,
    as_json: Json = False,
    sandbox: SandboxFlag = None,
) -> None:
    """Judge every decision of matches that was not forced: how each seat stands, and what looked better.

    The judge sees what the seat knew. By default, positions are played on at random from samples of what the seat
    could not see: that gives each seat's expected place, its chance to win and its points, and knows no plans. It
    agrees with an answer that leads further ahead than the other actions do on average, as far as it can tell them
    apart: with half of random answers. With 100 playouts a decision, a match of three takes 20 to 45 seconds of a
    processor with compiled rules, several times that without. A bot that ranks actions (`decision.evaluation`) judges
    in its own measure; of others you learn what they would choose.

    What was found is kept beside each record, as *.judged. The replay then draws the course of the match, marks the
    largest swings, and shows what the judge liked better; pages of bots count mistakes by kind of question. Run the
    command again while a tournament is played: it judges the matches that are new.

    \b
    Examples:
      ballcourt replay evaluate last
      ballcourt replay evaluate runs/cup --work 400
      ballcourt replay evaluate match.match --judge flat-monte-carlo --again
    """
    found = []
    for file in named_files(paths):
        record = read_record(file)
        judgement = None if again else judgement_beside(file, record)
        if judgement is None:
            judgement = _judged(record, judge, work, sandbox)
            keep_judgement(file, judgement)
        found.append({"file": str(file), **_values(record, judgement)})
        if not as_json:
            say(_lines(file, record, judgement))
    if as_json:
        dump(found)


def _judged(record: MatchRecord, judge: str, work: int, sandbox: int | None) -> Judgement:
    last = len(record.decisions.seats)
    with working(f"judging {record.key}") as status:

        def tell(number: int) -> None:
            status(f"judging {record.key}: decision {number} of {last}")

        if judge == PLAYOUTS:
            return judgement_of(record, f"{work} {PLAYOUTS}", [*by_playouts(record, work, tell)])
        confined = parse_event({"sandbox": {"tier": sandbox or 0}}, "the command line", Path()).sandbox.sandbox()
        bot = adviser_for(record.game, judge, confined)
        if bot is None:
            raise RecordError(f"{judge} does not play {record.game}; name a bot that does with --judge BOT")
        return asyncio.run(_by_bot(record, bot, work, confined, tell))


async def _by_bot(record: MatchRecord, bot: Bot, work: int, sandbox: Sandbox, tell: Tell) -> Judgement:
    async with open_pool() as pool:
        adviser = adviser_of(bot, find_game(record.game), sandbox, pool, work)
        try:
            found: list[JudgedDecision] = [one async for one in by_bot(record, adviser, tell)]
        except BotFault as fault:
            raise RecordError(f"{bot.name} does not judge match {record.key}: {fault}") from fault
    return judgement_of(record, f"{bot.name} {bot.version}", found)


def _values(record: MatchRecord, judgement: Judgement) -> dict[str, Any]:
    """Return what a judge found, for JSON: by seat how often it agreed, and all decisions that cost something."""
    found = [*opinions(record, judgement)]
    return {
        "judge": judgement["judge"],
        "seats": [_of_seat(record, seat, found) for seat in range(len(record.entrants))],
        "swings": [
            {
                "decision": one.decision,
                "seat": one.seat,
                "question": one.question,
                "better": one.better,
                "loss": one.loss,
            }
            for one in found
            if one.better
        ],
    }


def _of_seat(record: MatchRecord, seat: int, found: list[Opinion]) -> dict[str, Any]:
    own = [one for one in found if one.seat == seat]
    told, agreed = sum(one.agrees is not None for one in own), sum(one.agrees is True for one in own)
    gains = [one.gain for one in own if one.gain is not None]
    low, high = _wilson(agreed, told)
    return {
        "seat": seat,
        "bot": record.entrants[seat].name,
        "judged": len(own),
        "told_apart": told,
        "agreed": agreed,
        "agreed_low": low,
        "agreed_high": high,
        "gain": fmean(gains) if gains else None,
        "gain_error": Z95 * stdev(gains) / len(gains) ** 0.5 if len(gains) > 1 else None,
        "loss": fmean(one.loss or 0.0 for one in own) if own else 0.0,
    }


def _wilson(count: int, of: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson 1927); 0 to 1 of nothing."""
    middle, half = count + Z95**2 / 2, Z95 * (count * (of - count) / max(1, of) + Z95**2 / 4) ** 0.5
    return max(0.0, middle - half) / (of + Z95**2), min(1.0, (middle + half) / (of + Z95**2))


def _lines(file: Path, record: MatchRecord, judgement: Judgement) -> Iterator[str]:
    values = _values(record, judgement)
    yield f"{file}: judged by {values['judge']}"
    for seat in values["seats"]:
        yield f"  seat {seat['seat']} {seat['bot']}: {_agreement(seat)}{_gain(find_game(record.game), seat)}"
    worst = sorted((one for one in values["swings"] if one["loss"]), key=lambda one: -one["loss"])[:SHOWN]
    for one in sorted(worst, key=lambda one: one["decision"]):
        yield f"  decision {one['decision']}, seat {one['seat']}: {one['better']} looked better by {one['loss']:.2f}"


def _agreement(seat: dict[str, Any]) -> str:
    judged, told = seat["judged"], seat["told_apart"]
    if not told:
        return f"cannot tell any of {judged} decisions apart"
    low, high = seat["agreed_low"], seat["agreed_high"]
    return f"tells {told} of {judged} decisions apart, and agrees with {seat['agreed'] / told:.0%} of these " + (
        f"({low:.0%} to {high:.0%})"
    )


def _gain(game: Game, seat: dict[str, Any]) -> str:
    """Say how much better a seat chose than by chance; nothing if the judge did not measure it."""
    if (error := seat["gain_error"]) is None:
        return ""
    unit = points_of(game, 1.0)
    gain, error = (value * (unit or 1) for value in (seat["gain"], error))
    return f"; gains {gain:+.2f} ± {error:.2f}{' points' if unit else ''} each"
