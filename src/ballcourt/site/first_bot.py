"""A first bot: it gets the legal actions, and returns one. Change it."""

from ballcourt import Bot, Decision
from ballcourt.simulate import sample


class FirstBot(Bot):
    """Takes the action after which it has most points; of several, any."""

    def choose(self, decision: Decision) -> int:
        me = self.match.seat
        # what is hidden is drawn at random, to fit what this seat can see
        position = sample(decision, self.random)

        def points_after(action: int) -> tuple[float, float]:
            after = position.clone()
            after.apply(me, action)
            return after.scores()[me], self.random.random()

        return max(decision.legal, key=points_after)
