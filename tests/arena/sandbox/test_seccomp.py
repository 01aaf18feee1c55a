"""The filter of system calls, run by a small interpreter of the kernel's BPF instructions."""

import operator
import struct
from collections.abc import Callable

import pytest

from ballcourt.arena.sandbox import seccomp

ALLOW, REFUSE, UNKNOWN = seccomp.ALLOW, seccomp.REFUSE, seccomp.UNKNOWN
TESTS: dict[int, Callable[[int, int], object]] = {
    seccomp.IF_EQUAL: operator.eq,
    seccomp.IF_ABOVE: operator.gt,
    seccomp.IF_AT_LEAST: operator.ge,
    seccomp.IF_ANY_BIT: operator.and_,
}


def verdict(
    machine: str,
    number: int,
    architecture: int | None = None,
    argument: int = seccomp.FAMILIES[0],
    *,
    spying: bool = False,
) -> int:
    """Return the filter's verdict on one system call whose arguments all have one value."""
    arch = seccomp.ARCHITECTURE[machine] if architecture is None else architecture
    data = {0: number, 4: arch, 16: argument, 24: argument, 40: argument}
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


@pytest.mark.parametrize("machine", seccomp.REFUSED)
def test_exactly_the_system_calls_in_the_tables_are_refused(machine: str) -> None:
    always = {*seccomp.REFUSED[machine].values(), *seccomp.REFUSED_EVERYWHERE.values()}
    for spying, refused in ((True, always), (False, always.union(seccomp.SPYING[machine].values()))):
        verdicts = {number: verdict(machine, number, spying=spying) for number in range(600)}
        assert {number for number in verdicts if verdicts[number] == REFUSE} == refused
        unknown = {number for number in verdicts if verdicts[number] == UNKNOWN}
        assert unknown == {seccomp.CLONE3, *range(seccomp.NEWEST + 1, 600)}


@pytest.mark.parametrize("machine", seccomp.REFUSED)
def test_a_process_can_be_made_but_no_namespace(machine: str) -> None:
    clone, thread, namespace = seccomp.CLONE[machine], 0x3D0F00, 0x10000000
    assert verdict(machine, clone, argument=thread) == ALLOW
    assert verdict(machine, clone, argument=thread | namespace) == REFUSE


@pytest.mark.parametrize("machine", seccomp.REFUSED)
@pytest.mark.parametrize("spying", [False, True])
def test_only_sockets_of_the_allowed_families_can_be_opened(machine: str, spying: bool) -> None:
    call = seccomp.SOCKET[machine]
    opened = {number for number in range(64) if verdict(machine, call, None, number, spying=spying) == ALLOW}
    assert opened == {*seccomp.FAMILIES}
    assert verdict(machine, call + 1, None, 99, spying=spying) == ALLOW


@pytest.mark.parametrize("machine", seccomp.REFUSED)
def test_bots_may_use_descriptors_and_advice_but_no_locks(machine: str) -> None:
    always = {*seccomp.COMMANDS.values()}
    for call, refused in ((seccomp.FCNTL, {*seccomp.SPYING_COMMANDS}), (seccomp.FADVISE, {seccomp.DROP})):
        commands = {value for value in range(1100) if verdict(machine, call[machine], None, value) == REFUSE}
        assert commands == refused | (always if call is seccomp.FCNTL else set())
        assert {verdict(machine, call[machine], None, value, spying=True) for value in refused} == {ALLOW}


def test_a_system_call_of_another_architecture_is_refused() -> None:
    assert verdict("x86_64", seccomp.X32 + 1) == REFUSE
    assert verdict("x86_64", 1, architecture=0x40000003) == REFUSE, "i386"


def test_an_unknown_architecture_has_no_filter() -> None:
    assert not seccomp.supports("riscv64")
