"""Food Days: feeding, the change of age and the temples' rewards (RULES §8)."""

from ballcourt.engine.games.tzolkin import columns as at
from ballcourt.engine.games.tzolkin import sources
from ballcourt.engine.games.tzolkin.economy.goods import take_skulls
from ballcourt.engine.games.tzolkin.state import TzolkinState
from ballcourt.engine.games.tzolkin.tables import (
    END_OF_AGE_1,
    FOOD_PER_WORKER,
    ROW_SPACES,
    SKULL_STEP,
    TEMPLE_BLOCKS,
    TEMPLE_BONUS,
    TEMPLE_VP,
    VP_PER_HUNGRY_WORKER,
)


def hold(state: TzolkinState) -> None:
    """Hold the next Food Day: feed, change the age after the second, then the odd ones give goods, the even ones VP."""
    table = state.table
    table[at.FOOD_DAYS] += 1
    feed_all(state)
    age = table[at.AGE]
    if table[at.FOOD_DAYS] == END_OF_AGE_1:
        open_age_2(state)
    if table[at.FOOD_DAYS] % 2:
        mid_age_rewards(state)
    else:
        end_of_age_rewards(state, age)


def feed_all(state: TzolkinState) -> None:
    """Feed every worker in play, wherever it stands (§8.1, R-30); 3 VP are lost for each that goes hungry (R-31)."""
    for seat, player in enumerate(state.players):
        hungry = max(0, player[at.WORKERS] - player[at.FREE_FOOD])
        price = max(0, FOOD_PER_WORKER - player[at.FOOD_DISCOUNT])
        fed = min(hungry, player[at.CORN] // price) if price else hungry
        player[at.CORN] -= fed * price
        state.score(seat, -VP_PER_HUNGRY_WORKER * (hungry - fed), sources.HUNGER)


def open_age_2(state: TzolkinState) -> None:
    """Discard what is left of Age 1 and lay out Age 2 (§8.2)."""
    state.table[at.AGE] = 2
    state.table[at.STACK] = 0
    left = at.STACK + 1
    for space in range(ROW_SPACES):
        state.row[space] = 0
        if state.table[left]:
            state.table[left] -= 1
            state.row[space] = state.stacks[1][state.table[left]]


def mid_age_rewards(state: TzolkinState) -> None:
    """Give all players the goods of all temple steps up to their own; skulls for all entitled or none (§8.3, R-23)."""
    for player in state.players:
        for temple in range(at.TEMPLES):
            for step in range(player[at.TEMPLE + temple] + 1):
                if TEMPLE_BLOCKS[temple][step]:
                    player[TEMPLE_BLOCKS[temple][step]] += 1
    entitled = [seat for seat in range(state.seats) if state.players[seat][at.TEMPLE + at.KUKULCAN] >= SKULL_STEP]
    if len(entitled) <= state.table[at.SKULL_BANK]:
        for seat in entitled:
            take_skulls(state, seat, 1)


def end_of_age_rewards(state: TzolkinState, age: int) -> None:
    """Score every temple step, and the age's bonus for the highest (§8.4); all who tie score half each (R-24)."""
    for temple in range(at.TEMPLES):
        highest = max(player[at.TEMPLE + temple] for player in state.players)
        leaders = sum(player[at.TEMPLE + temple] == highest for player in state.players)
        bonus = TEMPLE_BONUS[age - 1][temple] * at.QUARTERS // (1 if leaders == 1 else 2)
        for seat, player in enumerate(state.players):
            state.score(seat, TEMPLE_VP[temple][player[at.TEMPLE + temple]], sources.TEMPLES)
            if player[at.TEMPLE + temple] == highest:
                state.score_quarters(seat, bonus, sources.HIGHEST)
