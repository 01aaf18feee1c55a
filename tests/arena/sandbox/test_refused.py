"""Refused system calls, as strace names them."""

import shutil
import sys

import pytest

from ballcourt.arena.sandbox.refused import refused_calls
from ballcourt.arena.sandbox.tiers import SandboxError

pytestmark = pytest.mark.skipif(not shutil.which("strace"), reason="needs strace (apt install strace)")


def test_calls_that_fail_are_counted_by_name_and_error_among_children_too() -> None:
    code = """if True:
        import ctypes, os
        call = ctypes.CDLL(None).syscall
        call(1000), call(1000), call(435, None, 0)
        if not os.fork():
            call(1000)
            os._exit(0)
        os.wait()
    """
    found = refused_calls([sys.executable, "-c", code])
    assert found == {("syscall_0x3e8", "ENOSYS"): 3}


def test_a_command_that_fails_does_not_look_like_one_that_was_refused_nothing() -> None:
    with pytest.raises(SandboxError, match=r"^under strace, '.*' failed: no such game$"):
        refused_calls([sys.executable, "-c", "exit('no such game')"])
