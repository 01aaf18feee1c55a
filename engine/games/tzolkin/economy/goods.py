"""Blocks, skulls and workers: what passes between the bank and a player."""

from typing import ClassVar

from ballcourt.engine.core.frames import Frame
from ballcourt.engine.games.tzolkin.actions import PAY, PAYMENTS, PAYMENTS_FROM, TAKE
from ballcourt.engine.games.tzolkin.columns import GOLD, HAND, SKULL_BANK, SKULLS, STONE, WOOD, WORKERS
from ballcourt.engine.games.tzolkin.state import TzolkinState
from ballcourt.engine.games.tzolkin.tables import MAX_WORKERS


def blocks_of(player: list[int]) -> int:
    """Count a player's blocks of all kinds."""
    return player[WOOD] + player[STONE] + player[GOLD]


def payments(player: list[int], size: int) -> list[int]:
    """List the PAY actions for exactly `size` blocks (1..3) that the player owns."""
    wood, stone, gold = player[WOOD], player[STONE], player[GOLD]
    return [
        PAY + index
        for index in range(PAYMENTS_FROM[size], PAYMENTS_FROM[size + 1])
        if PAYMENTS[index][0] <= wood and PAYMENTS[index][1] <= stone and PAYMENTS[index][2] <= gold
    ]


def pay(player: list[int], action: int) -> None:
    """Give the blocks of a PAY action to the bank."""
    for kind, count in enumerate(PAYMENTS[action - PAY]):
        player[WOOD + kind] -= count


def take_skulls(state: TzolkinState, seat: int, wanted: int) -> None:
    """Take skulls, as many as the bank still has (§2, §5.2)."""
    taken = min(wanted, state.table[SKULL_BANK])
    state.table[SKULL_BANK] -= taken
    state.players[seat][SKULLS] += taken


def gain_worker(player: list[int]) -> None:
    """Bring one more worker into play, available at once; a seventh is wasted (§5.4, §6)."""
    if player[WORKERS] < MAX_WORKERS:
        player[WORKERS] += 1
        player[HAND] += 1


class TakeBlock(Frame[TzolkinState]):
    """One block of choice from the bank."""

    kind: ClassVar[int] = 13

    def options(self, state: TzolkinState, seat: int) -> list[int]:
        return [TAKE, TAKE + 1, TAKE + 2]

    def answer(self, state: TzolkinState, seat: int, action: int) -> None:
        state.players[seat][WOOD + action - TAKE] += 1
