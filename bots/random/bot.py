"""Chooses a legal action at random; plays any game."""

from ballcourt import Bot, Decision, run


class RandomBot(Bot):
    def choose(self, decision: Decision) -> int:
        return self.random.choice(decision.legal)


if __name__ == "__main__":
    run(RandomBot)
