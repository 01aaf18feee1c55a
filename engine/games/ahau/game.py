"""The game Ahau: its facts and options, and how its positions are dealt, restored and sampled."""

from collections.abc import Mapping
from typing import cast

from ballcourt.engine.core.chance import Stream, stream
from ballcourt.engine.core.game import Game
from ballcourt.engine.core.observation import Observation
from ballcourt.engine.core.options import SEEDED, Option, check_seat
from ballcourt.engine.core.state import Rows, State
from ballcourt.engine.core.view.scene import Choice, Explanation, Observer, Scene, Scenery
from ballcourt.engine.errors import InvalidOption
from ballcourt.engine.games.ahau import audit
from ballcourt.engine.games.ahau.actions import ACTION_NAMES
from ballcourt.engine.games.ahau.automata.automaton import AutomatonTakesTile, AutomatonWon
from ballcourt.engine.games.ahau.building.buildings import BuildingDone, PayForBuilding, Replace
from ballcourt.engine.games.ahau.building.pyramid import Adjacency, BuildAt, PaintWild, PayForTile
from ballcourt.engine.games.ahau.building.region_bonus import RegionBonus
from ballcourt.engine.games.ahau.building.step import BuildNext
from ballcourt.engine.games.ahau.columns import FAMILY, NONE, SOLO, STANDARD
from ballcourt.engine.games.ahau.gods.powers import ChiefColour, ChiefStep, JaguarWorker, RainSite, SunLay, SunTake
from ballcourt.engine.games.ahau.gods.summon import Discards, Summon, WildDiscard
from ballcourt.engine.games.ahau.gods.trade import MoveTo, TradeColour, TradeMove, TradeSwap
from ballcourt.engine.games.ahau.movement.cards import RoundStart, SelectCards, WarCaptain
from ballcourt.engine.games.ahau.movement.conflicts import Conflicts, Lose, Relocate
from ballcourt.engine.games.ahau.movement.ending import Acropolis, MovementEnd, QueenWindow
from ballcourt.engine.games.ahau.movement.tiles import TakeAnother, TakeTile, TakeTiles
from ballcourt.engine.games.ahau.rewards import (
    CardBack,
    ChooseTemple,
    ClimbMight,
    GainResource,
    LayDown,
    MightAdvance,
    PickRole,
)
from ballcourt.engine.games.ahau.rounds.katun import KatunTrade, Scoring
from ballcourt.engine.games.ahau.rounds.produce import Deplete, ProduceAt, ProduceFor
from ballcourt.engine.games.ahau.rounds.round_end import ForcedDiscard, OfferEnd, Refill, RoundEnd, Shortage
from ballcourt.engine.games.ahau.rounds.trading import TradePartner, TradeWilds
from ballcourt.engine.games.ahau.rounds.turn import Main, PlaceWorker, Turn, TurnEnd, Turns
from ballcourt.engine.games.ahau.sampling import draw_secrets
from ballcourt.engine.games.ahau.setup import BoxSummaries, PickSummary, Variant, deal
from ballcourt.engine.games.ahau.state import AhauState
from ballcourt.engine.games.ahau.tables import ROLE_NAMES

FRAMES = (
    *(PickSummary, BoxSummaries, RoundStart, SelectCards, WarCaptain, Conflicts, MightAdvance, Lose, Relocate),
    *(TakeTiles, TakeTile, TakeAnother, MovementEnd, QueenWindow, Acropolis, AutomatonTakesTile, AutomatonWon),
    *(Turns, Turn, PlaceWorker, RegionBonus, Summon, Discards, WildDiscard, Main, TurnEnd),
    *(ChiefColour, ChiefStep, RainSite, TradeColour, TradeMove, MoveTo, TradeSwap, SunTake, SunLay, JaguarWorker),
    *(ProduceAt, ProduceFor, Deplete, BuildNext, BuildAt, PayForTile, PaintWild, Adjacency),
    *(PayForBuilding, Replace, BuildingDone),
    *(GainResource, ChooseTemple, LayDown, PickRole, CardBack, ClimbMight),
    *(RoundEnd, Refill, Shortage, ForcedDiscard, OfferEnd, KatunTrade, TradePartner, TradeWilds, Scoring),
)
DIFFICULTIES = ("easy", "moderate", "hard")


class Ahau(Game):
    """Ahau: Rulers of Yucatán, for 2 to 5 players, and for one against King Pakal."""

    name = "ahau"
    title = "Ahau: Rulers of Yucatán"
    rules_version = "3"
    seat_counts = (1, 2, 3, 4, 5)
    options = (
        Option("mode", "the standard game, or Ahau Family", ("standard", "family"), "standard"),
        Option("board", "the side of the player boards", ("day", "night"), "day"),
        Option("personal", "whether markers score their owner's own value (Personal Scoring)", ("no", "yes"), "no"),
        Option("shadow", "whether the Shadow Player takes part", ("no", "yes"), "no"),
        Option(
            "start_player",
            "who has the first choice: drawn from the match seed, or always this seat",
            (SEEDED, "0", "1", "2", "3", "4"),
            SEEDED,
        ),
        Option("difficulty", "one seat: how strong King Pakal is", DIFFICULTIES, "easy"),
        Option("solo_board", "one seat: the side of King Pakal's board", ("day", "night"), "day"),
        Option(
            "personality",
            "one seat: King Pakal's Personality card by its Role, or drawn from the match seed",
            (SEEDED, *ROLE_NAMES),
            SEEDED,
        ),
    )
    action_names = ACTION_NAMES
    points_spread = 20.0
    max_decisions = 20000
    state_class = AhauState
    frame_classes = FRAMES

    def check(self, seats: int, options: Mapping[str, str]) -> dict[str, str]:
        """Validate a seat count and options, including how they combine. Raises InvalidOption."""
        completed = super().check(seats, options)
        check_seat(self.name, "start_player", completed["start_player"], seats)
        if completed["mode"] == "family":
            _check_family(completed)
        _check_solo(seats, completed)
        if completed["shadow"] == "yes" and seats not in SHADOW_SEATS:
            raise InvalidOption(f"the Shadow Player of ahau joins 2, 3 or 4 players, not {seats}; set shadow=no")
        return completed

    def deal(self, seats: int, seed: int, options: dict[str, str]) -> AhauState:
        start = options["start_player"]
        family = options["mode"] == "family"
        if family and start == SEEDED:
            start = "0"
        personality = options["personality"]
        variant = Variant(
            mode=FAMILY if family else SOLO if seats == 1 else STANDARD,
            night=int(options["board"] == "night"),
            personal=int(options["personal"] == "yes"),
            shadow=int(options["shadow"] == "yes"),
            start=stream(seed, "start player").below(seats) if start == SEEDED else int(start),
            difficulty=DIFFICULTIES.index(options["difficulty"]),
            solo_night=int(options["solo_board"] == "night"),
            personality=NONE if personality == SEEDED else ROLE_NAMES.index(personality),
        )
        return deal(seats, seed, variant)

    def draw_secrets(self, observation: Observation, chance: Stream) -> Rows:
        """Draw bag, stack, decks and Role cards from the pieces that the seat has not seen."""
        blank = [[0, 0, 0], [], [], [], [], *[[0] * observation.seats for _ in range(3)]]
        table = cast(AhauState, self.restore(observation.seats, observation.public, blank))
        return draw_secrets(table, observation, chance)

    def scene(self, state: State, seat: Observer = None) -> Scene:
        from ballcourt.engine.games.ahau.view.scene import scene

        return scene(cast(AhauState, state), seat)

    def scenery(self, state: State) -> Scenery:
        from ballcourt.engine.games.ahau.view.scenery import scenery

        return scenery(cast(AhauState, state))

    def choice(self, state: State, seat: int, action: int) -> Choice:
        from ballcourt.engine.games.ahau.view.words import choice

        return choice(cast(AhauState, state), action)

    def explain(self, state: State, seat: int, action: int) -> Explanation:
        from ballcourt.engine.games.ahau.view.explained import explain

        return explain(cast(AhauState, state), seat, action)

    def violations(self, state: State) -> list[str]:
        return audit.violations(cast(AhauState, state))


SHADOW_SEATS = (2, 3, 4)


def _check_family(options: dict[str, str]) -> None:
    """Raise InvalidOption for an option that Ahau Family does not have (§14.2)."""
    if options["board"] == "night":
        raise InvalidOption("Ahau Family is played on the Day side of the player boards; set board=day")
    if options["shadow"] == "yes":
        raise InvalidOption("Ahau Family is played without the Shadow Player; set shadow=no")


def _check_solo(seats: int, options: dict[str, str]) -> None:
    """Raise InvalidOption for an option that this number of seats does not have (§15.1)."""
    if seats == 1:
        for name, value in (("mode", "standard"), ("personal", "no"), ("shadow", "no")):
            if options[name] != value:
                raise InvalidOption(f"ahau with 1 seat is the solo game, which does not allow {name}={options[name]}")
        return
    for name, value in (("difficulty", "easy"), ("solo_board", "day"), ("personality", SEEDED)):
        if options[name] != value:
            raise InvalidOption(f"option {name} of ahau is for the solo game, which has 1 seat, not {seats}")
