"""Makes every Python process lack what Windows lacks: modules, Unix sockets, functions of `os`, /proc, `preexec_fn`.

Put this folder on PYTHONPATH. What the standard library itself needs of them to run here is imported first.
"""

import asyncio
import concurrent.futures.process
import fcntl
import getpass
import multiprocessing.connection
import os
import selectors
import shutil
import signal
import socket
import socketserver
import subprocess
import sys
import sysconfig
import tempfile
from functools import partial
from types import ModuleType

assert all((asyncio, concurrent, getpass, multiprocessing, selectors, shutil, socketserver, subprocess, tempfile))

MODULES = ("fcntl", "resource", "termios", "tty", "pty", "pwd", "grp", "readline", "curses", "syslog")
OF_OS = (
    *("fork", "forkpty", "getuid", "geteuid", "getgid", "getegid", "getpgid", "getpgrp", "killpg", "setsid", "setuid"),
    *("mkfifo", "chown", "fchown", "lchown", "pidfd_open", "sched_getaffinity", "sched_setaffinity", "getloadavg"),
    *("sched_setscheduler", "statvfs", "sysconf", "nice", "wait", "wait4", "waitid", "openpty", "uname", "pread"),
    *("O_NONBLOCK", "O_DIRECTORY", "O_NOFOLLOW", "O_CLOEXEC", "O_SYNC", "O_NOCTTY", "SCHED_BATCH"),
)
SIGNALS = ("SIGSTOP", "SIGCONT", "SIGHUP", "SIGCHLD", "SIGALRM", "SIGUSR1", "SIGUSR2", "SIGWINCH", "SIGQUIT", "SIGTSTP")
OF_SIGNAL = (*SIGNALS, "alarm", "setitimer", "pthread_sigmask", "sigwait")


class Console(ModuleType):
    """What stands in for the locks of Windows' C library, which lock bytes from where the file stands."""

    LK_NBLCK = 2
    LK_UNLCK = 0

    @staticmethod
    def locking(descriptor: int, mode: int, _: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB if mode else fcntl.LOCK_UN)


def refuse_proc(event: str, arguments: tuple[object, ...]) -> None:
    """Make /proc unreadable."""
    if event in ("open", "os.listdir", "os.scandir") and str(arguments[0]).startswith("/proc"):
        raise FileNotFoundError(2, "there is no /proc", arguments[0])


class PlainPopen(subprocess.Popen[bytes]):
    """Starts programs as Windows does, which runs no code of ours in their processes."""

    def __init__(self, *words: object, **options: object) -> None:
        if options.get("preexec_fn") is not None:
            raise ValueError("preexec_fn is not supported on Windows platforms")
        super().__init__(*words, **options)  # type: ignore[call-overload]


subprocess.Popen = PlainPopen  # type: ignore[misc, assignment]
socket.socketpair = partial(socket.socketpair, socket.AF_UNIX)  # asyncio wakes by it
sysconfig.get_config_vars()  # reads a file that is named after the system
for name in MODULES:
    sys.modules[name] = None  # type: ignore[assignment]
for module, names in ((os, OF_OS), (signal, OF_SIGNAL), (socket, ("AF_UNIX",))):
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
sys.modules["msvcrt"] = Console("msvcrt")
os.environ.setdefault("USERNAME", "somebody")
sys.addaudithook(refuse_proc)
os.supports_dir_fd.clear()
sys.platform = "unknown"
