"""Asks a language model behind an OpenAI-compatible endpoint; `settings` says where it is named.

The model reads the rules, the position as its seat sees it and the numbered legal actions, and names one; in disguise,
if its settings have one. It may go on with its answers to the next questions of its turn, which are played as long as
they are legal. A reply without a legal action is put to it again with the reason, twice at most, and a busy endpoint is
asked again while there is time. Where the endpoint is too slow or refuses a request, or the budget of tokens is used
up, the lowest legal action is played as a fallback. The thoughts of a decision begin with what it took:

    tokens 812 in, 45 out; match 12400 in, 930 out, cost 0.0021
"""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from ballcourt import Bot, Decision, run
from ballcourt.bots.sdk.python.knowledge import own_files
from ballcourt.engine.core import Game
from ballcourt.engine.core.view.prompts import FORMAT, tokens
from ballcourt.engine.core.view.wording import Wording
from ballcourt.engine.registry import find_game
from ballcourt.simulate import State, sample

__spec__ = __spec__ or own_files(__file__)

from .answers import HOW_TO_ANSWER, action_in, objection, planned_in, spoken, words
from .settings import Settings, read_settings

try:
    from .endpoint import Completion, Endpoint, NoAnswer
except ModuleNotFoundError as error:
    sys.exit(f"the bot llm needs {error.name}, which is not installed; run pip install 'ballcourt[llm]'")

Turn = tuple[int, str, int] | None
"""The round, the phase, and whose turn it is."""
ATTEMPTS: Final = 3
"""How many replies are read for a decision."""
TRIES: Final = 12
"""How many requests are made for a decision, at most."""
PATIENCE_S: Final = 60.0
"""How long to wait for a busy endpoint since its last reply; the decision's time is a limit too."""
PAUSE_S: Final = 0.5
"""How long to leave an endpoint alone that does not say how long; each time twice as long, up to `LONGEST_PAUSE_S`."""
LONGEST_PAUSE_S: Final = 8.0
SPARE_S: Final = 0.25
"""How long before its time limit the bot answers without the model."""
LEAST_S: Final = 0.05


class LlmBot(Bot):
    def __init__(self, settings: Settings, endpoint: Endpoint) -> None:
        self.settings = settings
        self.endpoint = endpoint

    def match_started(self) -> None:
        self.game = find_game(self.match.game)
        self.wording = Wording(self.game, self.settings.disguise)
        self.declared = self.settings.declared([FORMAT, HOW_TO_ANSWER, self.match.rules_version])
        self.rules = ""
        self.spent = Account(self.settings)
        self.planned = Planned()
        self.waited_s = 0.0  # for a busy endpoint, since its last reply

    def choose(self, decision: Decision) -> int:
        deadline = monotonic() + decision.limit_ms / 1000 - SPARE_S
        state = sample(decision, self.random)
        before = self.spent.copy()
        choices = self.wording.choices(state, self.match.seat, decision.legal)
        now = turn_of(self.game, state, self.match.seat)
        planned = None if decision.rejected else self.planned.next(now, choices)
        if planned is None:
            number, dialogue = self.ask(self.messages(state, decision), choices, decision, deadline)
            self.planned = Planned(now, () if decision.fallback else planned_in(dialogue))
        else:
            number, dialogue = planned, f"as planned: {choices[planned]}"
        took = "\n".join(filter(None, (self.spent.since(before), self.declared, dialogue)))
        self.declared = ""  # in the thoughts of the first decision
        decision.thoughts = self.settings.redact(took)
        return self.wording.meant(number)

    def ask(
        self, messages: list[dict[str, str]], choices: Mapping[int, str], decision: Decision, deadline: float
    ) -> tuple[int, str]:
        """Return the number of the model's action, and its reasoning; of the lowest legal action and why, without one.

        `choices` are the legal actions in words, by the numbers that the model knows.
        """
        problem, replies, pause_s = "", 0, PAUSE_S
        for _ in range(TRIES):
            cost = sum(tokens(message["content"]) for message in messages) + self.settings.reply_tokens
            left_s = deadline - monotonic()
            if self.spent.total + cost > self.settings.tokens:
                problem = f"the budget of {self.settings.tokens} tokens per match is used up; LLM_TOKENS is another"
                break
            if left_s < LEAST_S:
                problem = problem or "there is no time left"
                break
            try:
                reply = self.endpoint.complete(messages, self.settings.reply_tokens, left_s)
            except NoAnswer as error:
                problem = str(error)
                if not error.may_pass or not self.wait(error.wait_s or pause_s, deadline):
                    break
                pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
                continue
            self.waited_s = 0.0
            self.spent.add(messages, reply)
            text = spoken(reply.text)
            action = action_in(text, choices) if text and not reply.trouble else None
            if action is not None and action in choices:
                return action, "\n".join(filter(None, (reply.reasoning, reply.text)))
            problem = reply.trouble or (objection(action) if text else "the reply has no text, only reasoning")
            messages = objected(messages, text, f"{problem}. {HOW_TO_ANSWER}")
            replies += 1
            if replies == ATTEMPTS:
                break
        decision.fallback = True
        return self.wording.shown(decision.legal[0]), f"the lowest legal action is played: {problem}"

    def wait(self, wait_s: float, deadline: float) -> bool:
        """Leave a busy endpoint alone for a while; return False if there is no time or patience left for that."""
        if wait_s > deadline - monotonic() or self.waited_s + wait_s > PATIENCE_S:
            return False
        sleep(wait_s)
        self.waited_s += wait_s
        return True

    def messages(self, state: State, decision: Decision) -> list[dict[str, str]]:
        """Return the conversation that begins a question: rules, then position and legal actions."""
        seat = self.match.seat
        if not self.rules:
            self.rules = self.wording.rules(state, seat, dict(self.match.options))
        rejected = decision.rejected if self.settings.disguise is None else "it is not legal"  # that names real numbers
        question = "\n".join(
            [
                self.wording.position(state, seat),
                *([f"your last answer was rejected: {rejected}"] if decision.rejected else []),
                "legal actions:",
                self.wording.legal(state, seat, decision.legal),
            ]
        )
        return [message("system", f"{self.rules}\n\n{HOW_TO_ANSWER}"), message("user", question)]


class Planned:
    """What the model has answered already to questions of a turn that are still to come, in words."""

    def __init__(self, turn: Turn = None, answers: Sequence[str] = ()) -> None:
        self._turn = turn
        self._answers = [*answers]

    def next(self, turn: Turn, choices: Mapping[int, str]) -> int | None:
        """Return the legal action that the next answer means; None if there is none, or it is not clear.

        `choices` are the legal actions in words.
        """
        if turn is None or turn != self._turn or not self._answers:
            return None
        wanted = words(self._answers.pop(0))
        meant = [action for action, label in choices.items() if words(label) == wanted]
        meant = meant or [action for action, label in choices.items() if f" {wanted} " in f" {words(label)} "]
        return meant[0] if len(meant) == 1 else None


class Account:
    """The tokens of a match."""

    def __init__(self, settings: Settings, sent: int = 0, received: int = 0) -> None:
        self.settings = settings
        self.sent = sent
        self.received = received

    @property
    def total(self) -> int:
        """The tokens sent and received."""
        return self.sent + self.received

    def copy(self) -> "Account":
        """Return the account as it is now."""
        return Account(self.settings, self.sent, self.received)

    def add(self, messages: list[dict[str, str]], reply: Completion) -> None:
        """Count an exchange; what the endpoint does not count is estimated."""
        estimated = sum(tokens(message["content"]) for message in messages)
        self.sent += estimated if reply.tokens_in is None else reply.tokens_in
        self.received += tokens(reply.text) if reply.tokens_out is None else reply.tokens_out

    def since(self, before: "Account") -> str:
        """Return what a decision and the match so far took."""
        cost = (self.sent * self.settings.price_in + self.received * self.settings.price_out) / 1e6
        return (
            f"tokens {self.sent - before.sent} in, {self.received - before.received} out; "
            f"match {self.sent} in, {self.received} out, cost {cost:.4f}"
        )


def turn_of(game: Game, state: State, seat: int) -> Turn:
    """Return what tells one turn of a seat from another; None where the game does not say whose turn it is."""
    scene = game.scene(state, seat)
    return None if scene["turn"] is None else (scene["round"], scene["phase"], scene["turn"])


def message(role: str, content: str) -> dict[str, str]:
    """Return a message of a conversation."""
    return {"role": role, "content": content}


def objected(messages: Sequence[dict[str, str]], reply: str, problem: str) -> list[dict[str, str]]:
    """Return a conversation that goes on with what is wrong with a reply.

    An endpoint may refuse a message without text, and two of one role in a row: after an empty reply, the question says
    what was wrong with it.
    """
    if reply:
        return [*messages, message("assistant", reply), message("user", problem)]
    return [*messages[:-1], message("user", f"{messages[-1]['content']}\n\n{problem}")]


class Program(LlmBot):
    """The bot as a program, with the settings of its owner."""

    def __init__(self) -> None:
        """Raises SettingsError."""
        settings = read_settings(os.environ, Path.home(), sys.argv[1:])
        super().__init__(settings, Endpoint(settings))


if __name__ == "__main__":
    run(Program)
