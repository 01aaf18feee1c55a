"""Bots that break the contract, each in one way: `python misbehaving.py WAY`.

Otherwise they answer honestly, with the lowest legal action. They use plain gRPC, as the SDK would not let them.
"""

import contextlib
import os
import queue
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from google.protobuf.unknown_fields import UnknownFieldSet

from ballcourt.v1 import protocol_pb2 as wire

SOCKET, TOKEN = os.environ.get("BALLCOURT_SOCKET", ""), os.environ.get("BALLCOURT_TOKEN", "")
FOREVER = 3600
HOARD: list[bytes] = []
ALONE = socket.socket(socket.AF_UNIX)


class Line:
    """A stream to the arena that can send anything."""

    def __init__(self) -> None:
        import grpc

        self._outbox: queue.Queue[bytes] = queue.Queue()
        channel = grpc.insecure_channel(f"unix:{SOCKET}")
        play: grpc.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream("/ballcourt.v1.Arena/Play")
        self._incoming = play(iter(self._outbox.get, b"end"))

    def say(self, data: bytes) -> None:
        self._outbox.put(data)

    def close(self) -> None:
        self._incoming.cancel()

    def messages(self) -> Iterator[wire.ArenaMessage]:
        return map(wire.ArenaMessage.FromString, self._incoming)


def hello(token: str = TOKEN, protocol: int = 1, game: str = "") -> bytes:
    games = [wire.GameSupport(game=game)] if game else []
    message = wire.Hello(token=token, protocol_min=protocol, protocol_max=protocol, games=games)
    return wire.BotMessage(hello=message).SerializeToString()


def action(decision: int, choice: int, thoughts: str = "") -> bytes:
    message = wire.Action(decision_id=decision, action=choice, thoughts=thoughts)
    return wire.BotMessage(action=message).SerializeToString()


def hello_for(*games: tuple[str, str]) -> bytes:
    message = wire.BotMessage.FromString(hello())
    message.hello.games.extend(wire.GameSupport(game=game, rules_version=version) for game, version in games)
    return message.SerializeToString()


Decider = Callable[[Line, wire.Decide], None]


def honest(line: Line, decide: wire.Decide) -> None:
    line.say(action(decide.decision_id, decide.legal[0]))


def react(line: Line, message: wire.ArenaMessage, decide: Decider = honest) -> None:
    """Answer a message if it needs an answer."""
    if message.HasField("match_start"):
        line.say(wire.BotMessage(ready=wire.Ready(match_id=message.match_start.match_id)).SerializeToString())
    elif message.HasField("decide"):
        decide(line, message.decide)
    elif message.HasField("refused"):
        sys.exit(f"refused: {message.refused.reason}")


def play(decide: Decider = honest, first: bytes | None = None, last: str = "goodbye") -> None:
    """Play honestly, except for the first message, the decisions, and the kind of message after which it exits."""
    line = Line()
    line.say(hello() if first is None else first)
    for message in line.messages():
        react(line, message, decide)
        if message.WhichOneof("message") == last:
            os._exit(0)


def crash(line: Line, decide: wire.Decide) -> None:
    sys.stderr.write("Segmentation fault, or so\n")
    os._exit(4)


def killed(line: Line, decide: wire.Decide) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def burnt(fault: Decider) -> Decider:
    """Compute for 0.2 s of CPU time before the fault."""

    def decide(line: Line, question: wire.Decide) -> None:
        until = time.process_time() + 0.2
        while time.process_time() < until:
            pass
        fault(line, question)

    return decide


def burn(line: Line, decide: wire.Decide) -> None:
    while True:
        pass


def hang(line: Line, decide: wire.Decide) -> None:
    time.sleep(FOREVER)


def dawdle(line: Line, decide: wire.Decide) -> None:
    """Answer within the cap each time, but run out of bank."""
    time.sleep(0.4)
    honest(line, decide)


def answer_late(line: Line, decide: wire.Decide) -> None:
    time.sleep((decide.limit_ms + 300) / 1000)
    honest(line, decide)


def late_at_first(line: Line, decide: wire.Decide) -> None:
    """Answer the first question too late, but before the answer to the second is due."""
    if decide.decision_id == 1:
        time.sleep((decide.limit_ms + 300) / 1000)
    line.say(action(decide.decision_id, decide.legal[-1]))


def illegal(line: Line, decide: wire.Decide) -> None:
    line.say(action(decide.decision_id, 77))


def illegal_at_first(line: Line, decide: wire.Decide) -> None:
    """Give an illegal answer; give a legal one once the arena has rejected it."""
    line.say(action(decide.decision_id, decide.legal[-1] if "action 77" in decide.rejected else 77))


def garbage(line: Line, decide: wire.Decide) -> None:
    line.say(b"\xff\xfe this is no protobuf")


def flood(line: Line, decide: wire.Decide) -> None:
    for _ in range(1000):
        line.say(action(0, 1))


def double(line: Line, decide: wire.Decide) -> None:
    """Answer, and change one's mind."""
    honest(line, decide)
    line.say(action(decide.decision_id, decide.legal[-1]))


def stale(line: Line, decide: wire.Decide) -> None:
    line.say(action(decide.decision_id - 1, decide.legal[-1]))
    honest(line, decide)


def unasked(line: Line, decide: wire.Decide) -> None:
    line.say(action(decide.decision_id + 1, decide.legal[0]))


def too_large(line: Line, decide: wire.Decide) -> None:
    line.say(action(decide.decision_id, decide.legal[0], "x" * 100_000))


def huge(line: Line, decide: wire.Decide) -> None:
    line.say(action(decide.decision_id, decide.legal[0], "x" * 4_500_000))


def verbose(line: Line, decide: wire.Decide) -> None:
    line.say(action(decide.decision_id, decide.legal[0], "x" * 5000))


def evaluating(line: Line, decide: wire.Decide) -> None:
    message = wire.BotMessage.FromString(action(decide.decision_id, decide.legal[0]))
    message.action.evaluation.values.extend([7, 7])
    line.say(message.SerializeToString())


def leave(line: Line, decide: wire.Decide) -> None:
    line.say(wire.BotMessage(goodbye=wire.Goodbye(reason="dinner")).SerializeToString())


def hello_again(line: Line, decide: wire.Decide) -> None:
    line.say(hello())


def noisy(line: Line, decide: wire.Decide) -> None:
    os.write(2, b"noise " * 300_000)
    honest(line, decide)


def proud(line: Line, decide: wire.Decide) -> None:
    if decide.rejected:
        sys.exit("I said what I said")
    honest(line, decide)


def strict_about_fields(line: Line, decide: wire.Decide) -> None:
    if len(UnknownFieldSet(decide)):
        sys.exit("that is not in my .proto")
    honest(line, decide)


def strict_about_numbers(line: Line, decide: wire.Decide) -> None:
    if any(event.action > 3 for event in decide.events):
        sys.exit("there is no such action")
    honest(line, decide)


def leak(line: Line, decide: wire.Decide) -> None:
    HOARD.append(b"x" * 300_000)
    honest(line, decide)


def tire(line: Line, decide: wire.Decide) -> None:
    HOARD.append(b"")
    if len(HOARD) > 40:
        sys.exit("that is enough")
    honest(line, decide)


def litter(line: Line, decide: wire.Decide) -> None:
    Path("notes.txt").write_text(f"decision {decide.decision_id}")
    honest(line, decide)


def strict_about_messages() -> None:
    line = Line()
    line.say(hello())
    for message in line.messages():
        if message.WhichOneof("message") is None:
            sys.exit("that is no message")
        react(line, message)


def impatient() -> None:
    """Crash if no message arrives for a while during a match."""
    line = Line()
    line.say(hello())
    for message in line.messages():
        signal.setitimer(signal.ITIMER_REAL, 0 if message.HasField("match_end") else 0.5)
        react(line, message)


def play_once() -> None:
    """Crash in the second match."""
    line = Line()
    line.say(hello())
    starts = 0
    for message in line.messages():
        starts += message.HasField("match_start")
        if starts > 1:
            sys.exit("I have played already")
        react(line, message)


def mix_questions_up() -> None:
    """Wait until no further question comes, then answer the first of them with the id of the last."""
    line = Line()
    line.say(hello())
    questions: queue.Queue[wire.Decide] = queue.Queue()

    def answer() -> None:
        while True:
            first = last = questions.get()
            with contextlib.suppress(queue.Empty):
                while True:
                    last = questions.get(timeout=0.05)
            line.say(action(last.decision_id, first.legal[0] if first is last else 99))

    threading.Thread(target=answer, daemon=True).start()
    for message in line.messages():
        react(line, message, lambda _, decide: questions.put(decide))
    os._exit(0)


def alone() -> bool:
    """Try to take a name that only one process can hold at a time; return whether that worked."""
    try:
        ALONE.bind(f"\0{Path.cwd()}")
    except OSError:
        return False
    return True


def insist_on_being_alone() -> None:
    if not alone():
        sys.exit("somebody has my port")
    play()


def whimsical() -> None:
    """Play differently if another process plays at the same time."""
    first = alone()
    play(lambda line, decide: line.say(action(decide.decision_id, decide.legal[0 if first else -1])))


def stay() -> None:
    play(last="nothing")
    time.sleep(FOREVER)


def desert() -> None:
    """Close the stream after the match, create the file named by the second argument, and keep running."""
    line = Line()
    line.say(hello())
    for message in line.messages():
        react(line, message)
        if message.HasField("match_end"):
            break
    line.close()
    Path(sys.argv[2], str(os.getpid())).touch()
    time.sleep(FOREVER)


def leave_angrily() -> None:
    play(last="nothing")
    sys.exit("so you do not want me")


def end_with_match() -> None:
    play(last="match_end")


def exit_on_start() -> None:
    sys.stderr.write("no model file\n")
    sys.exit(3)


def fail_once() -> None:
    """Fail if the file named by the second argument does not exist yet."""
    try:
        os.close(os.open(sys.argv[2], os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        play()
    else:
        exit_on_start()


def never_connect() -> None:
    time.sleep(FOREVER)


def never_ready() -> None:
    line = Line()
    line.say(hello())
    for _ in line.messages():
        pass


def junk_on_the_socket() -> None:
    with socket.socket(socket.AF_UNIX) as raw:
        raw.connect(SOCKET)
        raw.sendall(b"GET / HTTP/1.0\r\n\r\n" * 100)
        raw.recv(1)
    sys.exit(5)


def deaf_to_sigterm() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    play(illegal)


def orphan(then: Decider) -> None:
    """Start a grandchild in its own session, like a daemon, and continue to play."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.close(1)
            os.close(2)
            time.sleep(FOREVER)
        os._exit(0)
    os.wait()
    play(then)


def deciding(decider: Decider) -> Callable[[], None]:
    return lambda: play(decider)


WAYS: dict[str, Callable[[], None]] = {
    "ends with its match": end_with_match,
    "plays once": play_once,
    "insists on being alone": insist_on_being_alone,
    "whimsical": whimsical,
    "stays": stay,
    "deserts": desert,
    "leaves angrily": leave_angrily,
    "impatient": impatient,
    "strict about messages": strict_about_messages,
    "strict about fields": deciding(strict_about_fields),
    "strict about numbers": deciding(strict_about_numbers),
    "proud": deciding(proud),
    "leaks": deciding(leak),
    "tires": deciding(tire),
    "litters": deciding(litter),
    "mixes questions up": mix_questions_up,
    "bluff alone": lambda: play(first=hello_for(("bluff", ""))),
    "old rules": lambda: play(first=hello_for(("bluff", ""), ("tzolkin", "0"))),
    "exits on start": exit_on_start,
    "fails once": fail_once,
    "never connects": never_connect,
    "never ready": never_ready,
    "wrong token": lambda: play(first=hello(token="stolen")),
    "no hello": lambda: play(first=action(1, 1)),
    "other protocol": lambda: play(first=hello(protocol=7)),
    "other game": lambda: play(first=hello(game="chess")),
    "junk on the socket": junk_on_the_socket,
    "deaf to SIGTERM": deaf_to_sigterm,
    "orphan": lambda: orphan(honest),
    "orphan and crash": lambda: orphan(crash),
    "crashes": deciding(crash),
    "stops at once": lambda: None,
    "exits well": deciding(lambda *_: os._exit(0)),
    "burn and crash": deciding(burnt(crash)),
    "burn and cheat": deciding(burnt(illegal)),
    "burn and be killed": deciding(burnt(killed)),
    "burn for ever": deciding(burn),
    "killed": deciding(killed),
    "hangs": deciding(hang),
    "dawdles": deciding(dawdle),
    "answers late": deciding(answer_late),
    "late at first": deciding(late_at_first),
    "illegal": deciding(illegal),
    "illegal at first": deciding(illegal_at_first),
    "garbage": deciding(garbage),
    "floods": deciding(flood),
    "answers twice": deciding(double),
    "stale answers": deciding(stale),
    "unasked answer": deciding(unasked),
    "too large": deciding(too_large),
    "huge": deciding(huge),
    "long thoughts": deciding(verbose),
    "wild evaluation": deciding(evaluating),
    "leaves": deciding(leave),
    "hello twice": deciding(hello_again),
    "noisy": deciding(noisy),
}

if __name__ == "__main__":
    WAYS[sys.argv[1]]()
