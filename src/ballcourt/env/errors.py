"""Errors of environments."""

from ballcourt.engine.core import WrongInput


class EnvError(WrongInput):
    """An environment cannot do what it was asked."""
