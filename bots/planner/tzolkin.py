"""Planner's values of Tzolk'in positions at the end of a turn, in victory points.

The prices are set once a turn, from the day, the temples of the others and what is left on the table; a position is
then valued with table look-ups. Certain things are counted exactly: temples at the ends of the ages, food, the final
scoring. The rest is a guess: the gain from a worker on a space if it waits for the best day to be picked up.
"""

from collections.abc import Callable, Hashable
from math import exp
from typing import Final

from ballcourt.engine.games.tzolkin import actions, columns, tables
from ballcourt.engine.games.tzolkin.economy.monuments import monument_vp
from ballcourt.engine.games.tzolkin.state import TzolkinState

FOOD_DAYS: Final = tables.FOOD_DAY
LAST_DAY: Final = FOOD_DAYS[-1]

# Guesses, in victory points. Of two numbers, the first is the worth at the end, the second is added while at least
# SPENDING_DAYS are left.
SPENDING_DAYS: Final = 9
CORN = (0.25, 0.2)
CORN_IN_HAND = (6.0, 12.0)  # what plenty of corn is worth beyond its price, and how much of it is nearly plenty
BLOCKS = ((0.5, 0.75), (0.75, 1.1), (1.0, 1.4))
SKULL = (3.0, 2.5)
TECHNOLOGIES = ((2.0, 2.5, 4.0), (2.0, 2.0, 2.0), (2.0, 4.0, 3.0), (1.0, 2.0, 2.0))  # per level at the start
WORKER_A_DAY = 0.3  # what one more worker brings in a day
INCOME = 1.3  # corn gained per day without effort
FOOD = 0.6  # worth of a corn that a later Food Day asks for
HUNGER = 1.55  # worth of a corn that the next Food Day asks for and that is lacking
WAITING = 0.55  # what a worker costs by standing for a day
IN_HAND = 0.2  # share of the best outlook from the first spaces of the gears
BUILDING = (1.0, 2.5)  # gain from building, price deducted
MONUMENT = 0.5  # probability of finishing the best monument in sight
LEAD = 0.6  # probability of keeping the lead on a temple until an age's end that is far away


def is_follow_up(legal: list[int]) -> bool:
    """Return whether a question is about an action already chosen, not about what to do next."""
    return legal[0] >= actions.USE and legal[0] not in (actions.END, actions.ADVANCE)


def ends_turn(action: int) -> bool:
    """Return whether an action is the last of a turn, or made outside of turns."""
    return action in (actions.END, actions.ADVANCE, actions.ADVANCE + 1) or action < actions.BEG


def fingerprint(state: TzolkinState, seat: int) -> Hashable:
    """Return the public rows: the order in which workers were placed makes no difference."""
    return tuple(map(tuple, state.public_rows()))


def appraiser(state: TzolkinState, seat: int) -> Callable[[TzolkinState], float]:
    """Return a function that values the positions of a turn that begins here."""
    return Appraiser(state, seat).value


class Appraiser:
    """The prices of one turn of one seat."""

    def __init__(self, state: TzolkinState, seat: int) -> None:
        self.seat = seat
        self.day = state.table[columns.DAY]
        self.left = max(0, LAST_DAY - self.day)
        self.spending = min(1.0, self.left / SPENDING_DAYS)
        self.held = state.table[columns.FOOD_DAYS]
        self.corn = self.price(CORN)
        self.plenty = CORN_IN_HAND[0] * self.spending
        self.blocks = [self.price(worth) for worth in BLOCKS]
        self.skull = self.price(SKULL)
        self.temples = [self.temple_steps(state, temple) for temple in range(columns.TEMPLES)]
        self.technologies = [self.levels(worths) for worths in TECHNOLOGIES]
        self.monuments = {monument: self.monument_hope(state, monument) for monument in state.display}
        self.outlook, self.in_hand = Outlook(self, state).by_slot()

    def price(self, worth: tuple[float, float]) -> float:
        """Return what something is worth today."""
        return worth[0] + worth[1] * self.spending

    def value(self, state: TzolkinState) -> float:
        """Value a position for the seat."""
        player = state.players[self.seat]
        points = player[columns.VP] / columns.QUARTERS
        if not state.frames:
            return points
        return (
            points
            + self.goods(player)
            + self.growth(player)
            + self.workers(state, player)
            + self.owned_monuments(state, player)
            + self.monument_in_sight(player)
        )

    def goods(self, player: list[int]) -> float:
        """Price corn beyond what the next Food Day will take, blocks and skulls; charge what it lacks."""
        need = self.food(player)
        later = len(FOOD_DAYS) - self.held - 1
        worth = self.corn_worth(self.spare_corn(player)) - FOOD * need * later
        for kind, price in enumerate(self.blocks):
            worth += price * player[columns.WOOD + kind]
        return worth + self.skull * player[columns.SKULLS]

    def food(self, player: list[int]) -> int:
        """Return the corn that a Food Day takes."""
        a_worker = max(0, tables.FOOD_PER_WORKER - player[columns.FOOD_DISCOUNT])
        eaters = max(0, player[columns.WORKERS] - player[columns.FREE_FOOD])
        return a_worker * eaters

    def spare_corn(self, player: list[int]) -> float:
        """Return the corn beyond what the next Food Day will take, less what will come in by then."""
        days = max(0, FOOD_DAYS[min(self.held, len(FOOD_DAYS) - 1)] - self.day)
        corn = player[columns.CORN]
        return corn - max(0.0, self.food(player) - INCOME * days)

    def corn_worth(self, corn: float) -> float:
        """Price an amount of corn, the next Food Day's need deducted: the first corn pays for placing workers."""
        if corn < 0:
            return HUNGER * corn
        return self.corn * corn + self.plenty * (1 - exp(-corn / CORN_IN_HAND[1]))

    def growth(self, player: list[int]) -> float:
        """Price temple steps, technologies and the number of workers."""
        worth = WORKER_A_DAY * self.left * player[columns.WORKERS]
        for temple, steps in enumerate(self.temples):
            worth += steps[player[columns.TEMPLE + temple]]
        for technology, levels in enumerate(self.technologies):
            worth += levels[player[columns.TECH + technology]]
        return worth

    def workers(self, state: TzolkinState, player: list[int]) -> float:
        """Price where the workers stand."""
        worth = self.in_hand * player[columns.HAND]
        seat = self.seat
        for slot, owner in enumerate(state.slots):
            if owner == seat:
                worth += self.outlook[slot]
        if state.table[columns.START_SPACE] == seat:
            worth += self.in_hand
        return worth

    def owned_monuments(self, state: TzolkinState, player: list[int]) -> float:
        """Score the monuments as if the match ended now."""
        owned = player[columns.MONUMENTS]
        if not owned:
            return 0.0
        count = len(tables.MONUMENT_TILES)
        return float(sum(monument_vp(state, self.seat, m) for m in range(1, count) if owned >> m & 1))

    def monument_hope(self, state: TzolkinState, monument: int) -> float:
        """Return the points expected from a displayed monument, with growth until the end."""
        return monument_vp(state, self.seat, monument) + 4 * self.spending

    def monument_in_sight(self, player: list[int]) -> float:
        """Price the chance to build the best monument: its points less what is missing and what it costs."""
        best = 0.0
        for monument, points in self.monuments.items():
            if player[columns.MONUMENTS] >> monument & 1 or self.left < 2:
                continue
            gain = points
            for kind, count in enumerate(tables.MONUMENT_COST[monument]):
                have = player[columns.WOOD + kind]
                gain -= self.blocks[kind] * min(have, count) + 1.8 * self.blocks[kind] * max(0, count - have)
            best = max(best, gain)
        return MONUMENT * best

    def temple_steps(self, state: TzolkinState, temple: int) -> list[float]:
        """Price every step of a temple: points at the ends of the remaining ages, goods in the middle of them."""
        others = max(player[columns.TEMPLE + temple] for seat, player in enumerate(state.players) if seat != self.seat)
        worths = []
        for step, points in enumerate(tables.TEMPLE_VP[temple]):
            worth = 0.0
            for number in range(self.held, len(FOOD_DAYS)):
                if number % 2:
                    worth += points + self.bonus(step, others, temple, number)
                else:
                    worth += self.goods_up_to(temple, step)
            worths.append(worth)
        return worths

    def bonus(self, step: int, others: int, temple: int, number: int) -> float:
        """Return the expected bonus for the highest at the end of an age."""
        sure = LEAD + (1 - LEAD) / (1 + max(0, FOOD_DAYS[number] - self.day))
        bonus = tables.TEMPLE_BONUS[number // 2][temple]
        if step > others:
            return bonus * sure
        if step == others:
            return bonus / 2 * sure
        return bonus * (1 - sure) / (1 + others - step)

    def goods_up_to(self, temple: int, step: int) -> float:
        """Price what a temple gives in the middle of an age."""
        worth = sum(self.blocks[block - columns.WOOD] for block in tables.TEMPLE_BLOCKS[temple][: step + 1] if block)
        return worth + (self.skull if temple == columns.KUKULCAN and step >= tables.SKULL_STEP else 0.0)

    def levels(self, worths: tuple[float, ...]) -> list[float]:
        """Price the levels of a technology, in proportion to the days left."""
        share = self.left / LAST_DAY
        return [share * sum(worths[:level]) for level in range(columns.TOP_LEVEL + 1)]


class Outlook:
    """What workers on the gears will bring."""

    def __init__(self, prices: Appraiser, state: TzolkinState) -> None:
        self.prices = prices
        self.state = state
        self.player = state.players[prices.seat]
        self.spare_corn = prices.spare_corn(self.player)
        self.step = max(self.gain_of_step(temple) for temple in range(columns.TEMPLES))
        self.technology = self.best_technology()
        self.building = prices.price(BUILDING) if prices.left else 0.0

    def by_slot(self) -> tuple[list[float], float]:
        """Return the outlook of a worker in every slot, and that of one in hand."""
        outlook = [0.0] * columns.ALL_SLOTS
        first = 0.0
        for gear, acts in enumerate(self.actions()):
            at = self.by_space(gear, acts)
            outlook[tables.GEAR_BASE[gear] : tables.GEAR_BASE[gear] + len(at)] = at
            first = max(first, at[0])
        return outlook, IN_HAND * first

    def by_space(self, gear: int, acts: list[float]) -> list[float]:
        """Return the outlook for every space: the best of waiting 1, 2, ... days."""
        last = tables.LAST_SPACE[gear]
        reward = [self.reward(gear, acts, space) for space in range(last + 1)]
        return [
            max(
                (reward[space + days] - WAITING * days for days in range(1, min(last - space, self.prices.left) + 1)),
                default=0.0,
            )
            for space in range(last + 1)
        ]

    def reward(self, gear: int, acts: list[float], space: int) -> float:
        """Return the best action for a worker picked up from a space, stepping back included."""
        if space >= tables.FREE_CHOICE_FROM[gear]:
            return max(acts)
        corn = self.prices.corn
        return max((acts[action] - corn * (space - action) for action in range(1, space + 1)), default=0.0)

    def actions(self) -> list[list[float]]:
        """Return what every action of every gear is worth; index 0 is doing nothing."""
        small = [self.palenque(), self.yaxchilan(), self.tikal(), self.uxmal()]
        small[3].append(max(max(acts) for acts in small) - self.prices.corn)
        return [*small, self.chichen_itza()]

    def palenque(self) -> list[float]:
        """Price fishing and the harvests of the remaining tiles."""
        table, tech = self.state.table, self.player[columns.TECH + columns.AGRICULTURE]
        wood = self.prices.blocks[0]
        worths = [0.0, self.harvest(tables.FISHING_CORN + tables.FISHING_BONUS[tech])]
        more_wood = self.player[columns.TECH + columns.EXTRACTION] >= tables.EXTRACTION_FROM[0]
        for group in range(columns.FIRST_GROUP, columns.FIRST_GROUP + columns.JUNGLE_GROUPS):
            at = group - columns.FIRST_GROUP
            fields, woods = table[columns.JUNGLE_CORN + at], table[columns.JUNGLE_WOOD + at]
            harvest = self.harvest(tables.FIELD_CORN[group] + tables.JUNGLE_BONUS[tech])
            cut = wood * (tables.FIELD_WOOD[group] + more_wood) if woods else 0.0
            open_field = fields > woods or tech >= tables.TILELESS_FROM
            worths.append(max(harvest if open_field else harvest - self.step if woods else 0.0, cut))
        return worths

    def harvest(self, corn: int) -> float:
        """Price a gain of corn."""
        return self.prices.corn_worth(self.spare_corn + corn) - self.prices.corn_worth(self.spare_corn)

    def yaxchilan(self) -> list[float]:
        """Price blocks and skulls."""
        level = self.player[columns.TECH + columns.EXTRACTION]
        worths = [0.0]
        for corn, *blocks in tables.YAXCHILAN_GOODS[1:]:
            worths.append(
                self.prices.corn * corn
                + sum(
                    price * (count + (level >= needed))
                    for price, count, needed in zip(self.prices.blocks, blocks, tables.EXTRACTION_FROM, strict=True)
                    if count
                )
            )
        worths[4] = self.prices.skull if self.state.table[columns.SKULL_BANK] else 0.0
        return worths

    def tikal(self) -> list[float]:
        """Price technologies, buildings and offerings."""
        blocks = sum(self.player[columns.WOOD : columns.WOOD + columns.BLOCKS])
        likely = min(1.0, (blocks + 1) / 3)
        return [
            0.0,
            self.technology,
            self.building * likely,
            self.technology * 1.6,
            self.building * likely * 1.5 + 1.0 * self.prices.spending,
            max(0.0, 1.8 * self.step - self.prices.blocks[0]),
        ]

    def uxmal(self) -> list[float]:
        """Price a temple step, the market, a worker and a building for corn; `actions` adds the fifth action."""
        prices = self.prices
        worker = WORKER_A_DAY * prices.left - 2 * FOOD * (len(FOOD_DAYS) - prices.held)
        more = worker if self.player[columns.WORKERS] < tables.MAX_WORKERS else 0.0
        return [0.0, max(0.0, self.step - 3 * prices.corn), 0.2, max(0.0, more), self.building * 0.7]

    def chichen_itza(self) -> list[float]:
        """Price the unused actions, if the player has a skull."""
        worths = [0.0]
        for action in range(1, 10):
            used = self.state.table[columns.CHICHEN_USED] >> action & 1
            points = tables.CHICHEN_VP[action] + self.gain_of_step(tables.CHICHEN_TEMPLE[action])
            points += tables.CHICHEN_BLOCK[action] * self.prices.blocks[2]
            hope = 1.0 if self.player[columns.SKULLS] else 0.3 if self.prices.left > 6 else 0.0
            worths.append(0.0 if used else hope * (points - self.prices.skull))
        return worths

    def gain_of_step(self, temple: int) -> float:
        """Return what the next step on a temple is worth."""
        steps = self.prices.temples[temple]
        step = self.player[columns.TEMPLE + temple]
        return steps[min(step + 1, len(steps) - 1)] - steps[step]

    def best_technology(self) -> float:
        """Return the gain from the best advance that can be paid, the blocks deducted."""
        gains = [0.0]
        for technology, levels in enumerate(self.prices.technologies):
            level = self.player[columns.TECH + technology]
            if level < columns.TOP_LEVEL:
                gains.append(levels[level + 1] - levels[level] - self.prices.blocks[0] * (level + 1))
        return max(gains)
