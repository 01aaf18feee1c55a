"""The Python SDK: subclass `Bot`, write `choose`, call `run`.

from ballcourt import Bot, Decision, run

class First(Bot):
    def choose(self, decision: Decision) -> int:
        return decision.legal[0]

if __name__ == "__main__":
    run(First)
"""

from ballcourt.bots.sdk.python.bot import Bot, CannotPlay
from ballcourt.bots.sdk.python.connecting import connect
from ballcourt.bots.sdk.python.decision import Decision, UnknownObservation, View
from ballcourt.bots.sdk.python.main import run
from ballcourt.bots.sdk.python.parameters import Parameters
from ballcourt.bots.sdk.python.session import ProtocolError, Refused, Session

__all__ = [
    "Bot",
    "CannotPlay",
    "Decision",
    "Parameters",
    "ProtocolError",
    "Refused",
    "Session",
    "UnknownObservation",
    "View",
    "connect",
    "run",
]
