"""The system-call filter of programs in bubblewrap: a BPF program for the kernel, as bytes.

It allows what is in the tables below, which is what the runtimes of the six languages call, with a margin. All else is
refused, among it what

- takes memory that is in no limit where there are no control groups, such as files that exist only in memory;
- is counted by user, so that one bot could use up what others and the arena need;
- reaches into other processes, or leaves the processors that the arena chose;
- has a history of vulnerabilities: mounts and namespaces, splice, io_uring, bpf, keys, rare families of sockets.

Bots are also refused the calls by which programs that may read the same file could talk, or remember something in the
kernel's cache of it: locks, notices of changes, and questions what is cached.

A refused call fails with EPERM, splice and its kin with EINVAL. One that is newer than Linux 5.0 fails as on an older
kernel, with ENOSYS, because libraries then do without it.
"""

import errno
import platform
import struct
from collections.abc import Iterable
from itertools import groupby
from typing import Final

MACHINES: Final = ("x86_64", "aarch64")
"""The order of the numbers in the tables; a dash stands for a call that a machine lacks."""
ALLOWED: Final = {
    "memory": """
        brk 12 214, mmap 9 222, mprotect 10 226, munmap 11 215, mremap 25 216, madvise 28 233, msync 26 227,
        mlock 149 228, mlock2 325 284, mlockall 151 230, munlock 150 229, munlockall 152 231, membarrier 324 283,
        pkey_alloc 330 289, pkey_free 331 290, pkey_mprotect 329 288, get_mempolicy 239 236
    """,
    "processes and threads": """
        clone 56 220, fork 57 -, vfork 58 -, execve 59 221, execveat 322 281, exit 60 93, exit_group 231 94,
        wait4 61 260, waitid 247 95, kill 62 129, tkill 200 130, tgkill 234 131, pidfd_open 434 434,
        pidfd_send_signal 424 424, futex 202 98, futex_waitv 449 449, set_tid_address 218 96,
        set_robust_list 273 99, get_robust_list 274 100, rseq 334 293, restart_syscall 219 128, arch_prctl 158 -,
        prctl 157 167, seccomp 317 277, landlock_create_ruleset 444 444, landlock_add_rule 445 445,
        landlock_restrict_self 446 446, capget 125 90, capset 126 91
    """,
    "signals": """
        rt_sigaction 13 134, rt_sigprocmask 14 135, rt_sigreturn 15 139, rt_sigsuspend 130 133,
        rt_sigpending 127 136, rt_sigtimedwait 128 137, rt_sigqueueinfo 129 138, rt_tgsigqueueinfo 297 240,
        sigaltstack 131 132, signalfd 282 -, signalfd4 289 74, pause 34 -, alarm 37 -
    """,
    "identity": """
        getpid 39 172, getppid 110 173, gettid 186 178, getuid 102 174, geteuid 107 175, getgid 104 176,
        getegid 108 177, getgroups 115 158, getresuid 118 148, getresgid 120 150, getpgid 121 155, getpgrp 111 -,
        getsid 124 156, setuid 105 146, setgid 106 144, setreuid 113 145, setregid 114 143, setresuid 117 147,
        setresgid 119 149, setgroups 116 159, setfsuid 122 151, setfsgid 123 152, setpgid 109 154, setsid 112 157,
        umask 95 166, uname 63 160, sysinfo 99 179
    """,
    "limits and processors": """
        getrlimit 97 163, setrlimit 160 164, prlimit64 302 261, getrusage 98 165, times 100 153,
        getpriority 140 141, setpriority 141 140, ioprio_get 252 31, ioprio_set 251 30, getcpu 309 168,
        sched_yield 24 124, sched_getaffinity 204 123, sched_getscheduler 145 120, sched_setscheduler 144 119,
        sched_getparam 143 121, sched_setparam 142 118, sched_getattr 315 275, sched_setattr 314 274,
        sched_get_priority_max 146 125, sched_get_priority_min 147 126, sched_rr_get_interval 148 127
    """,
    "time": """
        time 201 -, gettimeofday 96 169, clock_gettime 228 113, clock_getres 229 114, clock_nanosleep 230 115,
        nanosleep 35 101, getitimer 36 102, setitimer 38 103, timer_create 222 107, timer_settime 223 110,
        timer_gettime 224 108, timer_getoverrun 225 109, timer_delete 226 111, timerfd_create 283 85,
        timerfd_settime 286 86, timerfd_gettime 287 87
    """,
    "reading and writing": """
        read 0 63, write 1 64, readv 19 65, writev 20 66, pread64 17 67, pwrite64 18 68, preadv 295 69,
        pwritev 296 70, pwritev2 328 287, lseek 8 62, sendfile 40 71, copy_file_range 326 285, readahead 187 213,
        fadvise64 221 223, fallocate 285 47, truncate 76 45, ftruncate 77 46, fsync 74 82, fdatasync 75 83,
        sync_file_range 277 84
    """,
    "descriptors": """
        open 2 -, openat 257 56, openat2 437 437, creat 85 -, close 3 57, close_range 436 436, dup 32 23, dup2 33 -,
        dup3 292 24, fcntl 72 25, ioctl 16 29, pipe 22 -, pipe2 293 59, eventfd 284 -, eventfd2 290 19, poll 7 -,
        ppoll 271 73, select 23 -, pselect6 270 72, epoll_create 213 -, epoll_create1 291 20, epoll_ctl 233 21,
        epoll_wait 232 -, epoll_pwait 281 22, epoll_pwait2 441 441, getrandom 318 278
    """,
    "files": """
        stat 4 -, lstat 6 -, fstat 5 80, newfstatat 262 79, statx 332 291, statfs 137 43, fstatfs 138 44,
        access 21 -, faccessat 269 48, faccessat2 439 439, getcwd 79 17, chdir 80 49, fchdir 81 50, getdents 78 -,
        getdents64 217 61, readlink 89 -, readlinkat 267 78, mkdir 83 -, mkdirat 258 34, rmdir 84 -, mknod 133 -,
        mknodat 259 33, link 86 -, linkat 265 37, symlink 88 -, symlinkat 266 36, unlink 87 -, unlinkat 263 35,
        rename 82 -, renameat 264 38, renameat2 316 276, chmod 90 -, fchmod 91 52, fchmodat 268 53,
        fchmodat2 452 452, chown 92 -, fchown 93 55, lchown 94 -, fchownat 260 54, utime 132 -, utimes 235 -,
        futimesat 261 -, utimensat 280 88, getxattr 191 8, lgetxattr 192 9, fgetxattr 193 10, listxattr 194 11,
        llistxattr 195 12, flistxattr 196 13, setxattr 188 5, lsetxattr 189 6, fsetxattr 190 7, removexattr 197 14,
        lremovexattr 198 15, fremovexattr 199 16
    """,
    "sockets": """
        socket 41 198, socketpair 53 199, connect 42 203, bind 49 200, listen 50 201, accept 43 202,
        accept4 288 242, shutdown 48 210, getsockname 51 204, getpeername 52 205, getsockopt 55 209,
        setsockopt 54 208, sendto 44 206, recvfrom 45 207, sendmsg 46 211, recvmsg 47 212, sendmmsg 307 269,
        recvmmsg 299 243
    """,
}
"""What is allowed, by purpose: each call with its numbers in the kernel's tables."""
SPYING: Final = """
    flock 73 32, mincore 27 232, preadv2 327 286, inotify_init 253 -, inotify_init1 294 26,
    inotify_add_watch 254 27, inotify_rm_watch 255 28, fanotify_init 300 262, fanotify_mark 301 263,
    cachestat 451 451
"""
"""Calls that are refused to bots because they reveal what others do with files. Compilers need some."""
MODERN: Final = 424
"""From this number on, calls are newer than Linux 5.0 and have one number on all machines."""
NUMBERS: Final = 1024
"""More than the kernel has calls."""
SPLICE: Final = {"x86_64": (275, 276, 278), "aarch64": (76, 77, 75)}
"""splice, tee and vmsplice. They fail with EINVAL, as for files that they do not serve, because Go copies only then."""
NAMESPACES = 0x7E020000
"""The flags of clone for new namespaces. Those of clone3 are in memory; the C libraries know kernels without it."""
COMMANDS = {"F_SETLEASE": 1024, "F_SETPIPE_SZ": 1031, "F_SETSIG": 10}
"""Refused commands of fcntl. Leases make others wait; F_SETSIG can have SIGCONT sent to a stopped process."""
SPYING_COMMANDS = (5, 6, 7, 36, 37, 38, 1025, 1026)
"""Those from F_GETLK to F_OFD_SETLKW, F_GETLEASE and F_NOTIFY, which are refused to bots."""
DROP = 4  # POSIX_FADV_DONTNEED
UNIX, INTERNET, NETLINK = 1, (2, 10), 16
"""The families of sockets that are allowed. Others, such as AF_VSOCK, ignore network namespaces."""
RARE_TYPES = 0xC
"""The bits of SOCK_RDM, SOCK_SEQPACKET, SOCK_DCCP and SOCK_PACKET, by which AF_INET finds protocols such as SCTP."""
PROTOCOLS = (0, 6, 17)
"""The default, TCP and UDP."""
ROUTE = 0
"""NETLINK_ROUTE, which names the interfaces. Others, such as NETLINK_NETFILTER and NETLINK_XFRM, are refused."""
SENDING: Final = {"sendto": 3, "sendmsg": 2, "sendmmsg": 3}
"""Which argument of the calls that send has the flags. One of them sends urgent data, which is rare and old code."""
OUT_OF_BAND = 1  # MSG_OOB
NOTIFICATIONS = 0o200
"""O_NOTIFICATION_PIPE, a pipe into which the kernel writes events."""
TCP_ULP = 31
"""The option that puts a protocol such as TLS or ESP upon a TCP socket."""


ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # AUDIT_ARCH_*
X32 = 0x40000000
"""From this number on, calls are x86-64's calls under other numbers."""

LOAD, IF_EQUAL, IF_AT_LEAST, IF_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCH, ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data; an argument has 8 bytes
ALLOW = 0x7FFF0000
REFUSE = 0x00050000 | errno.EPERM
UNKNOWN = 0x00050000 | errno.ENOSYS
UNFIT = 0x00050000 | errno.EINVAL


def allowed(machine: str, *, spying: bool = False) -> dict[str, int]:
    """Return the names and numbers of the calls that are allowed, some of them only with certain arguments."""
    rows = (row.split() for table in [*ALLOWED.values(), *[SPYING] * spying] for row in table.split(","))
    found = ((name, numbers[MACHINES.index(machine)]) for name, *numbers in rows)
    return {name: int(number) for name, number in found if number != "-"}


def program(machine: str = platform.machine(), *, spying: bool = False) -> bytes:
    """Assemble the filter; `spying` allows the calls that reveal what others do with files, which builds need."""
    numbers = allowed(machine, spying=spying)
    commands, advice = {*COMMANDS.values()}, set()
    if not spying:
        commands.update(SPYING_COMMANDS)
        advice.add(DROP)
    internet = [
        *_argument(1, _if(IF_ANY_BIT, RARE_TYPES, REFUSE)),
        *_argument(2, _if_any(PROTOCOLS, ALLOW)),
        _instruction(RETURN, REFUSE),
    ]
    sockets = [
        *_if(IF_EQUAL, UNIX, ALLOW),
        *(instruction for family in INTERNET for instruction in _when(family, internet)),
        *_when(NETLINK, _argument(2, _if(IF_EQUAL, ROUTE, ALLOW))),
        _instruction(RETURN, REFUSE),
    ]
    judged = {
        "clone": _argument(0, _if(IF_ANY_BIT, NAMESPACES, REFUSE)),
        "fcntl": _argument(1, _if_any(sorted(commands), REFUSE)),
        "fadvise64": _argument(3, _if_any(advice, REFUSE)),
        "socket": _argument(0, sockets),
        "socketpair": _argument(0, _if_not(UNIX, REFUSE)),
        **{name: _argument(at, _if(IF_ANY_BIT, OUT_OF_BAND, REFUSE)) for name, at in SENDING.items()},
        "pipe2": _argument(1, _if(IF_ANY_BIT, NOTIFICATIONS, REFUSE)),
        "setsockopt": _argument(2, _if(IF_EQUAL, TCP_ULP, REFUSE)),
    }
    return b"".join(
        [
            _instruction(LOAD, ARCH),
            *_if_not(ARCHITECTURE[machine], REFUSE),
            _instruction(LOAD, NUMBER),
            *_if(IF_AT_LEAST, X32, REFUSE),
            *(
                part
                for name, code in judged.items()
                for part in _when(numbers[name], [*code, _instruction(RETURN, ALLOW)])
            ),
            *_if_any(SPLICE[machine], UNFIT),
            *_in_ranges({*numbers.values()}),
        ]
    )


def _in_ranges(numbers: set[int]) -> list[bytes]:
    """Return the instructions for a verdict on each number by where it lies: there are few ranges."""
    code = []
    for verdict, run in groupby(range(NUMBERS), lambda number: _verdict(number, numbers)):
        *_, last = run
        code += [_instruction(IF_AT_LEAST, last + 1, then=1), _instruction(RETURN, verdict)]
    return [*code, _instruction(RETURN, UNKNOWN)]


def _verdict(number: int, numbers: set[int]) -> int:
    if number in numbers:
        return ALLOW
    return UNKNOWN if number >= MODERN else REFUSE


def _if(test: int, operand: int, verdict: int) -> list[bytes]:
    """Return the instructions for a verdict on what passes a test."""
    return [_instruction(test, operand, otherwise=1), _instruction(RETURN, verdict)]


def _if_not(operand: int, verdict: int) -> list[bytes]:
    """Return the instructions for a verdict on everything but one number."""
    return [_instruction(IF_EQUAL, operand, then=1), _instruction(RETURN, verdict)]


def _if_any(operands: Iterable[int], verdict: int) -> list[bytes]:
    """Return the instructions for a verdict on what equals any of some numbers."""
    return [instruction for operand in operands for instruction in _if(IF_EQUAL, operand, verdict)]


def _when(operand: int, code: list[bytes]) -> list[bytes]:
    """Return instructions for one number alone; they end with a verdict, or load something else."""
    return [_instruction(IF_EQUAL, operand, otherwise=len(code)), *code]


def _argument(argument: int, code: list[bytes]) -> list[bytes]:
    """Return instructions that look at an argument of the call, counted from 0."""
    return [_instruction(LOAD, ARGUMENTS + 8 * argument), *code]


def _instruction(operation: int, operand: int, *, then: int = 0, otherwise: int = 0) -> bytes:
    """Encode an instruction; `then` and `otherwise` say how many instructions a test skips."""
    return struct.pack("=HBBI", operation, then, otherwise, operand)
