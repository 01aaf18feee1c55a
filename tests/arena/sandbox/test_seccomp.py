"""The filter of system calls, run by a small interpreter of the kernel's BPF instructions."""

import operator
import re
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from ballcourt.arena.sandbox import seccomp

ALLOW, REFUSE, UNKNOWN = seccomp.ALLOW, seccomp.REFUSE, seccomp.UNKNOWN
TESTS: dict[int, Callable[[int, int], object]] = {
    seccomp.IF_EQUAL: operator.eq,
    seccomp.IF_AT_LEAST: operator.ge,
    seccomp.IF_ANY_BIT: operator.and_,
}
HEADERS = {"x86_64": "x86_64-linux-gnu/asm/unistd_64.h", "aarch64": "asm-generic/unistd.h"}
"""Where Debian's linux-libc-dev keeps the numbers of each machine's calls."""
OTHER_NAMES = {"newfstatat": "fstatat"}
UNIX, NETLINK = 1, 16
STREAM, SEQPACKET = 1, 5
CLOEXEC = 0o2000000


DANGEROUS = (
    "splice tee vmsplice mount umount2 pivot_root chroot unshare setns clone3 open_tree move_mount fsopen "
    "fsconfig fsmount fspick mount_setattr name_to_handle_at open_by_handle_at bpf perf_event_open userfaultfd "
    "io_uring_setup io_uring_enter io_uring_register io_setup io_submit add_key request_key keyctl ptrace "
    "process_vm_readv process_vm_writev kcmp pidfd_getfd process_madvise process_mrelease memfd_create "
    "memfd_secret shmget semget msgget mq_open quotactl sched_setaffinity mbind set_mempolicy move_pages "
    "migrate_pages init_module finit_module delete_module kexec_load reboot swapon swapoff acct syslog "
    "settimeofday clock_settime adjtimex clock_adjtime sethostname setdomainname personality vhangup "
    "lookup_dcookie "
)
"""Calls that no table may ever name."""


def verdict(machine: str, number: int, *arguments: int, architecture: int | None = None, spying: bool = False) -> int:
    """Return the filter's verdict on one system call; without arguments, they are those of a Unix socket."""
    arch = seccomp.ARCHITECTURE[machine] if architecture is None else architecture
    given = dict(enumerate(arguments or (UNIX,)))
    data = {0: number, 4: arch} | {16 + 8 * at: given.get(at, 0) for at in range(6)}
    code = list(struct.iter_unpack("=HBBI", seccomp.program(machine, spying=spying)))
    at = accumulator = 0
    while True:
        operation, then, otherwise, operand = code[at]
        at += 1
        if operation == seccomp.LOAD:
            accumulator = data[operand]
        elif operation == seccomp.RETURN:
            return int(operand)
        else:
            at += then if TESTS[operation](accumulator, operand) else otherwise


def numbers_of(machine: str) -> dict[str, int]:
    """Return the numbers in the kernel's own header."""
    path = Path("/usr/include", HEADERS[machine])
    if not path.exists():
        pytest.skip(f"there is no {path}; install linux-libc-dev")
    found = re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", path.read_text())
    return {name: int(number) for name, number in found}


@pytest.mark.parametrize("machine", seccomp.MACHINES)
@pytest.mark.parametrize("spying", [False, True])
def test_exactly_the_system_calls_in_the_tables_are_allowed(machine: str, spying: bool) -> None:
    numbers, splice = {*seccomp.allowed(machine, spying=spying).values()}, seccomp.SPLICE[machine]
    verdicts = {number: verdict(machine, number, spying=spying) for number in range(1100)}
    assert {number for number in verdicts if verdicts[number] == ALLOW} == numbers
    assert {number for number in verdicts if verdicts[number] == UNKNOWN} == {*range(424, 1100)} - numbers
    assert {number for number in verdicts if verdicts[number] == REFUSE} == {*range(424)} - numbers - {*splice}
    assert {number for number in verdicts if verdicts[number] == seccomp.UNFIT} == {*splice}


@pytest.mark.parametrize("machine", seccomp.MACHINES)
def test_the_numbers_in_the_tables_are_those_of_the_kernel(machine: str) -> None:
    theirs = numbers_of(machine)
    ours = seccomp.allowed(machine, spying=True)
    known = {name: theirs.get(name, theirs.get(OTHER_NAMES.get(name, name))) for name in ours}
    newer = {name for name, number in ours.items() if known[name] is None and number >= max(theirs.values())}
    assert {name: number for name, number in known.items() if name not in newer} == {
        name: number for name, number in ours.items() if name not in newer
    }
    assert [theirs[name] for name in ("splice", "tee", "vmsplice")] == [*seccomp.SPLICE[machine]]
    refused = {name: number for name, number in theirs.items() if name in DANGEROUS.split()}
    assert len(refused) > len(DANGEROUS.split()) - 3
    assert {name for name, number in refused.items() if verdict(machine, number, spying=True) == ALLOW} == set()


@pytest.mark.parametrize("machine", seccomp.MACHINES)
def test_a_process_can_be_made_but_no_namespace(machine: str) -> None:
    clone, thread, namespace = seccomp.allowed(machine)["clone"], 0x3D0F00, 0x10000000
    assert verdict(machine, clone, thread) == ALLOW
    assert verdict(machine, clone, thread | namespace) == REFUSE


@pytest.mark.parametrize("machine", seccomp.MACHINES)
@pytest.mark.parametrize("spying", [False, True])
def test_only_common_sockets_can_be_opened(machine: str, spying: bool) -> None:
    socket = seccomp.allowed(machine)["socket"]

    def opened(*arguments: int) -> bool:
        return verdict(machine, socket, *arguments, spying=spying) == ALLOW

    assert {family for family in range(64) if opened(family, STREAM, 0)} == {1, 2, 10, 16}
    assert {protocol for protocol in range(600) if opened(NETLINK, 3 | CLOEXEC, protocol)} == {0}, "NETLINK_ROUTE"
    for family in seccomp.INTERNET:
        assert {protocol for protocol in range(600) if opened(family, STREAM | CLOEXEC, protocol)} == {0, 6, 17}
        assert {kind for kind in range(16) if opened(family, kind | CLOEXEC, 0)} == {0, 1, 2, 3}
    assert opened(UNIX, SEQPACKET | CLOEXEC, 0)


@pytest.mark.parametrize("machine", seccomp.MACHINES)
def test_pairs_of_sockets_are_of_the_unix_family_and_no_protocol_is_put_upon_tcp(machine: str) -> None:
    calls = seccomp.allowed(machine)
    pairs = {family for family in range(64) if verdict(machine, calls["socketpair"], family, STREAM, 0) == ALLOW}
    assert pairs == {UNIX}
    options = {option for option in range(100) if verdict(machine, calls["setsockopt"], 3, 6, option) == REFUSE}
    assert options == {31}, "TCP_ULP"


@pytest.mark.parametrize("machine", seccomp.MACHINES)
def test_no_urgent_data_is_sent_and_no_pipe_gets_notifications(machine: str) -> None:
    calls, urgent, quiet = seccomp.allowed(machine), 1, 0x4000  # MSG_OOB, MSG_NOSIGNAL
    for name, before in (("sendto", 3), ("sendmsg", 2), ("sendmmsg", 3)):
        assert verdict(machine, calls[name], *[1] * before, quiet) == ALLOW
        assert verdict(machine, calls[name], *[1] * before, quiet | urgent) == REFUSE
    assert verdict(machine, calls["pipe2"], 1, CLOEXEC) == ALLOW
    assert verdict(machine, calls["pipe2"], 1, CLOEXEC | 0o200) == REFUSE


@pytest.mark.parametrize("machine", seccomp.MACHINES)
def test_bots_may_use_descriptors_and_advice_but_no_locks(machine: str) -> None:
    calls, always = seccomp.allowed(machine), {*seccomp.COMMANDS.values()}
    for call, refused in (("fcntl", {*seccomp.SPYING_COMMANDS}), ("fadvise64", {seccomp.DROP})):
        given = {value: (0, value, 0, value) for value in range(1100)}
        commands = {value for value, words in given.items() if verdict(machine, calls[call], *words) == REFUSE}
        assert commands == refused | (always if call == "fcntl" else set())
        assert {verdict(machine, calls[call], *given[value], spying=True) for value in refused} == {ALLOW}


def test_a_system_call_of_another_architecture_is_refused() -> None:
    assert verdict("x86_64", seccomp.X32 + 1) == REFUSE
    assert verdict("x86_64", 1, architecture=0x40000003) == REFUSE, "i386"


def test_an_unknown_architecture_has_no_filter() -> None:
    assert "riscv64" not in seccomp.MACHINES
