"""The system-call filter of programs in bubblewrap: a BPF program for the kernel, as bytes.

It refuses what no bot needs and

- takes memory that is in no limit where there are no control groups, such as files that exist only in memory;
- is counted by user, so that one bot could use up what others and the arena need;
- reaches into other processes, or leaves the processors that the arena chose;
- has a history of vulnerabilities: much of what concerns mounts and namespaces, and rare socket families.

Bots are also refused the calls by which programs that may read the same file could talk, or remember something in the
kernel's cache of it: locks, notices of changes, and questions what is cached.

Calls newer than those that were looked at do not exist for a bot. Everything else is allowed, because language runtimes
differ in what they call.
"""

import errno
import platform
import struct
from collections.abc import Iterable

# numbers from the kernel's tables: x86-64 has its own, all newer architectures share one
REFUSED = {
    "x86_64": {
        "memfd_create": 319,
        "shmget": 29,
        "semget": 64,
        "msgget": 68,
        "mq_open": 240,
        "io_setup": 206,
        "quotactl": 179,
        "ptrace": 101,
        "process_vm_readv": 310,
        "process_vm_writev": 311,
        "kcmp": 312,
        "sched_setaffinity": 203,
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
        "semget": 190,
        "msgget": 186,
        "mq_open": 180,
        "io_setup": 0,
        "quotactl": 60,
        "ptrace": 117,
        "process_vm_readv": 270,
        "process_vm_writev": 271,
        "kcmp": 272,
        "sched_setaffinity": 122,
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
    "pidfd_getfd": 438,
    "process_madvise": 440,
    "mount_setattr": 442,
    "quotactl_fd": 443,
    "memfd_secret": 447,
    "process_mrelease": 448,
    "statmount": 457,
    "listmount": 458,
}
NEWEST = 462
"""The newest call that was looked at, mseal of Linux 6.10. Later ones, such as open_tree_attr, are unknown to bots."""
CLONE, CLONE3 = {"x86_64": 56, "aarch64": 220}, 435
NAMESPACES = 0x7E020000
"""The flags of clone for new namespaces. Those of clone3 are in memory; the C libraries know kernels without it."""
SPYING = {
    "x86_64": {
        "flock": 73,
        "mincore": 27,
        "preadv2": 327,
        "inotify_init": 253,
        "inotify_init1": 294,
        "fanotify_init": 300,
        "cachestat": 451,
    },
    "aarch64": {
        "flock": 32,
        "mincore": 232,
        "preadv2": 286,
        "inotify_init1": 26,
        "fanotify_init": 262,
        "cachestat": 451,
    },
}
"""Calls that are refused to bots because they reveal what others do with files. Compilers need some."""
FCNTL = {"x86_64": 72, "aarch64": 25}
COMMANDS = {"F_SETLEASE": 1024, "F_SETPIPE_SZ": 1031, "F_SETSIG": 10}
"""Refused commands of fcntl. Leases make others wait; F_SETSIG can have SIGCONT sent to a stopped process."""
SPYING_COMMANDS = (5, 6, 7, 36, 37, 38, 1025, 1026)
"""Those from F_GETLK to F_OFD_SETLKW, F_GETLEASE and F_NOTIFY, which are refused to bots."""
FADVISE = {"x86_64": 221, "aarch64": 223}
DROP = 4  # POSIX_FADV_DONTNEED
SOCKET = {"x86_64": 41, "aarch64": 198}
FAMILIES = (1, 2, 10, 16)
"""AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK. Others, such as AF_VSOCK, ignore network namespaces."""


ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # AUDIT_ARCH_*
X32 = 0x40000000
"""From this number on, calls are x86-64's calls under other numbers."""

LOAD, IF_EQUAL, IF_ABOVE, IF_AT_LEAST, IF_ANY_BIT, RETURN = 0x20, 0x15, 0x25, 0x35, 0x45, 0x06
NUMBER, ARCH, ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data; an argument has 8 bytes
ALLOW = 0x7FFF0000
REFUSE = 0x00050000 | errno.EPERM
UNKNOWN = 0x00050000 | errno.ENOSYS


def supports(machine: str) -> bool:
    """Whether the numbers of a machine's system calls are known."""
    return machine in REFUSED


def program(machine: str = platform.machine(), *, spying: bool = False) -> bytes:
    """Assemble the filter; `spying` allows the calls that reveal what others do with files, which builds need."""
    refused = {*REFUSED[machine].values(), *REFUSED_EVERYWHERE.values()}
    commands, advice = {*COMMANDS.values()}, set()
    if not spying:
        refused.update(SPYING[machine].values())
        commands.update(SPYING_COMMANDS)
        advice.add(DROP)
    return b"".join(
        [
            _instruction(LOAD, ARCH),
            *_if_not(ARCHITECTURE[machine], REFUSE),
            _instruction(LOAD, NUMBER),
            *_if(IF_AT_LEAST, X32, REFUSE),
            *_if(IF_ABOVE, NEWEST, UNKNOWN),
            *_if(IF_EQUAL, CLONE3, UNKNOWN),
            *_if_any(sorted(refused), REFUSE),
            *_call(CLONE[machine], 0, _if(IF_ANY_BIT, NAMESPACES, REFUSE)),
            *_call(FCNTL[machine], 1, _if_any(sorted(commands), REFUSE)),
            *_call(FADVISE[machine], 3, _if_any(advice, REFUSE)),
            *_call(SOCKET[machine], 0, [*_if_any(FAMILIES, ALLOW), _instruction(RETURN, REFUSE)]),
            _instruction(RETURN, ALLOW),
        ]
    )


def _if(test: int, operand: int, verdict: int) -> list[bytes]:
    """Return the instructions for a verdict on what passes a test."""
    return [_instruction(test, operand, otherwise=1), _instruction(RETURN, verdict)]


def _if_not(operand: int, verdict: int) -> list[bytes]:
    """Return the instructions for a verdict on everything but one number."""
    return [_instruction(IF_EQUAL, operand, then=1), _instruction(RETURN, verdict)]


def _if_any(operands: Iterable[int], verdict: int) -> list[bytes]:
    """Return the instructions for a verdict on what equals any of some numbers."""
    return [instruction for operand in operands for instruction in _if(IF_EQUAL, operand, verdict)]


def _call(number: int, argument: int, code: list[bytes]) -> list[bytes]:
    """Return instructions that judge one call by an argument, and allow it otherwise."""
    judged = [_instruction(LOAD, ARGUMENTS + 8 * argument), *code, _instruction(RETURN, ALLOW)]
    return [_instruction(IF_EQUAL, number, otherwise=len(judged)), *judged]


def _instruction(operation: int, operand: int, *, then: int = 0, otherwise: int = 0) -> bytes:
    """Encode an instruction; `then` and `otherwise` say how many instructions a test skips."""
    return struct.pack("=HBBI", operation, then, otherwise, operand)
