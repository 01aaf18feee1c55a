"""Benchmarks with a name: a field, set-ups, deals and budgets that never change. One TOML file each, in this folder.

A published file is never edited; what should be otherwise is a new file with the next number.
"""
