"""The rules library: games as data and small functions. No I/O, no clock, no threads, no gRPC."""
