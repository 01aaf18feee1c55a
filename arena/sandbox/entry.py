"""The last step into the sandbox: `entry.py RLIMIT_NPROC=40,... DOOR FOLDER COMMAND ...`, by a Python without packages.

It sets limits, moves into a Landlock domain, reports on its standard input that the program is next, enters the folder
and becomes the program. Whatever happens after the report is the program's doing: the folder may not exist, either.

`DOOR` is `HOST:PORT=SOCKET` for a program with a proxy: before all that, a listener at that address of the sandbox's
own network is handed over through the Unix socket, and nothing of it is left here. Else it is empty.

From a Landlock domain a program can neither trace nor signal the processes outside of it, which here are those of
bubblewrap. They may run as the same user, and without the limit.
"""

import ctypes
import errno
import os
import resource
import struct
import sys

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # numbers of system calls, on every architecture
VERSION = 1  # LANDLOCK_CREATE_RULESET_VERSION
SCOPED = 6  # the first version with scopes, in Linux 6.12
SCOPES = 3  # LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | LANDLOCK_SCOPE_SIGNAL
REFER, REFERRING = 1 << 13, 2  # LANDLOCK_ACCESS_FS_REFER, which every ruleset on files denies, and its first version
PATH_BENEATH = 1
NOT_FOUND = 127
SIGPIPE, SIGXFSZ = 13, 25  # importing `signal` would double the time that this program takes
LIBC = ctypes.CDLL(None, use_errno=True)


def landlock(call: int, *arguments: int | bytes | None) -> int:
    """Make a system call. Raises OSError."""
    result: int = LIBC.syscall(call, *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), "Landlock refused")
    return result


def version() -> int:
    """Return the version of Landlock; 0 if the kernel has none or it is switched off."""
    try:
        return landlock(CREATE_RULESET, None, 0, VERSION)
    except OSError as error:
        if error.errno in (errno.ENOSYS, errno.EOPNOTSUPP):
            return 0
        raise


def restrict(known: int) -> None:
    """Move into a domain of our own, as far as this version of Landlock can. Raises OSError."""
    if known >= SCOPED:
        ruleset = landlock(CREATE_RULESET, struct.pack("QQQ", 0, 0, SCOPES), 24, 0)
    elif known >= REFERRING:  # a domain has to restrict something; this one then allows it everywhere
        ruleset = landlock(CREATE_RULESET, struct.pack("Q", REFER), 8, 0)
        root = os.open("/", os.O_PATH)
        landlock(ADD_RULE, ruleset, PATH_BENEATH, struct.pack("=Qi", REFER, root), 0)
        os.close(root)
    else:
        return
    landlock(RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def hand_over(door: str) -> None:
    """Hand a listener over to the proxy. Raises OSError."""
    import socket  # it takes a while, and bots have no proxy

    address, _, path = door.partition("=")
    host, _, port = address.partition(":")
    with (
        socket.create_server((host, int(port)), backlog=128) as listener,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as way,
    ):
        way.connect(path)
        socket.send_fds(way, [b"0"], [listener.fileno()])


def main() -> None:
    """Take the step."""
    limits, door, folder, *command = sys.argv[1:]
    if door:
        hand_over(door)
    for name, value in (limit.split("=") for limit in limits.split(",") if limit):
        resource.setrlimit(getattr(resource, name), (int(value), int(value)))
    restrict(version())
    for number in (SIGPIPE, SIGXFSZ):  # Python ignores them, and what it runs would, too
        LIBC.signal(number, None)
    os.environ.pop("LC_CTYPE", None)  # Python sets it; the arena does not
    os.write(0, b"\n")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    try:
        os.chdir(folder)
        os.execvp(command[0], command)
    except OSError as error:
        sys.stderr.write(f"{error.filename or command[0]}: {error.strerror}\n")
        os._exit(NOT_FOUND)


if __name__ == "__main__":
    main()
