"""Maya as a game of the arena: its facts, options and deal."""

from collections.abc import Mapping
from typing import cast

from ballcourt.engine.core.chance import Stream, stream
from ballcourt.engine.core.game import Game
from ballcourt.engine.core.observation import Observation
from ballcourt.engine.core.options import SEEDED, Option
from ballcourt.engine.core.state import Rows, State
from ballcourt.engine.core.view.scene import Choice, Explanation, Observer, Scene, Scenery
from ballcourt.engine.errors import InvalidOption
from ballcourt.engine.games.maya import audit
from ballcourt.engine.games.maya.actions import ACTION_NAMES
from ballcourt.engine.games.maya.sampling import draw_secrets
from ballcourt.engine.games.maya.setup import (
    FirstTemple,
    MarkedTemple,
    ask_for_temple,
    ask_for_two_temples,
    begin_at_tikal,
    deal,
)
from ballcourt.engine.games.maya.state import MayaState
from ballcourt.engine.games.maya.tables import AREA_NAMES, BLUE, BORDERS, MORE_AREAS
from ballcourt.engine.games.maya.turns.expanding import ExpandCell, ExpandTile
from ballcourt.engine.games.maya.turns.planting import PlantCell, PlantMore, PlantTile
from ballcourt.engine.games.maya.turns.turn import Act, TurnEnd

AREA_CHOICES = tuple("+".join(areas) for areas in BORDERS)
BEGINNINGS = {"none": begin_at_tikal, "new_beginning": ask_for_temple, "two_cities": ask_for_two_temples}


class Maya(Game):
    """Maya, with both variants, for 2 to 4 players."""

    name = "maya"
    title = "Maya"
    rules_version = "1"
    seat_counts = (2, 3, 4)
    options = (
        Option(
            "areas",
            "areas in play besides blue: drawn from the match seed, or these (R-A1)",
            (SEEDED, *AREA_CHOICES),
            SEEDED,
        ),
        Option(
            "variant",
            "where the first temple tiles go: Tikal, any temple space, or two of the marked ones (R-V3)",
            tuple(BEGINNINGS),
            "none",
        ),
    )
    action_names = ACTION_NAMES
    points_spread = 30.0
    max_decisions = 1000  # at most four for each tile, and before it a pass of every other player (§8.6)
    state_class = MayaState
    frame_classes = (FirstTemple, MarkedTemple, Act, PlantTile, PlantCell, PlantMore, ExpandTile, ExpandCell, TurnEnd)

    def check(self, seats: int, options: Mapping[str, str]) -> dict[str, str]:
        """Validate a seat count and options; the areas must be as many as the seats need. Raises InvalidOption."""
        completed = super().check(seats, options)
        areas = completed["areas"]
        allowed = [SEEDED, *_areas_for(seats)]
        if areas not in allowed:
            raise InvalidOption(
                f"option areas of maya is '{areas}', but {seats} seats play on blue and {MORE_AREAS[seats]} more; "
                f"it must be one of {', '.join(allowed)}"
            )
        return completed

    def deal(self, seats: int, seed: int, options: dict[str, str]) -> MayaState:
        """Set up a match (§2.1); the areas are drawn before anything else or named (R-A1)."""
        areas = options["areas"]
        if areas == SEEDED:
            fitting = _areas_for(seats)
            areas = fitting[stream(seed, "areas").below(len(fitting))]
        state = deal(seats, seed, _mask(areas))
        BEGINNINGS[options["variant"]](state)
        return state

    def draw_secrets(self, observation: Observation, chance: Stream) -> Rows:
        return draw_secrets(observation, chance)

    def scene(self, state: State, seat: Observer = None) -> Scene:
        from ballcourt.engine.games.maya.view.scene import scene

        return scene(cast(MayaState, state), seat)

    def scenery(self, state: State) -> Scenery:
        from ballcourt.engine.games.maya.view.scene import scenery

        return scenery(cast(MayaState, state))

    def choice(self, state: State, seat: int, action: int) -> Choice:
        from ballcourt.engine.games.maya.view.words import choice

        return choice(cast(MayaState, state), action)

    def explain(self, state: State, seat: int, action: int) -> Explanation:
        from ballcourt.engine.games.maya.view.explained import explain

        return explain(cast(MayaState, state), seat, action)

    def violations(self, state: State) -> list[str]:
        return audit.violations(cast(MayaState, state))


def _areas_for(seats: int) -> list[str]:
    return [choice for choice, areas in zip(AREA_CHOICES, BORDERS, strict=True) if len(areas) == MORE_AREAS[seats]]


def _mask(areas: str) -> int:
    mask = 1 << BLUE
    for name in areas.split("+"):
        mask |= 1 << AREA_NAMES.index(name)
    return mask
