"""Tzolk'in as a game of the arena: its facts, options, deal and sampling."""

from collections.abc import Mapping
from typing import cast

from ballcourt.engine.core.chance import Stream, stream
from ballcourt.engine.core.game import Game
from ballcourt.engine.core.observation import Observation
from ballcourt.engine.core.options import SEEDED, Option, check_seat
from ballcourt.engine.core.state import Rows, State
from ballcourt.engine.core.view.scene import Choice, Explanation, Observer, Scene, Scenery
from ballcourt.engine.games.tzolkin import audit
from ballcourt.engine.games.tzolkin.actions import ACTION_NAMES, KEEP, KEPT_PAIRS
from ballcourt.engine.games.tzolkin.calendar import Advance, RoundEnd, TurnEnd
from ballcourt.engine.games.tzolkin.columns import (
    BUILDINGS,
    BUILDINGS_ROW,
    DRAWN_ROW,
    PLAYERS_ROW,
    STACK,
    TABLE_ROW,
    WEALTH,
)
from ballcourt.engine.games.tzolkin.economy.construct import Construct
from ballcourt.engine.games.tzolkin.economy.effects import BuildingEffects
from ballcourt.engine.games.tzolkin.economy.goods import TakeBlock
from ballcourt.engine.games.tzolkin.economy.market import Market
from ballcourt.engine.games.tzolkin.economy.technology import ChooseTech, PayForTech
from ballcourt.engine.games.tzolkin.economy.temples import ClimbOne, ClimbTwo
from ballcourt.engine.games.tzolkin.gears.chichen_itza import OfferBlock
from ballcourt.engine.games.tzolkin.gears.palenque import Harvest
from ballcourt.engine.games.tzolkin.gears.spaces import AnyAction, UseAction
from ballcourt.engine.games.tzolkin.gears.tikal import PayForTemples
from ballcourt.engine.games.tzolkin.setup import Draft, deal
from ballcourt.engine.games.tzolkin.state import TzolkinState
from ballcourt.engine.games.tzolkin.tables import FIRST_OF_AGE, WEALTH_OFFERED, WEALTH_TILES
from ballcourt.engine.games.tzolkin.turn import Picking, Placing, TurnOver, TurnStart

FRAMES = (
    *(Draft, TurnStart, Placing, Picking, TurnOver, UseAction, Harvest, ChooseTech, PayForTech, PayForTemples),
    *(ClimbOne, ClimbTwo, TakeBlock, Construct, Market, AnyAction, OfferBlock, Advance),
    *(TurnEnd, RoundEnd, BuildingEffects),
)


class Tzolkin(Game):
    """Tzolk'in: The Mayan Calendar, base game, for 2 to 4 players."""

    name = "tzolkin"
    title = "Tzolk'in: The Mayan Calendar"
    rules_version = "1"
    seat_counts = (2, 3, 4)
    options = (
        Option(
            "start_player",
            "who has the first turn: drawn from the match seed, or always this seat (R-02)",
            (SEEDED, "0", "1", "2", "3"),
            SEEDED,
        ),
    )
    action_names = ACTION_NAMES
    points_spread = 24.0
    max_decisions = 4000
    state_class = TzolkinState
    frame_classes = FRAMES

    def check(self, seats: int, options: Mapping[str, str]) -> dict[str, str]:
        """Validate a seat count and options; the start player must sit at the table. Raises InvalidOption."""
        completed = super().check(seats, options)
        check_seat(self.name, "start_player", completed["start_player"], seats)
        return completed

    def deal(self, seats: int, seed: int, options: dict[str, str]) -> TzolkinState:
        """Set up a match (§2); who starts is drawn or named (§2.8, R-02)."""
        start = options["start_player"]
        return deal(seats, seed, stream(seed, "start player").below(seats) if start == SEEDED else int(start))

    def draw_secrets(self, observation: Observation, chance: Stream) -> Rows:
        """Shuffle the stacks among the buildings not seen, and deal the wealth tiles not seen."""
        players = observation.public[PLAYERS_ROW : PLAYERS_ROW + observation.seats]
        return [
            *[_unseen_stack(observation.public, players, age, chance) for age in (1, 2)],
            *_offers_and_answers(observation, players, chance),
        ]

    def scene(self, state: State, seat: Observer = None) -> Scene:
        from ballcourt.engine.games.tzolkin.view.scene import scene

        return scene(cast(TzolkinState, state), seat)

    def scenery(self, state: State) -> Scenery:
        from ballcourt.engine.games.tzolkin.view.scenery import SCENERY

        return SCENERY

    def choice(self, state: State, seat: int, action: int) -> Choice:
        from ballcourt.engine.games.tzolkin.view.words import choice

        return choice(cast(TzolkinState, state), seat, action)

    def explain(self, state: State, seat: int, action: int) -> Explanation:
        from ballcourt.engine.games.tzolkin.view.explained import explain

        return explain(cast(TzolkinState, state), seat, action)

    def violations(self, state: State) -> list[str]:
        return audit.violations(cast(TzolkinState, state))


def _unseen_stack(public: Rows, players: Rows, age: int, chance: Stream) -> list[int]:
    table, row = public[TABLE_ROW], public[BUILDINGS_ROW]
    unseen = [
        building
        for building in range(FIRST_OF_AGE[age - 1], FIRST_OF_AGE[age])
        if building not in row and not any(player[BUILDINGS] >> building & 1 for player in players)
    ]
    return chance.shuffled(unseen)[: table[STACK + age - 1]]


def _offers_and_answers(observation: Observation, players: Rows, chance: Stream) -> Rows:
    """Draw what was offered to the others and what they rejected.

    During the draft, the others are drawn as not having answered; afterwards the kept tiles are public.
    """
    own, answer = observation.private if observation.private else ([], [0])
    kept = [[tile for tile in range(1, len(WEALTH_TILES)) if player[WEALTH] >> tile & 1] for player in players]
    known = {*own, *observation.public[DRAWN_ROW], *(tile for tiles in kept for tile in tiles)}
    unseen = chance.shuffled([tile for tile in range(1, len(WEALTH_TILES)) if tile not in known])
    offers, answers = [], []
    for seat, tiles in enumerate(kept):
        if seat == observation.seat:
            offers.append(own)
            answers.append(answer[0])
            continue
        rejected = [unseen.pop() for _ in range(WEALTH_OFFERED - len(tiles))]
        offers.append(sorted(tiles + rejected))
        answers.append(_answer_of(offers[-1], tiles))
    return [*offers, answers]


def _answer_of(offer: list[int], kept: list[int]) -> int:
    """Return the KEEP action that leads from an offer to the kept tiles, 0 when nothing was kept yet."""
    return KEEP + KEPT_PAIRS.index((offer.index(kept[0]), offer.index(kept[1]))) if kept else 0
