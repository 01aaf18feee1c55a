"""Bluff, the smallest example of a game; with it, the arena's tests play matches in milliseconds.

Each seat is dealt a secret number from 1 to 3. In every round all seats secretly and simultaneously bid 1 to 3, then
the bids are revealed: a bid above the seat's own secret costs a point, any other bid scores its number. A single seat
plays against the house, which has 3 points.
"""

from typing import Any, Self

from ballcourt.engine.core import EVERYBODY, Frame, Game, Observation, Option, Rival, Rows, State, Stream
from ballcourt.engine.core.chance import stream
from ballcourt.engine.core.view.scene import Scene, plain_scene

HIGHEST = 3
HOUSE = Rival("the house", 3.0)


class BluffState(State):
    points: list[int]
    bids: list[int]
    """Of this round; 0 before the seat has bid."""
    secrets: list[int]

    def lay_out(self, public: Rows, secret: Rows) -> int:
        self.points = public[0]
        self.bids, self.secrets = secret
        return 1

    def clone(self) -> Self:
        copy = type(self)(self.seats, self.frames[:], self.asked, self.legal)
        copy.points, copy.bids, copy.secrets = self.points[:], self.bids[:], self.secrets[:]
        return copy

    def open_rows(self) -> Rows:
        # which seats have already bid is not public: simultaneous answers arrive in any order
        return [self.points]

    def own_rows(self, seat: int) -> Rows:
        return [[self.secrets[seat], self.bids[seat]]]

    def secret_rows(self) -> Rows:
        return [self.bids[:], self.secrets[:]]

    def seen_action(self, seat: int, action: int, observer: int) -> int:
        return action if seat == observer else 0

    def scores(self) -> list[float]:
        return [float(points) for points in self.points]

    def rivals(self) -> list[Rival]:
        return [HOUSE] if self.seats == 1 else []

    def placements(self) -> list[list[int]]:
        points = [*self.scores(), *[rival.score for rival in self.rivals()]]
        levels = sorted(set(points), reverse=True)
        return [[player for player in range(len(points)) if points[player] == level] for level in levels]


def at_table(secrets: list[int], frames: list[Frame[BluffState]]) -> BluffState:
    """Return a position without points or bids."""
    state = BluffState(len(secrets), frames)
    state.points, state.bids, state.secrets = [0] * state.seats, [0] * state.seats, secrets
    return state


class Bid(Frame[BluffState]):
    """All seats bid at once; `left` rounds follow."""

    kind = 1
    fields = ("left",)

    def __init__(self, left: int) -> None:
        super().__init__(EVERYBODY)
        self.left = left

    def pending(self, state: BluffState) -> list[int]:
        return [seat for seat in range(state.seats) if not state.bids[seat]]

    def options(self, state: BluffState, seat: int) -> list[int]:
        return list(range(1, HIGHEST + 1))

    def answer(self, state: BluffState, seat: int, action: int) -> None:
        state.bids[seat] = action
        if not all(state.bids):
            state.then(self)
            return
        for bidder, bid in enumerate(state.bids):
            state.points[bidder] += bid if bid <= state.secrets[bidder] else -1
            state.bids[bidder] = 0
        if self.left:
            state.then(Bid(self.left - 1))


class Bluff(Game):
    name = "bluff"
    title = "Bluff"
    rules_version = "1"
    seat_counts = (1, 2, 3, 4)
    options: tuple[Option, ...] = (Option("rounds", "how many times everybody bids", ("1", "3", "100"), "3"),)
    action_names = ("UNSPECIFIED", "BID_1", "BID_2", "BID_3")
    max_decisions = 400
    points_spread = 1.0
    state_class = BluffState
    frame_classes: tuple[type[Frame[Any]], ...] = (Bid,)

    def deal(self, seats: int, seed: int, options: dict[str, str]) -> BluffState:
        chance = stream(seed, "secrets")
        secrets = [1 + chance.below(HIGHEST) for _ in range(seats)]
        return at_table(secrets, [Bid(int(options["rounds"]) - 1)])

    def draw_secrets(self, observation: Observation, chance: Stream) -> Rows:
        bids = [0] * observation.seats
        secrets = [1 + chance.below(HIGHEST) for _ in range(observation.seats)]
        if observation.private:
            secrets[observation.seat], bids[observation.seat] = observation.private[0]
        return [bids, secrets]

    def scene(self, state: State, seat: int | None = None) -> Scene:
        return plain_scene(state, seat, state.scores())

    def violations(self, state: State) -> list[str]:
        return []


GAME = Bluff()
