"""Tests of the benchmarks with a name."""
