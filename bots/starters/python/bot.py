"""A bot to begin with: it plays by instinct where it has one for the game and the question, and else at random."""

from instincts import INSTINCTS

from ballcourt import Bot, Decision, run


class StarterBot(Bot):
    def choose(self, decision: Decision) -> int:
        instinct = INSTINCTS.get(self.match.game)
        liked = instinct(decision.legal, decision.observation, self.match.seat) if instinct else []
        return self.random.choice(liked or decision.legal)


if __name__ == "__main__":
    run(StarterBot)
