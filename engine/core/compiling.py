"""Class attributes for the compiler mypyc; interpreted, they do nothing.

This file itself is never compiled: mypyc would compile only the branch for type checkers.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(**_: bool) -> Any:  # noqa: ANN401
        """Return a decorator that does nothing."""
        return lambda decorated: decorated
