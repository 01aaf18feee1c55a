"""The filter of system calls, run by a small interpreter of the kernel's BPF instructions."""

import struct
from collections.abc import Sequence

import pytest

from ballcourt.arena.sandbox import seccomp

ALLOW, REFUSE = seccomp.ALLOW, seccomp.REFUSE


def verdict(
    machine: str,
    number: int,
    architecture: int | None = None,
    argument: int = seccomp.INET,
    families: Sequence[int] = seccomp.LOCAL,
) -> int:
    """Return the filter's verdict on one system call."""
    arch = seccomp.ARCHITECTURE[machine] if architecture is None else architecture
    data = {0: number, 4: arch, 16: argument}
    code = list(struct.iter_unpack("=HBBI", seccomp.program(machine, families)))
    at = accumulator = 0
    while True:
        operation, then, otherwise, operand = code[at]
        at += 1
        if operation == seccomp.LOAD:
            accumulator = data[operand]
        elif operation == seccomp.RETURN:
            return int(operand)
        else:
            held = accumulator == operand if operation == seccomp.IF_EQUAL else accumulator >= operand
            at += then if held else otherwise


@pytest.mark.parametrize("machine", seccomp.REFUSED)
def test_exactly_the_system_calls_in_the_table_are_refused(machine: str) -> None:
    refused = {number for number in range(600) if verdict(machine, number) == REFUSE}
    assert refused == {*seccomp.REFUSED[machine].values(), *seccomp.REFUSED_EVERYWHERE.values()}
    assert {verdict(machine, number) for number in range(600)} == {ALLOW, REFUSE}


@pytest.mark.parametrize("machine", seccomp.REFUSED)
@pytest.mark.parametrize("families", [seccomp.LOCAL, seccomp.ONLINE])
def test_only_sockets_of_the_allowed_families_can_be_opened(machine: str, families: Sequence[int]) -> None:
    call = seccomp.SOCKET[machine]
    opened = {number for number in range(64) if verdict(machine, call, None, number, families) == ALLOW}
    assert opened == {*families}
    assert verdict(machine, call + 1, None, seccomp.UNIX, families) == ALLOW


def test_a_system_call_of_another_architecture_is_refused() -> None:
    assert verdict("x86_64", seccomp.X32 + 1) == REFUSE
    assert verdict("x86_64", 1, architecture=0x40000003) == REFUSE, "i386"


def test_an_unknown_architecture_has_no_filter() -> None:
    assert not seccomp.supports("riscv64")
