"""What the compiler needs to be told about a class; it means nothing to an interpreter.

This file itself is never compiled: mypyc takes the branch for a type checker as the only one there is.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(**_: bool) -> Any:  # noqa: ANN401
        """Return a decorator that does nothing."""
        return lambda decorated: decorated
