"""The mirror bot of the contract: its answers show what the SDK gave it."""

from collections.abc import Sequence
from math import floor

from ballcourt import Bot, Decision, View, run
from ballcourt.v1 import ahau_pb2 as ahau
from ballcourt.v1 import maya_pb2 as maya
from ballcourt.v1 import tzolkin_pb2 as tzolkin
from ballcourt.v1.protocol_pb2 import Evaluation, Mark, MatchEnd, RankedAction

GAMES = {
    "tzolkin": (tzolkin.TzolkinAction, lambda seen, seat: seen.players[seat].corn),
    "maya": (maya.MayaAction, lambda seen, seat: seen.players[seat].score),
    "ahau": (ahau.AhauAction, lambda seen, seat: seen.actors[seat].fame),
}


class MirrorBot(Bot):
    observes = work_limited = True
    started = ended = pushed = 0

    def match_started(self) -> None:
        self.started += 1
        self.pushed = 0
        self.settings = self._settings() if self.parameters else ""

    def _settings(self) -> str:
        thousandths = floor(1000 * self.parameters.number("weight"))
        return f" shift {self.parameters.whole('shift')} weight {thousandths}"

    def _evaluation(self, legal: Sequence[int], name: str) -> Evaluation:
        values = [0.5 if seat == self.match.seat else -0.5 for seat in range(self.match.seats)]
        ranked = [RankedAction(action=action, value=index / 4, visits=index) for index, action in enumerate(legal)]
        return Evaluation(values=values, ranked=ranked, marks=[Mark(place="mirror", label=name)])

    def observed(self, view: View) -> None:
        self.pushed += 1

    def match_ended(self, end: MatchEnd) -> None:
        self.ended += 1

    def choose(self, decision: Decision) -> int:
        seat = self.match.seat
        names, figure_of = GAMES.get(self.match.game, (None, lambda seen, seat: 0))
        figure = figure_of(decision.observation, seat) if names else 0
        known = self.match.bot_seed % 1000 + sum(event.action for event in decision.events)
        action = decision.legal[(known + seat + figure) % len(decision.legal)]
        name = names.Name(action) if names and action in names.values() else str(action)
        decision.thoughts = f"{name} {figure} started {self.started} ended {self.ended} pushed {self.pushed}"
        if work := self.match.clock.work:
            decision.thoughts += f" work {work}"
        decision.thoughts += self.settings
        decision.fallback = action == decision.legal[0]
        if action == decision.legal[-1]:
            decision.evaluation = self._evaluation(decision.legal, name)
        return action


if __name__ == "__main__":
    run(MirrorBot)
