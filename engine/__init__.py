"""The rules library: games as data and small functions. No I/O, no clock, no threads, no gRPC."""

if __name__ != "ballcourt.engine":
    raise ImportError("import this package as ballcourt.engine; a second copy of its classes would not match the first")
