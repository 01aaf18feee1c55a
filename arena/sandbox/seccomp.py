"""The system-call filter of programs in bubblewrap: a BPF program for the kernel, as bytes.

It refuses memory that no limit counts, such as files that exist only in memory, and parts of the kernel that no bot
needs and that have a history of vulnerabilities, including rare socket families. Everything else is allowed, because
language runtimes differ in what they call.
"""

import errno
import platform
import struct
from collections.abc import Sequence

# numbers from the kernel's tables: x86-64 has its own, all newer architectures share one
REFUSED = {
    "x86_64": {
        "memfd_create": 319,
        "shmget": 29,
        "msgget": 68,
        "add_key": 248,
        "request_key": 249,
        "keyctl": 250,
        "bpf": 321,
        "perf_event_open": 298,
        "userfaultfd": 323,
        "mount": 165,
        "umount2": 166,
        "pivot_root": 155,
        "unshare": 272,
        "setns": 308,
        "open_by_handle_at": 304,
    },
    "aarch64": {
        "memfd_create": 279,
        "shmget": 194,
        "msgget": 186,
        "add_key": 217,
        "request_key": 218,
        "keyctl": 219,
        "bpf": 280,
        "perf_event_open": 241,
        "userfaultfd": 282,
        "mount": 40,
        "umount2": 39,
        "pivot_root": 41,
        "unshare": 97,
        "setns": 268,
        "open_by_handle_at": 265,
    },
}
REFUSED_EVERYWHERE = {
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "mount_setattr": 442,
    "memfd_secret": 447,
}
SOCKET = {"x86_64": 41, "aarch64": 198}
UNIX, INET, INET6, NETLINK = 1, 2, 10, 16  # AF_*
LOCAL = (UNIX, INET, INET6, NETLINK)
"""The socket families of a program without a network. Others, such as AF_VSOCK, ignore network namespaces."""
ONLINE = (INET, INET6, NETLINK)
"""Those of a program with the machine's network, where abstract Unix sockets of others would be reachable."""
ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # AUDIT_ARCH_*
X32 = 0x40000000
"""From this number on, calls are x86-64's calls under other numbers."""

LOAD, IF_EQUAL, IF_AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
NUMBER, ARCH, FIRST_ARGUMENT = 0, 4, 16  # offsets in struct seccomp_data
ALLOW = 0x7FFF0000
REFUSE = 0x00050000 | errno.EPERM


def supports(machine: str) -> bool:
    """Whether the numbers of a machine's system calls are known."""
    return machine in REFUSED


def program(machine: str = platform.machine(), families: Sequence[int] = LOCAL) -> bytes:
    """Assemble the filter. A jump's operand is how many instructions it skips; the last two are allow and refuse."""
    numbers = sorted({*REFUSED[machine].values(), *REFUSED_EVERYWHERE.values()})
    sockets = _sockets(machine, families)
    left = len(numbers) + len(sockets) + 2
    code = [
        _instruction(LOAD, ARCH),
        _instruction(IF_EQUAL, ARCHITECTURE[machine], otherwise=left + 1),
        _instruction(LOAD, NUMBER),
        _instruction(IF_AT_LEAST, X32, then=left - 1),
    ]
    for passed, number in enumerate(numbers, start=1):
        code.append(_instruction(IF_EQUAL, number, then=left - 1 - passed))
    return b"".join([*code, *sockets, _instruction(RETURN, ALLOW), _instruction(RETURN, REFUSE)])


def _sockets(machine: str, families: Sequence[int]) -> list[bytes]:
    """Return the instructions that allow all calls except those that open a socket of another family."""
    left = len(families) + 1
    code = [_instruction(IF_EQUAL, SOCKET[machine], otherwise=left + 1), _instruction(LOAD, FIRST_ARGUMENT)]
    for passed, family in enumerate(families, start=1):
        code.append(_instruction(IF_EQUAL, family, then=left - passed))
    return [*code, _instruction(RETURN, REFUSE)]


def _instruction(operation: int, operand: int, *, then: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("=HBBI", operation, then, otherwise, operand)
