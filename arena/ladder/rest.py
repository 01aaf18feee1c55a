"""When a ladder rests: its results are as precise as its file asks for, and none of its bots is new."""

from collections.abc import Sequence
from typing import Final

from ballcourt.arena.ladder.state import LadderState
from ballcourt.arena.tournament.schedules.schedule import PlayedBlock, PlayedMatch
from ballcourt.arena.tournament.schedules.stop import Measure, Rule, ended_early

GROWTH: Final = 1.1
"""What is not precise enough is measured again when there are a tenth more results: each result counts for a few times,
however many there are."""


class Rest:
    """Whether a ladder rests by the rules of its file, `stop`."""

    def __init__(self, rules: Sequence[Rule], measure: Measure) -> None:
        """`measure` returns what says whether results are as precise as any of these rules asks for."""
        self._rules = rules
        self._measure = measure
        self._is_precise = False
        self._seen: tuple[list[int], int] = ([], 0)
        self._blocks = 0

    def sentence(self, state: LadderState) -> str:
        """Return why it rests; empty if it plays on."""
        if not self._rules:
            return ""
        blocks, seen = len(state.score.results), (state.present, len(state.trail.decisions))
        if seen != self._seen if self._is_precise else not self._blocks <= blocks < GROWTH * self._blocks:
            self._seen, self._blocks, self._is_precise = seen, blocks, self._measured(state)
        return ended_early(self._rules, by_time=False) if self._is_precise else ""

    def _measured(self, state: LadderState) -> bool:
        """Whether any of the rules holds for those who are present."""
        fitting = {*state.fitting}
        played = [block for block in state.score.results if block.block.setup in fitting]
        if not fitting or {block.block.setup for block in played} != fitting:
            return False
        known = sorted({*state.present}.union(*(match.table for block in played for match in block.matches)))
        places = {entrant: place for place, entrant in enumerate(known)}
        gone = [places[entrant] for entrant in known if entrant not in {*state.present}]
        return self._measure(self._rules, len(known), gone)([_renumbered(block, places) for block in played])


def _renumbered(played: PlayedBlock, places: dict[int, int]) -> PlayedBlock:
    """Return a block with its entrants by their places among those who are compared: retired ones may be thousands."""
    matches = [PlayedMatch(one.key, tuple(places[it] for it in one.table), one.outcomes) for one in played.matches]
    return PlayedBlock(played.block, tuple(matches))
