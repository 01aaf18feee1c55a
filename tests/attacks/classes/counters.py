"""Attacks that use up what the kernel counts by user, for all programs together."""

from tests.attacks.in_sandbox import InSandbox

ATTACKS = (
    InSandbox(
        "asynchronous I/O",
        """
contexts = [ctypes.c_ulong(0) for _ in range(8)]
if all(call((206, 0), 8000, ctypes.byref(context)) == 0 for context in contexts):
    harm("took 64,000 of the machine's 65,536 events")
""",
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
)
