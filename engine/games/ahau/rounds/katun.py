"""The celebration of a K'atun, its scoring, and the end of the match (RULES §11)."""

from typing import ClassVar

from ballcourt.engine.core.frames import Frame, Step
from ballcourt.engine.games.ahau import columns as at
from ballcourt.engine.games.ahau import sources
from ballcourt.engine.games.ahau.actions import KATUN_DONE
from ballcourt.engine.games.ahau.automata import automaton
from ballcourt.engine.games.ahau.pieces.metrics import metric
from ballcourt.engine.games.ahau.pieces.people import counts, owned
from ballcourt.engine.games.ahau.pieces.temples import markers_at
from ballcourt.engine.games.ahau.rounds.trading import use_window, window
from ballcourt.engine.games.ahau.state import SITE_DRAW, AhauState, replaced
from ballcourt.engine.games.ahau.tables import (
    KATUNS,
    MAJORITY_FAME,
    MISSING_LINK,
    PALACE,
    ROYAL_PALACE,
    TEMPLE,
    TIE_FAME,
)


class KatunTrade(Frame[AhauState]):
    """The last chance before the scoring to trade and to use the Queen (§11.0, R-40)."""

    kind: ClassVar[int] = 90

    def options(self, state: AhauState, seat: int) -> list[int]:
        """List every use of the Queen, every trade, and to be done."""
        return [KATUN_DONE, *window(state, seat)]

    def answer(self, state: AhauState, seat: int, action: int) -> None:
        """Trade or use the Queen, then ask again."""
        if action != KATUN_DONE:
            state.then(self)
            use_window(state, seat, action)


class Scoring(Step[AhauState]):
    """The scoring of Temples and cities, then the next K'atun or the end (§11.1 to §11.4)."""

    kind: ClassVar[int] = 91

    def run(self, state: AhauState) -> None:
        """Score, then prepare the next K'atun unless this was the last celebration."""
        players = scorers(state)
        score_temples(state, players)
        score_cities(state, players)
        table = state.table
        if table[at.END_TRIGGERED] or table[at.KATUN] == KATUNS:
            table[at.CELEBRATED] = 1
            return
        table[at.KATUN] += 1
        table[at.KATUN_TRIGGERED] = 0
        return_sites(state)
        state.temples = [at.NONE] * (at.GODS * at.MARKER_SPACES)
        automaton.next_katun(state)


def scorers(state: AhauState) -> range:
    """Return the actors that score: the seats and King Pakal, but not the Shadow Player (R-25)."""
    return range(state.seats + automaton.is_pakal(state))


def score_temples(state: AhauState, players: range) -> None:
    """Score every marker: the highest value on the God Scoring tile, or its owner's value (§11.1, §14.1)."""
    personal = state.table[at.PERSONAL] or state.table[at.MODE] == at.FAMILY
    temples = [owned(state, actor, TEMPLE) for actor in players]
    for god in range(at.GODS):
        markers = markers_at(state, god)
        marked = [actor for actor in players if actor in markers]
        values = [metric(state, actor, state.scoring[god]) for actor in players] if marked else []
        for actor in marked:
            state.gain_fame(actor, values[actor] if personal else max(values), sources.TEMPLES)
        for actor in players:
            if temples[actor] and actor not in marked:
                state.gain_fame(actor, temples[actor], sources.TEMPLES)


def score_cities(state: AhauState, players: range) -> None:
    """Score the majority in every city; a tie scores less (§11.2, R-19, §14.3)."""
    palaces = [owned(state, actor, PALACE) for actor in players]
    for workers in zip(*[counts(row) for row in state.actors], strict=True):
        winners = majority(state, workers)
        fame = MAJORITY_FAME if len(winners) == 1 else TIE_FAME
        for actor in winners:
            if actor < len(players):
                state.gain_fame(actor, fame + palaces[actor], sources.CITIES)


def majority(state: AhauState, workers: tuple[int, ...]) -> list[int]:
    """List the actors with the highest worker count in a city, unless it is 0; a Royal Palace breaks ties (§11.2)."""
    highest = max(workers)
    if not highest:
        return []
    if workers.count(highest) == 1:
        return [workers.index(highest)]
    leaders = [actor for actor, count in enumerate(workers) if count == highest]
    return [actor for actor in leaders if owned(state, actor, ROYAL_PALACE)] or leaders


def return_sites(state: AhauState) -> None:
    """Put the sites of the calendar on the empty links at random; a site left over stays (§11.3)."""
    sites = state.shuffled(SITE_DRAW, state.calendar)
    side_a = state.table[at.SIDE] == at.SIDE_A
    empty = [link for link in range(at.LINKS) if not state.sites[link] and not (side_a and link == MISSING_LINK)]
    for link, site in zip(empty, sites, strict=False):
        state.sites = replaced(state.sites, link, site)
    state.calendar = sites[len(empty) :]
