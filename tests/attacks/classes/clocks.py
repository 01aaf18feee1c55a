"""Attacks on the clocks of a match."""

from dataclasses import replace

from tests.attacks.in_match import BRISK, MISBEHAVING, PATIENT, InMatch

STALLING = "stalling.py"
LATE = "did not answer within 1500 ms"
SHORT = replace(PATIENT, cap_ms=2000)
BLITZ = replace(PATIENT, bank_ms=3000, increment_ms=0, grace_ms=3000)
UNFORGIVING = replace(PATIENT, cap_ms=8000, grace_ms=0)

ATTACKS = (
    InMatch("drips its answer", "TIMEOUT", LATE, clock=BRISK),
    InMatch("hangs", "TIMEOUT", LATE, MISBEHAVING, BRISK),
    # an arena that was late gives the bot its grace, and a later question is the one too late
    InMatch("thinks on the grace", "TIMEOUT", "within 1500 ms", STALLING, BRISK),
    InMatch("thinks on an empty bank", "TIMEOUT", "did not answer within", STALLING, BLITZ),
    InMatch("holds back the last byte", "TIMEOUT", "did not answer within 2000 ms", STALLING, SHORT),
    InMatch("takes no question", "TIMEOUT", LATE, STALLING, BRISK),
    InMatch("stops itself", "TIMEOUT", LATE, STALLING, BRISK),
    InMatch("spins, then hangs", "TIMEOUT", "did not answer within 8000 ms", STALLING, UNFORGIVING),
)
