"""The generated modules of `v1` are parts of the package `ballcourt`."""

raise ImportError("import these modules as ballcourt.v1; a second copy of their classes would not match the first")
