"""What becomes of a match that a browser follows: each state, in words, and what the page does next.

    waiting -> live -> ended -> counted, and at any time gone, from where it may begin again

A page that gets no place in a full server is in a state too, and so is one that cannot be shown what happens.
"""

from enum import Enum
from typing import Literal, TypedDict

Next = Literal["stay", "load", "ask"]


class FollowedState(TypedDict):
    """The state of what a page follows."""

    name: str
    sentence: str
    """Empty if there is nothing to say."""
    next: str
    """What the page does: "stay" and listen, "load" itself again to show the replay, or "ask" again later."""


class Followed(Enum):
    """A state by its name: its sentence, and what the page does next."""

    WAITING = (
        "The match has begun, and its first position is on the way. If it is played on another machine, this page shows"
        " it when it is over.",
        "stay",
    )
    LIVE = "", "stay"
    ENDED = "The match is over; the tables will count it in some seconds", "load"
    COUNTED = "", "load"
    GONE = (
        "The match was stopped before its end, or does not count. When it is played again, this page goes on.",
        "ask",
    )
    FULL = "The server is full: {most} browsers follow it. This page asks again every 10 seconds.", "ask"
    REFUSED = "The match cannot be watched: {why}. This page shows it when it is over.", "stay"

    def __init__(self, sentence: str, then: Next) -> None:
        self.sentence = sentence
        self.then = then

    def state(self, **values: object) -> FollowedState:
        """Return the state as pages read it, with the values of its sentence."""
        return {"name": self.name.lower(), "sentence": self.sentence.format(**values), "next": self.then}
