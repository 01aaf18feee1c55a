"""Messages that no honest bot sends."""

from tests.attacks.in_match import MISBEHAVING, InMatch

ATTACKS = (
    InMatch("unasked answer", "PROTOCOL_ERROR", "which was never asked", MISBEHAVING),
    InMatch("stale answers", "OK", script=MISBEHAVING),
    InMatch("answers twice", "OK", script=MISBEHAVING),
    InMatch("illegal", "ILLEGAL", "action 77 (no action of this game)", MISBEHAVING),
    InMatch("out of range", "ILLEGAL", "action 4294967295 (no action of this game)"),
)
