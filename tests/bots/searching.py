"""A bot that searches with the rules as a bot in another language does: by a process of its own.

Its thoughts are the number of playouts so far, and the processor time of that process in clock ticks.
"""

import os
import subprocess
from pathlib import Path

from ballcourt import Bot, Decision, run
from ballcourt.bots.sdk.python.rules import LENGTH, TO_THE_END
from ballcourt.v1.rules_pb2 import RulesCall, RulesReply, RulesRequest

COMMAND = (os.environ.get("BALLCOURT_PYTHON", ""), "-I", "-m", "ballcourt.bots.sdk.python.rules")
USER, SYSTEM = 11, 12
"""The places of processor times in /proc/PID/stat, behind the name in brackets."""


class Searcher(Bot):
    made = 0

    def match_started(self) -> None:
        self.process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def choose(self, decision: Decision) -> int:
        calls = [RulesCall(actions=[action], playout=TO_THE_END, seed=1) for action in decision.legal[:3]]
        reply = self.ask(RulesRequest(game=self.match.game, observation=decision.data, calls=calls))
        worth = [answer.returns[self.match.seat] for answer in reply.answers]
        self.made += len(worth)
        decision.thoughts = f"{self.made} {self.ticks()}"
        return decision.legal[worth.index(max(worth))]

    def ask(self, request: RulesRequest) -> RulesReply:
        data = request.SerializeToString()
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(LENGTH.pack(len(data)) + data)
        self.process.stdin.flush()
        (size,) = LENGTH.unpack(self.process.stdout.read(LENGTH.size))
        return RulesReply.FromString(self.process.stdout.read(size))

    def ticks(self) -> int:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[USER]) + int(fields[SYSTEM])


if __name__ == "__main__":
    run(Searcher)
