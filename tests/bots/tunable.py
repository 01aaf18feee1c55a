"""A bot with a parameter: how often, from 0 to 1, it plays the highest legal action and not the lowest."""

from ballcourt import Bot, Decision, Parameters, run


class Tunable(Bot):
    parameters = Parameters(nerve=0.5)

    def choose(self, decision: Decision) -> int:
        return decision.legal[-1 if self.random.random() < self.parameters["nerve"] else 0]


if __name__ == "__main__":
    run(Tunable)
