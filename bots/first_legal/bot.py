"""Takes the lowest legal action, as the arena does for a vacated seat; plays any game."""

from ballcourt import Bot, Decision, run


class FirstLegalBot(Bot):
    def choose(self, decision: Decision) -> int:
        return decision.legal[0]


if __name__ == "__main__":
    run(FirstLegalBot)
