"""A bot that asks for a whole parameter, `depth`, whatever its bot.toml declares."""

from ballcourt import Bot, Decision, run


class Asking(Bot):
    def choose(self, decision: Decision) -> int:
        return decision.legal[self.parameters.whole("depth") % 2]


if __name__ == "__main__":
    run(Asking)
