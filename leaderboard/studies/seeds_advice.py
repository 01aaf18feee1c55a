"""Which `seeds` a plan recommends: the same deal in all rotations of a table, or a fresh one in each match."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from ballcourt.arena.tournament.event.seeds import Deals
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.playing.trial import BLOCKS, random_blocks
from ballcourt.arena.tournament.schedules.schedule import Block, PlayedBlock, PlayedMatch
from ballcourt.leaderboard.model.results import MatchResult
from ballcourt.leaderboard.model.standings import by_ladder
from ballcourt.leaderboard.store.folder import outcomes_of, results_in
from ballcourt.leaderboard.studies.deals import SharedDeals, shared_deals


@dataclass(frozen=True, slots=True)
class AdviceForm:
    """Which `seeds` to choose, and why."""

    recommended: Deals
    matches_factor: Annotated[float, Field(ge=0)]
    """How many matches `block` needs for the same precision, as a multiple of those of `match`."""
    low: Annotated[float, Field(ge=0)]
    """Of the 95 % interval of the factor."""
    high: Annotated[float, Field(ge=0)]
    blocks: Annotated[int, Field(ge=1)]
    """How many blocks the advice is based on."""
    source: Literal["records", "random players"]
    """Who played them."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What was measured, and where."""

    measured: SharedDeals
    source: Path | None
    """The folder with the records of the blocks; None: random players played them in this process."""

    @property
    def sentence(self) -> str:
        """The recommendation, and why."""
        found, (low, high) = self.measured, self.measured.interval
        where = f"{self.source} shows" if self.source else "random players show"
        factor = (
            f"{found.factor:.2f} times as many matches ({low:.2f} to {high:.2f}), as {where} in {found.blocks} blocks"
        )
        return f'seeds = "{found.recommended}" is recommended: with "block", the same precision takes {factor}'

    def to_json(self) -> AdviceForm:
        """Return it for programs."""
        found, (low, high) = self.measured, self.measured.interval
        return AdviceForm(
            recommended=found.recommended,
            matches_factor=round(found.factor, 4),
            low=round(low, 4),
            high=round(high, 4),
            blocks=found.blocks,
            source="records" if self.source else "random players",
        )


def advice(planned: Plan, folder: Path) -> Advice | None:
    """Recommend `seeds`: by the records in a folder if rotations share deals there, else by blocks of random players.

    None where nothing can be chosen: with one seat all bots play the same deals, with remote bots every match its own.
    """
    if planned.seats == 1 or any(entrant.remote for entrant in planned.entrants):
        return None
    if found := shared_deals(_recorded(planned, results_in(folder).matches)):
        return Advice(found, folder)
    tried = shared_deals(_tried(planned))
    return Advice(tried, None) if tried else None


def _recorded(planned: Plan, matches: Sequence[MatchResult]) -> list[tuple[list[PlayedBlock], int]]:
    """Return the blocks of each table whose whole rotations played one deal, with its number of entrants."""
    games = {(setup.game, setup.seats) for setup in planned.setups}
    found = []
    for ladder, played in by_ladder(matches).items():
        if (ladder.game, ladder.seats) not in games:
            continue
        entrants = {
            entrant: index for index, entrant in enumerate({seat.entrant for one in played for seat in one.seats})
        }
        outcomes, deals = outcomes_of(played), dict[str, list[PlayedMatch]]()
        for one in played:
            table = tuple(entrants[seat.entrant] for seat in one.seats)
            deals.setdefault(one.deal, []).append(PlayedMatch(one.key, table, tuple(outcomes[one.key])))
        whole = [deal for deal in deals.values() if len(deal) == ladder.seats]
        found.append(
            ([PlayedBlock(Block(index, index, ()), tuple(deal)) for index, deal in enumerate(whole)], len(entrants))
        )
    return found


def _tried(planned: Plan) -> list[tuple[list[PlayedBlock], int]]:
    alike = {(setup.game, setup.seats): setup for setup in planned.setups}
    return [([*random_blocks(setup, -(-BLOCKS // len(alike)))], setup.seats) for setup in alike.values()]
