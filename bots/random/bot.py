"""Chooses among the legal actions with equal chances; plays any game."""

from ballcourt import Bot, Decision, run


class RandomBot(Bot):
    def choose(self, decision: Decision) -> int:
        return self.random.choice(decision.legal)


if __name__ == "__main__":
    run(RandomBot)
