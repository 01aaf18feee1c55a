"""The Python SDK: subclass `Bot`, write `choose`, call `run`.

from bots.sdk.python import Bot, Decision, run

class First(Bot):
    def choose(self, decision: Decision) -> int:
        return decision.legal[0]

if __name__ == "__main__":
    run(First)
"""

from bots.sdk.python.bot import Bot
from bots.sdk.python.decision import Decision, UnknownObservation, View
from bots.sdk.python.main import run
from bots.sdk.python.session import ProtocolError, Refused, Session

__all__ = ["Bot", "Decision", "ProtocolError", "Refused", "Session", "UnknownObservation", "View", "run"]
