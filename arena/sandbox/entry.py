"""The last step into the sandbox: `entry.py RLIMIT_NPROC=40,... DOOR FOLDER COMMAND ...`, by a Python without packages.

It sets limits, moves into a Landlock domain, reports on its standard input that the program is next, enters the folder
and becomes the program. Whatever happens after the report is the program's doing: the folder may not exist, either.

`DOOR` is `HOST:PORT=SOCKET` for a program with a proxy: before all that, a listener at that address of the sandbox's
own network is handed over through the Unix socket, and nothing of it is left here. gVisor hands over nothing, so there
it is `HOST:PORT>SOCKET`: the program is a child of this one, which passes on what comes to that address. Else it is
empty.

From a Landlock domain a program can neither trace nor signal the processes outside of it, which here are those of
bubblewrap. They may run as the same user, and without the limit.
"""

import ctypes
import errno
import os
import resource
import struct
import sys
import time

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # numbers of system calls, on every architecture
VERSION = 1  # LANDLOCK_CREATE_RULESET_VERSION
SCOPED = 6  # the first version with scopes, in Linux 6.12
SCOPES = 3  # LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | LANDLOCK_SCOPE_SIGNAL
REFER, REFERRING = 1 << 13, 2  # LANDLOCK_ACCESS_FS_REFER, which every ruleset on files denies, and its first version
PATH_BENEATH = 1
NOT_FOUND, KILLED = 127, 128
READ_BYTES, PAUSE_S = 1 << 16, 0.1
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


def pass_on(door: str) -> None:
    """Return in a child; pass on connections to the socket of the proxy, and end as the child does."""
    import socket
    import threading

    address, _, path = door.partition(">")
    host, _, port = address.partition(":")

    def copy(source: socket.socket, target: socket.socket) -> None:
        try:
            while data := source.recv(READ_BYTES):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:  # one of the two ends has gone
            for end in (source, target):
                end.close()

    def serve() -> None:
        while True:
            try:
                near, far = listener.accept()[0], socket.socket(socket.AF_UNIX)
                far.connect(path)
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=copy, args=ends, daemon=True).start()
            except (OSError, RuntimeError):  # too many are open
                time.sleep(PAUSE_S)

    listener = socket.create_server((host, int(port)), backlog=128)
    child = os.fork()
    if not child:
        listener.close()
        return
    threading.Thread(target=serve, daemon=True).start()
    ended, status = 0, 0
    while ended != child:
        ended, status = os.wait()
    code = os.waitstatus_to_exitcode(status)
    os._exit(code if code >= 0 else KILLED - code)


def main() -> None:
    """Take the step."""
    limits, door, folder, *command = sys.argv[1:]
    if door:
        (pass_on if ">" in door else hand_over)(door)
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
