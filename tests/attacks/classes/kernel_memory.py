"""Attacks that have the kernel hold memory which belongs to no process."""

from tests.attacks.attack import Need
from tests.attacks.in_match import ONLY_CONFINED, SAME_KERNEL
from tests.attacks.in_sandbox import InSandbox

GROUPED = ONLY_CONFINED | {Need.MEMORY_GROUPS}
TAKEN = """
def taken(mb):
    if mb >= 600:
        harm(f"{mb} MB with a limit of 256")
"""
"""Harm is done with twice the limit and some more."""

ATTACKS = (
    InSandbox(
        "semaphore sets",
        TAKEN
        + """
sets = 0
while call((64, 190), 0, 32000, 0o600) >= 0:  # semget; 64 bytes each
    sets += 1
    taken(sets * 32000 * 64 >> 20)
""",
        SAME_KERNEL,
    ),
    InSandbox(
        "full Unix sockets",
        TAKEN
        + """
held, kept = 0, []
for _ in range(40):
    reader, writer = os.pipe()
    if os.fork() == 0:
        try:
            while True:
                for end in socket.socketpair():
                    kept.append(end)
                    end.setblocking(False)
                    try:
                        while True:
                            os.write(writer, struct.pack("q", end.send(bytes(100_000))))
                    except BlockingIOError:
                        pass
        except OSError:
            os.close(writer)
            time.sleep(3600)
    os.close(writer)
    while number := os.read(reader, 8):
        held += struct.unpack("q", number)[0]
        taken(held >> 20)
""",
        GROUPED,
    ),
    InSandbox(
        "page tables",
        TAKEN
        + """
GB, READ, PRIVATE_ANONYMOUS_UNRESERVED, NO_HUGE_PAGES = 1 << 30, 1, 0x4022, 15
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
for number in range(1, 400):
    place = libc.mmap(None, GB, READ, PRIVATE_ANONYMOUS_UNRESERVED, -1, 0)
    libc.madvise(ctypes.c_void_p(place), ctypes.c_size_t(GB), NO_HUGE_PAGES)
    for at in range(place, place + GB, 2 << 20):  # each needs a table of 4 KB, and no memory of the process
        ctypes.string_at(at, 1)
    taken(number * 512 * 4 >> 10)
""",
        GROUPED,
    ),
    InSandbox(
        "inodes",
        TAKEN
        + """
for number in range(700_000):  # of about a kilobyte
    os.close(os.open(f"/tmp/{number}", os.O_CREAT | os.O_WRONLY))
    taken(number >> 10)
""",
        GROUPED,
    ),
    InSandbox(
        "message queues",
        """
for number in range(1000):
    if call((240, 180), f"q{number}".encode(), os.O_CREAT | os.O_RDWR, 0o600, None) < 0:
        break
    if number == 4:
        harm("took message queues, which are counted by user")
""",
        SAME_KERNEL,
    ),
)
