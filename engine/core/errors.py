"""Everything the engine refuses, each with a sentence that names the offender, the value and what is allowed."""


class WrongInput(ValueError):
    """What a person gave cannot be used; the sentence is for that person. Base of all such errors, also the arena's."""


class EngineError(ValueError):
    """Something was asked of the rules library that it cannot do."""


class UnknownGame(EngineError, WrongInput):
    """No game of that name is installed."""


class InvalidOption(EngineError, WrongInput):
    """A seat count or an option of the game is not among the allowed ones."""


class IllegalAction(EngineError):
    """A seat acted out of turn, or with an action that is not among its legal ones."""


class MalformedRows(EngineError):
    """Saved rows or an observation do not describe a position of this game."""
