"""What a call of the rules costs a bot in another language: `python -m tests.bench.rules [--calls N]`.

A batch of calls, each with one action from a position that is kept, is sent to the service; the same positions are then
played on in this process. The difference is what the service adds to the rules.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import BinaryIO

from ballcourt.bots.sdk.python.rules import LENGTH, Rules
from ballcourt.engine.core import State
from ballcourt.engine.core.messages.wire import Encoder
from ballcourt.engine.core.playout import decisions
from ballcourt.engine.registry import games
from ballcourt.v1.rules_pb2 import RulesCall, RulesReply, RulesRequest

MOST_US = 20.0
"""What the service may add to a call in a batch of 64."""
COMMAND = (sys.executable, "-I", "-m", "ballcourt.bots.sdk.python.rules")


def main() -> None:
    """Measure every game; exit with 1 if the service adds more than it may."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.rules", description="The cost of a call of the rules.")
    parser.add_argument("--calls", type=int, default=64, help="calls in a batch (default 64)")
    parser.add_argument("--batches", type=int, default=200, help="batches (default 200)")
    arguments = parser.parse_args()
    slow = [name for name in games() if measured(name, arguments.calls, arguments.batches) > MOST_US]
    sys.exit(f"more than {MOST_US:g} µs a call: {', '.join(slow)}" if slow and arguments.calls == 64 else 0)


def measured(name: str, calls: int, batches: int) -> float:
    """Print what a call costs in a game, part by part; return what the service adds, in microseconds."""
    game = games()[name]
    state = game.initial_state(2, 3)
    for _ in decisions(state, min, limit=12):
        pass
    first = RulesRequest(game=name, observation=Encoder(game.wire()).encode(state, state.pending_seats()[0]))
    first.calls.add(seed=1, keep=1)
    local = Rules()
    legal = list(local.reply(first).answers[0].legal)
    batch = RulesRequest(calls=[RulesCall(position=1, actions=[legal[i % len(legal)]]) for i in range(calls)])
    start = local._kept[1]
    data, reply = batch.SerializeToString(), local.reply(batch)
    answer = reply.SerializeToString()
    with service() as (requests, replies):
        exchange(requests, replies, first.SerializeToString())
        parts = {
            "service": timed(lambda: exchange(requests, replies, data), batches),
            "rules": timed(lambda: [play(start, legal[i % len(legal)]) for i in range(calls)], batches),
            "answering": timed(lambda: local.reply(batch), batches),
            "messages": timed(lambda: (RulesRequest.FromString(data), reply.SerializeToString()), batches),
        }
    each = {part: seconds / calls * 1e6 for part, seconds in parts.items()}
    added = each["service"] - each["rules"]
    sys.stdout.write(
        f"{name}, {calls} calls: {each['service']:.1f} µs a call, the rules {each['rules']:.1f}; added "
        f"{added:.1f}: messages {each['messages']:.1f}, fields {each['answering'] - each['rules']:.1f}, the pipe and "
        f"the bot {each['service'] - each['answering'] - each['messages']:.1f}; {len(answer) / calls:.0f} bytes each\n"
    )
    return added


def play(start: State, action: int) -> list[int]:
    """Do what a call does."""
    state = start.clone()
    state.apply(state.pending_seats()[0], action)
    pending = state.pending_seats()
    return state.legal_actions(pending[0]) if pending else []


def timed(what: Callable[[], object], times: int) -> float:
    """Return the shortest time it takes, in seconds: what other processes take is not its cost."""
    taken = []
    for _ in range(times):
        began = perf_counter()
        what()
        taken.append(perf_counter() - began)
    return min(taken)


@contextmanager
def service() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Run the service; yield its input and its output."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("BALLCOURT_")}
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdin
        assert process.stdout
        yield process.stdin, process.stdout  # type: ignore[misc]
        process.stdin.close()


def exchange(requests: BinaryIO, replies: BinaryIO, data: bytes) -> RulesReply:
    """Send a request, and read the reply as a bot does."""
    requests.write(LENGTH.pack(len(data)) + data)
    requests.flush()
    (size,) = LENGTH.unpack(replies.read(LENGTH.size))
    return RulesReply.FromString(replies.read(size))


if __name__ == "__main__":
    main()
