"""Bots of the Python SDK in environments, and policies as bots: train in process, compete over the wire."""

import os
import pickle
from functools import cache
from importlib import import_module
from io import BytesIO
from types import ModuleType
from typing import Any, cast

import numpy as np

from ballcourt.arena.match.spec import Clock
from ballcourt.bots.sdk.python.bot import Bot, CannotPlay
from ballcourt.bots.sdk.python.decision import Decision
from ballcourt.bots.sdk.python.session import Session
from ballcourt.engine.core import Action, Observation, Seat
from ballcourt.engine.core.chance import bot_seed
from ballcourt.engine.core.messages.wire import Encoder
from ballcourt.engine.registry import find_game
from ballcourt.env.errors import EnvError
from ballcourt.env.single import Env, Masks, encoder_of
from ballcourt.env.tensors import Dtype, FeatureEncoder, Ints, Vectors
from ballcourt.env.thinking import Thinker
from ballcourt.v1.protocol_pb2 import ArenaMessage, BotMessage, MatchStart

TIMELESS = Clock(bank_ms=10**9, cap_ms=10**9)


class PolicyBot(Bot):
    """A bot that decides by vectors and masks. A subclass writes `decide`, which also trains in a `BatchEnv`.

    The arena gives it the same vectors as the environment, computed from what came over the wire.
    """

    trained_on = ""
    """The fingerprint of the vectors the policy was trained on (`BatchEnv.fingerprint`); empty: not checked."""
    dtype: Dtype = "float32"
    """The dtype of the vectors."""

    def decide(self, observations: Vectors, masks: Masks) -> Ints:
        """Return an action for each of n decisions: shapes (n, features) and (n, actions), to (n)."""
        raise NotImplementedError(f"{type(self).__name__} must define decide(self, observations, masks)")

    def match_started(self) -> None:
        """Prepare the vectors of the match. Raises CannotPlay if the policy was trained on other vectors."""
        self._encoder = _encoder(self.match.game, self.match.seats, self.dtype)
        now = self._encoder.fingerprint
        if self.trained_on not in ("", now):
            raise CannotPlay(
                f"the policy was trained on the vectors {self.trained_on} of {self.match.game}, which are {now} here; "
                f"train it again, or install the version of ballcourt that it was trained with"
            )

    def choose(self, decision: Decision) -> Action:
        """Return the action of the policy for one decision."""
        masks = np.zeros((1, len(find_game(self.match.game).action_names)), np.int8)
        masks[0, list(decision.legal)] = 1
        decided = self.decide(self._encoder.encode(self._observation(decision))[None], masks)
        return cast(Action, decided[0])  # the session takes what is a whole number

    def _observation(self, decision: Decision) -> Observation:
        return find_game(self.match.game).wire().decode(decision.data)


class BotOpponent:
    """Seats a Python SDK bot in an environment. The bot plays without a clock and receives no events."""

    def __init__(self, bot: Bot, limit_s: float | None = 60.0) -> None:
        """Seat a bot, which has `limit_s` seconds for a decision; None waits forever, as a breakpoint in it needs."""
        self._session = Session(bot)
        self._limit_s = limit_s
        self._thinker: Thinker[ArenaMessage, BotMessage | None] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle with the bot in mid-match. Raises EnvError if the bot holds what cannot be copied."""
        content = BytesIO()
        try:
            _Pickler(content).dump({**self.__dict__, "_thinker": None, "_wire": None})
        except (TypeError, AttributeError, pickle.PicklingError) as error:
            raise EnvError(
                f"{self._named} cannot be copied: {error}; give it a __getstate__ that leaves that out"
            ) from error
        return _restored, (content.getvalue(),)

    @property
    def _named(self) -> str:
        return self._session.bot.name or type(self._session.bot).__name__

    def match_started(self, env: Env) -> None:
        """Start a match of the bot; a seat's random seed is that of the arena."""
        self._place: tuple[int, Seat] | None = None
        self._wire: Encoder | None = None

    def choose(self, env: Env) -> Action:
        """Ask the bot. Raises EnvError if it takes too long or sits in two places, and what the bot raises."""
        if not self._place:
            self._start(env)
        if self._place != (env.seed, env.seat):
            raise EnvError("a BotOpponent sits in two places; make one for each seat of each environment")
        self._wire = self._wire or Encoder(env.game.wire())
        question = ArenaMessage()
        question.decide.observation = self._wire.encode(env.state, env.seat)
        question.decide.legal.extend(env.legal)
        question.decide.bank_ms = question.decide.limit_ms = TIMELESS.bank_ms
        reply = self._handle(question)
        assert reply is not None  # every question is answered
        return reply.action.action

    def _start(self, env: Env) -> None:
        """Begin the match with the bot's first decision, which says where it sits."""
        wire = env.game.wire()
        start = MatchStart(
            match_id="env",
            game=env.game.name,
            rules_version=env.game.rules_version,
            options=env.options,
            seat=env.seat,
            seats=env.seats,
            clock=TIMELESS.to_message(),
            bot_seed=bot_seed(env.seed, env.seat),
            observation_type=wire.observation_type,
        )
        self._handle(ArenaMessage(match_start=start))
        self._place = (env.seed, env.seat)

    def _handle(self, message: ArenaMessage) -> BotMessage | None:
        """Pass a message to the bot, which is given up if it hangs. Raises EnvError."""
        if self._limit_s is None:
            return self._session.handle(message)
        if self._thinker is None or self._thinker.process != os.getpid():  # a fork has no threads
            self._thinker = Thinker(self._session.handle)
        try:
            return self._thinker.ask(message, self._limit_s)
        except TimeoutError:
            self._thinker = None
            raise EnvError(
                f"{self._named} has not answered for {self._limit_s:g} s; "
                "give BotOpponent a longer limit_s, or take another bot"
            ) from None


class _Pickler(pickle.Pickler):
    """Pickles modules too, which bots hold that know several games."""

    def reducer_override(self, value: object) -> Any:  # noqa: ANN401
        return (import_module, (value.__name__,)) if isinstance(value, ModuleType) else NotImplemented


def _restored(content: bytes) -> BotOpponent:
    opponent = BotOpponent.__new__(BotOpponent)
    opponent.__dict__.update(pickle.loads(content))
    return opponent


@cache
def _encoder(game: str, seats: int, dtype: Dtype) -> FeatureEncoder:
    return encoder_of(find_game(game), seats, dtype)
