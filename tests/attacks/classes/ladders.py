"""Attempts to get more out of a ladder than a bot deserves: under many names, by copies, by leaving, by losing."""

import shutil
from unittest.mock import patch

import numpy as np

from ballcourt.arena.ladder.arrivals.inbox import Inbox
from ballcourt.arena.ladder.divisions import DivisionRule
from ballcourt.arena.ladder.model import LadderFile
from ballcourt.arena.ladder.roster import Roster
from ballcourt.arena.ladder.score import Score
from ballcourt.arena.match.policy import parse_policy
from ballcourt.arena.tournament.decisions.changes import changes_of
from ballcourt.arena.tournament.decisions.trail import read_trail
from ballcourt.arena.tournament.folder.events import MatchPlayed
from ballcourt.arena.tournament.schedules.strengths import Strengths
from tests.arena.ladder.in_process import play, put, settings_in
from tests.attacks.attack import Ground, deed
from tests.bench.ladder_costs.__main__ import chosen, drawn

HONEST = ("ann", "bob", "cid")
POLICY = parse_policy({})


def _roster(settings: LadderFile) -> Roster:
    return Roster(read_trail(settings.output))


@deed("joins a ladder under one name after another")
def _changes_its_name(ground: Ground) -> list[str]:
    """Give the bot in one folder another name again and again, so that there are more and more of it."""
    with ground.folder() as place:
        settings = settings_in(place, versions=2)
        for name in HONEST:
            put(settings.bots, name)
        for number in range(1, 6):
            put(settings.bots, "eve", name=f"eve{number}")
            list(play(settings, matches=40 * number))
        theirs = [version.bot.name for version in _roster(settings).playing if version.place == "eve"]
    return [] if theirs == ["eve4", "eve5"] else [f"one folder has the bots {theirs} in the ladder"]


@deed("enters many copies in a ladder")
def _enters_copies(ground: Ground) -> list[str]:
    """Make many folders with the same bot, which could help each other at a table and take the others' matches."""
    with ground.folder() as place, patch.object(Inbox, "user_of", lambda _, place: place.partition("-")[0]):
        settings = settings_in(place, admission={"owners": "user", "pause": 0.0, "checks": 8, "per_owner": 8})
        for name in (*HONEST, *(f"eve-{number}" for number in range(12))):
            put(settings.bots, name)
        played = [event.record for event in play(settings, matches=200) if isinstance(event, MatchPlayed)]
        theirs = [version.bot.name for version in _roster(settings).playing if version.table.owner == "eve"]
    harm = [] if len(theirs) == settings.admission.bots else [f"one account has {len(theirs)} bots in the ladder"]
    together = sum({entrant.owner for entrant in record.entrants} == {"eve"} for record in played)
    return harm + ([f"its bots met each other in {together} of {len(played)} matches"] if together else [])


@deed("leaves a ladder and comes back")
def _comes_back(ground: Ground) -> list[str]:
    """Leave after some matches and come back, so that nothing is known of the bot and it plays newcomers' matches."""
    with ground.folder() as place:
        settings = settings_in(place, missing=0.0)
        for name in (*HONEST, "eve"):
            put(settings.bots, name)
        list(play(settings, matches=60))
        shutil.rmtree(settings.bots / "eve")
        list(play(settings, matches=80))
        assert "eve" not in [version.bot.name for version in _roster(settings).playing], "it has left"
        put(settings.bots, "eve")
        list(play(settings, matches=100))
        roster = _roster(settings)
        score = Score(POLICY, [version.index for version in roster.playing], len(roster))
        score.read(settings.output, changes_of(read_trail(settings.output), ()))
        eve = next(version for version in roster.playing if version.bot.name == "eve")
    return [] if score.played[eve.index] > settings.provisional else ["nothing is known of it any more"]


@deed("loses on purpose in a division")
def _loses_on_purpose(_: Ground) -> list[str]:
    """Fall into the last division by losing everything, then play as well as a bot that has never lost on purpose."""
    rule, chance = DivisionRule(size=6, moves=1, season=5), np.random.default_rng(1)
    honest = np.linspace(-1.5, 1.5, 18)
    honest[0] = honest[-6]
    sandbagger, twin = 0, len(honest) - 6
    score = Score(POLICY, range(len(honest)), len(honest))
    for number in range(120):
        strengths = honest.copy()
        strengths[sandbagger] -= 4.0 * (number < 40)
        stage = chosen(score, rule)
        score.add(stage, drawn(stage, strengths, chance))
        score.divisions = stage.divisions
    order = Strengths.of(score.meetings).order
    return [] if order.index(sandbagger) > order.index(twin) else ["it is rated higher than the bot that did not lose"]


ATTACKS = (_changes_its_name, _enters_copies, _comes_back, _loses_on_purpose)
