"""Connections that no honest bot makes."""

from tests.attacks.in_match import MISBEHAVING, ONLY_CONFINED, QUICK_START, InMatch

SILENT = "did not say Hello within 10000 ms"

ATTACKS = (
    InMatch("never connects", "FAILED_TO_START", SILENT, MISBEHAVING, QUICK_START),
    InMatch("connects and is silent", "FAILED_TO_START", SILENT, clock=QUICK_START),
    InMatch("drips its Hello", "FAILED_TO_START", SILENT, clock=QUICK_START),
    InMatch("connects twice", "OK"),
    InMatch("connects often", "FAILED_TO_START", "Hello"),  # usually it ends; rarely it hangs until its time is up
    InMatch("steals a token", "FAILED_TO_START", "before it sent Hello", needs=ONLY_CONFINED),
)
