"""Games that break one promise each: bluff with a single fault, and the name of the check that must notice it."""

from collections.abc import Mapping
from itertools import count
from typing import Self

from ballcourt.engine.core import Game, Observation, Rival, Rows, State, Stream, Wire
from ballcourt.engine.core.options import complete
from ballcourt.engine.core.vectors.features import Features, QuestionFeatures, Row
from ballcourt.engine.core.view.scene import Scene, plain_scene
from tests.bluff import Bid, Bluff, BluffState
from tests.bluff.wire import WIRE, BluffWire


class Variant(Bluff):
    """Bluff with another class of positions, first question and wire."""

    state: type[BluffState] = BluffState
    bid: type[Bid] = Bid
    translation: Wire = WIRE

    def wire(self) -> Wire:
        return self.translation

    def deal(self, seats: int, seed: int, options: dict[str, str]) -> BluffState:
        return self.adopt(super().deal(seats, seed, options))

    def restore(self, seats: int, public: Rows, secret: Rows) -> BluffState:
        return self.adopt(super().restore(seats, public, secret))

    def adopt(self, dealt: State) -> BluffState:
        assert isinstance(dealt, BluffState)
        state = self.state(dealt.seats, [self.bid(*frame.row()) for frame in dealt.frames])
        state.points, state.bids, state.secrets = dealt.points, dealt.bids, dealt.secrets
        return state


# -- what a game says about itself


class NamesTwice(Variant):
    action_names = ("UNSPECIFIED", "BID_1", "BID_1", "BID_3")


class NamesZero(Variant):
    action_names = ("BID_0", "BID_1", "BID_2", "BID_3")


class NamesUnlikeTheEnum(Variant):
    class Translation(BluffWire):
        action_enum = "bluff.Action"

        def action_names(self) -> tuple[str, ...]:
            return ("UNSPECIFIED", "BID_1", "BID_TWO", "BID_3")

    translation = Translation()


class NumbersTwoFramesAlike(Variant):
    class Other(Bid):
        pass

    frame_classes = (Bid, Other)


class AsksWhatTheEnumLacks(Variant):
    class Translation(BluffWire):
        question_enum = "bluff.Question"

        def question_names(self) -> dict[int, str]:
            return {1: "BET"}

    translation = Translation()


class SeatsAnybody(Variant):
    def check(self, seats: int, options: Mapping[str, str]) -> dict[str, str]:
        return complete(self.name, self.options, options)


# -- a match as a whole


class NeverEnds(Variant):
    class bid(Bid):  # noqa: N801
        def answer(self, state: BluffState, seat: int, action: int) -> None:
            state.then(self)


class Crashes(Variant):
    class bid(Bid):  # noqa: N801
        def answer(self, state: BluffState, seat: int, action: int) -> None:
            raise KeyError(action)


class DealsBySomethingElse(Variant):
    dealt = count()

    def deal(self, seats: int, seed: int, options: dict[str, str]) -> BluffState:
        return super().deal(seats, seed + next(self.dealt), options)


# -- positions


class ListsDownwards(Variant):
    class bid(Bid):  # noqa: N801
        def options(self, state: BluffState, seat: int) -> list[int]:
            return [3, 2, 1]


class AsksWithoutOptions(Variant):
    class bid(Bid):  # noqa: N801
        def options(self, state: BluffState, seat: int) -> list[int]:
            return [] if self.left == 0 else [1, 2]


class LeavesTheActionSpace(Variant):
    class bid(Bid):  # noqa: N801
        def options(self, state: BluffState, seat: int) -> list[int]:
            return [1, 2, 3, 4]


class AcceptsAnything(Variant):
    class state(BluffState):  # noqa: N801
        def apply(self, seat: int, action: int) -> None:
            self.asked = -1
            self.frames.pop().answer(self, seat, action)
            self.settle()


class RefusesTooLate(Variant):
    class state(BluffState):  # noqa: N801
        def apply(self, seat: int, action: int) -> None:
            self.points[0] += 1
            super().apply(seat, action)


class LosesAPiece(Variant):
    def violations(self, state: State) -> list[str]:
        return ["a bid is negative"] if min(state.scores()) < 0 else []


class SharesPoints(Variant):
    class state(BluffState):  # noqa: N801
        def clone(self) -> Self:
            copy = super().clone()
            copy.points = self.points
            return copy


class ForgetsBids(Variant):
    def restore(self, seats: int, public: Rows, secret: Rows) -> BluffState:
        return super().restore(seats, public, [[0] * seats, secret[1]])


class HandsOutItsLists(Variant):
    class state(BluffState):  # noqa: N801
        def secret_rows(self) -> Rows:
            return [self.bids, self.secrets]


class KeepsTheRowsItIsGiven(Variant):
    def restore(self, seats: int, public: Rows, secret: Rows) -> BluffState:
        state = super().restore(seats, public, secret)
        state.points = public[0]
        return state


class LoadsAnything(Variant):
    def from_rows(self, rows: Rows) -> State:
        return super().from_rows(rows) if len(rows) == 5 else self.initial_state(2, 0)


class AltersWhatItSaysItReplaces(Variant):
    def features(self) -> Features:
        question = QuestionFeatures(kinds={1: "Bid"}, asked={})
        return Features("bluff", 4, public=(Row("points", replaced=True),), actors=(), private=(), question=question)


class AltersPrivatelyWhatItSaysItReplaces(Variant):
    class state(BluffState):  # noqa: N801
        def own_rows(self, seat: int) -> Rows:
            return [self.bids]

    def features(self) -> Features:
        question, own = QuestionFeatures(kinds={1: "Bid"}, asked={}), (Row("bids", replaced=True),)
        return Features("bluff", 4, public=(Row("points"),), actors=(), private=own, question=question)


class PlacesTheFirstTwice(Variant):
    class state(BluffState):  # noqa: N801
        def placements(self) -> list[list[int]]:
            first, *rest = super().placements()
            return [first, first, *rest]


class ReturnsTheOpposite(Variant):
    class state(BluffState):  # noqa: N801
        def returns(self) -> list[float]:
            return [-value for value in super().returns()]


class ForgetsItsRival(Variant):
    class state(BluffState):  # noqa: N801
        def rivals(self) -> list[Rival]:
            return super().rivals() if self.frames else []


# -- hidden information


class ShowsTheSumOfSecrets(Variant):
    class state(BluffState):  # noqa: N801
        def public_rows(self) -> Rows:
            return [[*self.points, sum(self.secrets)], *self.frame_rows()]

    def restore(self, seats: int, public: Rows, secret: Rows) -> BluffState:
        return super().restore(seats, [public[0][:seats], *public[1:]], secret)


class LimitsBidsBySecrets(Variant):
    class bid(Bid):  # noqa: N801
        def options(self, state: BluffState, seat: int) -> list[int]:
            return list(range(1, 1 + max(state.secrets)))


class DrawsSecrets(Variant):
    def scene(self, state: State, seat: int | None = None) -> Scene:
        return plain_scene(state, seat, [float(secret) for secret in state.secret_rows()[1]])


class TellsSecretsInEvents(Variant):
    class state(BluffState):  # noqa: N801
        def seen_action(self, seat: int, action: int, observer: int) -> int:
            return self.secrets[seat]


class SamplesOneAndTheSame(Variant):
    def draw_secrets(self, observation: Observation, chance: Stream) -> Rows:
        return super().draw_secrets(observation, Stream(1))


class SamplesTheOwnSecretToo(Variant):
    def draw_secrets(self, observation: Observation, chance: Stream) -> Rows:
        return super().draw_secrets(Observation(-1, observation.seats, observation.public, []), chance)


class SamplesTheImpossible(Variant):
    def violations(self, state: State) -> list[str]:
        return [f"seat {seat} bids on a secret 4" for seat, secret in enumerate(state.secret_rows()[1]) if secret > 3]

    def draw_secrets(self, observation: Observation, chance: Stream) -> Rows:
        bids, secrets = super().draw_secrets(observation, chance)
        return [bids, [4 if seat != observation.seat else secret for seat, secret in enumerate(secrets)]]


class SamplesTheImpossibleForSpectators(SamplesTheImpossible):
    def draw_secrets(self, observation: Observation, chance: Stream) -> Rows:
        bids, secrets = Variant.draw_secrets(self, observation, chance)
        return [bids, [4 if observation.seat < 0 else secret for secret in secrets]]


class ShowsWhoHasBid(Variant):
    class state(BluffState):  # noqa: N801
        def public_rows(self) -> Rows:
            return [[*self.points, *self.bids], *self.frame_rows()]

    def restore(self, seats: int, public: Rows, secret: Rows) -> BluffState:
        return super().restore(seats, [public[0][:seats], *public[1:]], secret)


class TellsBidsInEvents(Variant):
    class state(BluffState):  # noqa: N801
        def seen_action(self, seat: int, action: int, observer: int) -> int:
            return action


class RewardsTheQuickest(Variant):
    class bid(Bid):  # noqa: N801
        def answer(self, state: BluffState, seat: int, action: int) -> None:
            if not any(state.bids):
                state.points[seat] += 1
            super().answer(state, seat, action)


# -- what leaves the engine


class DecodesHalf(Variant):
    class Translation(BluffWire):
        def decode(self, data: bytes) -> Observation:
            observation = super().decode(data)
            return Observation(observation.seat, observation.seats, observation.public, [])

    translation = Translation()


class RemembersItsPoints(Variant):
    class state(BluffState):  # noqa: N801
        def public_rows(self) -> Rows:
            return [self.points, *self.frame_rows()]


class DecodesAnything(Variant):
    class Translation(BluffWire):
        def decode(self, data: bytes) -> Observation:
            return super().decode(data) if data else Observation(0, 1, [], [])

    translation = Translation()


class ShowsTooMuch(Variant):
    class Translation(BluffWire):
        def encode_private(self, seat: int, private: Rows) -> bytes:
            return super().encode_private(seat, private) * 1000

    translation = Translation()


class DrawsNoJson(Variant):
    def scene(self, state: State, seat: int | None = None) -> Scene:
        return {**plain_scene(state, seat, state.scores()), "board": {"points": (1, 2)}}


class DrawsBesidesTheBoard(Variant):
    def scene(self, state: State, seat: int | None = None) -> Scene:
        return {**plain_scene(state, seat, state.scores()), "at": {"moon": [{"kind": "flag"}]}}


class DrawsOnThePosition(Variant):
    def scene(self, state: State, seat: int | None = None) -> Scene:
        assert isinstance(state, BluffState)
        state.points[0] += 1
        return plain_scene(state, seat, state.scores())


CAUGHT_BY: tuple[tuple[type[Game], str], ...] = (
    (NamesTwice, "names"),
    (NamesZero, "names"),
    (NamesUnlikeTheEnum, "names"),
    (NumbersTwoFramesAlike, "frames"),
    (AsksWhatTheEnumLacks, "frames"),
    (SeatsAnybody, "settings"),
    (NeverEnds, "ends"),
    (Crashes, "ends"),
    (DealsBySomethingElse, "repeats"),
    (ListsDownwards, "legal"),
    (AsksWithoutOptions, "legal"),
    (LeavesTheActionSpace, "legal"),
    (AcceptsAnything, "refuses"),
    (RefusesTooLate, "refuses"),
    (LosesAPiece, "conserves"),
    (SharesPoints, "clones"),
    (ForgetsBids, "rows"),
    (HandsOutItsLists, "rows"),
    (KeepsTheRowsItIsGiven, "rows"),
    (LoadsAnything, "rows"),
    (AltersWhatItSaysItReplaces, "replaced"),
    (AltersPrivatelyWhatItSaysItReplaces, "replaced"),
    (PlacesTheFirstTwice, "standings"),
    (ReturnsTheOpposite, "standings"),
    (ForgetsItsRival, "standings"),
    (ShowsTheSumOfSecrets, "secrecy"),
    (LimitsBidsBySecrets, "secrecy"),
    (DrawsSecrets, "secrecy"),
    (TellsSecretsInEvents, "secrecy"),
    (SamplesOneAndTheSame, "samples"),
    (SamplesTheOwnSecretToo, "samples"),
    (SamplesTheImpossible, "samples"),
    (SamplesTheImpossibleForSpectators, "samples"),
    (ShowsWhoHasBid, "simultaneous"),
    (TellsBidsInEvents, "simultaneous"),
    (RewardsTheQuickest, "simultaneous"),
    (DecodesHalf, "wire"),
    (RemembersItsPoints, "wire"),
    (DecodesAnything, "wire"),
    (ShowsTooMuch, "size"),
    (DrawsNoJson, "scene"),
    (DrawsBesidesTheBoard, "scene"),
    (DrawsOnThePosition, "scene"),
)
