"""What a contest answers to a request that it refuses: a sentence, a word for programs, and an HTTP status."""

from typing import ClassVar, Final

from ballcourt.arena.sandbox.tiers import unavailable
from ballcourt.engine.core import WrongInput

UNCONFINED: Final = "everybody who may enter a bot can read and change what you can"


class ContestError(WrongInput):
    """A contest cannot do what was asked; the sentence says why, and what to do."""

    status: ClassVar[int] = 422
    word: ClassVar[str] = "value"
    retry_after: float | None = None
    """After how many seconds it may be tried again."""


class ContestFileError(ContestError):
    """The file of a contest, its database or its folder cannot be used."""


class UnknownPersonError(ContestError):
    """The request has no valid token, session or link."""

    status = 401
    word = "unknown"


class NotAllowedError(ContestError):
    """The role or the scope of a token does not suffice."""

    status = 403
    word = "not_allowed"


class NotThereError(ContestError):
    """There is nothing at an address, or it belongs to another: both are answered alike."""

    status = 404
    word = "not_there"


class StateError(ContestError):
    """The state of the contest, of a team or of a submission does not allow it."""

    status = 409
    word = "state"


class TooLargeError(ContestError):
    """What is sent is larger than the contest allows."""

    status = 413
    word = "too_large"


class LimitError(ContestError):
    """A limit is used up; `retry_after` says when it is free again."""

    status = 429
    word = "limit"

    def __init__(self, sentence: str, retry_after: float) -> None:
        super().__init__(sentence)
        self.retry_after = max(1.0, retry_after)


class NoSpaceError(ContestError):
    """This machine has no room for what is sent."""

    status = 507
    word = "no_space"


class FilesError(ContestError):
    """A file of the contest cannot be read or written now."""

    status = 503
    word = "files"
    retry_after = 60.0


class NotReadyError(ContestError):
    """The server is making what is asked for; `retry_after` says when to ask again."""

    status = 503
    word = "not_ready"
    retry_after = 5.0


def demand_tier(tier: int, where: str) -> None:
    """Raise ContestFileError if this machine lacks the sandbox to which `where` confines bots; 0 needs none."""
    if lack := unavailable(tier):
        raise ContestFileError(
            f"{where} confines bots to sandbox tier {tier}, which is not available: {lack}; or give --unconfined: "
            f"{UNCONFINED}"
        )
