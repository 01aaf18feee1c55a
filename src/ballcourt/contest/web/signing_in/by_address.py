"""How often strangers may try something, by the network of their address."""

from collections.abc import Callable

from fastapi import Request

from ballcourt.arena.browser.guard import HOSTS
from ballcourt.arena.rates import SlidingWindow
from ballcourt.arena.remote.port import prefix_of
from ballcourt.contest.refusals import LimitError


class CountsByAddress:
    """Counts what visitors did, together for all addresses of a network of IPv6.

    Visitors who come through a proxy on this machine that is not listed have no address of their own, and are not
    counted.
    """

    def __init__(self, most: int, within_s: float, refusal: str, now: Callable[[], float]) -> None:
        """`refusal` is what a visitor reads who did it `most` times within `within_s` seconds."""
        self._window = SlidingWindow(most, within_s, now)
        self._within_s = within_s
        self._refusal = refusal

    def check(self, request: Request) -> None:
        """Raise LimitError if a visitor may not try again yet."""
        if self._window.is_full(_network(request)):
            raise LimitError(self._refusal, self._within_s)

    def add(self, request: Request) -> None:
        """Count what a visitor did."""
        if network := _network(request):
            self._window.add(network)


def _network(request: Request) -> str:
    """Return what a visitor is counted by; an empty string for one who is not counted."""
    address = request.client.host if request.client else ""
    if address in HOSTS:
        return ""
    try:
        return prefix_of(address)
    except ValueError:  # the name of a Unix socket, or what a proxy made of it
        return address
