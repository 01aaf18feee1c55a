"""Attacks of a bot on the processes of its sandbox, which run without its limits."""

from tests.attacks.in_match import SAME_KERNEL
from tests.attacks.in_sandbox import InSandbox

OTHERS = """
def others():
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]
"""

ATTACKS = (
    InSandbox(
        "traces the sandbox",
        OTHERS
        + """
for pid in others():
    if libc.ptrace(16, pid, None, None) == 0:  # PTRACE_ATTACH
        harm(f"traces process {pid}")
""",
    ),
    InSandbox(
        "writes to the sandbox's memory",
        OTHERS
        + """
for pid in others():
    try:
        open(f"/proc/{pid}/mem", "r+b").close()
        harm(f"can write to the memory of process {pid}")
    except OSError:
        pass
""",
    ),
    InSandbox(
        "reads the sandbox's memory",
        OTHERS
        + """
for pid in others():
    try:
        start = int(open(f"/proc/{pid}/maps").readline().partition("-")[0], 16)
    except (OSError, ValueError):
        continue
    buffer = ctypes.create_string_buffer(8)
    here = struct.pack("QQ", ctypes.addressof(buffer), 8)
    if libc.process_vm_readv(pid, here, 1, struct.pack("QQ", start, 8), 1, 0) > 0:
        harm(f"read the memory of process {pid}")
""",
    ),
    InSandbox(
        "signals the sandbox",
        OTHERS
        + """
for pid in others():
    try:
        os.kill(pid, 0)
        harm(f"may signal process {pid}")
    except OSError:
        pass
""",
    ),
    InSandbox(
        "makes namespaces",
        """
for flag in (0x10000000, 0x20000, 0x20000000, 0x40000000, 0x8000000):
    child = call((56, 220), flag | signal.SIGCHLD, None, None, None, None)
    if child == 0:
        os._exit(0)
    if child > 0:
        harm(f"made a namespace of kind {flag:#x}")
""",
        SAME_KERNEL,
    ),
)
