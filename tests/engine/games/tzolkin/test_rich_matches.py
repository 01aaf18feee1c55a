"""Matches of rich players: poor random players do not reach most of the rules."""

from collections import Counter
from typing import Any

import pytest

from ballcourt.engine.core.chance import Stream
from ballcourt.engine.games.tzolkin import GAME
from ballcourt.engine.games.tzolkin.actions import ACTION_NAMES
from ballcourt.engine.games.tzolkin.state import TzolkinState
from ballcourt.engine.games.tzolkin.turn import TurnStart
from tests.engine.games.tzolkin.positions import dump, state_from

TOPS = {"chaac": 6, "quetzalcoatl": 8, "kukulcan": 7}
MATCHES = 16
NEVER_REACHED = {f"PICK_{gear}_0" for gear in ("PALENQUE", "YAXCHILAN", "TIKAL", "UXMAL", "CHICHEN_ITZA")}
"""A worker leaves space 0 before its owner's next turn."""


def enriched(state: TzolkinState, chance: Stream) -> TzolkinState:
    """Give all players goods, technologies and temple steps, but nothing that is limited in the game."""
    described = dump(state)
    free = dict(TOPS)
    for player in described["player"].values():
        player |= {goods: player[goods] + chance.below(6) for goods in ("corn", "wood", "stone", "gold")}
        player["tech"] = {tech: chance.below(4) for tech in player["tech"]}
        skulls = chance.below(min(3, described["skull_bank"] + 1))
        player["skull"] += skulls
        described["skull_bank"] -= skulls
        climb(player, free, chance)
    return state_from(described)


def climb(player: dict[str, Any], free: dict[str, int], chance: Stream) -> None:
    """Put the markers on any steps, the first player to reach a top keeping the others below it."""
    for temple, highest in free.items():
        player["temples"][temple] = chance.below(highest + 1)
        if player["temples"][temple] == TOPS[temple]:
            free[temple] = highest - 1


def check(state: TzolkinState) -> None:
    """Check the invariants of a position."""
    assert GAME.violations(state) == []
    rows = state.to_rows()
    assert GAME.from_rows(rows).to_rows() == rows
    for seat in state.pending_seats():
        legal = state.legal_actions(seat)
        assert legal
        assert legal == sorted(set(legal))
        assert GAME.from_rows(rows).legal_actions(seat) == legal


def play_rich(seats: int, seed: int, used: Counter[str]) -> None:
    """Play a match to its end, enriching all players every few turns."""
    chance = Stream(seed)
    state = GAME.initial_state(seats, seed)
    assert isinstance(state, TzolkinState)
    while state.pending_seats():
        if isinstance(state.frames[-1], TurnStart) and chance.below(6) == 0:
            state = enriched(state, chance)
        check(state)
        seat = state.pending_seats()[0]
        action = chance.choice(state.legal_actions(seat))
        used[ACTION_NAMES[action]] += 1
        before, branch = state.to_rows(), state.clone()
        state.apply(seat, action)
        assert branch.to_rows() == before
    check(state)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_match_violates_an_invariant(seats: int) -> None:
    """§1.4, §1.5, §1.6: and every kind of decision occurs."""
    used: Counter[str] = Counter()
    for seed in range(MATCHES):
        play_rich(seats, seed, used)
    kinds = {name.split("_")[0] for name in ACTION_NAMES[1:]} - {"PITY"}
    assert {name.split("_")[0] for name in used} == kinds
    assert not NEVER_REACHED & set(used)
