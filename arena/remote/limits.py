"""Limits on what strangers, and holders of a token, can do to a host.

No limit is for the neighbours of a bad client to bear: behind one address there may be a whole class room. So a prefix
that floods or guesses is served after the others and its noise is not written down, but no good token is refused.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HostLimits:
    """The limits of a host. Bytes and counts are maxima.

    Of an IPv6 address only the first 64 bits count: a network hands out the rest freely.
    """

    hello_s: float = 10.0
    """Seconds from when a connection is served, or from the end of its last stream, to an accepted Hello.

    Its first words may take as many, before it is served.
    """
    first_message: int = 4096
    """Bytes of the Hello."""
    games: int = 64
    """Games in a Hello, which take more memory than bytes."""
    unproven_bytes: int = 16 * 1024
    """What a connection may send while no Hello of it is accepted."""
    unproven: int = 64
    """Simultaneous connections without an accepted Hello. For another one, the oldest of the busiest prefix leaves."""
    grace_s: float = 2.0
    """Seconds that a connection has at least to shake hands and say Hello before it must leave for another."""
    per_s: float = 50.0
    """Connections that are let in per second, and at once; others wait, those of the quietest prefix the least.

    Only those are let in whose first words have come, in TLS a whole record.
    """
    waiting: int = 1024
    """Connections that wait to be let in; for another one, the oldest of the busiest prefix leaves."""
    accepted_per_s: float = 500.0
    """Connections that are accepted per second, and at once, to wait."""
    refusals: int = 10
    """Hellos of one connection that may be refused before it is closed."""
    streams_per_bot: int = 16
    bytes_per_s: float = 1024 * 1024
    """How fast bytes of one connection are read, and how many at once."""
    window_s: float = 60.0
    """Seconds that the numbers below apply to."""
    hellos: int = 960
    """Accepted Hellos of one token."""
    failures: int = 10
    """Failed attempts of one prefix that are journalled one by one."""
