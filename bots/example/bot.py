"""A first bot for Tzolk'in: saves corn for the Food Days and builds whatever it can."""

from ballcourt import Bot, Decision, run
from ballcourt.v1 import tzolkin_pb2 as tzolkin

BUILD = tzolkin.TZOLKIN_ACTION_BUILD_1
END = tzolkin.TZOLKIN_ACTION_END


class ExampleBot(Bot):
    def choose(self, decision: Decision) -> int:
        me = decision.observation.players[self.match.seat]
        if decision.legal[-1] >= BUILD or (END in decision.legal and me.corn < 2 * me.workers):
            return decision.legal[-1]
        return self.random.choice(decision.legal)


if __name__ == "__main__":
    run(ExampleBot)
