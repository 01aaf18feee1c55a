"""Attacks that use up what the kernel counts by user, for all programs together."""

from tests.attacks.in_match import SAME_KERNEL
from tests.attacks.in_sandbox import InSandbox

ATTACKS = (
    InSandbox(
        "asynchronous I/O",
        """
contexts = [ctypes.c_ulong(0) for _ in range(8)]
if all(call((206, 0), 8000, ctypes.byref(context)) == 0 for context in contexts):
    harm("took 64,000 of the machine's 65,536 events")
""",
        SAME_KERNEL,
    ),
    InSandbox(
        "inotify instances",
        """
count = 0
while libc.inotify_init1(0) >= 0:
    count += 1
if count > 50:
    harm(f"took {count} of a user's 128")
""",
        SAME_KERNEL,
    ),
    InSandbox(
        "pages of pipes",
        """
import fcntl
ends, grown = [os.pipe() for _ in range(100)], 0
for _, end in ends:
    try:
        grown += fcntl.fcntl(end, 1031, 1 << 20)
    except OSError:
        break
if grown >= 32 << 20:
    harm(f"took {grown >> 20} MB of a user's 64 MB")
""",
        SAME_KERNEL,
    ),
    InSandbox(
        "leases",
        """
import fcntl
file = os.open("/tmp/mine", os.O_CREAT | os.O_RDONLY)
try:
    fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
    harm("holds a lease, which makes others wait")
except OSError:
    pass
""",
    ),
    InSandbox(
        "looks into the page cache",
        """
file = os.open(sys.executable, os.O_RDONLY)
try:
    os.preadv(file, [bytearray(4096)], 0, 8)  # RWF_NOWAIT: only if it is in memory
    harm("knows what others have read")
except OSError:
    pass
""",
    ),
    InSandbox(
        "queued signals",
        """
late = signal.SIGRTMAX
signal.pthread_sigmask(signal.SIG_BLOCK, [late])
count = 0
while libc.sigqueue(os.getpid(), late, None) == 0:
    count += 1
    if count > 2000:
        harm("took thousands of the signals that a user may have queued")
""",
    ),
    InSandbox(
        "open files",
        """
kept = []
try:
    while len(kept) < 10_000:
        kept.append(os.open("/dev/null", os.O_RDONLY))
except OSError:
    pass
if len(kept) > 2000:
    harm(f"one process opened {len(kept)} files of all that the machine may have open")
""",
        SAME_KERNEL,
    ),
    InSandbox(
        "files in flight",
        """
import array
file, count, pairs = os.open("/dev/null", os.O_RDONLY), 0, []
many = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [file] * 250))]
try:
    while count < 10_000:
        pairs.append(socket.socketpair())
        pairs[-1][0].setblocking(False)
        try:
            while count < 10_000:
                pairs[-1][0].sendmsg([b"x"], many)
                count += 250
        except BlockingIOError:
            pass
except OSError:
    pass
if count > 2000:
    harm(f"has {count} files in flight; beyond a limit, no process of its user can send any")
""",
        SAME_KERNEL,
    ),
)
