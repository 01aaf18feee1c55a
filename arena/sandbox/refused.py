"""The system calls that a program is refused in a sandbox, as `strace` sees them from outside of it."""

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Sequence

from ballcourt.arena.sandbox.tiers import SandboxError
from ballcourt.arena.temporary import scratch_folder

REFUSED = re.compile(r"\d+ +(?!clone3\()(\w+)\(.* = -1 (EPERM|ENOSYS)\b")  # C libraries use clone instead of clone3


def refused_calls(command: Sequence[str]) -> Counter[tuple[str, str]]:
    """Run a command under strace; count its refused calls but those that name a file, by error. Raises SandboxError."""
    if not shutil.which("strace"):
        raise SandboxError("there is no program 'strace', which names refused calls; install it (apt install strace)")
    with scratch_folder() as place:
        watched = ["strace", "-f", "-qq", "--status=failed", "-e", "trace=!%file", "-o", str(place / "trace")]
        done = subprocess.run([*watched, *command], capture_output=True, text=True, errors="replace", check=False)
        if done.returncode:
            raise SandboxError(f"under strace, '{' '.join(command)}' failed: {done.stderr.strip()[-500:]}")
        with (place / "trace").open(errors="replace") as lines:
            return Counter((match[1], match[2]) for line in lines if (match := REFUSED.match(line)))
