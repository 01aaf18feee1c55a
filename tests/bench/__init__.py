"""Benchmarks: `python -m tests.bench`, or `make bench`. Not part of the test suite.

Every figure is a ratio to a peer that is measured in the same process, in turns with ours, because absolute times say
more about the machine than about the code. The budgets are those of the project's design.
"""
