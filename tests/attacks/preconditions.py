"""Tries what kernel escapes begin with, and prints for each as JSON "open" or the error that refused it.

It is run as text, `python -c`, in and outside of sandboxes, so it imports the standard library alone. It goes no
further than the first step: each is tried in a process of its own, which ends at once, and with arguments that change
nothing. The kernel may load a module for a family of sockets, as for any program that asks.
"""

import ctypes
import errno
import json
import os
import platform
import socket
import sys
from collections.abc import Callable

MACHINE = ["x86_64", "aarch64"].index(platform.machine())
LIBC = ctypes.CDLL(None, use_errno=True)
HERE, OWN_NAMESPACES, USER_NAMESPACE = -100, 0x50020000, 0x10000000  # AT_FDCWD, user with mount and network
MISSING = (errno.EAFNOSUPPORT, errno.EPROTONOSUPPORT, errno.ESOCKTNOSUPPORT, errno.ENOPROTOOPT, errno.ENOPKG)
REFUSALS = (errno.EPERM, errno.EACCES, errno.ENOSYS, *MISSING)
"""Errors of calls that got nowhere. With any other, such as EFAULT, the kernel has looked at what it was given."""


def result(value: int) -> None:
    """Raise OSError if a call of the C library was refused."""
    if value < 0 and ctypes.get_errno() in REFUSALS:
        raise OSError(ctypes.get_errno(), "refused")


def served(value: int) -> None:
    """Raise OSError if a call failed in any way."""
    if value < 0:
        raise OSError(ctypes.get_errno(), "refused")


def call(x86: int, aarch: int, *arguments: object) -> Callable[[], None]:
    return lambda: result(LIBC.syscall((x86, aarch)[MACHINE], *arguments))


def modern(number: int, *arguments: object) -> Callable[[], None]:
    return call(number, number, *arguments)


def privately(act: Callable[[], None]) -> Callable[[], None]:
    """Try it with all rights in namespaces of its own, if there can be some."""

    def in_namespaces() -> None:
        LIBC.unshare(OWN_NAMESPACES)
        act()

    return in_namespaces


def family(number: int, kind: int = 1, protocol: int = 0) -> Callable[[], None]:
    return lambda: result(LIBC.socket(number, kind, protocol))


def opened(path: str, flags: int = os.O_RDONLY) -> Callable[[], None]:
    return lambda: os.close(os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY))


def splice() -> None:
    reader, writer = os.pipe()
    os.write(writer, b"x")
    served(LIBC.splice(reader, None, os.open("/dev/null", os.O_WRONLY), None, 1, 0))


def tee() -> None:
    reader, writer = os.pipe()
    os.write(writer, b"x")
    served(LIBC.tee(reader, os.pipe()[1], 1, 0))


def vmsplice() -> None:
    served(LIBC.vmsplice(os.pipe()[1], (ctypes.c_size_t * 2)(ctypes.addressof(NOTHING), 1), 1, 0))


def out_of_band() -> None:
    here, _ = socket.socketpair()
    here.send(b"x", socket.MSG_OOB)


def protocol_upon_tcp() -> None:
    with socket.socket() as made:
        result(LIBC.setsockopt(made.fileno(), 6, 31, b"none", 4))  # TCP_ULP, and none has that name


def read_memory() -> None:
    there, here = ctypes.create_string_buffer(8), ctypes.create_string_buffer(8)
    vectors = [(ctypes.c_size_t * 2)(ctypes.addressof(buffer), 8) for buffer in (here, there)]
    result(LIBC.process_vm_readv(os.getpid(), vectors[0], 1, vectors[1], 1, 0))


NOTHING = ctypes.create_string_buffer(256)
SELF = ctypes.c_long(os.getpid())
PROBES: dict[str, Callable[[], None]] = {
    "splice": splice,
    "tee": tee,
    "vmsplice": vmsplice,
    "send(MSG_OOB) on AF_UNIX": out_of_band,
    "setsockopt(TCP_ULP)": protocol_upon_tcp,
    "pipe2(O_NOTIFICATION_PIPE)": call(293, 59, NOTHING, os.O_EXCL),
    "unshare(CLONE_NEWUSER)": lambda: result(LIBC.unshare(USER_NAMESPACE)),
    "clone(CLONE_NEWUSER)": lambda: result(LIBC.syscall((56, 220)[MACHINE], USER_NAMESPACE | 17, 0, 0, 0, 0)),
    "setns": call(308, 268, -1, 0),
    "mount": privately(call(165, 40, None, None, None, 0, None)),
    "fsopen": privately(modern(430, b"tmpfs", 0)),
    "open_tree": modern(428, HERE, b"/", 0),
    "pivot_root": privately(call(155, 41, None, None)),
    "open_by_handle_at": privately(call(304, 265, HERE, None, 0)),
    "io_uring_setup": modern(425, 1, NOTHING),
    "io_setup": call(206, 0, 0, None),
    "bpf": call(321, 280, 0, NOTHING, 48),
    "perf_event_open": call(298, 241, NOTHING, 0, -1, ctypes.c_long(-1), 0),
    "userfaultfd": call(323, 282, 1),
    "add_key": call(248, 217, None, None, None, 0, 0),
    "keyctl": call(250, 219, 0, -2, 0),
    "ptrace": call(101, 117, 0, 0, 0, 0),
    "process_vm_readv": read_memory,
    "pidfd_getfd": modern(438, -1, 0, 0),
    "memfd_create": call(319, 279, b"", 1),
    "msgget": call(68, 186, 0x0BA11C07, 0),
    "shmget": call(29, 194, 0, 0, 0),
    "semget": call(64, 190, 0, 0, 0),
    "AF_ALG": family(38, 5),
    "AF_VSOCK": family(40),
    "AF_PACKET": privately(family(17, 3)),
    "AF_KEY": privately(family(15, 3, 2)),
    "AF_RXRPC": family(33, 2, 2),
    "AF_TIPC": family(30, 4),
    "AF_TIPC by socketpair": lambda: result(LIBC.socketpair(30, 1, 0, NOTHING)),
    "AF_RDS": family(21, 5),
    "AF_CAN": family(29, 2, 2),
    "AF_NFC": family(39, 3, 0),
    "AF_BLUETOOTH": family(31, 3, 1),
    "AF_SMC": family(43),
    "SCTP": family(2, 1, 132),
    "SCTP by SOCK_SEQPACKET": family(2, 5),
    "NETLINK_NETFILTER": family(16, 3, 12),
    "NETLINK_XFRM": family(16, 3, 6),
    "NETLINK_GENERIC": family(16, 3, 16),
    "/dev/fuse": opened("/dev/fuse", os.O_RDWR),
    "/dev/kvm": opened("/dev/kvm", os.O_RDWR),
    "/dev/console": opened("/dev/console", os.O_WRONLY),
    "/proc/sys/kernel/core_pattern": opened("/proc/sys/kernel/core_pattern", os.O_WRONLY),
    "/proc/sysrq-trigger": opened("/proc/sysrq-trigger", os.O_WRONLY),
    "/proc/kcore": opened("/proc/kcore"),
    "/sys/fs/cgroup": opened("/sys/fs/cgroup/cgroup.procs", os.O_WRONLY),
}


def tried(act: Callable[[], None]) -> str:
    """Try a first step in a process of its own; return "open" or the name of the error."""
    child = os.fork()
    if not child:
        code = 0
        try:
            act()
        except OSError as error:
            code = error.errno or 255
        os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return errno.errorcode.get(code, f"exit {code}") if code else "open"


if __name__ == "__main__":
    sys.stdout.write(
        json.dumps({"kernel": os.uname().release, "seen": {name: tried(act) for name, act in PROBES.items()}})
    )
