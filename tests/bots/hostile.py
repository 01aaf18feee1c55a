"""Bots that attack the machine, the arena or other bots: `python hostile.py WAY`.

If their attack allows it, they continue with the lowest legal action, like the honest bot. The names of files they
write begin with TREASURE of `prying`.
"""

import ctypes
import mmap
import os
import platform
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

from misbehaving import FOREVER, SOCKET, TOKEN, Line, action, hello, honest, play  # type: ignore[import-not-found]
from prying import TREASURE, reached  # type: ignore[import-not-found]

from ballcourt.v1 import protocol_pb2 as wire

MB = 1 << 20
PROCESSES = 40
SPIN = "while True: pass"
THAWERS = """
import ctypes, os, signal, struct, sys
signal.signal(signal.SIGCONT, lambda *_: None)  # a timer whose signal is ignored is not set again
for _ in range(int(sys.argv[1]) - 1):
    if not os.fork():
        break
libc, timer = ctypes.CDLL(None), ctypes.c_void_p()
thaw = struct.pack("QiI48x", 0, 18, 0)  # struct sigevent: SIGCONT as the signal of the timer
for number in range(1, 21):  # a stop ends those timers whose signal waits for the process
    in_turn = struct.pack("4q", 0, 100_000_000, 0, number * 5_000_000)  # struct itimerspec: each 100 ms
    libc.timer_create(1, thaw, ctypes.byref(timer))
    libc.timer_settime(timer, 0, in_turn, None)
os.write(1, b"up\\n")
sys.stdin.read()
while True: pass
"""
"""Processes that spin from the end of their input, and of which each has the kernel send it SIGCONT."""
SHOUT = "import sys\nwhile True: sys.stdout.write('noise ' * 10000)"
PR_SET_NAME = 15
NO_NAME = b") R 1\n\xff ("
"""A process name that is not valid text and breaks the format of /proc/PID/stat."""
CLONE_VFORK = 0x4000


def with_helper(code: str) -> Callable[[], None]:
    """Play honestly while a helper process does the attack."""

    def start() -> None:
        subprocess.Popen([sys.executable, "-c", code])
        play()

    return start


def thawing(helpers: int) -> Callable[[], None]:
    """Play honestly; helpers start to compute with the first answer, and go on while the bot is stopped."""

    def start() -> None:
        command = [sys.executable, "-c", THAWERS, str(helpers)]
        spinners = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        waiting = spinners.stdin
        assert waiting and spinners.stdout
        for _ in range(helpers):
            spinners.stdout.readline()
        play_raw(before=lambda _: waiting.close())

    return start


def beside_a_vfork() -> None:
    """Play honestly, while a child computes whose parent waits for it as after vfork, where no signal stops it."""
    if os.fork() == 0:
        clone = {"x86_64": 56, "aarch64": 220}[platform.machine()]
        ctypes.CDLL(None).syscall(clone, CLONE_VFORK | signal.SIGCHLD, None, None, None, None)
        while True:
            pass
    play_raw()


def rename() -> None:
    """Play honestly under a name that is hard to read, with a helper that has it too."""
    ctypes.CDLL(None).prctl(PR_SET_NAME, NO_NAME, 0, 0, 0)
    if os.fork() == 0:
        while True:
            pass
    play_raw()


def hide_the_token() -> None:
    """Play honestly; a daemon overwrites the token in its environment with invalid text, and leaves orphans."""
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        start, end = int(fields[47]), int(fields[48])
        place = start + ctypes.string_at(start, end - start).index(TOKEN.encode())
        ctypes.memset(place, 0xFF, len(TOKEN))
        while True:
            if os.fork() == 0:
                os._exit(os.fork() and 0)
            os.wait()
            time.sleep(0.05)
    os.wait()
    play_raw()


def mumble() -> None:
    """Write bytes that are not text, without line ends, and exit."""
    os.write(2, b"\xff\xfe\0\xf0\x9f" * 20_000)
    os._exit(9)


def hoard(line: Line, decide: wire.Decide) -> None:
    hoarded = []
    while True:
        hoarded.append(b"x" * (16 * MB))


def hoard_shared(line: Line, decide: wire.Decide) -> None:
    """Allocate memory that does not count towards the limit on the data of a process."""
    hoarded = []
    while True:
        hoarded.append(mmap.mmap(-1, 16 * MB))
        hoarded[-1].write(b"x" * (16 * MB))
        time.sleep(0.01)


def filling(folder: str) -> Callable[[Line, wire.Decide], None]:
    def fill(line: Line, decide: wire.Decide) -> None:
        try:
            for number in count():
                with Path(folder, f"{TREASURE}-{number}").open("wb", buffering=0) as file:
                    while file.write(bytes(MB)) == MB and file.tell() < 4 * MB:
                        pass
        except OSError as error:
            sys.stderr.write(f"{error.strerror}\n")
        honest(line, decide)

    return fill


def hundred_megabytes(line: Line, decide: wire.Decide) -> None:
    line.say(action(decide.decision_id, decide.legal[0], "x" * 100_000_000))


def out_of_range(line: Line, decide: wire.Decide) -> None:
    line.say(action(decide.decision_id, (1 << 32) - 1))


def connect_twice(line: Line, decide: wire.Decide) -> None:
    second = RawLine()  # threads of another channel could exceed its own limit of memory
    second.say(hello())
    if not next(second.messages()).HasField("refused"):
        os._exit(9)
    honest(line, decide)


def exit_after_answer(line: Line, decide: wire.Decide) -> None:
    honest(line, decide)
    time.sleep(0.3)
    os._exit(0)


def steal_token() -> None:
    """Connect with the token of another bot, if its environment can be read."""
    stolen = next((token for token in tokens() if token != TOKEN), "guessed")
    sys.stderr.write("stolen\n" if stolen != "guessed" else "")
    play(first=hello(token=stolen))


def tokens() -> Iterator[str]:
    for process in Path("/proc").glob("[0-9]*"):
        try:
            environment = (process / "environ").read_text().split("\0")
        except OSError:
            continue
        yield from (entry.partition("=")[2] for entry in environment if entry.startswith("BALLCOURT_TOKEN="))


def pry() -> None:
    if found := reached():
        sys.exit("\n".join(sorted(found)))
    play()


def connect_often() -> None:
    """Open as many streams as the kernel and the arena allow, and keep them open."""
    lines: list[RawLine] = []
    with suppress(OSError):
        while len(lines) < 5000:
            lines.append(RawLine())
    sys.stderr.write(f"{len(lines)} lines\n")
    play()


def kill_all() -> None:
    """Kill every process in sight, among which may be the sandbox."""
    with suppress(OSError):
        os.kill(-1, signal.SIGKILL)
    os._exit(9)


def kill_all_when_asked(line: Line, decide: wire.Decide) -> None:
    kill_all()


def stay_silent() -> None:
    line = Line()
    for _ in line.messages():
        pass
    time.sleep(FOREVER)


class RawLine:
    """A minimal HTTP/2 client for one stream, which needs no threads and can send byte by byte."""

    HEADERS = b"".join(
        b"\0" + b"".join(bytes([len(part)]) + part.encode() for part in header)
        for header in (
            (":method", "POST"),
            (":scheme", "http"),
            (":path", "/ballcourt.v1.Arena/Play"),
            (":authority", "localhost"),
            ("content-type", "application/grpc"),
            ("te", "trailers"),
            ("grpc-encoding", "gzip"),  # of messages with a flag
        )
    )

    def __init__(self, window: int = 65535) -> None:
        """`window` is how many bytes the arena may send before it is allowed more."""
        self.line = socket.socket(socket.AF_UNIX)
        self.line.connect(SOCKET)
        settings = frame(4, 0, 0, (4).to_bytes(2) + window.to_bytes(4))
        self.line.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + settings + frame(1, 4, 1, self.HEADERS))

    def say(self, message: bytes, pause_s: float = 0) -> None:
        data = frame(0, 0, 1, b"\0" + len(message).to_bytes(4) + message)
        if not pause_s:
            self.line.sendall(data)
            return
        for byte in data:
            self.line.sendall(bytes([byte]))
            time.sleep(pause_s)

    def messages(self) -> Iterator[wire.ArenaMessage]:
        data = b""
        while True:
            data += self.data()
            while len(data) >= 5 and len(data) >= 5 + (size := int.from_bytes(data[1:5])):
                yield wire.ArenaMessage.FromString(data[5 : 5 + size])
                data = data[5 + size :]

    def data(self) -> bytes:
        """Return the bytes of messages in the next frame; most frames have none."""
        head = self._read(9)
        kind, flags, payload = head[3], head[4], self._read(int.from_bytes(head[:3]))
        if kind == 4 and not flags:
            self.line.sendall(frame(4, 1, 0, b""))
        return payload if kind == 0 else b""

    def _read(self, size: int) -> bytes:
        data = self.line.recv(size, socket.MSG_WAITALL) if size else b""
        if len(data) < size:
            sys.exit("the arena hung up")
        return data


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return len(payload).to_bytes(3) + bytes([kind, flags]) + stream.to_bytes(4) + payload


def drip_hello() -> None:
    RawLine().say(hello() * 50, pause_s=0.2)  # messages one after the other are one; it lasts longer than any patience


def play_raw(pause_s: float = 0, before: Callable[[RawLine], object] = lambda _: None) -> None:
    """Play honestly, but pause after every byte of an answer, and call `before` with the line before each answer."""
    line = RawLine()
    line.say(hello())
    for message in line.messages():
        if message.HasField("match_start"):
            line.say(wire.BotMessage(ready=wire.Ready(match_id=message.match_start.match_id)).SerializeToString())
        elif message.HasField("decide"):
            before(line)
            line.say(action(message.decide.decision_id, message.decide.legal[0]), pause_s)
        elif message.HasField("goodbye"):
            return


def bomb() -> None:
    """Fork processes that never exit until the kernel refuses, then continue to play."""
    own = os.getpid()
    for _ in range(12):
        with suppress(OSError):
            os.fork()
    while os.getpid() != own:
        time.sleep(FOREVER)


def dear_maps() -> None:
    """Share memory among many processes, each of which keeps changing its maps, for which readers of them must wait."""
    shared = mmap.mmap(-1, 64 * MB)
    shared.write(bytes(64 * MB))
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype, zeros = ctypes.c_void_p, 512 * MB
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    if any(not os.fork() for _ in range(PROCESSES)):
        sum(shared[:: mmap.PAGESIZE])
        place = libc.mmap(None, zeros, mmap.PROT_READ, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
        libc.madvise(ctypes.c_void_p(place), ctypes.c_size_t(zeros), 15)  # no huge pages
        libc.madvise(ctypes.c_void_p(place), ctypes.c_size_t(zeros), 22)  # all pages now
        while True:
            libc.mprotect(place, zeros, 0)
            libc.mprotect(place, zeros, mmap.PROT_READ)
    time.sleep(FOREVER)


def compute() -> None:
    """Keep as many processes busy as the ways that are dear to look after, and be easy to look after."""
    for _ in range(PROCESSES):
        if not os.fork():
            break
    while True:
        pass


def spread() -> None:
    """Keep as many processes busy, each in a session of its own: the kernel shares processors out among sessions."""
    for _ in range(PROCESSES):
        if not os.fork():
            os.setsid()
            break
    while True:
        pass


def leave_orphans() -> None:
    """Replace orphans all the time, as many as there may be."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        with suppress(OSError):  # there may be no more processes
            if not os.fork():
                if not os.fork():
                    sum(range(1 << 20))
                os._exit(0)


WAYS: dict[str, Callable[[], None]] = {
    "fork bomb": lambda: play_raw(before=lambda _: bomb()),
    "memory hog": lambda: play(hoard),
    "hog of shared memory": lambda: play(hoard_shared),
    "disk filler": lambda: play(filling("/tmp")),
    "/dev/shm filler": lambda: play(filling("/dev/shm")),
    "spins outside its turn": with_helper(SPIN),
    "thaws itself with a timer": thawing(1),
    "thirty that thaw themselves": thawing(30),
    "floods its output": with_helper(SHOUT),
    "mumbles": mumble,
    "renames itself": rename,
    "hides its token": hide_the_token,
    "computes beside a vfork": beside_a_vfork,
    "100 MB message": lambda: play(hundred_megabytes),
    "drips its Hello": drip_hello,
    "drips its answer": lambda: play_raw(pause_s=0.3),
    "out of range": lambda: play(out_of_range),
    "connects twice": lambda: play(connect_twice),
    "connects often": connect_often,
    "steals a token": steal_token,
    "connects and is silent": stay_silent,
    "exits after an answer": lambda: play(exit_after_answer),
    "pries": pry,
    "maps dear to read": dear_maps,
    "computes in forty processes": compute,
    "computes in forty sessions": spread,
    "leaves orphans without end": leave_orphans,
    "kills all before its Hello": kill_all,
    "kills all after its Hello": lambda: play(kill_all_when_asked),
}

if __name__ == "__main__":
    WAYS[sys.argv[1]]()
