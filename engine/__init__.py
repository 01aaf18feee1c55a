"""The rules library: games as data and small functions. No I/O, no clock, no threads, no gRPC."""

import sys

if __name__ != "ballcourt.engine":
    raise ImportError("import this package as ballcourt.engine; a second copy of its classes would not match the first")
if sys.version_info < (3, 11):  # noqa: UP036  the SDK alone runs with older ones
    raise ImportError(f"the rules need Python 3.11 or newer, and this is {sys.version.split()[0]}")
