"""Escapes from the kernel's walls that were found from 2021 to 2026, and what each needs before it can begin.

No exploit is here. `tests.attacks.preconditions` tries the first step of each; a program that is refused that cannot
take the second.
"""

from dataclasses import dataclass

NETFILTER, USERS, PIPES, RINGS = "NETLINK_NETFILTER", "unshare(CLONE_NEWUSER)", "splice", "io_uring_setup"


@dataclass(frozen=True)
class Escape:
    """A hole in the kernel or a runtime of containers."""

    cve: str
    name: str
    need: str
    """The first step that it needs: a key of `preconditions.PROBES`."""

    @property
    def year(self) -> int:
        """The year in which it got its number."""
        return int(self.cve.split("-")[1])


ESCAPES = (
    Escape("CVE-2021-3490", "bounds of 32-bit operations in eBPF", "bpf"),
    Escape("CVE-2021-3493", "overlayfs of Ubuntu keeps capabilities of files", USERS),
    Escape("CVE-2021-4154", "cgroup v1 takes any file descriptor as its source", "fsopen"),
    Escape("CVE-2021-22555", "x_tables writes beyond its buffer", USERS),
    Escape("CVE-2021-23133", "race when an SCTP socket is closed", "SCTP"),
    Escape("CVE-2021-23134", "use after free in sockets of NFC", "AF_NFC"),
    Escape("CVE-2021-26708", "races in vsock", "AF_VSOCK"),
    Escape("CVE-2021-33909", "Sequoia: a path that is too long for seq_file", USERS),
    Escape("CVE-2021-41073", "io_uring frees another buffer than it got", RINGS),
    Escape("CVE-2021-43267", "TIPC believes the length of a key", "AF_TIPC"),
    Escape("CVE-2022-0185", "fsconfig writes beyond its page", "fsopen"),
    Escape("CVE-2022-0492", "release_agent of cgroup v1", "mount"),
    Escape("CVE-2022-0847", "Dirty Pipe", PIPES),
    Escape("CVE-2022-0995", "watch_queue writes beyond its filter", "pipe2(O_NOTIFICATION_PIPE)"),
    Escape("CVE-2022-1015", "nf_tables takes registers that are not there", NETFILTER),
    Escape("CVE-2022-1729", "race in perf_event_open", "perf_event_open"),
    Escape("CVE-2022-2588", "use after free in the route4 classifier", USERS),
    Escape("CVE-2022-23222", "eBPF computes with pointers that may be null", "bpf"),
    Escape("CVE-2022-25636", "nf_tables writes beyond its list of offloads", NETFILTER),
    Escape("CVE-2022-27666", "ESP writes beyond its buffer", "NETLINK_XFRM"),
    Escape("CVE-2022-29582", "race of time limits in io_uring", RINGS),
    Escape("CVE-2022-30594", "PTRACE_SEIZE switches seccomp off", "ptrace"),
    Escape("CVE-2022-34918", "nf_tables confuses types of sets", NETFILTER),
    Escape("CVE-2023-0386", "overlayfs copies a setuid file from FUSE", "/dev/fuse"),
    Escape("CVE-2023-0461", "use after free of protocols upon TCP", "setsockopt(TCP_ULP)"),
    Escape("CVE-2023-2598", "io_uring registers pages beyond its buffer", RINGS),
    Escape("CVE-2023-2640", "GameOver(lay): overlayfs of Ubuntu", USERS),
    Escape("CVE-2023-32233", "nf_tables uses an anonymous set after its end", NETFILTER),
    Escape("CVE-2024-0582", "io_uring keeps pages of rings of buffers", RINGS),
    Escape("CVE-2024-1086", "nf_tables frees a packet twice", NETFILTER),
    Escape("CVE-2024-50264", "vsock keeps a pointer to what is gone", "AF_VSOCK"),
    Escape("CVE-2025-21756", "vsock loses count of its bindings", "AF_VSOCK"),
    Escape("CVE-2025-31133", "runC: masked paths by a link in place of /dev/null", "/proc/sys/kernel/core_pattern"),
    Escape("CVE-2025-38236", "urgent data in Unix sockets", "send(MSG_OOB) on AF_UNIX"),
    Escape("CVE-2025-38617", "race of rings in AF_PACKET", "AF_PACKET"),
    Escape("CVE-2025-52565", "runC: /dev/console is mounted before paths are masked", "/dev/console"),
    Escape("CVE-2025-52881", "runC: writes to /proc go elsewhere", "/proc/sysrq-trigger"),
    Escape("CVE-2026-31431", "Copy Fail: AF_ALG writes into the page cache", "AF_ALG"),
    Escape("CVE-2026-43284", "Dirty Frag: ESP writes into the page cache", "NETLINK_XFRM"),
    Escape("CVE-2026-43500", "Dirty Frag: RxRPC writes into the page cache", "AF_RXRPC"),
    Escape("CVE-2026-46300", "Fragnesia: ESP over TCP writes into the page cache", "setsockopt(TCP_ULP)"),
)


def table() -> str:
    """Return the table of the page about threats."""
    rows = [f"| {escape.cve} | {escape.name} | `{escape.need}` |" for escape in ESCAPES]
    return "\n".join(["| number | hole | needs |", "| --- | --- | --- |", *rows])
